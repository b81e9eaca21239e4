// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define NO_WAY UINT32_MAX

static const char *const names[] = { "no", "negative-first", "minimal" };

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_grid *grid;
	enum hd_grid_sets sets;
	const uint8_t *order;
	enum hd_ar_state state;
	struct hd_tables *tables;
	uint32_t *line; /* [switch] d * n_points + a point of its line; HD_NONE: no line switch */

	/* where parts are missing: */
	uint32_t *by_sum; /* [position] switches, the sum of their coordinates ascending */
	uint32_t *rises;  /* [switch] hops to the target by rising alone; NO_WAY */
	uint32_t *left;   /* [switch] hops to the target; NO_WAY */
};

/* Where packets go: a point, or the switch of its line along @skip. */
struct aim {
	uint32_t point;
	unsigned skip; /* HD_NO_DIMENSION: the point itself */
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

static struct aim aim_of(const struct plan *plan, uint32_t via_switch)
{
	const uint32_t line = plan->line[via_switch], n = plan->grid->n_points;

	if (line == HD_NONE)
		return (struct aim){ plan->grid->point[via_switch], HD_NO_DIMENSION };
	return (struct aim){ line % n, line / n };
}

/*
 * The ports of @s, at @from, that lead to @aim; @first gets the first port along the dimension that
 * comes first in the order.
 */
static struct hd_port_set set_between(const struct plan *plan, uint32_t s, uint32_t from,
				      struct aim aim, unsigned *first)
{
	const struct hd_grid *grid = plan->grid;
	struct hd_port_set falls = { { 0 } }, rises = { { 0 } };
	unsigned first_fall = HD_NO_PATH, first_rise = HD_NO_PATH;

	for (unsigned i = 0; i < grid->n_dimensions; i++) {
		const unsigned d = plan->order[i];
		const uint32_t at = hd_grid_coordinate(grid, from, d);
		const uint32_t there = hd_grid_coordinate(grid, aim.point, d);
		const bool falling = there < at && plan->sets == HD_GRID_SETS_NEGATIVE_FIRST;
		struct hd_port_set set = { { 0 } };
		uint32_t peer;

		if (at == there || d == aim.skip)
			continue;
		peer = next_switch(plan, from, d, at, there);
		if (peer == HD_NONE)
			continue;
		add_ports(plan, s, peer, &set);
		for (unsigned w = 0; w < 4; w++)
			(falling ? &falls : &rises)->words[w] |= set.words[w];
		if (falling && first_fall == HD_NO_PATH)
			first_fall = hd_port_set_next(&set, 0);
		if (!falling && first_rise == HD_NO_PATH)
			first_rise = hd_port_set_next(&set, 0);
	}
	*first = first_fall != HD_NO_PATH ? first_fall : first_rise;
	return first_fall != HD_NO_PATH ? falls : rises;
}

/* The ports of line switch @s to the point of its line that has the coordinate of @aim. */
static struct hd_port_set set_down(const struct plan *plan, uint32_t s, struct aim aim)
{
	const struct hd_grid *grid = plan->grid;
	const unsigned d = plan->line[s] / grid->n_points;
	const uint32_t point = plan->line[s] % grid->n_points;
	struct hd_port_set set = { { 0 } };

