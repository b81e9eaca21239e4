/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Queues along paths: fabrics with grids, dimension-order routes, and one layer with the queues of
 * a rule.
 */
#ifndef HD_TESTS_QUEUE_CASE_H
#define HD_TESTS_QUEUE_CASE_H

#include "tests/unit/unit.h"

#include "fabric/lids.h"
#include "sl2vl/lanes.h"
#include "tests/unit/spec_fabric.h"

/* A fabric with its grid, and, if asked for, dimension-order routes of a mesh. */
struct fixture {
	struct hd_fabric *fabric;
	struct hd_structure structure;
	struct hd_tables *tables;
};

/* The grid of a mesh or torus that was just built: switches are points, in the order of points. */
static inline struct hd_grid *make_grid(const struct hd_fabric *fabric, const uint32_t *size,
					unsigned n)
{
	struct hd_grid *grid = calloc(1, sizeof(*grid));

	grid->n_dimensions = n;
	grid->n_points = 1;
	for (unsigned d = 0; d < n; d++) {
		grid->size[d] = size[d];
		grid->kind[d] = HD_GRID_LINE;
		grid->n_points *= size[d];
	}
	assert_int_equal(grid->n_points, fabric->n_switches);
	grid->switch_at = malloc(grid->n_points * sizeof(*grid->switch_at));
	grid->point = malloc(grid->n_points * sizeof(*grid->point));
	grid->port_dimension = malloc(fabric->n_ports);
	memset(grid->port_dimension, HD_NO_DIMENSION, fabric->n_ports);
	hd_for_each_switch(s, fabric) {
		grid->switch_at[s] = grid->point[s] = s;
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			for (unsigned d = 0; peer < fabric->n_switches && d < n; d++)
				if (hd_grid_coordinate(grid, s, d) !=
				    hd_grid_coordinate(grid, peer, d))
					grid->port_dimension[hd_port_index(fabric, s, port)] =
						(uint8_t)d;
		}
	}
	return grid;
}

static inline void setup(struct fixture *f, const char *spec, unsigned lmc, const uint32_t *size,
			 unsigned n)
{
	struct hd_error err;

	*f = (struct fixture){ .fabric = build_fabric(spec, lmc) };
	if (n)
		f->structure.grid = make_grid(f->fabric, size, n);
	assert_hd_ok(hd_tables_new(f->fabric, &f->tables, &err), err);
}

static inline void teardown(struct fixture *f)
{
	hd_tables_free(f->tables);
	hd_structure_clear(&f->structure);
	hd_fabric_free(f->fabric);
}

/* The port of @s to the switch @to. */
static inline unsigned port_to(const struct hd_fabric *fabric, uint32_t s, uint32_t to)
{
	unsigned port = 1;

	while (hd_peer_node(fabric, s, port) != to)
		port++;
	return port;
}

/* Dimension 0 first. */
static inline void route_in_order(struct fixture *f)
{
	const struct hd_fabric *fabric = f->fabric;
	const struct hd_grid *grid = f->structure.grid;

	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric) {
			uint32_t to = fabric->lids[lid].via_switch;
			uint8_t *entry = hd_lft(f->tables, s) + lid;

			if (fabric->lids[lid].port == HD_NONE)
				continue;
			*entry = fabric->lids[lid].via_port;
			for (unsigned d = grid->n_dimensions; d-- > 0;) {
				uint32_t here = hd_grid_coordinate(grid, s, d);
				uint32_t there = hd_grid_coordinate(grid, to, d);

				if (here != there)
					*entry = (uint8_t)port_to(
						fabric, s,
						hd_grid_move(grid, s, d,
							     here < there ? here + 1 : here - 1));
			}
		}
}

static inline int queues(struct fixture *f, const char *text, struct hd_queueing *queueing,
			 struct hd_error *err)
{
	static struct hd_queues rule; /* outlives @queueing */

	*queueing = (struct hd_queueing){ 0 };
	assert_hd_ok(hd_queues_parse(text, &rule, err), *err);
	return hd_queueing_build(&rule, f->tables, &f->structure, queueing, err);
}

/* Composes one layer with the queues @text. */
static inline void apply(struct fixture *f, const char *text)
{
	struct hd_layering layering = { .n_layers = 1, .n_classes = 1, .n_patterns = 1 };
	struct hd_queueing queueing;
	struct hd_error err;

	layering.patterns = calloc(1, sizeof(*layering.patterns));
	assert_hd_ok(queues(f, text, &queueing, &err), err);
	assert_hd_ok(hd_lanes_apply(f->tables, &layering, &queueing, 0, &err), err);
	hd_layering_clear(&layering);
	hd_queueing_clear(&queueing);
}

#endif
