/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Balance round robin: a switch gives each destination the least used of its candidates, the ports
 * that lead towards the destination. Engines on arbitrary graphs share this; they differ in their
 * candidates.
 *
 * On a tree that is not enough: to one switch come up only the destinations that the switches below
 * assigned to it, and round robin there would give all of them one port. So destinations may have
 * kinds, by a number modulo the choices of the switches below; round robin goes by itself within
 * each kind.
 */
#ifndef HD_ENGINES_CANDIDATES_H
#define HD_ENGINES_CANDIDATES_H

#include "engines/targets.h"
#include "tables/ar.h"

/* The candidates of one switch: for every other switch, the out-ports that lead towards it. */
struct hd_candidates {
	const struct hd_fabric *fabric;
	uint8_t ports[HD_MAX_PORTS]; /* ports to other switches, by (peer, number) */
	unsigned n_ports;
	uint8_t *list;  /* [switch * n_ports] */
	uint8_t *count; /* [switch] number of ports in its list */
};

/*
 * Begins with switch @s: sets its ports to other switches, in ascending order of (peer's GUID,
 * number), and no candidates. Renumbering of ports does not change this order.
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
 * At switch s, destination lid is of kind number[lid] % divider[s]. Destinations get ports in the
 * order of their numbers, which begin anew in each pass.
 */
struct hd_kinds {
	const uint32_t *number;  /* [top_lid + 1] */
	const uint32_t *order;   /* [targets->n] targets of each pass by number */
	const uint32_t *divider; /* [switch] */
};

/*
 * Fills the LFTs of @tables, switch by switch: @list finds the candidates, and destinations of each
 * kind take them round robin (@kinds NULL: there is one kind). Entries of destinations without
 * candidates stay. If @tables have AR tables, all candidates are the port set of an entry, in
 * @state. HD_ENOMEM.
 */
int hd_candidates_fill(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		       hd_candidates_fn list, const void *context, const struct hd_kinds *kinds,
		       enum hd_ar_state state, struct hd_tables *tables, struct hd_error *err);

#endif
