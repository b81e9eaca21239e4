// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tarjan's bridges, by a depth-first search without recursion. */
#include "tools/report_page/bridges.h"

#include <stdlib.h>

#include "support/error.h"

struct visit {
	uint32_t order, low; /* order 0: not met yet */
	uint32_t in_port;    /* of the switch, from where the search came; HD_NONE: a root */
	uint32_t parent;
	uint32_t hosts; /* end nodes of all that was found from here */
	unsigned next;  /* port number to look at */
};

struct search {
	const struct hd_fabric *fabric;
	struct visit *visits;
	uint32_t *bridges; /* ports of the lower end, of this part of the fabric */
	uint32_t n_bridges;
	uint32_t time;
};

static void begin(struct search *search, uint32_t s, uint32_t in_port, uint32_t parent)
{
	struct visit *visit = &search->visits[s];

	*visit = (struct visit){ .in_port = in_port, .parent = parent, .next = 1 };
	visit->order = visit->low = ++search->time;
	hd_for_each_number(number, search->fabric, s) {
		uint32_t peer = hd_peer_node(search->fabric, s, number);

		visit->hosts += peer != HD_NONE && !hd_is_switch(search->fabric, peer);
	}
}

static void end(struct search *search, uint32_t s)
{
	const struct visit *visit = &search->visits[s];
	struct visit *parent;

	if (visit->parent == HD_NONE)
		return;
	parent = &search->visits[visit->parent];
	parent->hosts += visit->hosts;
	if (visit->low < parent->low)
		parent->low = visit->low;
	if (visit->low > parent->order)
		search->bridges[search->n_bridges++] = visit->in_port;
}

/* One step from @s; returns the switch where to go on, HD_NONE at the end. */
static uint32_t step(struct search *search, uint32_t s)
{
	const struct hd_fabric *fabric = search->fabric;
	struct visit *visit = &search->visits[s];
	uint32_t port, peer;

	if (visit->next > fabric->nodes[s].n_ports) {
		end(search, s);
		return visit->parent;
	}
	port = hd_port_index(fabric, s, visit->next);
	peer = hd_peer_node(fabric, s, visit->next);
	visit->next++;
	if (peer == HD_NONE || !hd_is_switch(fabric, peer) || port == visit->in_port)
		return s;
	if (!search->visits[peer].order) {
		begin(search, peer, fabric->ports[port].peer, s);
		return peer;
	}
	if (search->visits[peer].order < visit->low)
		visit->low = search->visits[peer].order;
	return s;
}

/* What is beyond the bridges of the part of the fabric around @root. */
static void count(const struct search *search, uint32_t root, uint32_t *cut)
{
	const struct hd_fabric *fabric = search->fabric;

	for (uint32_t i = 0; i < search->n_bridges; i++) {
		uint32_t port = search->bridges[i];
		uint32_t below = search->visits[fabric->ports[port].node].hosts;
		uint32_t above = search->visits[root].hosts - below;

		cut[port] = cut[fabric->ports[port].peer] = below < above ? below : above;
	}
}

int hd_bridges_find(const struct hd_fabric *fabric, uint32_t **cut, struct hd_error *err)
{
	struct search search = {
		.fabric = fabric,
		.visits = calloc(fabric->n_switches + (size_t)1, sizeof(*search.visits)),
		.bridges = calloc(fabric->n_switches + (size_t)1, sizeof(*search.bridges)),
	};
	bool is_done;

	*cut = calloc(fabric->n_ports + (size_t)1, sizeof(**cut));
	for (uint32_t root = 0;
	     *cut && search.visits && search.bridges && root < fabric->n_switches; root++) {
		if (search.visits[root].order)
			continue;
		search.n_bridges = 0;
		begin(&search, root, HD_NONE, HD_NONE);
		for (uint32_t s = root; s != HD_NONE;)
			s = step(&search, s);
		count(&search, root, *cut);
	}
	is_done = *cut && search.visits && search.bridges;
	free(search.visits);
	free(search.bridges);
	return is_done ? 0 : hd_error_nomem(err);
}
