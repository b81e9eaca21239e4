// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Most of the work is writing the LFTs. A switch sends a LID towards the LID's coordinate in the
 * first dimension of its order, whatever the other coordinates are, unless the switch has that
 * coordinate already. So a row is one pass of table look-ups by that coordinate (hd_translate()).
 * Then the LIDs with the switch's own coordinate are set one by one: one part in as many as the
 * dimension is long.
 *
 * With an order of directions, the first hop depends on all coordinates: of the steps that the
 * coordinates ask for, one look-up each, the one of least rank.
 */
#include "engines/dimension_order.h"

#include <stdlib.h>
#include <string.h>

#include "engines/targets.h"
#include "engines/trunks.h"
#include "support/error.h"
#include "support/translate.h"
#include "topologies/grid.h"

#define BYTE_KEYS 256
#define NO_STEP   UINT16_MAX

/* A LID to route to. */
struct target {
	uint32_t via_switch;
	uint32_t point; /* the point of its switch; if that is a line switch, some point of the
			   line */
	uint16_t lid;
	uint8_t via_port;
	uint8_t skip;   /* if the target is a line switch, the dimension of its line;
			   HD_NO_DIMENSION: it is none */
	uint8_t order;  /* index of the target's order of dimensions */
	uint8_t parity; /* the way to take half-way around a ring */
};

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_grid *grid;
	struct hd_tables *tables;
	const struct hd_dimension_order *orders;
	struct hd_route_targets targets;
	bool ties_up;

	/*
	 * A key is a coordinate in a dimension and a way around the ring: first_key[d] + 2 * c +
	 * parity.
	 */
	unsigned first_key[HD_MAX_DIMENSIONS + 1]; /* the last one is the key of no path */
	uint32_t *coordinate;                      /* [point * n_dimensions + d] */
	uint32_t *line_point;    /* [switch] of line switches: a point of the line */
	uint8_t *line_dimension; /* [switch] HD_NO_DIMENSION: no line switch */

	struct target *plain; /* as in targets.list */
	struct target *list;  /* sorted by the half key of the first dimension to correct */
	uint32_t
		*first_target; /* [half key + 1] in list[]; the last half key: nothing to correct */
	uint16_t *key;         /* [lft_stride] */
	uint8_t *byte_key;     /* the same where keys fit a byte */
	bool has_trunks;
};

/* What one thread needs to fill a row. */
struct workspace {
	uint8_t *port_of_key; /* [n_keys], and at least 256 */
	uint8_t *direct;      /* [half key] first port to the neighbour there */
	uint16_t *step;       /* [key] by an order of directions: rank << 8 | port; NO_STEP: none */
	uint8_t up[HD_MAX_DIMENSIONS]; /* first port to the line switch of each dimension */
	uint64_t *flows;               /* [targets.n] where there are trunks; else NULL */
};

static unsigned no_key(const struct plan *plan)
{
	return plan->first_key[plan->grid->n_dimensions];
}

static uint32_t coordinate(const struct plan *plan, uint32_t point, unsigned dimension)
{
	return plan->coordinate[(size_t)point * plan->grid->n_dimensions + dimension];
}

/*
 * Which way packets go that have to go half-way around a ring to @target. In a ring of four, turns
 * for every second destination leave no cycle of channels; in longer rings the sum of all
 * coordinates decides, so that destinations at any stretch of a ring are split evenly.
 */
static unsigned way_around(const struct plan *plan, const struct target *target, unsigned dimension)
{
	if (plan->ties_up)
		return 0;
	if (plan->grid->size[dimension] == 4)
		return coordinate(plan, target->point, dimension) & 1;
	return target->parity;
}

static unsigned key_of(const struct plan *plan, const struct target *target, unsigned dimension)
{
	return plan->first_key[dimension] + 2 * coordinate(plan, target->point, dimension) +
	       way_around(plan, target, dimension);
}

/*
 * Of the first @end dimensions of the order of @target, the first in which the target differs from
 * @point; HD_NO_DIMENSION: none.
 */
static uint8_t first_difference(const struct plan *plan, const struct target *target,
				uint32_t point, unsigned end)
{
	const struct hd_dimension_order *order = &plan->orders[target->order];

	for (unsigned i = 0; i < end; i++) {
		uint8_t d = order->dimension[i];

		if (d != target->skip &&
		    coordinate(plan, target->point, d) != coordinate(plan, point, d))
			return d;
	}
	return HD_NO_DIMENSION;
}

/*
 * The half key of the first dimension of the order of @target; if the target is a line switch,
 * without the dimension of its line.
 */
