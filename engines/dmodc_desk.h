/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What engine dmodc works out for a switch before it fills the switch's LFT. */
#ifndef HD_ENGINES_DMODC_DESK_H
#define HD_ENGINES_DMODC_DESK_H

#include "engines/dmodc_plan.h"

#define HD_DMODC_NO_GROUP 0xFFu /* in place of a group of cables: none */

/* What is worked out for a switch, and kept while it stays the same for the next. */
struct hd_dmodc_desk {
	struct hd_dmodc_plan *plan;
	uint32_t s;
	const struct hd_tree_group *groups;
	unsigned n_groups, n_up;
	/* slots */
	uint32_t divider, n_slots, n_parents, rank;
	bool is_complete; /* the switch has all slots, and no cable up beside them */
	uint8_t n_used[HD_MAX_PORTS + 1]; /* [group] cables that are slots */
	/* by slot */
	uint8_t slot_port[HD_DMODC_MOST_SLOTS], slot_group[HD_DMODC_MOST_SLOTS];
	uint16_t slot_first[HD_DMODC_MOST_SLOTS]; /* the slot of the first cable to that parent */
	uint32_t leaving[HD_DMODC_MOST_SLOTS];    /* flows that leave by it instead of others */
	/* [group] the links of the ways by it to each switch; what they are where it leads there */
	const uint8_t *lengths[HD_MAX_PORTS + 1], *want[HD_MAX_PORTS + 1];
	uint32_t n_sources;
	/* by destination switch */
	uint8_t *group_to; /* HD_DMODC_NO_GROUP: no cable leads there */
	uint8_t *want_fall, *want_rise, *count, *count_up, *single;
	/* slot of every item, for the divider and the number of slots that are noted here */
	uint16_t *slot;
	uint32_t slots_divider, slots_n;
};

/* Makes a desk for switches of @plan. False: there is too little memory; clear the desk then, too. */
bool hd_dmodc_desk_new(struct hd_dmodc_plan *plan, struct hd_dmodc_desk *desk);
void hd_dmodc_desk_clear(struct hd_dmodc_desk *desk);

/* Begins with switch @s. */
void hd_dmodc_desk_begin(struct hd_dmodc_desk *desk, uint32_t s);

/* The slot of every item, at switches with this divider and number of slots. */
void hd_dmodc_find_item_slots(struct hd_dmodc_desk *desk);

/* Whether the slots of leaf @to are such as those of the leaf that the desk is of. */
bool hd_dmodc_has_such_slots(const struct hd_dmodc_desk *desk, uint32_t to);

/*
 * Whether what comes to leaf @to by slots of the leaf that the desk is of may meet fewer cables
 * down than it came by.
 */
bool hd_dmodc_is_thinner(const struct hd_dmodc_desk *desk, uint32_t to);

/* Counts what comes down to leaves by the slots that they have. HD_ENOMEM. */
int hd_dmodc_count_arrivals(struct hd_dmodc_plan *plan, struct hd_error *err);

#endif
