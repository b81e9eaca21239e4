/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration blocks that were sent since a sweep or round began: what they were, so that they
 * can be sent again at once.
 */
#ifndef HD_MANAGER_SENT_BLOCKS_H
#define HD_MANAGER_SENT_BLOCKS_H

#include "tables/tables.h"

struct hd_sent_block {
	void *port;      /* of the subnet manager */
	unsigned number; /* 0 to 3 */
	uint8_t block[2 * HD_VLARB_BLOCK];
};

/* Begin with zeros. */
struct hd_sent_blocks {
	struct hd_sent_block *list;
	size_t n, capacity;
};

/* Notes @block, as it goes to the port; without memory it is left to the next sweep. */
void hd_sent_blocks_note(struct hd_sent_blocks *sent, void *port, unsigned number,
			 const void *block);
void hd_sent_blocks_clear(struct hd_sent_blocks *sent);

#endif
