/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How many cables are usual between switches, or groups of them, that are linked at all. A number
 * is usual if four fifths of the linked pairs have it. A cable in a wrong place leaves one pair
 * with less and another one with more; where far more pairs have more than have less, these were
 * cabled so: the ports of some dragonflies do not divide evenly. Internal to plan/infer.h.
 */
#ifndef HD_PLAN_USUAL_H
#define HD_PLAN_USUAL_H

#include "plan/cable_plan.h"

struct hd_linked_pair {
	uint64_t pair; /* the lower one in the upper half */
	uint32_t n;    /* cables */
};

struct hd_usual {
	struct hd_linked_pair *pairs; /* ascending */
	uint32_t n_pairs;
	uint32_t n;      /* usual number of cables; 0: there is none */
	bool may_exceed; /* so many pairs have more that it is no fault */
};

/*
 * Counts cables between switches of one group; between groups, of which @plan has the members
 * n_groups, group and is_spine. Clear also after HD_ENOMEM.
 */
int hd_usual_within(const struct hd_fabric *now, const uint32_t *group, struct hd_usual *usual);
int hd_usual_between(const struct hd_fabric *now, const struct hd_cable_plan *plan,
		     struct hd_usual *usual);
void hd_usual_clear(struct hd_usual *usual);

/* How many a pair should have: as many as is usual; else as many as it has, and one at least. */
uint32_t hd_usual_cables(const struct hd_usual *usual, uint32_t one, uint32_t other);

/* Adds @n cables between two switches or groups, unless one of them is HD_NONE. HD_ENOMEM. */
int hd_cable_plan_add(struct hd_cable_plan *plan, uint32_t one, uint32_t other, uint32_t n);

/* Adds all cables that were counted. HD_ENOMEM. */
int hd_cable_plan_add_all(struct hd_cable_plan *plan, const struct hd_usual *usual);

#endif
