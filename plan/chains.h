/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From cables that meet to findings and moves (plan/differ.h says how). Internal to plan/. */
#ifndef HD_PLAN_CHAINS_H
#define HD_PLAN_CHAINS_H

#include "plan/meet.h"

/* Room for all that may be found. HD_ENOMEM. */
int hd_differences_begin(const struct hd_cable_edges *edges, struct hd_differences *differences);

/* The next finding, without cables and moves. */
struct hd_finding *hd_find(struct hd_differences *differences, enum hd_finding_kind kind);

/* A cable of the finding, which is the last one. */
void hd_find_planned(struct hd_differences *differences, const struct hd_cable_edge *edge);
void hd_find_present(struct hd_differences *differences, const struct hd_cable_edge *edge);

/* A move of the finding, which is the last one. */
void hd_find_move(struct hd_differences *differences, enum hd_move_kind kind,
		  const struct hd_place *one, const struct hd_place *other);

/*
 * Finds all but rates. Planned cables to absent nodes, and cables of nodes that are not planned,
 * become one finding for each node. HD_ENOMEM.
 */
int hd_chains_follow(const struct hd_cable_edges *edges, const struct hd_odd_cables *odd,
		     struct hd_differences *differences);

#endif
