/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tells whether a graph that stays is acyclic together with other edges, which differ each time. It
 * keeps a topological order from one time to the next: the new edges mostly fit into that order,
 * and then no more work is needed. Internal to check/ and change/.
 */
#ifndef HD_CHECK_ORDER_H
#define HD_CHECK_ORDER_H

#include <stdbool.h>

#include "check/cycle.h"

struct hd_edge {
	uint32_t from, to;
};

struct hd_order {
	const struct hd_digraph *graph; /* the caller's, which outlives this */
	bool is_acyclic;                /* without other edges */
	uint32_t *position;             /* [vertex] */

	/* Private. */
	uint32_t *n_in;    /* [vertex] edges of the graph into it */
	uint32_t *waiting; /* [vertex] edges that are not followed yet */
	uint32_t *queue;
	uint32_t *first; /* [vertex + 1] in targets[], of the other edges */
	uint32_t *targets;
	size_t capacity;
};

/* HD_ENOMEM. Clear also after an error. */
int hd_order_init(struct hd_order *order, const struct hd_digraph *graph, struct hd_error *err);
void hd_order_clear(struct hd_order *order);

/* Whether an edge fits into the order that is kept. */
static inline bool hd_order_has(const struct hd_order *order, uint32_t from, uint32_t to)
{
	return order->position[from] < order->position[to];
}

/*
 * *@is_acyclic: the graph with @edges is acyclic; then the order is one of both. Call this if some
 * of @edges do not fit into the order. HD_ENOMEM.
 */
int hd_order_add(struct hd_order *order, const struct hd_edge *edges, size_t n, bool *is_acyclic,
		 struct hd_error *err);

#endif
