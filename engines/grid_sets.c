// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/sets.h"

#include <stdlib.h>

#include "support/error.h"

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_grid *grid;
	const uint8_t *order;
	enum hd_ar_state state;
	struct hd_tables *tables;
	uint32_t *line; /* [switch] d * n_points + a point of its line; HD_NONE: no line switch */
};

/*
 * The coordinate to which a packet at coordinate @at for @to goes next along dimension @d, where
 * the link of that is one hop.
 */
static uint32_t next_coordinate(const struct plan *plan, unsigned d, uint32_t at, uint32_t to)
{
	if (plan->grid->kind[d] == HD_GRID_LINE)
		return to > at ? at + 1 : at - 1;
	return to;
}

/* The switch that @point sends to along @d, for @to there. */
static uint32_t next_switch(const struct plan *plan, uint32_t point, unsigned d, uint32_t at,
			    uint32_t to)
{
	const struct hd_grid *grid = plan->grid;

	if (grid->kind[d] == HD_GRID_SWITCHED)
		return grid->line_switch[(size_t)d * grid->n_points + point];
	return grid->switch_at[hd_grid_move(grid, point, d, next_coordinate(plan, d, at, to))];
}

static void add_ports(const struct plan *plan, uint32_t s, uint32_t peer, struct hd_port_set *set)
{
	hd_for_each_number(port, plan->fabric, s)
		if (hd_peer_node(plan->fabric, s, port) == peer)
			hd_port_set_add(set, port);
}

/*
 * The ports of @s, at @from, that lead to the point @to; @first gets the first port along the
 * dimension that comes first in the order.
 */
static struct hd_port_set set_between(const struct plan *plan, uint32_t s, uint32_t from,
				      uint32_t to, unsigned *first)
{
	const struct hd_grid *grid = plan->grid;
	struct hd_port_set falls = { { 0 } }, rises = { { 0 } };
	unsigned first_fall = HD_NO_PATH, first_rise = HD_NO_PATH;

	for (unsigned i = 0; i < grid->n_dimensions; i++) {
		const unsigned d = plan->order[i];
		const uint32_t at = hd_grid_coordinate(grid, from, d);
		const uint32_t there = hd_grid_coordinate(grid, to, d);
		struct hd_port_set set = { { 0 } };
		uint32_t peer;

		if (at == there)
			continue;
		peer = next_switch(plan, from, d, at, there);
		if (peer == HD_NONE)
			continue;
		add_ports(plan, s, peer, &set);
		for (unsigned w = 0; w < 4; w++)
			(there < at ? &falls : &rises)->words[w] |= set.words[w];
		if (there < at && first_fall == HD_NO_PATH)
			first_fall = hd_port_set_next(&set, 0);
		if (there > at && first_rise == HD_NO_PATH)
			first_rise = hd_port_set_next(&set, 0);
	}
	*first = first_fall != HD_NO_PATH ? first_fall : first_rise;
	return first_fall != HD_NO_PATH ? falls : rises;
}

/* The ports of line switch @s to the point of its line that has the coordinate of @to. */
static struct hd_port_set set_down(const struct plan *plan, uint32_t s, uint32_t to)
{
	const struct hd_grid *grid = plan->grid;
	const unsigned d = plan->line[s] / grid->n_points;
	const uint32_t point = plan->line[s] % grid->n_points;
	struct hd_port_set set = { { 0 } };

	add_ports(plan, s,
		  grid->switch_at[hd_grid_move(grid, point, d, hd_grid_coordinate(grid, to, d))],
		  &set);
	return set;
}

static int fill_row(const struct plan *plan, const struct hd_route_targets *targets, uint32_t s)
{
	uint8_t *lft = hd_lft(plan->tables, s);
	const uint32_t from = plan->grid->point[s];
	uint32_t made_for = HD_NONE;
	struct hd_port_set set = { { 0 } };
	unsigned first = HD_NO_PATH;

	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *target = &targets->list[i];
		const uint32_t to = plan->grid->point[target->via_switch];
		const unsigned port = lft[target->lid];
		struct hd_port_set parallel = { { 0 } };
		int ret;

		if (target->via_switch == s || port == 0 || port > plan->fabric->nodes[s].n_ports)
			continue;
		if (to == HD_NONE) {
			add_ports(plan, s, hd_peer_node(plan->fabric, s, port), &parallel);
			ret = hd_ar_set(plan->tables, s, target->lid, plan->state, &parallel);
		} else {
			if (made_for != to && from != HD_NONE) {
				set = set_between(plan, s, from, to, &first);
			} else if (made_for != to) {
				set = set_down(plan, s, to);
				first = hd_port_set_next(&set, 0);
			}
			made_for = to;
			if (!hd_port_set_has(&set, port))
				lft[target->lid] = (uint8_t)first;
			ret = hd_ar_set(plan->tables, s, target->lid, plan->state, &set);
		}
		if (ret)
			return ret;
	}
	return 0;
}

static void find_lines(const struct plan *plan)
{
	const struct hd_grid *grid = plan->grid;

	hd_for_each_switch(s, plan->fabric)
		plan->line[s] = HD_NONE;
	for (uint32_t i = 0; i < grid->n_dimensions * grid->n_points; i++)
		if (grid->line_switch[i] != HD_NONE)
			plan->line[grid->line_switch[i]] = i;
}

int hd_negative_first_sets(const struct hd_route_targets *targets, const struct hd_grid *grid,
			   const uint8_t *order, enum hd_ar_state state, struct hd_tables *tables,
			   struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct plan plan = { fabric, grid, order, state, tables, NULL };
	bool failed = false;

	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (grid->kind[d] == HD_GRID_RING && grid->size[d] > 3)
			return hd_error_set(err, HD_EREFUSED,
					    "ar=negative-first: dimension %u is a ring, which has "
					    "no first coordinate",
					    d);
	plan.line = malloc((fabric->n_switches + (size_t)1) * sizeof(*plan.line));
	if (!plan.line)
		return hd_error_nomem(err);
	find_lines(&plan);
#pragma omp parallel for schedule(dynamic, 16) if (fabric->n_switches > 64)
	hd_for_each_switch(s, fabric)
		if (fill_row(&plan, targets, s)) {
#pragma omp atomic write
			failed = true;
		}
	free(plan.line);
	return failed ? hd_error_nomem(err) : 0;
}
