/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Balance by turns: a switch sends each destination to the least used of the ports that would do.
 * What engines on arbitrary graphs share; they differ in which ports would do.
 */
#ifndef HD_ENGINES_CANDIDATES_H
#define HD_ENGINES_CANDIDATES_H

#include "engines/targets.h"
#include "tables/tables.h"

/* Of one switch: for every other one, the out-ports that lead towards it. */
struct hd_candidates {
	const struct hd_fabric *fabric;
	uint8_t ports[HD_MAX_PORTS]; /* those to other switches, by (peer, number) */
	unsigned n_ports;
	uint8_t *list;  /* [switch * n_ports] */
	uint8_t *count; /* [switch] how many of them count */
};

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

/* Begins with switch @s by hd_candidates_begin() and adds what would do. Runs in several threads. */
typedef void (*hd_candidates_fn)(const void *context, uint32_t s, struct hd_candidates *candidates);

/*
 * Fills the LFTs of @tables, switch by switch: @list finds the candidates, and destinations take
 * them by turns; those without candidates keep what they have. HD_ENOMEM.
 */
int hd_candidates_fill(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		       hd_candidates_fn list, const void *context, struct hd_tables *tables,
		       struct hd_error *err);

#endif
