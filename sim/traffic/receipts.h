/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbered messages that come in any order: how many of the first ones are all there. What came
 * ahead of its turn is a bit each.
 */
#ifndef HD_TRAFFIC_RECEIPTS_H
#define HD_TRAFFIC_RECEIPTS_H

#include <stdbool.h>
#include <stdint.h>

/* All 0: nothing has come. */
struct hd_receipts {
	uint64_t n;     /* messages 0 to n - 1 have come */
	uint64_t bits;  /* of messages from n on, in a ring of `span` bits; not used with `more` */
	uint64_t *more; /* the ring, if it has more than 64 bits */
	uint32_t span;  /* bits of `more` */
};

/* Message @number, which has not come yet, is there. False: out of memory. */
bool hd_receipts_add(struct hd_receipts *receipts, uint64_t number);
void hd_receipts_free(struct hd_receipts *receipts);

#endif
