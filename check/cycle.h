/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds cycles of a directed graph. */
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

/* Visits of edges after which the search for a shortest cycle takes the shortest so far. */
#define HD_CYCLE_EFFORT ((uint64_t)1 << 28)

/*
 * A shortest cycle: @cycle gets its @length vertices, and the caller frees @cycle; 0 and NULL if
 * the graph is acyclic. After @effort visits of edges (0: no limit), the shortest cycle until then.
 * HD_ENOMEM.
 */
int hd_shortest_cycle(const struct hd_digraph *graph, uint64_t effort, uint32_t **cycle,
		      size_t *length, struct hd_error *err);

/*
 * The same for cycles that are not within a single group: those from one group to another, or
 * through a vertex without a group. @group[vertex], 0: no group. @n_within gets the number of
 * groups that have a cycle within and are on no other cycle.
 */
int hd_shortest_mixed_cycle(const struct hd_digraph *graph, const uint32_t *group, uint64_t effort,
			    uint32_t **cycle, size_t *length, uint32_t *n_within,
			    struct hd_error *err);

#endif
