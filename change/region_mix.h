/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All mixtures of two sets of tables in one region (change/region.h): packets that come in from
 * outside, and packets of sources inside, take all paths of either set. Internal to change/.
 */
#ifndef HD_CHANGE_REGION_MIX_H
#define HD_CHANGE_REGION_MIX_H

#include "change/region.h"

/* New states at a row (one word of them), from link to link between switches. */
struct hd_region_sight {
	size_t word;
	uint32_t row_port; /* the out-port */
	uint32_t in;
};

/* Arrays of one thread. */
struct hd_region_worker {
	/* The states that this thread saw before all others, since n_seen was set to 0. */
	struct hd_region_sight *seen;
	size_t n_seen, capacity;
	bool no_memory; /* `seen` is incomplete */

	/* Private: [switch], [node of the region], [way: a node's next hop, two for each node]. */
	uint32_t *number;
	bool *reached;
	uint32_t n_order;
	uint32_t *waiting, *order, *first_way; /* the first of the ways that lead to a node */
	struct hd_region_way {
		uint8_t port, in;
		uint16_t sls;
		uint32_t target; /* node; HD_NONE: it leads out of the region, to no switch */
		uint32_t next;   /* of the ways to the same node */
	} * ways;
	uint64_t *words; /* [way * n_words] */
};

/* For regions of up to @most_nodes switches. HD_ENOMEM. Clear also after an error. */
int hd_region_worker_init(struct hd_region_worker *worker, const struct hd_check_network *network,
			  uint32_t most_nodes, struct hd_error *err);
void hd_region_worker_clear(struct hd_region_worker *worker);

/* What the entries and rows that change are in one set of tables, by their places in the lists. */
struct hd_values {
	uint8_t *entry;
	hd_sl2vl_row *row;
};

/* Two sets of tables, and the states that are known of mixtures. */
struct hd_region_mix {
	const struct hd_region_ground *ground; /* with patterns of rows of both */
	const struct hd_values *a, *b;
	const struct hd_usage *known; /* states at rows that stay */
	uint64_t *added; /* [index as tables->sl2vl n_words] other states that were seen */
};

/* Follows the packets to @lid, one of the region's LIDs; false: there is a forwarding loop. */
bool hd_region_follow(const struct hd_region_mix *mix, const struct hd_region *region,
		      const struct hd_region_store *store, uint16_t lid,
		      struct hd_region_worker *worker);

#endif