static unsigned first_half_key(const struct plan *plan, const struct target *target)
{
	const struct hd_dimension_order *order = &plan->orders[target->order];

	for (unsigned i = 0; i < plan->grid->n_dimensions; i++) {
		uint8_t d = order->dimension[i];

		if (d != target->skip)
			return plan->first_key[d] / 2 + coordinate(plan, target->point, d);
	}
	return no_key(plan) / 2;
}

static int list_coordinates(struct plan *plan, struct hd_error *err)
{
	const struct hd_grid *grid = plan->grid;
	const uint32_t n_switches = plan->fabric->n_switches;

	plan->coordinate =
		malloc((size_t)grid->n_points * grid->n_dimensions * sizeof(*plan->coordinate));
	plan->line_point = malloc((n_switches + (size_t)1) * sizeof(*plan->line_point));
	plan->line_dimension = malloc(n_switches + (size_t)1);
	if (!plan->coordinate || !plan->line_point || !plan->line_dimension)
		return hd_error_nomem(err);
	memset(plan->line_dimension, HD_NO_DIMENSION, n_switches);
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		plan->first_key[d + 1] = plan->first_key[d] + 2 * grid->size[d];
	for (uint32_t point = 0; point < grid->n_points; point++) {
		uint32_t rest = point;

		for (unsigned d = 0; d < grid->n_dimensions; d++) {
			uint32_t line = grid->line_switch[(size_t)d * grid->n_points + point];

			plan->coordinate[(size_t)point * grid->n_dimensions + d] =
				rest % grid->size[d];
			rest /= grid->size[d];
			if (line != HD_NONE) {
				plan->line_point[line] = point;
				plan->line_dimension[line] = (uint8_t)d;
			}
		}
	}
	return 0;
}

/* Describes the @i-th destination; @turn counts those of its pass at each switch. */
static struct target describe(const struct plan *plan, size_t i, unsigned n_orders, uint32_t *turn)
{
	const struct hd_route_target *to = &plan->targets.list[i];
	const struct hd_port *port = &plan->fabric->ports[plan->fabric->lids[to->lid].port];
	unsigned offset = (unsigned)(to->lid - port->lid);
	uint8_t skip = plan->line_dimension[to->via_switch];
	struct target target = {
		.via_switch = to->via_switch,
		.point = skip == HD_NO_DIMENSION ? plan->grid->point[to->via_switch]
						 : plan->line_point[to->via_switch],
		.lid = to->lid,
		.via_port = to->via_port,
		.skip = skip,
		.order = (uint8_t)(offset % n_orders),
	};
	uint32_t sum = offset + turn[to->via_switch]++;

	for (unsigned d = 0; d < plan->grid->n_dimensions; d++)
		sum += coordinate(plan, target.point, d);
	target.parity = sum & 1;
	return target;
}

/* Sorts the destinations by the coordinate that is corrected first, and gives LIDs their keys. */
static int list_targets(struct plan *plan, unsigned n_orders, struct hd_error *err)
{
	const unsigned n_half = no_key(plan) / 2 + 1;
	const struct hd_route_targets *all = &plan->targets;
	const size_t stride = plan->tables->lft_stride;
	uint32_t *turn = malloc((plan->fabric->n_switches + (size_t)1) * sizeof(*turn));
	struct target *plain;

	plan->plain = plain = malloc((all->n + 1) * sizeof(*plain));
	plan->list = malloc((all->n + 1) * sizeof(*plan->list));
	plan->first_target = calloc(n_half + (size_t)2, sizeof(*plan->first_target));
	plan->key = malloc(stride * sizeof(*plan->key));
	plan->byte_key = malloc(stride);
	if (!turn || !plain || !plan->list || !plan->first_target || !plan->key ||
	    !plan->byte_key) {
		free(turn);
		return hd_error_nomem(err);
	}
	for (size_t lid = 0; lid < stride; lid++)
		plan->key[lid] = (uint16_t)no_key(plan);
	for (size_t i = 0, pass = 0; i < all->n; i++) {
		while (pass < all->n_passes && i == all->first[pass]) {
			memset(turn, 0, plan->fabric->n_switches * sizeof(*turn));
			pass++;
		}
		plain[i] = describe(plan, i, n_orders, turn);
		plan->first_target[first_half_key(plan, &plain[i]) + 2]++;
	}
	for (unsigned half = 0; half < n_half; half++)
		plan->first_target[half + 1] += plan->first_target[half];
	for (size_t i = 0; i < all->n; i++) {
		unsigned half = first_half_key(plan, &plain[i]), d = 0;

		plan->list[plan->first_target[half + 1]++] = plain[i];
		if (half == n_half - 1)
			continue;
		while (2 * half >= plan->first_key[d + 1])
			d++;
		plan->key[plain[i].lid] = (uint16_t)key_of(plan, &plain[i], d);
	}
	for (size_t lid = 0; lid < stride; lid++)
		plan->byte_key[lid] = (uint8_t)plan->key[lid];
	free(turn);
	return 0;
}

