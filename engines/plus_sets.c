// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/plus_sets.h"

#include <stdlib.h>

#include "support/error.h"

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly_plus *plus;
	bool *falls;   /* [spine * n_switches + leaf] a cable joins them */
	bool *crosses; /* likewise: a link leads from the spine to a neighbour of the leaf */
};

/* The switch at the other end of port @number of @s; HD_NONE: there is none. */
static uint32_t next_switch(const struct plan *plan, uint32_t s, unsigned number)
{
	const uint32_t node = hd_peer_node(plan->fabric, s, number);

	return node != HD_NONE && hd_is_switch(plan->fabric, node) ? node : HD_NONE;
}

/* Whether port @number of spine @s is a link to another group. */
static bool is_global(const struct plan *plan, uint32_t s, uint32_t next)
{
	return plan->plus->is_spine[s] && plan->plus->is_spine[next] &&
	       plan->plus->group[s] != plan->plus->group[next];
}

static void find_falls(const struct plan *plan)
{
	const size_t n = plan->fabric->n_switches;

	hd_for_each_switch(s, plan->fabric)
		hd_for_each_number(number, plan->fabric, s) {
			const uint32_t next = next_switch(plan, s, number);

			if (next != HD_NONE && plan->plus->is_spine[s] &&
			    !plan->plus->is_spine[next])
				plan->falls[s * n + next] = true;
		}
}

static void find_crossings(const struct plan *plan)
{
	const size_t n = plan->fabric->n_switches;

	hd_for_each_switch(s, plan->fabric)
		hd_for_each_number(number, plan->fabric, s) {
			const uint32_t next = next_switch(plan, s, number);

			if (next == HD_NONE || !is_global(plan, s, next))
				continue;
			for (size_t leaf = 0; leaf < n; leaf++)
				plan->crosses[s * n + leaf] |= plan->falls[next * n + leaf];
		}
}

/* Whether a minimal path from @s to leaf @to goes on to @next. */
static bool leads(const struct plan *plan, uint32_t s, uint32_t next, uint32_t to)
{
	const struct hd_dragonfly_plus *plus = plan->plus;
	const size_t n = plan->fabric->n_switches;
	const bool is_home = plus->group[s] == plus->group[to];

	if (!plus->is_spine[s])
		return plus->is_spine[next] &&
		       (is_home ? plan->falls : plan->crosses)[next * n + to];
	if (is_home)
		return next == to;
	return is_global(plan, s, next) && plan->falls[next * n + to];
}

static struct hd_port_set find_set(const struct plan *plan, uint32_t s, uint32_t to)
{
	struct hd_port_set set = { { 0 } };

	hd_for_each_number(number, plan->fabric, s) {
		const uint32_t next = next_switch(plan, s, number);

		if (next != HD_NONE && leads(plan, s, next, to))
			hd_port_set_add(&set, number);
	}
	return set;
}

static int set_entries(const struct plan *plan, const struct hd_route_targets *targets,
		       const uint16_t *via, uint32_t s, enum hd_ar_state state,
		       struct hd_tables *tables)
{
	struct hd_port_set set = { { 0 } };
	uint32_t last = HD_NONE;

	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *to = &targets->list[i];
		int ret;

		if (to->via_switch == s || plan->plus->is_spine[to->via_switch] ||
		    via[to->lid] != plan->plus->group[to->via_switch])
			continue;
		/* LIDs of one switch stand together */
		if (to->via_switch != last)
			set = find_set(plan, s, to->via_switch);
		last = to->via_switch;
		if (!hd_port_set_has(&set, hd_lft(tables, s)[to->lid]))
			continue;
		ret = hd_ar_set(tables, s, to->lid, state, &set);
		if (ret)
			return ret;
	}
	return 0;
}

int hd_plus_sets(const struct hd_fabric *fabric, const struct hd_dragonfly_plus *plus,
		 const struct hd_route_targets *targets, const uint16_t *via,
		 enum hd_ar_state state, struct hd_tables *tables, struct hd_error *err)
{
	const size_t n = fabric->n_switches;
	struct plan plan = { .fabric = fabric, .plus = plus };
	int ret = 0;

	plan.falls = calloc(n * n + 1, sizeof(*plan.falls));
	plan.crosses = calloc(n * n + 1, sizeof(*plan.crosses));
	if (!plan.falls || !plan.crosses) {
		ret = HD_ENOMEM;
	} else {
		find_falls(&plan);
		find_crossings(&plan);
		hd_for_each_switch(s, fabric)
			if (!ret)
				ret = set_entries(&plan, targets, via, s, state, tables);
	}
	free(plan.falls);
	free(plan.crosses);
	return ret ? hd_error_nomem(err) : 0;
}
