/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where a missing cable may be plugged in, if its plan has no ports (plan/infer.h): a port that has
 * no cable, or one that a cable in a wrong place has. The switch of a cable between two groups is
 * one of those that have fewer cables to other groups than others.
 *
 * Of several free ports, those are likely by which at least half of the switches around the other
 * switch are linked to it: all leaves of most fat trees have the same port for a spine.
 */
#ifndef HD_PLAN_FREE_PORTS_H
#define HD_PLAN_FREE_PORTS_H

#include "plan/differ.h"

struct hd_free_ports {
	const struct hd_cable_plan *plan;
	const struct hd_fabric *now;
	bool *is_free; /* [port] */
};

/* Clear with hd_free_ports_clear(), also after HD_ENOMEM. */
int hd_free_ports_find(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		       const struct hd_differences *differences, struct hd_free_ports *ports);
void hd_free_ports_clear(struct hd_free_ports *ports);

/*
 * The next switch after @s that @place may be on, as a node of the fabric; HD_NONE: no further one.
 * Begin with HD_NONE. A switch of a group counts only if it has a free port.
 */
uint32_t hd_free_ports_next_switch(const struct hd_free_ports *ports, const struct hd_place *place,
				   uint32_t s);

/* The next free port of @s after @number; 0: no further one. Begin with 0. */
unsigned hd_free_ports_next(const struct hd_free_ports *ports, uint32_t s, unsigned number);

/* Whether port @number of @s is a likely one for a cable to @other, a switch. */
bool hd_free_ports_is_likely(const struct hd_free_ports *ports, uint32_t s, uint32_t other,
			     unsigned number);

#define HD_END_LABEL_SIZE (4 * HD_LABEL_SIZE)

/*
 * What hd_place_label() writes of an end of @pair, and the ports if it has none: "NAME[PORT]" where
 * one is free, else "NAME[likely 5, 7-9]" or "NAME[one of 5, 7-9]"; a group is told by its switches
 * if they are few: "one of NAME[5], NAME[6]". Returns @buffer of HD_END_LABEL_SIZE bytes.
 */
const char *hd_end_label(const struct hd_free_ports *ports, const struct hd_place pair[2],
			 unsigned end, char *buffer);

#endif
