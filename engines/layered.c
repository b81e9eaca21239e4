// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layers of routes for fabrics of low diameter (Besta et al., FatPaths, 2020; Blach et al., A
 * high-performance design of a real-world Slim Fly, 2024): the first LID of a host has minimal
 * paths, and each further one has paths that may be longer than the fabric is wide by a link, and
 * that have few links in common with those of the LIDs before. (Layers of routes are not those of
 * lanes.)
 *
 * On a Slim Fly, most pairs of switches have one minimal path. It ends with a link from a neighbour
 * of the last switch, and through nearly every other neighbour there is one path that is longer by
 * a link, and shares none with the first. So further LIDs choose a few of these neighbours, others
 * for each LID: packets come in over their links alone, on the shortest ways that there are then. A
 * switch that is behind a chosen neighbour has its minimal path again; a LID after the other, that
 * happens to the same switch once at most. Where paths would become too long, more neighbours are
 * chosen, up to all; so this serves every connected graph.
 *
 * Both choices look at the load of links, LMC offset by LMC offset: that of a neighbour's link, and
 * that of all links on the way (engines/light_paths.h).
 */
#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"
#include "engines/light_paths.h"
#include "fabric/distances.h"
#include "support/error.h"
#include "support/options.h"

#define SHARES 4  /* a LID's packets come over one part in so many of the links, or less */
#define NEARLY 16 /* all pairs of switches but one in so many are nearly all */
#define ROUNDS 3

/* A neighbour of the last switch. */
struct entry {
	uint64_t load; /* of its least loaded link there */
	uint32_t peer;
	uint32_t place;  /* among the neighbours */
	unsigned n_uses; /* earlier LIDs of the same port that chose it */
};

struct plan {
	const struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_light_paths paths;
	uint8_t *distances; /* of hd_switch_distances() */
	unsigned most;      /* links that a path may have */
	unsigned n_shares;
	uint32_t most_entries;
	/* [port of the last switch * most_entries + place of a neighbour] */
	size_t n_uses;
	uint8_t *uses;   /* how many LIDs of passes before chose it */
	bool *is_chosen; /* by the LID of this pass */

	/* towards one LID */
	uint8_t *distance; /* [switch] */
	uint32_t *queue;   /* [switch] */
	uint32_t n_entries;
	struct entry entries[HD_MAX_PORTS];
};

/* The load of the least loaded link from @from to @to. */
static uint64_t least_load(const struct plan *plan, uint32_t from, uint32_t to)
{
	const struct hd_light_paths *paths = &plan->paths;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = paths->first[from]; i < paths->first[from + 1]; i++)
		if (paths->links[i].peer == to && paths->links[i].load < least)
			least = paths->links[i].load;
	return least;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->n_uses != y->n_uses)
		return x->n_uses < y->n_uses ? -1 : 1;
	if (x->load != y->load)
		return x->load < y->load ? -1 : 1;
	return x->peer < y->peer ? -1 : x->peer > y->peer;
}

/* Where the neighbours of @target's switch begin in uses[] and is_chosen[]. */
static size_t row_of(const struct plan *plan, const struct hd_route_target *target)
{
	return (size_t)plan->most_entries *
	       hd_port_index(plan->fabric, target->via_switch, target->via_port);
}

/* Lists the neighbours of the last switch, the best to choose first. */
static void list_entries(struct plan *plan, const struct hd_route_target *target)
{
	const struct hd_light_paths *paths = &plan->paths;
	const uint32_t to = target->via_switch;
	const uint8_t *uses = plan->uses + row_of(plan, target);

	plan->n_entries = 0;
	for (uint32_t i = paths->first[to]; i < paths->first[to + 1]; i++) {
		const uint32_t peer = paths->links[i].peer, n = plan->n_entries;

		if (n && plan->entries[n - 1].peer == peer)
			continue;
		plan->entries[n] = (struct entry){
			.load = least_load(plan, peer, to),
			.peer = peer,
			.place = n,
			.n_uses = uses[n],
		};
		plan->n_entries++;
	}
	qsort(plan->entries, plan->n_entries, sizeof(plan->entries[0]), compare_entries);
}

