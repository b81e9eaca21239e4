// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * PARX: four LIDs a host on a HyperX of two dimensions (Domke et al., HyperX topology, SC 2019).
 * The routes to each LID leave out the links inside one half of the HyperX: left, right, upper,
 * lower. So two switches of that half, which otherwise have one link or two short paths, have as
 * many detours through the other half as that half is wide, and always some LID of theirs has a
 * shortest path. Hosts send small messages to a LID with a shortest path, large ones to a LID with
 * a detour.
 *
 * Routes are those of SSSP on the links that are left: fewest hops first, then the lightest way,
 * all LIDs together. Any path is x, y, x or y, x, y, in which hops may be missing (x, x lacks y):
 * layer rule xyxy has two layers for these.
 *
 * Where a half without its links leaves a switch no path, as failures may do, the switch has its
 * links inside the half back. A LID of a switch has all links: management packets need no detours.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/dimension_order.h"
#include "engines/engines.h"
#include "engines/light_paths.h"
#include "fabric/distances.h"
#include "support/error.h"
#include "topologies/grid.h"

#define LMC 2

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_grid *grid;
	struct hd_route_targets targets;
	struct hd_light_paths paths;
	bool *cut;          /* [index in links] */
	uint8_t *distances; /* [switch * n_switches + switch] */
	uint32_t *queue;    /* [switch] */
	bool *is_apart;     /* of struct hd_structure: some switches have no path */
};

/*
 * Whether switch @s is in the half that the routes at LMC offset @offset leave the links of out:
 * the lower coordinates of x, the higher ones, the lower ones of y, the higher ones.
 */
static bool is_in_half(const struct hd_grid *grid, uint32_t s, unsigned offset)
{
	const unsigned d = offset / 2;
	const bool is_low = 2 * hd_grid_coordinate(grid, grid->point[s], d) + 1 < grid->size[d];

	return is_low == !(offset % 2);
}

/* Cuts the links inside the half of LMC offset @offset. */
static void cut_half(struct plan *plan, unsigned offset)
{
	const struct hd_light_paths *paths = &plan->paths;

	hd_for_each_switch(s, plan->fabric) {
		const bool is_inside = is_in_half(plan->grid, s, offset);

		for (uint32_t k = paths->first[s]; k < paths->first[s + 1]; k++)
			plan->cut[k] =
				is_inside && is_in_half(plan->grid, paths->links[k].peer, offset);
	}
}

/* Gives the switches that cut links keep from @distance their distance by all links. */
static void reach_rest(const struct plan *plan, uint8_t *distance)
{
	const struct hd_light_paths *paths = &plan->paths;
	bool is_done = false;

	for (unsigned d = 0; !is_done && d + 1 < HD_UNREACHABLE; d++) {
		is_done = true;
		hd_for_each_switch(s, plan->fabric) {
			is_done &= distance[s] == HD_UNREACHABLE || distance[s] <= d;
			if (distance[s] != d)
				continue;
			for (uint32_t k = paths->first[s]; k < paths->first[s + 1]; k++)
				if (distance[paths->links[k].peer] == HD_UNREACHABLE) {
					distance[paths->links[k].peer] = (uint8_t)(d + 1);
					is_done = false;
				}
		}
	}
}

/*
 * Counts the hops to switch @to over links that are not cut; over cut ones where no other way is.
 */
static void measure(const struct plan *plan, uint32_t to, uint8_t *distance)
{
	const struct hd_light_paths *paths = &plan->paths;
	uint32_t head = 0, tail = 0;

	memset(distance, HD_UNREACHABLE, plan->fabric->n_switches);
	distance[to] = 0;
	plan->queue[tail++] = to;
	while (head < tail) {
		const uint32_t s = plan->queue[head++];

		if (distance[s] + 1 == HD_UNREACHABLE)
			break;
		for (uint32_t k = paths->first[s]; k < paths->first[s + 1]; k++) {
			const uint32_t peer = paths->links[k].peer;

			if (plan->cut[k] || distance[peer] != HD_UNREACHABLE)
				continue;
			distance[peer] = (uint8_t)(distance[s] + 1);
			plan->queue[tail++] = peer;
		}
	}
	if (tail < plan->fabric->n_switches)
		reach_rest(plan, distance);
	*plan->is_apart |= memchr(distance, HD_UNREACHABLE, plan->fabric->n_switches) != NULL;
}

