/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tree of engine dmodc with its destinations numbered, and the slots of switches: engines/dmodc.c
 * says what these are.
 */
#ifndef HD_ENGINES_DMODC_PLAN_H
#define HD_ENGINES_DMODC_PLAN_H

#include "engines/targets.h"
#include "engines/tree_ways.h"
#include "topologies/fat_tree.h"

struct hd_error;

#define HD_DMODC_MOST_SLOTS (2 * HD_MAX_PORTS) /* of a switch */

/* A LID to route to. */
struct hd_dmodc_item {
	uint32_t number; /* along the tree */
	uint16_t lid;
	uint8_t port; /* of the switch that leads to the LID; 0: its own */
	uint8_t pass; /* LMC offset */
	bool is_over; /* its leaf has more hosts than slots, and this is one of those */
};

struct hd_dmodc_plan {
	const struct hd_fabric *fabric;
	struct hd_fat_tree *tree;
	struct hd_tree_ways ways;
	struct hd_dmodc_item *items; /* by switch */
	uint16_t *lids;              /* [item] its LID again, for loops over many */
	uint16_t *over;              /* LIDs of the items that are over */
	uint32_t n_over;
	uint32_t *first_item; /* [switch + 1] */
	bool *has_over;       /* [switch] one of its items is over */
	size_t *first_slot;   /* [switch] in arriving[] and cables_of[] */
	/* for each slot of a leaf that is of a first cable: flows that come down from its parent */
	uint32_t *arriving;
	uint8_t *cables_of; /* likewise: cables from that parent */
	uint32_t *down;     /* likewise: arriving[] by each of these cables */
	/* [leaf's item][its slot of a first cable] flows that come by that parent beside others */
	uint32_t *via;
	size_t *first_via;   /* [switch] */
	uint32_t most_slots; /* of any siblings */
	uint32_t n_hosts;    /* items that are not switches' own */
	bool is_even;        /* no leaf lacks a slot or has items that are over */
	bool *is_thin;       /* [switch] lacks a cable that is no first one to its parent */
	bool *lacks;         /* [first_slot[switch] + slot] which one */
};

/*
 * Recognises the tree, @no_hosts as in topologies/no_hosts.h, and finds what there is before flows
 * are counted. Clear also after an error. HD_EREFUSED: it is no fat tree. HD_ENOMEM.
 */
int hd_dmodc_plan_find(const struct hd_fabric *fabric, const char *no_hosts,
		       const struct hd_route_targets *targets, struct hd_dmodc_plan *plan,
		       struct hd_error *err);
void hd_dmodc_plan_clear(struct hd_dmodc_plan *plan);

/* The cable of @slot at @s among those to the same parent. */
unsigned hd_dmodc_cable_of_slot(const struct hd_siblings *siblings, const uint32_t *slots,
				uint32_t slot);

/* Adds flows to what comes down to @to by @slot of its siblings that is of a first cable. */
void hd_dmodc_add_arrival(struct hd_dmodc_plan *plan, uint32_t to, uint32_t slot, uint32_t flows);

#endif
