// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Valiant's algorithm over the groups of a dragonfly (Valiant, 1982; Kim et al., 2008), as static
 * multipathing: the first LID of a host is reached by minimal routes, every other one through an
 * intermediate group of its own. In the group of the destination, packets go to the destination; in
 * the intermediate group, to the destination's group; elsewhere, to the intermediate group. So
 * forwarding depends on the destination LID alone, and paths are at most local, global, local,
 * global, local. For sources in the intermediate group that is the minimal route.
 *
 * Which group: the g - 1 that are not the destination's are numbered from the one after it. The n
 * LIDs at one LMC offset of a group's hosts take n numbers in a row, around, so that each is taken
 * as often as any other or once more. Each offset goes on where the last one ended, and one further
 * whenever that has come round to the first beginning, so that the LIDs of one host differ. Hosts
 * are counted in turns over the switches, since the groups of neighbouring numbers are often behind
 * one switch, and hosts of one switch should not meet there.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"
#include "engines/group_routes.h"
#include "support/error.h"
#include "support/options.h"

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly *dragonfly;
	struct hd_route_targets targets;
	bool minimal;   /* first LIDs are reached by minimal routes */
	bool is_spread; /* some LID is reached through an intermediate group */
	uint16_t *via;  /* [lft_stride] */

	/* Of one pass: */
	uint32_t *at_switch; /* [switch] hosts seen so far */
	uint32_t *number;    /* [group * (p + 1) + i] the number of the next host that is the
			        i-th of its switch; at p: the number of hosts in the group */
};

static bool is_host(const struct plan *plan, const struct hd_route_target *target)
{
	const struct hd_fabric *fabric = plan->fabric;

	return !hd_is_switch(fabric, fabric->ports[fabric->lids[target->lid].port].node);
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Where the numbers of the @offset-th LIDs of @n hosts begin that are spread over @n_others groups.
 */
static uint32_t first_number(uint32_t offset, uint32_t n, uint32_t n_others)
{
	uint32_t rest = n % n_others;
	uint32_t period = n_others / greatest_common_divisor(n_others, rest);

	return offset * rest + offset / period;
}

/* Counts the hosts of a pass: number[] then has the beginning of each turn over the switches. */
static void count_hosts(struct plan *plan, unsigned pass)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct hd_route_targets *all = &plan->targets;
	const size_t stride = d->p + (size_t)1;

	memset(plan->at_switch, 0, plan->fabric->n_switches * sizeof(*plan->at_switch));
	memset(plan->number, 0, d->n_groups * stride * sizeof(*plan->number));
	for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
		uint32_t s = all->list[i].via_switch;

		plan->number[d->group[s] * stride + plan->at_switch[s]++]++;
	}
	for (uint32_t group = 0; group < d->n_groups; group++) {
		uint32_t *number = plan->number + group * stride, before = 0;

		for (uint32_t turn = 0; turn <= d->p; turn++) {
			uint32_t count = number[turn];

			number[turn] = before;
			before += count;
		}
	}
	memset(plan->at_switch, 0, plan->fabric->n_switches * sizeof(*plan->at_switch));
}

/* Chooses the intermediate groups of a pass, the @offset-th of those that are spread. */
static void choose_groups(struct plan *plan, unsigned pass, uint32_t offset)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct hd_route_targets *all = &plan->targets;
	const size_t stride = d->p + (size_t)1;
	const uint32_t n_others = d->n_groups - 1;

	count_hosts(plan, pass);
	for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
		uint32_t s = all->list[i].via_switch, group = d->group[s];
		uint32_t *number = plan->number + group * stride;
		uint32_t mine = number[plan->at_switch[s]++]++;

		mine += first_number(offset, number[d->p], n_others);
		plan->via[all->list[i].lid] =
			(uint16_t)((group + 1 + mine % n_others) % d->n_groups);
	}
	plan->is_spread = true;
}

static int choose(struct plan *plan, size_t stride, struct hd_error *err)
{
	const struct hd_dragonfly *d = plan->dragonfly;
	const struct hd_route_targets *all = &plan->targets;

	plan->via = calloc(stride, sizeof(*plan->via));
	plan->at_switch = malloc((plan->fabric->n_switches + (size_t)1) * sizeof(*plan->at_switch));
	plan->number = malloc(d->n_groups * (d->p + (size_t)1) * sizeof(*plan->number));
	if (!plan->via || !plan->at_switch || !plan->number)
		return hd_error_nomem(err);
	for (size_t i = 0; i < all->n; i++)
		plan->via[all->list[i].lid] = (uint16_t)d->group[all->list[i].via_switch];
	for (unsigned pass = plan->minimal; d->n_groups > 1 && pass < all->n_passes; pass++)
		if (is_host(plan, &all->list[all->first[pass]]))
			choose_groups(plan, pass, pass - plan->minimal);
	return 0;
}

static int check_spread(const struct plan *plan, struct hd_error *err)
{
	if (plan->is_spread)
		return 0;
	if (plan->dragonfly->n_groups < 2)
		return hd_error_set(err, HD_EREFUSED, "there is no other group to go through");
	return hd_error_set(
		err, HD_EREFUSED,
		"no host has more LIDs than the one that is reached minimally: it needs "
		"an LMC of 1 or more");
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	struct plan plan = { .fabric = fabric };
	int ret = hd_params_bool(request->params, "minimal", &plan.minimal, err);

	if (!ret)
		ret = hd_group_routes_recognise(fabric, request->params, HD_GROUPS_FULL, &dragonfly,
						err);
	plan.dragonfly = dragonfly;
	if (!ret)
		ret = hd_route_targets_list(fabric, &plan.targets, err);
	if (!ret)
		ret = choose(&plan, routes->tables->lft_stride, err);
	if (!ret)
		ret = check_spread(&plan, err);
	if (!ret) {
		struct hd_group_ways ways = { .via = plan.via };

		ret = hd_group_routes_fill(fabric, dragonfly, &plan.targets, &ways, routes->tables,
					   err);
	}
	if (!ret) {
		hd_structure_take_groups(&routes->structure, dragonfly);
		routes->structure.via = plan.via;
		plan.via = NULL;
	}
	free(plan.via);
	free(plan.at_switch);
	free(plan.number);
	hd_route_targets_free(&plan.targets);
	hd_dragonfly_free(dragonfly);
	return ret;
}

static const struct hd_option options[] = {
	HD_GROUPS_OPTION,
	{ "minimal", "on", "",
	  "whether the first LID of a host is reached minimally; off: it is spread, too" },
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "valiant", "flex", NULL };

const struct hd_engine hd_engine_dfval = {
	.policy.name = "dfval",
	.policy.summary =
		"Valiant's routes over the groups of a dragonfly, one for each LID of a host: "
		"8 or 10 SLs, 6 VLs",
	.policy.reference = "Valiant (1982); Kim and Dally (2008); Fuentes, thesis, section 1.4.1",
	.policy.options = options,
	.layer_rules = layer_rules,
	.lmc = 4,
	.host_policy = "roundrobin",
	.scheduler = "vlarb",
	.route = route,
};
