// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/fuzz/small_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "engines/engine.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "support/error.h"
#include "topologies/topology.h"

static const char *const specs[WORLD_KINDS] = { "torus:5", "mesh:3x2", "dragonfly:a=2,p=1,h=1" };
static const char *const engines[WORLD_ENGINES] = { "updn", "any" };

static void demand(int ret, const struct hd_error *err)
{
	if (!ret)
		return;
	fprintf(stderr, "no world: %s\n", err->text);
	abort();
}

static struct hd_fabric *build(const char *spec)
{
	struct hd_fabric *bare, *fabric;
	struct hd_error err;

	demand(hd_topology_build(spec, &bare, &err), &err);
	demand(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), &err);
	hd_fabric_free(bare);
	return fabric;
}

static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine)
{
	const struct hd_route_request request = { .max_vls = 1 };
	struct hd_tables *tables;
	struct hd_error err;

	demand(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), &err);
	return tables;
}

static void fill_graph(const struct hd_fabric *fabric, struct mixture_graph *graph)
{
	*graph = (struct mixture_graph){ .n_switches = fabric->n_switches,
					 .n_lids = fabric->top_lid + 1 };
	memset(graph->far, GRAPH_NONE, sizeof(graph->far));
	hd_for_each_switch(s, fabric) {
		if (fabric->nodes[s].n_ports >= graph->n_ports)
			graph->n_ports = fabric->nodes[s].n_ports + 1u;
		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

			if (peer == HD_NONE)
				continue;
			if (hd_is_switch(fabric, fabric->ports[peer].node))
				graph->far[s][number] = (struct mixture_end){
					.node = (uint8_t)fabric->ports[peer].node,
					.in = fabric->ports[peer].number,
				};
			else
				graph->is_host[s][number] = true;
		}
	}
	if (graph->n_switches > GRAPH_SWITCHES || graph->n_ports > GRAPH_PORTS ||
	    graph->n_lids > GRAPH_LIDS)
		abort();
}

/* The same tables with all packets of switches on VL 1. */
static struct hd_tables *move_lanes(struct hd_tables *tables)
{
	hd_for_each_switch(s, tables->fabric)
		for (size_t i = tables->sl2vl_first[s]; i < tables->sl2vl_first[s + 1]; i++)
			tables->sl2vl[i] = hd_row_all(1);
	return tables;
}

/* Adds @fabric, a part of the whole one; it is taken over. */
static void add_variant(struct small_world *world, const struct hd_fabric *whole,
			struct hd_fabric *fabric)
{
	struct world_variant *variant = &world->variants[world->n_variants++];

	variant->fabric = fabric;
	hd_for_each_switch(s, whole) {
		const uint32_t here = hd_fabric_find_node(fabric, whole->nodes[s].guid);

		variant->index[s] = here;
		for (unsigned port = 1; here != HD_NONE && port <= whole->nodes[s].n_ports; port++)
			variant->is_there[s][port] =
				fabric->ports[hd_port_index(fabric, here, port)].peer != HD_NONE;
	}
	for (unsigned e = 0; e < WORLD_ENGINES; e++) {
		variant->goals[e][0] = route(fabric, engines[e]);
		variant->goals[e][1] = move_lanes(route(fabric, engines[e]));
	}
}

static void add_failures(struct small_world *world, const struct hd_fabric *whole)
{
	struct hd_fabric *less;
	struct hd_error err;

	hd_for_each_port(p, whole) {
		if (!hd_is_switch_link(whole, p) || whole->ports[p].peer < p ||
		    world->n_variants + whole->n_switches >= WORLD_VARIANTS)
			continue;
		demand(hd_fabric_without(whole, &p, 1, NULL, 0, &less, &err), &err);
		add_variant(world, whole, less);
	}
	hd_for_each_switch(s, whole) {
		demand(hd_fabric_without(whole, NULL, 0, &s, 1, &less, &err), &err);
		add_variant(world, whole, less);
	}
}

struct small_world *small_world_new(unsigned kind)
{
	struct small_world *world = calloc(1, sizeof(*world));
	struct hd_fabric *whole = build(specs[kind]);

#ifdef _OPENMP
	/* for so little work threads only wait for one another */
	omp_set_num_threads(1);
#endif
	if (!world)
		abort();
	fill_graph(whole, &world->graph);
	add_variant(world, whole, whole);
	add_failures(world, whole);
	world->loop = route(whole, "minhop");
	return world;
}

void small_world_free(struct small_world *world)
{
	hd_tables_free(world->loop);
	for (unsigned v = world->n_variants; v--;) {
		struct world_variant *variant = &world->variants[v];

		for (unsigned e = 0; e < WORLD_ENGINES; e++)
			for (unsigned lane = 0; lane < WORLD_LANES; lane++)
				hd_tables_free(variant->goals[e][lane]);
		hd_fabric_free(variant->fabric);
	}
	free(world);
}

void switch_state_of(const struct world_variant *variant, const struct hd_tables *tables,
		     unsigned s, struct switch_state *state)
{
	const uint32_t here = variant->index[s];
	const unsigned n_ports = tables->fabric->nodes[here].n_ports;

	memset(state, 0, sizeof(*state));
	memcpy(state->lft, hd_lft(tables, here), sizeof(state->lft));
	for (unsigned in = 0; in <= n_ports; in++)
		for (unsigned out = 0; out <= n_ports; out++)
			state->rows[in][out] = tables->sl2vl[hd_sl2vl_index(tables, here, in, out)];
}

void switch_state_clear(struct switch_state *state)
{
	memset(state, 0, sizeof(*state));
	memset(state->lft, HD_NO_PATH, sizeof(state->lft));
}

void switch_state_add(const struct mixture_graph *graph, unsigned s,
		      const struct switch_state *state, struct mixture_values *values)
{
	for (unsigned lid = 1; lid < graph->n_lids; lid++)
		if (state->lft[lid] < GRAPH_PORTS)
			values->outs[s][lid] |= (uint8_t)(1u << state->lft[lid]);
	for (unsigned in = 0; in < graph->n_ports; in++)
		for (unsigned out = 0; out < graph->n_ports; out++) {
			const unsigned vl = hd_row_vl(state->rows[in][out], 0);

			if (vl < GRAPH_VLS)
				values->vls[s][in][out] |= (uint8_t)(1u << vl);
			else if (vl != HD_VL_DROP)
				abort();
		}
}