/* Whether the last switch @to and switch @s are linked. */
static bool is_next_to(const struct plan *plan, uint32_t to, uint32_t s)
{
	return plan->distances[(size_t)to * plan->fabric->n_switches + s] == 1;
}

/*
 * Counts the hops to the target over the first @n entries, for switches that are not too far.
 * Whether all others are neighbours of the last switch.
 */
static bool measure(struct plan *plan, uint32_t to, uint32_t n)
{
	const struct hd_light_paths *paths = &plan->paths;
	const uint32_t n_switches = plan->fabric->n_switches;
	const uint8_t *shortest = plan->distances + (size_t)to * n_switches;
	uint32_t head = 0, tail = 0;

	memset(plan->distance, HD_UNREACHABLE, n_switches);
	plan->distance[to] = 0;
	for (uint32_t i = 0; i < n; i++) {
		plan->distance[plan->entries[i].peer] = 1;
		plan->queue[tail++] = plan->entries[i].peer;
	}
	while (head < tail) {
		const uint32_t s = plan->queue[head++];

		if (plan->distance[s] == plan->most)
			break;
		for (uint32_t i = paths->first[s]; i < paths->first[s + 1]; i++) {
			const uint32_t peer = paths->links[i].peer;

			if (plan->distance[peer] != HD_UNREACHABLE)
				continue;
			plan->distance[peer] = (uint8_t)(plan->distance[s] + 1);
			plan->queue[tail++] = peer;
		}
	}
	for (uint32_t s = 0; s < n_switches; s++)
		if (plan->distance[s] == HD_UNREACHABLE && shortest[s] != HD_UNREACHABLE &&
		    !is_next_to(plan, to, s))
			return false;
	return true;
}

/*
 * Leads neighbours of the last switch that are too far by the chosen entries there by their own
 * link.
 */
static void go_straight(struct plan *plan, const struct hd_route_target *target)
{
	const struct hd_light_paths *paths = &plan->paths;

	for (uint32_t i = 0; i < plan->n_entries; i++) {
		const uint32_t s = plan->entries[i].peer;
		struct hd_light_link *best = NULL;

		if (plan->distance[s] != HD_UNREACHABLE)
			continue;
		for (uint32_t k = paths->first[s]; k < paths->first[s + 1]; k++) {
			struct hd_light_link *link = &paths->links[k];

			if (link->peer == target->via_switch && (!best || link->load < best->load))
				best = link;
		}
		best->load += paths->hosts[s];
		hd_lft(plan->tables, s)[target->lid] = best->port;
	}
}

/* Routes a further LID of a host. @again: it is routed. */
static void route_further(struct plan *plan, const struct hd_route_target *target, bool again)
{
	bool *is_chosen = plan->is_chosen + row_of(plan, target);
	uint32_t n;

	if (again)
		hd_light_paths_unroute(&plan->paths, target, plan->tables);
	list_entries(plan, target);
	n = (plan->n_entries + plan->n_shares - 1) / plan->n_shares;
	while (!measure(plan, target->via_switch, n))
		n = 2 * n < plan->n_entries ? 2 * n : plan->n_entries;
	go_straight(plan, target);
	hd_light_paths_towards(&plan->paths, plan->distance);
	hd_light_paths_route(&plan->paths, target, target->pass, plan->tables);
	for (uint32_t i = 0; i < plan->n_entries; i++)
		is_chosen[plan->entries[i].place] = i < n;
}

static int route_pass(struct plan *plan, const struct hd_route_targets *targets, unsigned pass,
		      bool again, struct hd_error *err)
{
	const size_t first = targets->first[pass], end = targets->first[pass + 1];

	if (!pass || first == end || !targets->list[first].via_port)
		return hd_light_paths_route_pass(&plan->paths, plan->distances, targets, pass,
						 again, plan->tables, err);
	for (size_t i = first; i < end; i++)
		route_further(plan, &targets->list[i], again);
	return 0;
}

/*
 * The links that a path may have: by @longer more than nearly all shortest paths, or as many as the
 * longest of these: a few missing cables shall not make all paths longer. *@is_apart: some switches
 * have no path.
 */
