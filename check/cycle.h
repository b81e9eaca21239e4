/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cycles of a directed graph: what proofs look for. */
#ifndef HD_CHECK_CYCLE_H
#define HD_CHECK_CYCLE_H

#include <stddef.h>
#include <stdint.h>

struct hd_error;

struct hd_digraph {
	uint32_t n; /* vertices */
	size_t n_edges;
	size_t *first; /* [n + 1] in targets[] */
	uint32_t *targets;
};

/* Visits of edges, after which the search for a shortest cycle settles for the best one so far. */
#define HD_CYCLE_EFFORT ((uint64_t)1 << 28)

/*
 * A shortest cycle: its vertices in @cycle (to be freed), @length of them; 0 and NULL when the
 * graph is acyclic. Where the search takes more than @effort visits of edges (0: no bound), the
 * shortest of the cycles found until then. HD_ENOMEM.
 */
int hd_shortest_cycle(const struct hd_digraph *graph, uint64_t effort, uint32_t **cycle,
		      size_t *length, struct hd_error *err);

/*
 * The same, of the cycles that are not within a single group: @group[vertex], 0 for vertices that
 * are in none. @n_within gets how many groups have a cycle of their own, and lie on no other. A
 * shortest cycle of those that go from one group to another, or through a vertex without any.
 */
int hd_shortest_mixed_cycle(const struct hd_digraph *graph, const uint32_t *group, uint64_t effort,
			    uint32_t **cycle, size_t *length, uint32_t *n_within,
			    struct hd_error *err);

#endif
