// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/switch_sets.h"

#include <string.h>

bool hd_switch_sets_are_wanted(const struct hd_engine *engine,
			       const struct hd_engine_settings *settings)
{
	const struct hd_option *option = engine->policy.options;

	while (option && option->key && strcmp(option->key, "ar") != 0)
		option++;
	return option && option->key && settings->params &&
	       strcmp(hd_params_get(settings->params, "ar"), "no") != 0;
}

/* The ports of subgroup @subgroup of an entry. */
static struct hd_port_set subgroup_of(const struct hd_tables *tables, uint32_t s,
				      const struct hd_ar_entry *entry, unsigned subgroup)
{
	struct hd_port_set set = { { 0 } };

	if (entry->state == HD_AR_STATIC || entry->group == HD_AR_NO_GROUP) {
		if (!subgroup && entry->port != HD_NO_PATH)
			hd_port_set_add(&set, entry->port);
	} else {
		const struct hd_ar_groups *groups = &tables->ar->groups[s];
		const uint32_t at = groups->first[entry->group] + subgroup;

		if (at < groups->first[entry->group + 1])
			set = groups->subgroups[at];
	}
	return set;
}

/* What the LIDs of one end port leave of @set. */
static void cut(const struct hd_tables *tables, uint32_t s, const struct hd_port *end,
		unsigned plft, unsigned subgroup, struct hd_port_set *set)
{
	for (uint32_t lid = end->lid; end->lid && lid < end->lid + (1u << end->lmc); lid++) {
		const struct hd_ar_entry entry = hd_ar_entry(tables, s, plft, lid);
		const struct hd_port_set own = subgroup_of(tables, s, &entry, subgroup);

		for (unsigned w = 0; w < 4; w++)
			set->words[w] &= own.words[w];
	}
}

bool hd_switch_sets_find(const struct hd_tables *tables, uint32_t s, uint32_t d, unsigned plft,
			 unsigned subgroup, struct hd_port_set *set)
{
	const struct hd_fabric *fabric = tables->fabric;

	if (s == d || plft >= (tables->ar ? tables->ar->switches[s].n_plfts : 1))
		return false;
	/* all data ports: the switch's own LID, which each switch has, is the first to cut */
	*set = (struct hd_port_set){ { ~UINT64_C(1), UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	if (!fabric->ports[hd_port_index(fabric, d, 0)].lid)
		return false;
	for (unsigned number = 0; number <= fabric->nodes[d].n_ports; number++) {
		const struct hd_port *port = &fabric->ports[hd_port_index(fabric, d, number)];

		if (!number)
			cut(tables, s, port, plft, subgroup, set);
		else if (port->peer != HD_NONE &&
			 !hd_is_switch(fabric, fabric->ports[port->peer].node))
			cut(tables, s, &fabric->ports[port->peer], plft, subgroup, set);
	}
	return hd_port_set_count(set);
}

unsigned hd_switch_sets_subgroups(const struct hd_tables *tables)
{
	struct hd_ar_totals totals = { 0 };

	if (tables->ar)
		hd_ar_count(tables, &totals);
	return totals.most_subgroups ? totals.most_subgroups : 1;
}