	if (d == aim.skip) /* to the switch of another line: as the LFT says */
		return set;
	add_ports(plan, s,
		  grid->switch_at[hd_grid_move(grid, point, d,
					       hd_grid_coordinate(grid, aim.point, d))],
		  &set);
	return set;
}

/*
 * Makes @set the entry of @s for @lid, and @first its default port where the LFT's is not in it; an
 * empty one leaves the LFT's, and links beside that. HD_ENOMEM.
 */
static int set_entry(const struct plan *plan, uint32_t s, uint16_t lid,
		     const struct hd_port_set *set, unsigned first)
{
	uint8_t *port = hd_lft(plan->tables, s) + lid;
	struct hd_port_set parallel = { { 0 } };

	if (hd_port_set_count(set)) {
		if (!hd_port_set_has(set, *port))
			*port = (uint8_t)first;
		return hd_ar_set(plan->tables, s, lid, plan->state, set);
	}
	if (*port == 0 || *port > plan->fabric->nodes[s].n_ports)
		return 0;
	add_ports(plan, s, hd_peer_node(plan->fabric, s, *port), &parallel);
	return hd_ar_set(plan->tables, s, lid, plan->state, &parallel);
}

static int fill_row(const struct plan *plan, const struct hd_route_targets *targets, uint32_t s)
{
	const uint32_t from = plan->grid->point[s];
	uint32_t made_for = HD_NONE;
	struct hd_port_set set = { { 0 } };
	unsigned first = HD_NO_PATH;
	int ret = 0;

	for (size_t i = 0; !ret && i < targets->n; i++) {
		const struct hd_route_target *target = &targets->list[i];

		if (target->via_switch == s)
			continue;
		if (made_for != target->via_switch) {
			const struct aim aim = aim_of(plan, target->via_switch);

			if (from != HD_NONE) {
				set = set_between(plan, s, from, aim, &first);
			} else {
				set = set_down(plan, s, aim);
				first = hd_port_set_next(&set, 0);
			}
			made_for = target->via_switch;
		}
		ret = set_entry(plan, s, target->lid, &set, first);
	}
	return ret;
}

/* Where parts are missing */

static uint32_t sum_of(const struct plan *plan, uint32_t s)
{
	uint32_t sum = 0;

	for (unsigned d = 0; d < plan->grid->n_dimensions; d++)
		sum += hd_grid_coordinate(plan->grid, plan->grid->point[s], d);
	return sum;
}

/* Sorts the switches by counting. */
static int sort_by_sum(struct plan *plan, struct hd_error *err)
{
	const struct hd_grid *grid = plan->grid;
	const uint32_t n = plan->fabric->n_switches;
	uint32_t *before, most = 0;

	for (unsigned d = 0; d < grid->n_dimensions; d++)
		most += grid->size[d];
	before = calloc(most + (size_t)2, sizeof(*before));
	plan->by_sum = malloc((n + (size_t)1) * sizeof(*plan->by_sum));
	plan->rises = malloc((n + (size_t)1) * sizeof(*plan->rises));
	plan->left = malloc((n + (size_t)1) * sizeof(*plan->left));
	if (!before || !plan->by_sum || !plan->rises || !plan->left) {
		free(before);
		return hd_error_nomem(err);
	}
	hd_for_each_switch(s, plan->fabric)
		before[sum_of(plan, s) + 1]++;
	for (uint32_t sum = 0; sum < most; sum++)
		before[sum + 1] += before[sum];
	hd_for_each_switch(s, plan->fabric)
		plan->by_sum[before[sum_of(plan, s)]++] = s;
	free(before);
	return 0;
}

/* The switch by @port of @s, and whether that is a hop that rises; HD_NONE: no hop on the grid. */
static uint32_t hop(const struct plan *plan, uint32_t s, unsigned port, bool *rises)
{
	const struct hd_grid *grid = plan->grid;
	const unsigned d = grid->port_dimension[hd_port_index(plan->fabric, s, port)];
	uint32_t peer;

	if (d == HD_NO_DIMENSION)
		return HD_NONE;
	peer = hd_peer_node(plan->fabric, s, port);
	*rises = hd_grid_coordinate(grid, grid->point[peer], d) >
		 hd_grid_coordinate(grid, grid->point[s], d);
	return peer;
}

/* The least of @hops behind the hops of @s that rise, or fall, and one more. */
static uint32_t least(const struct plan *plan, uint32_t s, const uint32_t *hops, bool rising)
{
	uint32_t best = NO_WAY;
	bool rises = false;

	hd_for_each_number(port, plan->fabric, s) {
		const uint32_t peer = hop(plan, s, port, &rises);

		if (peer != HD_NONE && rises == rising && hops[peer] < best)
			best = hops[peer];
	}
	return best == NO_WAY ? NO_WAY : best + 1;
}

/* How far it is to @to from everywhere: by rising alone, and in all. */
static void measure(const struct plan *plan, uint32_t to)
{
	for (uint32_t i = plan->fabric->n_switches; i-- > 0;) {
		const uint32_t s = plan->by_sum[i];

		plan->rises[s] = s == to ? 0 : NO_WAY; /* those of greater sums are known */
		if (s != to)
			plan->rises[s] = least(plan, s, plan->rises, true);
	}
	for (uint32_t i = 0; i < plan->fabric->n_switches; i++) {
		const uint32_t s = plan->by_sum[i];

		plan->left[s] = plan->rises[s];
		if (plan->left[s] == NO_WAY)
			plan->left[s] = least(plan, s, plan->left, false);
	}
}

/* The ports of @s by which least is left; @first as in set_between(). */
static struct hd_port_set set_left(const struct plan *plan, uint32_t s, unsigned *first)
{
	const bool rising = plan->rises[s] != NO_WAY;
	const uint32_t *hops = rising ? plan->rises : plan->left;
	struct hd_port_set set = { { 0 } };
	unsigned position = HD_MAX_DIMENSIONS;
	bool rises = false;