/* The first port of @s, on the grid, to each neighbour and line switch. */
static void list_ports(const struct plan *plan, uint32_t s, struct workspace *work)
{
	const struct hd_fabric *fabric = plan->fabric;
	const uint8_t *dimension = plan->grid->port_dimension + fabric->nodes[s].first_port;

	memset(work->direct, HD_NO_PATH, no_key(plan) / 2);
	memset(work->up, HD_NO_PATH, sizeof(work->up));
	for (unsigned port = fabric->nodes[s].n_ports; port > 0; port--) {
		unsigned d = dimension[port];
		uint32_t point;

		if (d == HD_NO_DIMENSION)
			continue;
		point = plan->grid->point[hd_peer_node(fabric, s, port)];
		if (point == HD_NONE)
			work->up[d] = (uint8_t)port;
		else
			work->direct[plan->first_key[d] / 2 + coordinate(plan, point, d)] =
				(uint8_t)port;
	}
}

/* Whether the shorter way around a ring of @size from @from to @to is up; @parity breaks ties. */
static bool is_up(uint32_t from, uint32_t to, uint32_t size, unsigned parity)
{
	uint32_t distance = (to + size - from) % size;

	return 2 * distance + parity <= size;
}

/*
 * From how many coordinates packets to coordinate @to of a ring of @size pass @from, or begin
 * there.
 */
static uint32_t sources_behind(uint32_t from, uint32_t to, uint32_t size, unsigned parity)
{
	const bool up = is_up(from, to, size, parity);
	const uint32_t left = up ? (to + size - from) % size : (from + size - to) % size;
	const uint32_t farthest = up ? (size - parity) / 2 : (size + parity - 1) / 2;

	return farthest - left + 1;
}

/* Lists the ports of a switch on the grid by key. */
static void list_ways(const struct plan *plan, uint32_t point, const struct workspace *work)
{
	const struct hd_grid *grid = plan->grid;
	uint8_t *port = work->port_of_key;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		const uint8_t *direct = work->direct + plan->first_key[d] / 2;
		const uint32_t size = grid->size[d], at = coordinate(plan, point, d);

		for (uint32_t to = 0; to < size; to++)
			for (unsigned parity = 0; parity < 2; parity++)
				switch (grid->kind[d]) {
				case HD_GRID_LINE:
					*port++ = direct[to > at ? at + 1 : at ? at - 1 : at];
					break;
				case HD_GRID_RING:
					*port++ = direct[(is_up(at, to, size, parity)
								  ? at + 1
								  : at + size - 1) %
							 size];
					break;
				case HD_GRID_FULL:
					*port++ = direct[to];
					break;
				case HD_GRID_SWITCHED:
					*port++ = work->up[d];
					break;
				}
	}
	*port = HD_NO_PATH;
}

/*
 * Lists the ports of the line switch of @dimension by key: to the point on its line with that
 * coordinate, or to the point where packets turn.
 */
static void list_ways_down(const struct plan *plan, unsigned dimension,
			   const struct workspace *work)
{
	const uint8_t *direct = work->direct + plan->first_key[dimension] / 2;

	memset(work->port_of_key, direct[0], no_key(plan));
	for (unsigned k = 0; k < 2 * plan->grid->size[dimension]; k++)
		work->port_of_key[plan->first_key[dimension] + k] = direct[k / 2];
	work->port_of_key[no_key(plan)] = HD_NO_PATH;
}

static uint8_t port_towards(const struct plan *plan, uint32_t s, const struct target *target,
			    const struct workspace *work)
{
	const struct hd_grid *grid = plan->grid;
	uint8_t mine = plan->line_dimension[s], d;
	unsigned before = 0;

	if (target->via_switch == s)
		return target->via_port;
	if (mine == HD_NO_DIMENSION) {
		d = first_difference(plan, target, grid->point[s], grid->n_dimensions);
		return d == HD_NO_DIMENSION ? work->up[target->skip]
					    : work->port_of_key[key_of(plan, target, d)];
	}
	while (plan->orders[target->order].dimension[before] != mine)
		before++;
	if (target->skip == mine ||
	    first_difference(plan, target, plan->line_point[s], before) != HD_NO_DIMENSION)
		return work->direct[plan->first_key[mine] / 2];
	return work->direct[plan->first_key[mine] / 2 + coordinate(plan, target->point, mine)];
}

