// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_trees.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static struct hd_diff_hop find_hop(const struct hd_match *match, const struct hd_fabric *fabric,
				   uint32_t port, bool is_after)
{
	struct hd_diff_hop hop = { .to = HD_DIFF_NOWHERE };
	uint32_t peer = fabric->ports[port].peer, twin = is_after ? HD_NONE : match->port[port];

	if (peer == HD_NONE)
		return hop;
	hop.to = hd_is_switch(fabric, fabric->ports[peer].node) ? (uint16_t)fabric->ports[peer].node
								: HD_DIFF_TO_END;
	hop.in = fabric->ports[peer].number;
	if (twin != HD_NONE)
		hop.twin = match->after->ports[twin].number;
	return hop;
}

static void count_senders(struct hd_diff_side *side)
{
	const struct hd_fabric *fabric = side->tables->fabric;

	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		uint32_t node;

		if (hd_is_switch(fabric, port->node) || !hd_is_end_port(fabric, p))
			continue;
		node = fabric->ports[port->peer].node;
		side->n_senders++;
		if (hd_is_switch(fabric, node))
			side->senders[node]++;
	}
}

int hd_diff_side_init(const struct hd_match *match, const struct hd_tables *tables, bool is_after,
		      struct hd_diff_side *side, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;

	*side = (struct hd_diff_side){
		.tables = tables,
		.n_switches = fabric->n_switches,
		.hops = malloc((fabric->n_ports + (size_t)1) * sizeof(*side->hops)),
		.switches = calloc(fabric->n_switches + (size_t)1, sizeof(*side->switches)),
		.senders = calloc(fabric->n_switches + (size_t)1, sizeof(*side->senders)),
	};
	if (!side->hops || !side->switches || !side->senders)
		return hd_error_nomem(err);
	count_senders(side);
	hd_for_each_switch(s, fabric) {
		struct hd_diff_switch_view *view = &side->switches[s];

		view->first = fabric->nodes[s].first_port;
		view->n_ports = fabric->nodes[s].n_ports;
		view->is_known = hd_lft_is_known(tables, s);
		view->twin = is_after || match->node[s] == HD_NONE ? match->after->n_switches
								   : match->node[s];
		for (uint32_t number = 0; number <= view->n_ports; number++)
			side->hops[view->first + number] =
				find_hop(match, fabric, view->first + number, is_after);
	}
	return 0;
}

void hd_diff_side_clear(struct hd_diff_side *side)
{
	free(side->hops);
	free(side->switches);
	free(side->senders);
	*side = (struct hd_diff_side){ 0 };
}

int hd_diff_trees_init(const struct hd_diff_side *before, const struct hd_diff_side *after,
		       const struct hd_diff_vls *vls, struct hd_diff_trees *trees,
		       struct hd_error *err)
{
	const size_t n_before = before->n_switches + (size_t)1;
	const size_t n_after = after->n_switches + (size_t)1;
	const size_t n = n_before > n_after ? n_before : n_after;

	*trees = (struct hd_diff_trees){
		.fate_before = malloc(n_before),
		.fate_after = malloc(n_after),
		.same = malloc(n_before),
		.equal = malloc(n_before * vls->n_words * sizeof(*trees->equal)),
		.order = malloc(n * sizeof(*trees->order)),
		.carried = malloc(n * sizeof(*trees->carried)),
		.flows = { calloc(before->tables->fabric->n_ports + (size_t)1, sizeof(uint32_t)),
			   calloc(after->tables->fabric->n_ports + (size_t)1, sizeof(uint32_t)) },
	};
	return trees->fate_before && trees->fate_after && trees->same && trees->equal &&
			       trees->order && trees->carried && trees->flows[0] && trees->flows[1]
		       ? 0
		       : hd_error_nomem(err);
}

void hd_diff_trees_clear(struct hd_diff_trees *trees)
{
	free(trees->fate_before);
	free(trees->fate_after);
	free(trees->same);
	free(trees->equal);
	free(trees->order);
	free(trees->carried);
	free(trees->flows[0]);
	free(trees->flows[1]);
	*trees = (struct hd_diff_trees){ 0 };
}

#define AHEAD 16 /* switches, of what is read from memory */

/* What becomes of packets at switch @s; HD_FATE_UNKNOWN: they go on to the switch *@next. */
static enum hd_diff_fate step(const struct hd_diff_side *side, const uint8_t *column, uint32_t s,
			      uint32_t destination, uint32_t *next)
{
	const struct hd_diff_switch_view *view = &side->switches[s];
	uint32_t to;

	if (!view->is_known)
		return HD_FATE_NOT_COVERED;
	if (column[s] == 0 || column[s] > view->n_ports)
		return HD_FATE_LOST;
	to = side->hops[view->first + column[s]].to;
	if (to < HD_DIFF_TO_END) {
		*next = to;
		return HD_FATE_UNKNOWN;
	}
	if (to == HD_DIFF_NOWHERE)
		return HD_FATE_LOST;
	return side->tables->fabric->ports[view->first + column[s]].peer == destination
		       ? HD_FATE_ARRIVES
		       : HD_FATE_LOST;
}

