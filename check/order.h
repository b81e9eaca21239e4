/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whether a graph that stays, with other edges each time, is acyclic. An order in which all edges
 * lead on is kept from one time to the next: mostly the new edges lead on in it, too, and nothing
 * else is to be done. Internal to check/.
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
	bool is_acyclic;                /* it is by itself */
	uint32_t *position;             /* [vertex] */

	/* Private. */
	uint32_t *n_in;    /* [vertex] edges of the graph that lead there */
	uint32_t *waiting; /* [vertex] edges that were not followed yet */
	uint32_t *queue;
	uint32_t *first; /* [vertex + 1] in targets[], of the other edges */
	uint32_t *targets;
	size_t capacity;
};

/* HD_ENOMEM. Clear in any case. */
int hd_order_init(struct hd_order *order, const struct hd_digraph *graph, struct hd_error *err);
void hd_order_clear(struct hd_order *order);

/* Whether an edge leads on in the order that is kept. */
static inline bool hd_order_has(const struct hd_order *order, uint32_t from, uint32_t to)
{
	return order->position[from] < order->position[to];
}

/*
 * *@is_acyclic: the graph with @edges is; the order is one of both then. For edges of which some
 * do not lead on. HD_ENOMEM.
 */
int hd_order_add(struct hd_order *order, const struct hd_edge *edges, size_t n, bool *is_acyclic,
		 struct hd_error *err);

#endif