/* Lists what each coordinate of a target asks for at @point, whose ports are listed by key. */
static void list_steps(const struct plan *plan, uint32_t point, const struct workspace *work)
{
	const struct hd_grid *grid = plan->grid;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		const uint32_t size = grid->size[d], at = coordinate(plan, point, d);
		const uint8_t *rank = plan->orders->rank[d];

		for (unsigned i = 0; i < 2 * size; i++) {
			const unsigned key = plan->first_key[d] + i;
			const uint32_t to = i / 2;
			const bool up = grid->kind[d] == HD_GRID_RING ? is_up(at, to, size, i & 1)
								      : to > at;

			work->step[key] = NO_STEP;
			if (to != at)
				work->step[key] =
					(uint16_t)(rank[up] << 8 | work->port_of_key[key]);
		}
	}
}

/* From how many coordinates along @other packets to @target pass @point by direction @rank. */
static uint32_t sources_beside(const struct plan *plan, uint32_t point, const struct target *target,
			       unsigned other, unsigned rank)
{
	const struct hd_grid *grid = plan->grid;
	const uint32_t size = grid->size[other], to = coordinate(plan, target->point, other);
	const unsigned parity = way_around(plan, target, other);
	uint32_t n = 1;

	if (coordinate(plan, point, other) != to)
		return 1;
	for (uint32_t from = 0; from < size; from++) {
		const bool up = grid->kind[other] == HD_GRID_RING ? is_up(from, to, size, parity)
								  : to > from;

		n += from != to && plan->orders->rank[other][up] < rank;
	}
	return n;
}

/*
 * How many flows to @target leave switch @point by @port, in a unit that is the same for all
 * targets of a pass that leave by that port.
 */
static uint32_t flows_to(const struct plan *plan, uint32_t point, const struct target *target,
			 unsigned d)
{
	const struct hd_grid *grid = plan->grid;
	const uint32_t size = grid->size[d], at = coordinate(plan, point, d);
	const uint32_t to = coordinate(plan, target->point, d);
	const bool ring = grid->kind[d] == HD_GRID_RING;
	const unsigned parity = way_around(plan, target, d);
	uint64_t flows = 1;

	if (d == target->skip || at == to)
		return 1;
	if (ring)
		flows = sources_behind(at, to, size, parity);
	for (unsigned other = 0; plan->orders->by_direction && other < grid->n_dimensions; other++)
		if (other != d)
			flows *= sources_beside(
				plan, point, target, other,
				plan->orders
					->rank[d][ring ? is_up(at, to, size, parity) : to > at]);
	return flows > UINT32_MAX ? UINT32_MAX : (uint32_t)flows;
}

/* Shares out what leaves @s by trunks. */
static void spread(const struct plan *plan, uint32_t s, const struct workspace *work)
{
	const uint8_t *dimension = plan->grid->port_dimension + plan->fabric->nodes[s].first_port;
	const unsigned n_ports = plan->fabric->nodes[s].n_ports;
	const uint32_t point = plan->grid->point[s];
	uint8_t *lft = hd_lft(plan->tables, s);

	if (!plan->has_trunks)
		return;
	for (size_t i = 0; i < plan->targets.n; i++) {
		const unsigned port = lft[plan->targets.list[i].lid];
		const unsigned d = port && port <= n_ports ? dimension[port] : HD_NO_DIMENSION;

		work->flows[i] = d == HD_NO_DIMENSION || point == HD_NONE
					 ? 1
					 : flows_to(plan, point, &plan->plain[i], d);
	}
	hd_trunks_spread(plan->fabric, &plan->targets, s, lft, work->flows);
}

/* Fills a row by an order of directions; there are no line switches. */
static void fill_row_by_direction(const struct plan *plan, uint32_t s, struct workspace *work)
{
	uint8_t *lft = hd_lft(plan->tables, s);

	list_ports(plan, s, work);
	list_ways(plan, plan->grid->point[s], work);
	list_steps(plan, plan->grid->point[s], work);
	for (size_t i = 0; i < plan->targets.n; i++) {
		const struct target *target = &plan->list[i];
		uint16_t first = NO_STEP;

		for (unsigned d = 0; d < plan->grid->n_dimensions; d++) {
			uint16_t step = work->step[key_of(plan, target, d)];

			first = step < first ? step : first;
		}
		lft[target->lid] = target->via_switch == s ? target->via_port : (uint8_t)first;
	}
	spread(plan, s, work);
}

