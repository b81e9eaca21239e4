// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What changed since an older snapshot. GUIDs and port numbers say which link is which. */
#include <stdio.h>
#include <stdlib.h>

#include "support/error.h"
#include "tools/open_input.h"
#include "tools/report_page/facts.h"

/* The port of @there that is @port of @here, if the same link is at it; HD_NONE: it is not. */
static uint32_t find_same(const struct hd_fabric *here, uint32_t port,
			  const struct hd_fabric *there)
{
	const struct hd_port *one = &here->ports[port], *other = &here->ports[one->peer];
	uint32_t a = hd_fabric_find_node(there, here->nodes[one->node].guid);
	uint32_t b = hd_fabric_find_node(there, here->nodes[other->node].guid);
	uint32_t found;

	if (a == HD_NONE || b == HD_NONE || one->number > there->nodes[a].n_ports ||
	    other->number > there->nodes[b].n_ports)
		return HD_NONE;
	found = hd_port_index(there, a, one->number);
	return there->ports[found].peer == hd_port_index(there, b, other->number) ? found : HD_NONE;
}

static bool has_other_rate(const struct hd_port *a, const struct hd_port *b)
{
	return a->speed && b->speed && (a->speed != b->speed || a->width != b->width);
}

static void compare_links(struct hd_report_facts *facts, const struct hd_load *before)
{
	struct hd_report_since *since = &facts->since;
	const struct hd_fabric *now = facts->fabric, *then = since->snapshot->fabric;

	hd_for_each_port(p, now) {
		uint32_t old;

		since->flows[p] = HD_NONE;
		if (!hd_is_switch_link(now, p))
			continue;
		old = find_same(now, p, then);
		if (old != HD_NONE)
			since->flows[p] = before->flows ? hd_load_port(before, old) : 0;
		if (old == HD_NONE)
			since->change[p] = HD_LINK_NEW;
		else if (has_other_rate(&now->ports[p], &then->ports[old]))
			since->change[p] = HD_LINK_RATE;
		if (p < now->ports[p].peer) {
			since->n_new += since->change[p] == HD_LINK_NEW;
			since->n_rates += since->change[p] == HD_LINK_RATE;
		}
	}
	hd_for_each_port(p, then)
		if (hd_is_switch_link(then, p) && p < then->ports[p].peer &&
		    find_same(then, p, now) == HD_NONE)
			since->gone[since->n_gone++] = p;
}

int hd_report_compare(struct hd_report_facts *facts, const struct hd_common *common,
		      struct hd_error *err)
{
	struct hd_report_since *since = &facts->since;
	struct hd_load before = { 0 };
	int ret = hd_input_snapshot(facts->request->since, NULL, common, &since->snapshot, err);

	if (ret)
		return ret;
	since->change = calloc(facts->fabric->n_ports + (size_t)1, sizeof(*since->change));
	since->flows = calloc(facts->fabric->n_ports + (size_t)1, sizeof(*since->flows));
	since->gone = malloc((since->snapshot->fabric->n_links + (size_t)1) * sizeof(*since->gone));
	if (!since->change || !since->flows || !since->gone)
		return hd_error_nomem(err);
	if (facts->tables) {
		ret = hd_diff_compute(since->snapshot->tables, facts->tables, NULL, NULL,
				      &since->diff, err);
		since->has_diff = !ret;
		if (!ret)
			ret = hd_load_compute(since->snapshot->tables, &before, err);
	}
	if (ret == HD_ENOMEM)
		return ret;
	if (ret)
		snprintf(since->no_diff, sizeof(since->no_diff), "%.255s", err->text);
	since->has_load = facts->tables && !ret;
	/* without LIDs, only cables can be compared */
	compare_links(facts, &before);
	hd_load_clear(&before);
	return 0;
}

void hd_report_since_clear(struct hd_report_since *since)
{
	if (since->has_diff)
		hd_diff_clear(&since->diff);
	hd_snapshot_free(since->snapshot);
	free(since->change);
	free(since->flows);
	free(since->gone);
}
