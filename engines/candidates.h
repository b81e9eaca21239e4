/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Balance by turns: a switch sends each destination to the least used of the ports that lead the
 * right way. This is what engines on arbitrary graphs share; they differ in which ports are right.
 */
#ifndef HD_ENGINES_CANDIDATES_H
#define HD_ENGINES_CANDIDATES_H

#include "engines/targets.h"
#include "tables/ar.h"

/* Of one switch: for every other switch, the out-ports that lead towards it. */
struct hd_candidates {
	const struct hd_fabric *fabric;
	uint8_t ports[HD_MAX_PORTS]; /* ports to other switches, by (peer, number) */
	unsigned n_ports;
	uint8_t *list;  /* [switch * n_ports] */
	uint8_t *count; /* [switch] how many ports its list has */
};

/*
 * Begins with switch @s: its ports to other switches, in ascending order of (peer's GUID, number),
 * so that the order is the same when ports are renumbered; and no candidates.
 */
void hd_candidates_begin(struct hd_candidates *candidates, uint32_t s);

/* Adds @port to the candidates for @to if @leads; written without a branch. */
static inline void hd_candidates_add(struct hd_candidates *candidates, uint32_t to, uint8_t port,
				     bool leads)
{
	candidates->list[(size_t)to * candidates->n_ports + candidates->count[to]] = port;
	candidates->count[to] += leads;
}

/*
 * Begins with switch @s by hd_candidates_begin() and adds the candidates. Runs in several threads.
 */
typedef void (*hd_candidates_fn)(const void *context, uint32_t s, struct hd_candidates *candidates);

/*
 * Fills the LFTs of @tables, switch by switch: @list finds the candidates, and destinations take
 * them by turns; entries of destinations without candidates are left alone. Where @tables have AR
 * tables, all candidates are the set of an entry, in @state. HD_ENOMEM.
 */
int hd_candidates_fill(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		       hd_candidates_fn list, const void *context, enum hd_ar_state state,
		       struct hd_tables *tables, struct hd_error *err);

#endif