	hd_for_each_number(port, plan->fabric, s) {
		const uint32_t peer = hop(plan, s, port, &rises);
		unsigned i = 0;

		if (peer == HD_NONE || rises != rising || hops[peer] == NO_WAY ||
		    hops[peer] + 1 != hops[s])
			continue;
		hd_port_set_add(&set, port);
		while (plan->order[i] !=
		       plan->grid->port_dimension[hd_port_index(plan->fabric, s, port)])
			i++;
		if (i < position) {
			position = i;
			*first = port;
		}
	}
	return set;
}

static bool is_linked(const struct plan *plan, uint32_t s, uint32_t peer)
{
	struct hd_port_set set = { { 0 } };

	add_ports(plan, s, peer, &set);
	return hd_port_set_count(&set);
}

/*
 * The port of @s that leads from coordinate @at to @next along @d, as other switches of the fabric
 * have it; 0: it is in use, or cannot be told.
 */
static unsigned missing_port(const struct plan *plan, uint32_t s, unsigned d, uint32_t at,
			     uint32_t next)
{
	const struct hd_grid *grid = plan->grid;
	const bool line = grid->kind[d] == HD_GRID_LINE;

	hd_for_each_switch(other, plan->fabric)
		hd_for_each_number(port, plan->fabric, other) {
			uint32_t from, to;

			if (grid->port_dimension[hd_port_index(plan->fabric, other, port)] != d ||
			    grid->point[other] == HD_NONE)
				continue;
			from = hd_grid_coordinate(grid, grid->point[other], d);
			to = grid->point[hd_peer_node(plan->fabric, other, port)];
			to = to == HD_NONE ? HD_NONE : hd_grid_coordinate(grid, to, d);
			if (to != HD_NONE && line ? to - from != next - at
						  : to != HD_NONE && (from != at || to != next))
				continue;
			return port <= plan->fabric->nodes[s].n_ports &&
					       hd_peer_node(plan->fabric, s, port) == HD_NONE
				       ? port
				       : 0;
		}
	return 0;
}

/* Says in @text what @point lacks along @d towards coordinate @to; false: nothing. */
static bool lacks(const struct plan *plan, uint32_t point, unsigned d, uint32_t to, char *text,
		  size_t size)
{
	const struct hd_grid *grid = plan->grid;
	const uint32_t at = hd_grid_coordinate(grid, point, d);
	const uint32_t next = next_coordinate(plan, d, at, to);
	const uint32_t s = grid->switch_at[point];
	const uint32_t peer = next_switch(plan, point, d, at, to);
	char a[HD_LABEL_SIZE], b[HD_LABEL_SIZE];
	unsigned port;

	if (s == HD_NONE || (peer != HD_NONE && is_linked(plan, s, peer)))
		return false;
	port = missing_port(plan, s, d, at, next);
	hd_node_label(plan->fabric, s, a, sizeof(a));
	if (port)
		snprintf(text, size, "%s[%u] has no link", a, port);
	else
		snprintf(text, size, "%s has no link", a);
	if (peer != HD_NONE)
		snprintf(text + strlen(text), size - strlen(text), " to %s",
			 hd_node_label(plan->fabric, peer, b, sizeof(b)));
	else
		snprintf(text + strlen(text), size - strlen(text),
			 " along dimension %u, where a switch is missing", d);
	return true;
}

/* Refuses that there is no way from @s to @to, with the first thing that is missing between. */
static int refuse_way(const struct plan *plan, uint32_t s, uint32_t to, struct hd_error *err)
{
	const struct hd_grid *grid = plan->grid;
	char a[HD_LABEL_SIZE], b[HD_LABEL_SIZE], text[2 * HD_LABEL_SIZE + 80] = "";
	uint32_t point = grid->point[s];

	for (unsigned i = 0; !text[0] && i < grid->n_dimensions; i++) {
		const unsigned d = plan->order[i];
		const uint32_t there = hd_grid_coordinate(grid, grid->point[to], d);
		uint32_t at;

		while (!text[0] && (at = hd_grid_coordinate(grid, point, d)) != there &&
		       !lacks(plan, point, d, there, text, sizeof(text)))
			point = hd_grid_move(grid, point, d, next_coordinate(plan, d, at, there));
	}
	return hd_error_set(err, HD_EREFUSED,
			    "ar=%s: no path from %s to %s falls before it rises: %s",
			    names[plan->sets], hd_node_label(plan->fabric, s, a, sizeof(a)),
			    hd_node_label(plan->fabric, to, b, sizeof(b)), text);
}

/* Refuses a shape that is not whole, with the first thing that is missing. */
static int refuse_parts(const struct plan *plan, struct hd_error *err)
{
	const struct hd_grid *grid = plan->grid;
	char text[2 * HD_LABEL_SIZE + 80];

	for (uint32_t point = 0; point < grid->n_points; point++)
		for (unsigned d = 0; d < grid->n_dimensions; d++)
			for (uint32_t to = 0; to < grid->size[d]; to++)
				if (to != hd_grid_coordinate(grid, point, d) &&
				    lacks(plan, point, d, to, text, sizeof(text)))
					return hd_error_set(err, HD_EREFUSED,
							    "ar=%s: these sets are for an intact "
							    "topology, and %s",
							    names[plan->sets], text);
	return hd_error_set(err, HD_EREFUSED, "ar=%s: these sets are for an intact topology",
			    names[plan->sets]);
}

static int fill_parts(struct plan *plan, const struct hd_route_targets *targets,
		      struct hd_error *err)
{
	uint32_t made_for = HD_NONE;
	int ret = sort_by_sum(plan, err);