static unsigned find_most(const struct plan *plan, unsigned longer, bool *is_apart)
{
	const size_t n = plan->fabric->n_switches;
	uint64_t n_pairs[HD_UNREACHABLE + 1] = { 0 }, within;
	unsigned nearly_all = 0, all = HD_UNREACHABLE - 1;

	for (size_t i = 0; i < n * n; i++)
		n_pairs[plan->distances[i]]++;
	*is_apart = n_pairs[HD_UNREACHABLE] > 0;
	while (all && !n_pairs[all])
		all--;
	for (within = 0; nearly_all < all; nearly_all++) {
		within += n_pairs[nearly_all];
		if (NEARLY * (n * n - n_pairs[HD_UNREACHABLE] - within) <= n * n)
			break;
	}
	return nearly_all + longer > all ? nearly_all + longer : all;
}

static int prepare(struct plan *plan, const struct hd_route_request *request,
		   struct hd_routes *routes, struct hd_error *err)
{
	const size_t n = plan->fabric->n_switches + (size_t)1;
	const uint32_t *first;
	uint64_t longer;
	int ret = hd_params_number(request->params, "longer", 0, 8, &longer, err);

	if (!ret)
		ret = hd_light_paths_init(&plan->paths, plan->fabric, err);
	if (!ret)
		ret = hd_switch_distances(plan->fabric, &plan->distances, err);
	if (ret)
		return ret;
	plan->distance = malloc(n);
	plan->queue = malloc(n * sizeof(*plan->queue));
	first = plan->paths.first;
	hd_for_each_switch(s, plan->fabric)
		if (first[s + 1] - first[s] > plan->most_entries)
			plan->most_entries = first[s + 1] - first[s];
	plan->n_uses = (plan->fabric->n_ports + (size_t)1) * plan->most_entries;
	plan->uses = calloc(plan->n_uses + 1, sizeof(*plan->uses));
	plan->is_chosen = calloc(plan->n_uses + 1, sizeof(*plan->is_chosen));
	if (!plan->distance || !plan->queue || !plan->uses || !plan->is_chosen)
		return hd_error_nomem(err);
	/* detours that are then looked for say which parts have no path */
	plan->most = find_most(plan, (unsigned)longer, &routes->structure.is_degraded);
	if (plan->most >= HD_UNREACHABLE)
		plan->most = HD_UNREACHABLE - 1;
	return 0;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct plan plan = { .fabric = fabric, .tables = routes->tables };
	struct hd_route_targets targets = { 0 };
	int ret = prepare(&plan, request, routes, err);

	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	plan.n_shares = targets.n_passes > SHARES + 1 ? targets.n_passes - 1 : SHARES;
	for (unsigned pass = 0; !ret && pass < targets.n_passes; pass++) {
		hd_light_paths_unload(&plan.paths);
		for (unsigned round = 0; !ret && round < ROUNDS; round++)
			ret = route_pass(&plan, &targets, pass, round, err);
		for (size_t i = 0; i < plan.n_uses; i++)
			plan.uses[i] = (uint8_t)(plan.uses[i] + plan.is_chosen[i]);
		memset(plan.is_chosen, 0, plan.n_uses * sizeof(*plan.is_chosen));
	}
	hd_route_targets_free(&targets);
	hd_light_paths_clear(&plan.paths);
	free(plan.distances);
	free(plan.distance);
	free(plan.uses);
	free(plan.is_chosen);
	free(plan.queue);
	return ret;
}

static const struct hd_option options[] = {
	{ "longer", "1", "links",
	  "by how much paths to further LIDs of a host may be longer than the longest minimal "
	  "path" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "fewest", "hop", "layered", NULL };

const struct hd_engine hd_engine_layered = {
	.policy.name = "layered",
	.policy.summary = "fabrics of low diameter: minimal paths, and for further LIDs of a host "
			  "others that share few links",
	.policy.reference = "Blach et al., Slim Fly (NSDI 2024); Besta et al., FatPaths (SC 2020)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.lmc = 2,
	.host_policy = "roundrobin",
	.route = route,
};
