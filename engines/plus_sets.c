// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/plus_sets.h"

#include <stdlib.h>

#include "engines/plus_ports.h"
#include "support/error.h"

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly_plus *plus;
	bool *falls;   /* [spine * n_switches + leaf] a cable joins them */
	bool *crosses; /* likewise: a link leads from the spine to a neighbour of the leaf */
};

static void find_falls(const struct plan *plan)
{
	const size_t n = plan->fabric->n_switches;

	hd_for_each_switch(s, plan->fabric)
		hd_for_each_number(number, plan->fabric, s) {
			uint32_t next;

			if (hd_plus_kind(plan->fabric, plan->plus, s, number, &next) ==
			    HD_PLUS_DOWN)
				plan->falls[s * n + next] = true;
		}
}

static void find_crossings(const struct plan *plan)
{
	const size_t n = plan->fabric->n_switches;

	hd_for_each_switch(s, plan->fabric)
		hd_for_each_number(number, plan->fabric, s) {
			uint32_t next;

			if (hd_plus_kind(plan->fabric, plan->plus, s, number, &next) !=
			    HD_PLUS_BETWEEN)
				continue;
			for (size_t leaf = 0; leaf < n; leaf++)
				plan->crosses[s * n + leaf] |= plan->falls[next * n + leaf];
		}
}

/* Whether a minimal path from @s to leaf @to goes on to @next, by a port of @kind. */
static bool leads(const struct plan *plan, uint32_t s, enum hd_plus_kind kind, uint32_t next,
		  uint32_t to)
{
	const size_t n = plan->fabric->n_switches;
	const bool is_home = plan->plus->group[s] == plan->plus->group[to];

	switch (kind) {
	case HD_PLUS_UP:
		return (is_home ? plan->falls : plan->crosses)[next * n + to];
	case HD_PLUS_DOWN:
		return next == to;
	case HD_PLUS_BETWEEN:
		return !is_home && plan->falls[next * n + to];
	case HD_PLUS_OTHER:
		break;
	}
	return false;
}

static struct hd_port_set find_set(const struct plan *plan, uint32_t s, uint32_t to)
{
	struct hd_port_set set = { { 0 } };

	hd_for_each_number(number, plan->fabric, s) {
		uint32_t next = HD_NONE;
		const enum hd_plus_kind kind =
			hd_plus_kind(plan->fabric, plan->plus, s, number, &next);

		if (leads(plan, s, kind, next, to))
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
