// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/vlarb_blocks.h"

#include <stdlib.h>
#include <string.h>

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

/* Sends Set(VLArbitrationTable), as osm_qos.c makes it; the answer goes into OpenSM's copy. */
static void send_block(const struct hd_osm_sent_block *sent, struct osm_opensm *osm)
{
	osm_physp_t *physp = sent->physp;
	osm_node_t *node = osm_physp_get_node_ptr(physp);
	const osm_physp_t *keeper = node->sw ? osm_node_get_physp_ptr(node, 0) : physp;
	const uint32_t modifier =
		(sent->number + 1) << 16 | (node->sw ? osm_physp_get_port_num(physp) : 0);
	osm_madw_context_t context = { 0 };

	context.vla_context.node_guid = osm_node_get_node_guid(node);
	context.vla_context.port_guid = osm_physp_get_port_guid(physp);
	context.vla_context.set_method = TRUE;
	osm_req_set(&osm->sm, osm_physp_get_dr_path_ptr(physp), (const uint8_t *)&sent->block,
		    sizeof(sent->block), IB_MAD_ATTR_VL_ARBITRATION, cl_hton32(modifier), FALSE,
		    ib_port_info_get_m_key(&keeper->port_info), 0, CL_DISP_MSGID_NONE, &context);
}

void hd_osm_blocks_send(const struct hd_osm_blocks *blocks, struct osm_opensm *osm)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (hd_osm_block_is_marked(&blocks->list[i].physp->vl_arb[blocks->list[i].number]))
			send_block(&blocks->list[i], osm);
}
