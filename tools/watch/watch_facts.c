// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "check/load.h"
#include "fabric/slow_links.h"
#include "plan/match.h"
#include "tables/diff_match.h"
#include "tools/watch/watch_state.h"

static int count_parts(const struct hd_fabric *fabric, struct hd_watch_facts *facts,
		       struct hd_error *err)
{
	struct hd_slow_links slow = { 0 };
	int ret = hd_slow_links_find(fabric, &slow, err);

	facts->n_slow = slow.n;
	hd_slow_links_clear(&slow);
	facts->n_switches = fabric->n_switches;
	facts->n_end_nodes = fabric->n_nodes - fabric->n_switches;
	hd_for_each_port(p, fabric)
		facts->n_switch_links += hd_is_switch_link(fabric, p) && p < fabric->ports[p].peer;
	facts->n_end_links = fabric->n_links - facts->n_switch_links;
	return ret;
}

static void take_verdict(const struct hd_check_result *result, const struct hd_fabric *fabric,
			 enum hd_check_scope scope, struct hd_watch_facts *facts)
{
	facts->is_sound[scope] = result->failure == HD_CHECK_SOUND;
	if (!facts->is_sound[scope])
		hd_check_summary(result, fabric, facts->unsound[scope],
				 sizeof(facts->unsound[scope]));
}

/* Packets between hosts are some of all packets: where these are sound, so are those. */
static int prove(const struct hd_watch_reading *now, struct hd_watch_facts *facts,
		 struct hd_error *err)
{
	struct hd_check_options options = { .scope = HD_CHECK_ALL };
	struct hd_check_result result;
	int ret = hd_check(now->tables, &options, &result, err);

	if (ret)
		return ret;
	take_verdict(&result, now->fabric, HD_CHECK_ALL, facts);
	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++)
		facts->failures[failure] = result.found[failure].n;
	facts->failures[HD_CHECK_CREDIT_LOOP] = result.n_witness > 0;
	facts->sls = result.sls;
	facts->vls = result.vls;
	hd_check_clear(&result);
	facts->is_sound[HD_CHECK_HOSTS] = facts->is_sound[HD_CHECK_ALL];
	if (facts->is_sound[HD_CHECK_ALL])
		return 0;
	options.scope = HD_CHECK_HOSTS;
	ret = hd_check(now->tables, &options, &result, err);
	if (!ret) {
		take_verdict(&result, now->fabric, HD_CHECK_HOSTS, facts);
		hd_check_clear(&result);
	}
	return ret;
}

static int count_load(const struct hd_watch_reading *now, struct hd_watch_facts *facts,
		      struct hd_error *err)
{
	uint64_t sum = 0, n = 0;
	struct hd_load load;
	int ret = hd_load_compute(now->tables, &load, err);

	if (ret)
		return ret;
	hd_for_each_port(p, now->fabric) {
		const uint32_t flows =
			hd_is_switch_link(now->fabric, p) ? hd_load_port(&load, p) : 0;

		n += hd_is_switch_link(now->fabric, p);
		sum += flows;
		if (flows <= facts->busiest)
			continue;
		facts->busiest = flows;
		hd_port_label(now->fabric, p, facts->busiest_at, sizeof(facts->busiest_at));
	}
	facts->mean = n ? (double)sum / (double)n : 0;
	facts->n_lost = load.n_lost;
	hd_load_clear(&load);
	return 0;
}

int hd_watch_judge(const struct hd_watch_reading *now, struct hd_watch_facts *facts,
		   struct hd_error *err)
{
	int ret = count_parts(now->fabric, facts, err);

	if (!ret)
		ret = prove(now, facts, err);
	return ret ? ret : count_load(now, facts, err);
}

/* "missing NAME[PORT] - NAME[PORT]", or "absent NAME", of the first finding. */
static void name_first(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		       const struct hd_differences *differences, char *text, size_t size)
{
	const struct hd_finding *finding = differences->findings;
	const char *name = hd_finding_names[finding->kind];
	char labels[2][HD_LABEL_SIZE];
	const struct hd_place_pair *pair;

	if (finding->node != HD_NONE) {
		snprintf(text, size, "%s %s", name,
			 hd_node_label(finding->kind == HD_ABSENT ? plan->fabric : now,
				       finding->node, labels[0], sizeof(labels[0])));
		return;
	}
	pair = finding->n_planned ? &differences->planned[finding->first_planned]
				  : &differences->present[finding->first_present];
	snprintf(text, size, "%s %s - %s", name,
		 hd_place_label(plan, now, &pair->ends[0], labels[0]),
		 hd_place_label(plan, now, &pair->ends[1], labels[1]));
}

int hd_watch_compare_plan(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			  struct hd_watch_plan *found, struct hd_error *err)
{
	struct hd_differences differences = { 0 };
	struct hd_plan_match match = { 0 };
	int ret = hd_cable_plan_match(plan, now, &match, err);

	if (!ret)
		ret = hd_differ(plan, &match, now, &differences, err);
	if (!ret) {
		found->n_cables = differences.n_planned_cables;
		found->n_in_place = differences.n_as_planned;
		memcpy(found->n_of, differences.n_of, sizeof(found->n_of));
		if (differences.n_findings)
			name_first(plan, now, &differences, found->first, sizeof(found->first));
	}
	hd_differences_clear(&differences);
	hd_plan_match_clear(&match);
	return ret;
}

static void name_link(const struct hd_fabric *fabric, uint32_t port, char *text, size_t size)
{
	char labels[2][HD_LABEL_SIZE];

	snprintf(text, size, "%s - %s", hd_port_label(fabric, port, labels[0], sizeof(labels[0])),
		 hd_port_label(fabric, fabric->ports[port].peer, labels[1], sizeof(labels[1])));
}

/* Names the first link that is gone, and the first that is new. */
static int name_changes(const struct hd_fabric *before, const struct hd_fabric *now,
			struct hd_watch_changes *changes, struct hd_error *err)
{
	struct hd_diff counts = { 0 };
	struct hd_match match = { 0 };
	int ret = hd_match_fabrics(before, now, &match, &counts, err);

	for (uint32_t p = 0; !ret && !changes->gone[0] && p < before->n_ports; p++)
		if (before->ports[p].peer != HD_NONE && match.port[p] == HD_NONE)
			name_link(before, p, changes->gone, sizeof(changes->gone));
	hd_match_clear(&match);
	if (!ret)
		ret = hd_match_fabrics(now, before, &match, &counts, err);
	for (uint32_t p = 0; !ret && !changes->added[0] && p < now->n_ports; p++)
		if (now->ports[p].peer != HD_NONE && match.port[p] == HD_NONE)
			name_link(now, p, changes->added, sizeof(changes->added));
	hd_match_clear(&match);
	return ret;
}

int hd_watch_compare(const struct hd_watch_reading *before, const struct hd_watch_reading *now,
		     struct hd_watch_changes *changes, struct hd_error *err)
{
	struct hd_diff diff;
	int ret = hd_diff_compute(before->tables, now->tables, NULL, NULL, &diff, err);

	if (!ret && (diff.links_added || diff.links_removed))
		ret = name_changes(before->fabric, now->fabric, changes, err);
	changes->is_known = !ret;
	changes->is_any = !ret && !hd_diff_is_empty(&diff);
	changes->diff = diff;
	hd_diff_clear(&diff);
	/* what these led to is gone */
	changes->diff.switches = NULL;
	changes->diff.blocks = NULL;
	changes->diff.rows = NULL;
	changes->diff.flows[0] = changes->diff.flows[1] = NULL;
	return ret;
}
