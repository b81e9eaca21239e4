/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The region of a change for one LID: the switches whose entries or SL2VL rows change, and all
 * switches that packets reach from these, by the old or the new tables. Nothing changes outside the
 * region, so that part is followed once, and the states that come into the region from outside are
 * kept. With them, any mixture is followed in the region alone (change/change.h). Internal to
 * change/.
 *
 * LIDs with the same old entries, the same new entries and the same path SLs have one region.
 */
#ifndef HD_CHANGE_REGION_H
#define HD_CHANGE_REGION_H

#include "check/order.h"
#include "check/states.h"

/* Data that all regions of a change share. */
struct hd_region_ground {
	const struct hd_check_network *network;     /* of the old tables, with the new ones as
						   `before` */
	const struct hd_destinations *destinations; /* by the old tables */

	/* Entries that change, ascending by LID, then switch. */
	const uint32_t *first_change;           /* [LID + 1] in changes[] */
	const struct hd_region_change *changes; /* each of a switch */
	const uint8_t *new_entry;               /* [place] */

	/*
	 * SL2VL rows that change: [as sl2vl] whether the row does, [switch] whether some row does,
	 * and [port] whether one does at this out-port for packets of the switch's own sources.
	 */
	const bool *row_changes;
	const uint32_t *row_switches;
	uint32_t n_row_switches;
	const bool *source_changes;
};

struct hd_region_change {
	uint32_t node;  /* the switch */
	uint32_t place; /* of the entry in the list of those that change */
};

/* LIDs that have one region. */
struct hd_region {
	const struct hd_destination *destination; /* by the old entries */
	uint32_t first, end;                      /* LIDs, in an array of the caller */
	uint32_t worker;                          /* its store has the rest */
	/* Switches of the region, first those whose entry changes; 0: nothing changes. */
	uint32_t first_node, n_nodes;
};

/* A switch of a region. */
struct hd_region_node {
	uint32_t s;
	uint32_t first_input, n_inputs;
	uint16_t sls; /* that leave by `out` in every mixture; with `words` at [node] */
	uint8_t out;  /* if the entry stays */
	bool changes; /* the entry does */
	bool reached; /* by packets from outside, or of its own sources */
};

/* States that come into a switch of a region from outside, and must be followed each time. */
struct hd_region_input {
	uint32_t in;   /* the in-port; for sources the group */
	uint16_t sls;  /* places */
	bool is_group; /* of sources, in network->groups[] */
};

/* Results and arrays of one thread. */
struct hd_region_store {
	struct hd_region_node *nodes;
	uint64_t *node_words; /* [node * n_words] */
	struct hd_region_input *inputs;
	uint64_t *input_words; /* [input * n_words] */
	size_t n_nodes, node_capacity, n_inputs, input_capacity;
	bool loops;     /* there is a forwarding loop outside the region */
	bool no_memory; /* results are incomplete */

	/* Private, of one LID: [switch], but for `order` and `found`. */
	uint8_t *new;     /* new entries of switches that change */
	uint8_t *kind;    /* whether it is in the region, and changes */
	uint32_t *number; /* in the region */
	uint32_t *found;  /* the switches of the region */
	uint32_t *target, *waiting, *order;
	uint8_t *in; /* the in-port at the target */
	bool *reached;
	uint16_t *sls;
	uint64_t *links;
};

/*
 * Packets that the sources of @group, except @owner, send with @sls by out-port @out of their
 * switch @s: adds their state to @link, source by source, and returns their SLs there.
 */
unsigned hd_region_inject(const struct hd_check_network *network,
			  const struct hd_source_group *group, uint32_t s, unsigned out,
			  unsigned sls, uint32_t owner, uint64_t *link);

/* HD_ENOMEM. Clear also after an error. */
int hd_region_store_init(struct hd_region_store *store, const struct hd_check_network *network,
			 struct hd_error *err);
void hd_region_store_clear(struct hd_region_store *store);

/*
 * Finds the region of @region's LIDs, in @lids of the caller; adds the states outside, which all
 * mixtures have, to @usage. Several threads may call this at once, each with a store.
 */
void hd_region_find(struct hd_region *region, const uint16_t *lids,
		    const struct hd_region_ground *ground, struct hd_region_store *store,
		    struct hd_usage *usage);

#endif
