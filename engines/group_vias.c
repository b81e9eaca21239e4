// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The g - 1 groups that are not the destination's are numbered from the one after it. The n LIDs at
 * one LMC offset of a group's hosts take n numbers in a row, around, so that each is taken as often
 * as any other or once more. Each offset goes on where the last one ended, and one further whenever
 * that has come round to the first beginning, so that the LIDs of one host differ. Hosts are
 * counted in turns over the switches, since the groups of neighbouring numbers are often behind one
 * switch, and hosts of one switch should not meet there.
 */
#include "engines/group_vias.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_route_targets *targets;
	const uint32_t *group;
	uint32_t n_groups, p; /* p: most hosts on a switch */
	uint16_t *via;

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
	const struct hd_route_targets *all = plan->targets;
	const size_t stride = plan->p + (size_t)1;

	memset(plan->at_switch, 0, plan->fabric->n_switches * sizeof(*plan->at_switch));
	memset(plan->number, 0, plan->n_groups * stride * sizeof(*plan->number));
	for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
		uint32_t s = all->list[i].via_switch;

		plan->number[plan->group[s] * stride + plan->at_switch[s]++]++;
	}
	for (uint32_t group = 0; group < plan->n_groups; group++) {
		uint32_t *number = plan->number + group * stride, before = 0;

		for (uint32_t turn = 0; turn <= plan->p; turn++) {
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
	const struct hd_route_targets *all = plan->targets;
	const size_t stride = plan->p + (size_t)1;
	const uint32_t n_others = plan->n_groups - 1;

	count_hosts(plan, pass);
	for (size_t i = all->first[pass]; i < all->first[pass + 1]; i++) {
		uint32_t s = all->list[i].via_switch, group = plan->group[s];
		uint32_t *number = plan->number + group * stride;
		uint32_t mine = number[plan->at_switch[s]++]++;

		mine += first_number(offset, number[plan->p], n_others);
		plan->via[all->list[i].lid] =
			(uint16_t)((group + 1 + mine % n_others) % plan->n_groups);
	}
}

/* Whether the destinations of @pass are hosts; one is as good as all. */
static bool is_of_hosts(const struct plan *plan, unsigned pass)
{
	return is_host(plan, &plan->targets->list[plan->targets->first[pass]]);
}

/* Counts the most hosts of a pass on a switch. */
static void find_p(struct plan *plan)
{
	for (unsigned pass = 0; pass < plan->targets->n_passes; pass++) {
		memset(plan->at_switch, 0, plan->fabric->n_switches * sizeof(*plan->at_switch));
		for (size_t i = plan->targets->first[pass]; i < plan->targets->first[pass + 1];
		     i++) {
			uint32_t n = ++plan->at_switch[plan->targets->list[i].via_switch];

			if (n > plan->p)
				plan->p = n;
		}
	}
}

int hd_group_vias_choose(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
			 const uint32_t *group, uint32_t n_groups, bool minimal, uint16_t **via,
			 bool *is_spread, struct hd_error *err)
{
	struct plan plan = {
		.fabric = fabric,
		.targets = targets,
		.group = group,
		.n_groups = n_groups,
		.via = calloc(fabric->top_lid + (size_t)1, sizeof(*plan.via)),
		.at_switch = malloc((fabric->n_switches + (size_t)1) * sizeof(*plan.at_switch)),
	};

	*via = plan.via;
	*is_spread = false;
	if (plan.via && plan.at_switch) {
		find_p(&plan);
		plan.number = malloc(n_groups * (plan.p + (size_t)1) * sizeof(*plan.number));
	}
	if (plan.number) {
		for (size_t i = 0; i < targets->n; i++)
			plan.via[targets->list[i].lid] =
				(uint16_t)group[targets->list[i].via_switch];
		for (unsigned pass = minimal; n_groups > 1 && pass < targets->n_passes; pass++)
			if (is_of_hosts(&plan, pass)) {
				choose_groups(&plan, pass, pass - minimal);
				*is_spread = true;
			}
	}
	free(plan.at_switch);
	free(plan.number);
	return plan.number ? 0 : hd_error_nomem(err);
}