	for (size_t i = 0; !ret && i < targets->n; i++) {
		const uint32_t to = targets->list[i].via_switch;

		if (made_for != to)
			measure(plan, to);
		made_for = to;
		hd_for_each_switch(s, plan->fabric) {
			struct hd_port_set set;
			unsigned first = HD_NO_PATH;

			if (ret || s == to)
				continue;
			if (plan->left[s] == NO_WAY) {
				ret = refuse_way(plan, s, to, err);
				continue;
			}
			set = set_left(plan, s, &first);
			if (set_entry(plan, s, targets->list[i].lid, &set, first))
				ret = hd_error_nomem(err);
		}
	}
	return ret;
}

static int fill_whole(const struct plan *plan, const struct hd_route_targets *targets,
		      struct hd_error *err)
{
	bool failed = false;

#pragma omp parallel for schedule(dynamic, 16) if (plan->fabric->n_switches > 64)
	hd_for_each_switch(s, plan->fabric)
		if (fill_row(plan, targets, s)) {
#pragma omp atomic write
			failed = true;
		}
	return failed ? hd_error_nomem(err) : 0;
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

int hd_grid_sets_make(const struct hd_route_targets *targets, const struct hd_structure *structure,
		      const uint8_t *order, enum hd_ar_state state, struct hd_tables *tables,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_grid *grid = structure->grid;
	struct plan plan = { .fabric = fabric,
			     .grid = grid,
			     .sets = structure->sets,
			     .order = order,
			     .state = state,
			     .tables = tables };
	bool parts = plan.sets == HD_GRID_SETS_NEGATIVE_FIRST;
	int ret;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		parts &= grid->kind[d] != HD_GRID_SWITCHED;
		if (grid->kind[d] == HD_GRID_RING && grid->size[d] > 3)
			return hd_error_set(err, HD_EREFUSED,
					    "ar=%s: dimension %u is a ring, which has no first "
					    "coordinate",
					    names[plan.sets], d);
	}
	plan.line = malloc((fabric->n_switches + (size_t)1) * sizeof(*plan.line));
	if (!plan.line)
		return hd_error_nomem(err);
	find_lines(&plan);
	if (!structure->is_degraded)
		ret = fill_whole(&plan, targets, err);
	else if (parts)
		ret = fill_parts(&plan, targets, err);
	else
		ret = refuse_parts(&plan, err);
	free(plan.line);
	free(plan.by_sum);
	free(plan.rises);
	free(plan.left);
	return ret;
}