static void fill_row(const struct plan *plan, uint32_t s, struct workspace *work)
{
	const size_t stride = plan->tables->lft_stride;
	const uint8_t line = plan->line_dimension[s];
	const uint32_t point = line == HD_NO_DIMENSION ? plan->grid->point[s] : plan->line_point[s];
	uint8_t *lft = hd_lft(plan->tables, s);

	list_ports(plan, s, work);
	if (line == HD_NO_DIMENSION)
		list_ways(plan, point, work);
	else
		list_ways_down(plan, line, work);
	if (no_key(plan) < BYTE_KEYS)
		hd_translate(plan->byte_key, stride, work->port_of_key, lft);
	else
		for (size_t lid = 0; lid < stride; lid++)
			lft[lid] = work->port_of_key[plan->key[lid]];
	for (unsigned d = 0; d <= plan->grid->n_dimensions; d++) {
		bool last = d == plan->grid->n_dimensions;
		unsigned half = plan->first_key[d] / 2 + (last ? 0 : coordinate(plan, point, d));

		if (d == line)
			continue;
		for (uint32_t i = plan->first_target[half]; i < plan->first_target[half + 1]; i++)
			lft[plan->list[i].lid] = port_towards(plan, s, &plan->list[i], work);
	}
	spread(plan, s, work);
}

static int fill(const struct plan *plan, struct hd_error *err)
{
	const size_t n_keys = no_key(plan) + 1 < BYTE_KEYS ? BYTE_KEYS : no_key(plan) + 1;
	bool failed = false;

#pragma omp parallel if (plan->fabric->n_switches > 64)
	{
		struct workspace work = { .port_of_key = calloc(1, n_keys),
					  .direct = malloc(n_keys),
					  .step = malloc(n_keys * sizeof(*work.step)),
					  .flows = plan->has_trunks ? malloc((plan->targets.n + 1) *
									     sizeof(*work.flows))
								    : NULL };
		const bool complete = work.port_of_key && work.direct && work.step &&
				      (work.flows || !plan->has_trunks);

		if (!complete) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic, 16)
		hd_for_each_switch(s, plan->fabric) {
			if (complete && plan->orders->by_direction)
				fill_row_by_direction(plan, s, &work);
			else if (complete)
				fill_row(plan, s, &work);
		}
		free(work.port_of_key);
		free(work.direct);
		free(work.step);
		free(work.flows);
	}
	return failed ? hd_error_nomem(err) : 0;
}

int hd_dimension_order_grid(const struct hd_fabric *fabric, const struct hd_params *params,
			    struct hd_grid **grid, struct hd_error *err)
{
	const char *path = hd_params_get(params, "coordinates");
	struct hd_grid_coordinates coordinates = { 0 };
	int ret = path ? hd_grid_read_coordinates(path, fabric, &coordinates, err) : 0;

	*grid = NULL;
	if (!ret)
		ret = hd_grid_recognise(fabric, path ? &coordinates : NULL, grid, err);
	free(coordinates.at);
	return ret;
}

int hd_dimension_order_route(const struct hd_fabric *fabric, const struct hd_params *params,
			     struct hd_grid *grid, const struct hd_dimension_order *orders,
			     unsigned n_orders, struct hd_routes *routes, struct hd_error *err)
{
	const char *ties = hd_params_get(params, "ties");
	struct plan plan = { .fabric = fabric,
			     .grid = grid,
			     .tables = routes->tables,
			     .orders = orders,
			     .ties_up = strcmp(ties, "up") == 0,
			     .has_trunks = hd_trunks_exist(fabric) };
	int ret;

	routes->structure.grid = grid;
	routes->structure.is_degraded = grid->n_missing_links || grid->n_missing_switches;
	if (!plan.ties_up && strcmp(ties, "split") != 0)
		return hd_error_set(err, HD_EINVAL, "ties: '%s' is neither split nor up", ties);
	ret = hd_route_targets_list(fabric, &plan.targets, err);
	if (!ret)
		ret = list_coordinates(&plan, err);
	if (!ret)
		ret = list_targets(&plan, n_orders, err);
	if (!ret)
		ret = fill(&plan, err);
	hd_route_targets_free(&plan.targets);
	free(plan.coordinate);
	free(plan.line_point);
	free(plan.line_dimension);
	free(plan.plain);
	free(plan.list);
	free(plan.first_target);
	free(plan.key);
	free(plan.byte_key);
	return ret;
}