/* Routes the LIDs of @pass. */
static int route_pass(struct plan *plan, unsigned pass, struct hd_tables *tables,
		      struct hd_error *err)
{
	const struct hd_route_targets *targets = &plan->targets;
	const size_t n = plan->fabric->n_switches, first = targets->first[pass];

	if (first == targets->first[pass + 1])
		return 0;
	if (targets->list[first].via_port)
		cut_half(plan, pass);
	else
		memset(plan->cut, 0, plan->fabric->n_ports * sizeof(*plan->cut));
	hd_for_each_switch(s, plan->fabric)
		measure(plan, s, plan->distances + s * n);
	return hd_light_paths_route_pass(&plan->paths, plan->distances, targets, pass, false,
					 tables, err);
}

static bool is_full(const struct hd_grid *grid, unsigned d)
{
	return grid->kind[d] == HD_GRID_FULL ||
	       (grid->kind[d] == HD_GRID_RING && grid->size[d] == 3) ||
	       (grid->kind[d] != HD_GRID_SWITCHED && grid->size[d] == 2);
}

static int check_grid(const struct hd_grid *grid, struct hd_error *err)
{
	char shape[96];

	if (grid->n_dimensions == 2 && is_full(grid, 0) && is_full(grid, 1))
		return 0;
	return hd_error_set(err, HD_EREFUSED,
			    "the routes are for a HyperX of two dimensions, and this is %s",
			    hd_grid_describe(grid, shape, sizeof(shape)));
}

static int prepare(struct plan *plan, struct hd_error *err)
{
	const size_t n = plan->fabric->n_switches;
	int ret = hd_route_targets_want_lmc(plan->fabric, LMC, err);

	if (!ret)
		ret = hd_route_targets_list(plan->fabric, &plan->targets, err);
	if (!ret)
		ret = hd_light_paths_init(&plan->paths, plan->fabric, err);
	if (ret)
		return ret;
	plan->cut = calloc(plan->fabric->n_ports + (size_t)1, sizeof(*plan->cut));
	plan->distances = malloc(n * n + 1);
	plan->queue = malloc((n + 1) * sizeof(*plan->queue));
	plan->paths.avoided = plan->cut;
	return plan->cut && plan->distances && plan->queue ? 0 : hd_error_nomem(err);
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_grid *grid;
	struct plan plan = { .fabric = fabric, .is_apart = &routes->structure.is_degraded };
	int ret = hd_dimension_order_grid(fabric, request->params, &grid, err);

	if (ret)
		return ret;
	routes->structure.grid = grid;
	plan.grid = grid;
	ret = check_grid(grid, err);
	if (!ret)
		ret = prepare(&plan, err);
	for (unsigned pass = 0; !ret && pass < plan.targets.n_passes; pass++)
		ret = route_pass(&plan, pass, routes->tables, err);
	routes->structure.is_degraded |= grid->n_missing_links || grid->n_missing_switches;
	hd_route_targets_free(&plan.targets);
	hd_light_paths_clear(&plan.paths);
	free(plan.cut);
	free(plan.distances);
	free(plan.queue);
	return ret;
}

static const struct hd_option options[] = {
	{ "coordinates", NULL, "file",
	  "file of lines \"GUID X Y ...\" that overrides recognition" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "xyxy", "fewest", "hop", "layered", NULL };

const struct hd_engine hd_engine_parx = {
	.policy.name = "parx",
	.policy.summary = "HyperX of two dimensions: for each of four LIDs, paths around the links "
			  "of one half",
	.policy.reference = "Domke et al., HyperX topology (SC 2019)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.lmc = LMC,
	.host_policy = "size",
	.route = route,
};