/*
 * What becomes of packets at each switch. Those from which they arrive go to @order, next ones
 * first; their number is returned.
 */
static uint32_t find_fates(const struct hd_diff_side *side, const uint8_t *column,
			   uint32_t destination, uint8_t *fates, uint32_t *order)
{
	uint32_t n = 0;

	memset(fates, HD_FATE_UNKNOWN, side->n_switches);
	fates[side->n_switches] = HD_FATE_LOST;
	for (uint32_t first = 0; first < side->n_switches; first++) {
		uint32_t s = first, at = side->n_switches;
		uint8_t fate = HD_FATE_UNKNOWN;

		while (fate == HD_FATE_UNKNOWN && fates[s] == HD_FATE_UNKNOWN) {
			fates[s] = HD_FATE_ON_STACK;
			order[--at] = s;
			fate = (uint8_t)step(side, column, s, destination, &s);
		}
		/* a switch that is met twice on one way is in a loop */
		if (fate == HD_FATE_UNKNOWN)
			fate = fates[s] == HD_FATE_ON_STACK ? HD_FATE_LOST : fates[s];
		for (; at < side->n_switches; at++) {
			fates[order[at]] = fate;
			if (fate == HD_FATE_ARRIVES)
				order[n++] = order[at];
		}
	}
	return n;
}

/* Adds the flows of all senders along a tree; the first @n of trees->order are its switches. */
static void carry(const struct hd_diff_side *side, const uint8_t *column, uint32_t n,
		  struct hd_diff_trees *trees, uint32_t *flows)
{
	memcpy(trees->carried, side->senders, side->n_switches * sizeof(*trees->carried));
	while (n > 0) {
		uint32_t s = trees->order[--n];
		uint32_t port = side->switches[s].first + column[s];
		uint32_t to = side->hops[port].to;

		if (to == HD_DIFF_TO_END)
			continue;
		flows[port] += trees->carried[s];
		trees->carried[to] += trees->carried[s];
	}
}

/* The SL2VL row that packets from switch @s take at the next one, by @hop. */
static size_t row_at_next(const struct hd_diff_side *before, const struct hd_diff_hop *hop,
			  const uint8_t *column)
{
	return hd_sl2vl_index(before->tables, hop->to, hop->in, column[hop->to]);
}

/* Has the kind of that row brought near: kinds are many, and in no order of ways. */
static void fetch_kind(const struct hd_diff_side *before, const struct hd_diff_vls *vls,
		       const uint8_t *column, uint32_t s)
{
	const struct hd_diff_hop *hop = &before->hops[before->switches[s].first + column[s]];

	if (hop->to != HD_DIFF_TO_END)
		__builtin_prefetch(&vls->kind[row_at_next(before, hop, column)]);
}

/* Whether the way from switch @s is the same after the change. The next switch, if any, is done. */
static void compare_switch(const struct hd_diff_side *before, const struct hd_diff_side *after,
			   const struct hd_diff_vls *vls,
			   const struct hd_diff_destination *destination,
			   struct hd_diff_trees *trees, uint32_t s)
{
	const struct hd_diff_switch_view *view = &before->switches[s];
	const uint8_t *column = destination->column_before;
	const struct hd_diff_hop *hop = &before->hops[view->first + column[s]];
	const unsigned n_words = vls->n_words;
	uint64_t *equal = trees->equal + (size_t)s * n_words;
	const uint64_t *there, *row;

	trees->same[s] = trees->fate_after[view->twin] == HD_FATE_ARRIVES && hop->twin &&
			 hop->twin == destination->column_after[view->twin] &&
			 (hop->to == HD_DIFF_TO_END || trees->same[hop->to]);
	if (!trees->same[s])
		return;
	if (hop->to == HD_DIFF_TO_END) {
		memset(equal, 0xFF, n_words * sizeof(*equal));
		return;
	}
	there = trees->equal + (size_t)hop->to * n_words;
	row = vls->equal + (size_t)vls->kind[row_at_next(before, hop, column)] * n_words;
	for (unsigned word = 0; word < n_words; word++)
		equal[word] = there[word] & row[word];
}

void hd_diff_trees_grow(const struct hd_diff_side *before, const struct hd_diff_side *after,
			const struct hd_diff_vls *vls,
			const struct hd_diff_destination *destination, struct hd_diff_trees *trees)
{
	uint32_t n;

	n = find_fates(after, destination->column_after, destination->after, trees->fate_after,
		       trees->order);
	carry(after, destination->column_after, n, trees, trees->flows[1]);
	n = find_fates(before, destination->column_before, destination->before, trees->fate_before,
		       trees->order);
	carry(before, destination->column_before, n, trees, trees->flows[0]);
	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			fetch_kind(before, vls, destination->column_before,
				   trees->order[i + AHEAD]);
		compare_switch(before, after, vls, destination, trees, trees->order[i]);
	}
}
