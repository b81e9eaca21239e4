/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The packets to all destinations, in forests (check/forest.h). Internal to check/. */
#ifndef HD_CHECK_FORESTS_H
#define HD_CHECK_FORESTS_H

#include "check/states.h"

struct hd_forests {
	bool *whole; /* [destination] packets of all sources reach the root */
	uint32_t n_whole;
	unsigned max_hops; /* links between switches on the longest path to the root of these */
};

/*
 * Adds to @usage the states of packets to all destinations that are whole. HD_ENOMEM. Clear also
 * after an error.
 */
int hd_forests_follow(struct hd_forests *forests, const struct hd_check_network *network,
		      const struct hd_destinations *destinations, struct hd_usage *usage,
		      struct hd_error *err);
void hd_forests_clear(struct hd_forests *forests);

#endif
