// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/faults/load_moves.h"

#include <stdlib.h>

#include "check/load.h"
#include "support/error.h"
#include "tables/diff_match.h"

/* Compares by the nodes at the ends, then by port; new links come last. */
static int compare_links(const struct hd_link_load *x, const struct hd_link_load *y)
{
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->port[0] != y->port[0])
		return x->port[0] < y->port[0] ? -1 : 1;
	return x->port[1] < y->port[1] ? -1 : x->port[1] > y->port[1];
}

static uint32_t change(const struct hd_link_load *link)
{
	return link->flows[0] > link->flows[1] ? link->flows[0] - link->flows[1]
					       : link->flows[1] - link->flows[0];
}

static int compare_changes(const void *a, const void *b)
{
	const struct hd_link_load *x = a, *y = b;

	if (change(x) != change(y))
		return change(x) > change(y) ? -1 : 1;
	return compare_links(x, y);
}

static void add_link(struct hd_load_moves *moves, const struct hd_fabric *fabric, uint32_t p,
		     const uint32_t *ports, const uint32_t *flows)
{
	moves->links[moves->n++] = (struct hd_link_load){
		.from = fabric->nodes[fabric->ports[p].node].guid,
		.to = fabric->nodes[fabric->ports[fabric->ports[p].peer].node].guid,
		.port = { ports[0], ports[1] },
		.flows = { flows[0], flows[1] },
	};
}

/* Lists the links before, each with its counterpart after; then those that are new. */
static int list_links(const struct hd_match *match, uint32_t *const *flows_of,
		      struct hd_load_moves *moves, struct hd_error *err)
{
	const struct hd_fabric *before = match->before, *after = match->after;
	size_t most = (size_t)before->n_ports + after->n_ports;
	bool *matched = calloc(after->n_ports + (size_t)1, sizeof(*matched));

	moves->links = malloc((most + 1) * sizeof(*moves->links));
	if (!matched || !moves->links) {
		free(matched);
		return hd_error_nomem(err);
	}
	hd_for_each_port(p, before) {
		uint32_t ports[] = { p, match->port[p] };
		uint32_t flows[] = { flows_of[0][p], 0 };

		if (!hd_is_switch_link(before, p))
			continue;
		if (ports[1] != HD_NONE) {
			flows[1] = flows_of[1][ports[1]];
			matched[ports[1]] = true;
		}
		add_link(moves, before, p, ports, flows);
	}
	hd_for_each_port(p, after) {
		const uint32_t ports[] = { HD_NONE, p };
		const uint32_t flows[] = { 0, flows_of[1][p] };

		if (hd_is_switch_link(after, p) && !matched[p])
			add_link(moves, after, p, ports, flows);
	}
	free(matched);
	return 0;
}

static void summarise(struct hd_load_moves *moves)
{
	size_t n[2] = { 0, 0 };

	for (size_t i = 0; i < moves->n; i++) {
		const struct hd_link_load *link = &moves->links[i];

		moves->n_changed += link->flows[0] != link->flows[1];
		for (int side = 0; side < 2; side++) {
			if (link->flows[side] > moves->max[side])
				moves->max[side] = link->flows[side];
			moves->mean[side] += link->flows[side];
			n[side] += link->port[side] != HD_NONE;
		}
	}
	for (int side = 0; side < 2; side++)
		if (n[side])
			moves->mean[side] /= (double)n[side];
}

/* The flows that leave each port, from malloc(), in *@flows. */
static int count_flows(const struct hd_tables *tables, uint32_t **flows, struct hd_error *err)
{
	struct hd_load load;
	int ret = hd_load_compute(tables, &load, err);

	*flows = malloc((tables->fabric->n_ports + (size_t)1) * sizeof(**flows));
	if (!ret && !*flows)
		ret = hd_error_nomem(err);
	for (uint32_t p = 0; !ret && p < tables->fabric->n_ports; p++)
		(*flows)[p] = hd_load_port(&load, p);
	hd_load_clear(&load);
	return ret;
}

int hd_load_moves_compute(const struct hd_tables *before, const struct hd_tables *after,
			  const struct hd_diff *diff, struct hd_load_moves *moves,
			  struct hd_error *err)
{
	uint32_t *counted[2] = { NULL, NULL };
	struct hd_match match = { 0 };
	struct hd_diff counts = { 0 };
	int ret;

	*moves = (struct hd_load_moves){ 0 };
	ret = hd_match_fabrics(before->fabric, after->fabric, &match, &counts, err);
	if (!ret && !diff->flows[0])
		ret = count_flows(before, &counted[0], err);
	if (!ret && !diff->flows[0])
		ret = count_flows(after, &counted[1], err);
	if (!ret)
		ret = list_links(&match, diff->flows[0] ? diff->flows : counted, moves, err);
	if (!ret) {
		summarise(moves);
		qsort(moves->links, moves->n, sizeof(*moves->links), compare_changes);
	}
	free(counted[0]);
	free(counted[1]);
	hd_match_clear(&match);
	return ret;
}

void hd_load_moves_clear(struct hd_load_moves *moves)
{
	free(moves->links);
	*moves = (struct hd_load_moves){ 0 };
}
