/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Balance by turns: a switch sends each destination to the least used of the ports that would do.
 * What engines on arbitrary graphs share; they differ in which ports would do.
 */
#ifndef HD_ENGINES_CANDIDATES_H
#define HD_ENGINES_CANDIDATES_H

#include "engines/targets.h"

/* Of one switch: for every other one, the out-ports that lead towards it. */
struct hd_candidates {
	const struct hd_fabric *fabric;
	uint8_t ports[HD_MAX_PORTS]; /* those to other switches, by (peer, number) */
	unsigned n_ports;
	uint8_t *list;  /* [switch * n_ports] */
	uint8_t *count; /* [switch] how many of them count */
};

/* HD_ENOMEM. Clear it with hd_candidates_clear(), whatever the outcome. */
int hd_candidates_new(const struct hd_fabric *fabric, struct hd_candidates *candidates);
void hd_candidates_clear(struct hd_candidates *candidates);

/*
 * Begins with switch @s: its ports to other switches, in ascending order of (peer's GUID, number), so
 * that renumbered ports keep their turn; and no candidates.
 */
void hd_candidates_begin(struct hd_candidates *candidates, uint32_t s);

/* Adds @port to the candidates for @to where @leads; without a branch to miss. */
static inline void hd_candidates_add(struct hd_candidates *candidates, uint32_t to, uint8_t port,
				     bool leads)
{
	candidates->list[(size_t)to * candidates->n_ports + candidates->count[to]] = port;
	candidates->count[to] += leads;
}

/* Fills @lft, the row of @s, by turns; destinations without candidates keep what they have. */
void hd_candidates_route(const struct hd_candidates *candidates, uint32_t s,
			 const struct hd_route_targets *targets, uint8_t *lft);

#endif
