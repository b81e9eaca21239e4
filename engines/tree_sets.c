// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/tree_sets.h"

#include "support/error.h"

/* The cables by which a shortest legal path from @s to @to begins. */
static struct hd_port_set find_set(const struct hd_tree_ways *ways, uint32_t s, uint32_t to)
{
	const size_t n = ways->n;
	const unsigned fall = ways->fall[s * n + to], way = ways->way[s * n + to];
	const bool falls = fall < HD_TREE_FAR;
	const unsigned length = falls ? fall : way;
	struct hd_port_set set = { { 0 } };

	if (length >= HD_TREE_FAR)
		return set;
	for (uint32_t g = ways->first_group[s]; g < ways->first_group[s + 1]; g++) {
		const struct hd_tree_group *group = &ways->group[g];
		const uint8_t *rest = group->is_rising ? ways->way : ways->fall;

		if (group->is_rising == falls || rest[group->peer * n + to] + 1u != length)
			continue;
		for (unsigned i = 0; i < group->n_cables; i++)
			hd_port_set_add(&set, ways->cable[group->first_cable + i]);
	}
	return set;
}

static int set_entries(const struct hd_tree_ways *ways, const struct hd_route_targets *targets,
		       uint32_t s, enum hd_ar_state state, struct hd_tables *tables)
{
	struct hd_port_set set = { { 0 } };
	uint32_t last = HD_NONE;

	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *to = &targets->list[i];
		const unsigned port = hd_lft(tables, s)[to->lid];
		int ret;

		if (to->via_switch == s)
			continue;
		/* LIDs of one switch stand together */
		if (to->via_switch != last)
			set = find_set(ways, s, to->via_switch);
		last = to->via_switch;
		if (!hd_port_set_has(&set, port))
			continue;
		ret = hd_ar_set(tables, s, to->lid, state, &set);
		if (ret)
			return ret;
	}
	return 0;
}

int hd_tree_sets(const struct hd_tree_ways *ways, const struct hd_route_targets *targets,
		 enum hd_ar_state state, struct hd_tables *tables, struct hd_error *err)
{
	int ret = 0;

#pragma omp parallel for schedule(dynamic, 16) if (ways->n > 64)
	for (uint32_t s = 0; s < ways->n; s++) {
		const int own = set_entries(ways, targets, s, state, tables);

		if (own) {
#pragma omp atomic write
			ret = own;
		}
	}
	return ret ? hd_error_nomem(err) : 0;
}
