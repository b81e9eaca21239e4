// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/sent_blocks.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct hd_sent_blocks *sent)
{
	const size_t capacity = sent->capacity ? sent->capacity * 2 : 256;
	struct hd_sent_block *list;

	if (sent->n < sent->capacity)
		return true;
	list = realloc(sent->list, capacity * sizeof(*list));
	if (!list)
		return false;
	sent->list = list;
	sent->capacity = capacity;
	return true;
}

void hd_sent_blocks_note(struct hd_sent_blocks *sent, void *port, unsigned number,
			 const void *block)
{
	struct hd_sent_block *last;

	if (!make_room(sent))
		return;
	last = &sent->list[sent->n++];
	last->port = port;
	last->number = number;
	memcpy(last->block, block, sizeof(last->block));
}

void hd_sent_blocks_clear(struct hd_sent_blocks *sent)
{
	free(sent->list);
	*sent = (struct hd_sent_blocks){ .list = NULL };
}
