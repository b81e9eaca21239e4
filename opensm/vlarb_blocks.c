// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/vlarb_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "opensm/smps.h"

/* Nothing frees @physp before the next sweep has discovered the fabric. */
struct hd_osm_sent_block {
	osm_physp_t *physp;
	unsigned number; /* 0 to 3 */
	ib_vl_arb_table_t block;
};

void hd_osm_blocks_clear(struct hd_osm_blocks *blocks)
{
	free(blocks->list);
	*blocks = (struct hd_osm_blocks){ .list = NULL };
}

static bool make_room(struct hd_osm_blocks *blocks)
{
	const size_t room = blocks->room ? blocks->room * 2 : 256;
	struct hd_osm_sent_block *list;

	if (blocks->n < blocks->room)
		return true;
	list = realloc(blocks->list, room * sizeof(*list));
	if (!list)
		return false;
	blocks->list = list;
	blocks->room = room;
	return true;
}

void hd_osm_blocks_note(struct hd_osm_blocks *blocks, osm_physp_t *physp, unsigned number,
			const ib_vl_arb_table_t *block)
{
	if (make_room(blocks))
		blocks->list[blocks->n++] = (struct hd_osm_sent_block){
			.physp = physp,
			.number = number,
			.block = *block,
		};
}

void hd_osm_block_mark(ib_vl_arb_table_t *kept)
{
	memset(kept, 0xff, sizeof(*kept));
}

bool hd_osm_block_is_marked(const ib_vl_arb_table_t *kept)
{
	ib_vl_arb_table_t mark;

	hd_osm_block_mark(&mark);
	return memcmp(kept, &mark, sizeof(mark)) == 0;
}

void hd_osm_blocks_send(const struct hd_osm_blocks *blocks, struct osm_opensm *osm)
{
	for (size_t i = 0; i < blocks->n; i++) {
		const struct hd_osm_sent_block *sent = &blocks->list[i];

		if (hd_osm_block_is_marked(&sent->physp->vl_arb[sent->number]))
			hd_osm_set_vlarb(osm, sent->physp, sent->number, &sent->block);
	}
}
