// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/report_page/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "support/error.h"
#include "tools/open_input.h"
#include "tools/report_page/bridges.h"

static int open_fabric(struct hd_report_facts *facts, const struct hd_common *common,
		       struct hd_error *err)
{
	int ret = hd_input_fabric(facts->request->given, common, &facts->own, err);

	if (!ret && !facts->own->top_lid) {
		ret = hd_input_assign_lids(&facts->own, NULL, 0, err);
		facts->has_new_lids = true;
	}
	facts->fabric = facts->own;
	return ret;
}

static int open_given(struct hd_report_facts *facts, const struct hd_common *common,
		      struct hd_error *err)
{
	const struct hd_report_request *request = facts->request;
	int ret;

	if (!hd_snapshot_is_directory(request->given))
		return open_fabric(facts, common, err);
	ret = hd_input_snapshot(request->given, request->netfile, common, &facts->snapshot, err);
	if (ret)
		return ret;
	facts->fabric = facts->snapshot->fabric;
	facts->tables = facts->snapshot->tables;
	return 0;
}

/* The engine that made the tables of a snapshot, if they are sound; NULL: nobody knows. */
static const struct hd_engine *find_sound(const struct hd_report_facts *facts)
{
	if (!facts->is_proved || facts->results[HD_CHECK_ALL].failure != HD_CHECK_SOUND ||
	    !facts->snapshot || !facts->snapshot->provenance.engine)
		return NULL;
	return hd_engine_find(facts->snapshot->provenance.engine);
}

static int describe(struct hd_report_facts *facts, struct hd_error *err)
{
	const struct hd_fabric *fabric = facts->fabric;
	int ret = hd_survey(fabric, &facts->survey, err);

	if (!ret)
		ret = hd_slow_links_find(fabric, &facts->slow, err);
	if (!ret)
		ret = hd_shapes_find(fabric, NULL, NULL, &facts->shapes, err);
	if (!ret)
		ret = hd_gaps_find(fabric, &facts->shapes, false, &facts->gaps, err);
	if (!ret)
		ret = hd_served_by_find(fabric, HD_SERVED_ONE, find_sound(facts),
					facts->snapshot ? NULL : &facts->kept, &facts->served_by,
					err);
	return ret ? ret : hd_bridges_find(fabric, &facts->cut, err);
}

/* What is proved of the tables that engine heddle made here is not proved again. */
static int prove(struct hd_report_facts *facts, struct hd_error *err)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	int ret = 0;

	if (facts->kept.tables) {
		facts->tables = facts->kept.tables;
		facts->results[HD_CHECK_ALL] = facts->kept.result;
		facts->load = facts->kept.load;
		facts->kept.result = (struct hd_check_result){ 0 };
		facts->kept.load = (struct hd_load){ 0 };
		facts->has_load = true;
	} else if (facts->tables) {
		ret = hd_check(facts->tables, NULL, &facts->results[HD_CHECK_ALL], err);
		if (!ret)
			ret = hd_load_compute(facts->tables, &facts->load, err);
		facts->has_load = !ret;
	}
	/* packets between hosts are some of all packets: if all are sound, so are these */
	if (!ret && facts->tables && facts->results[HD_CHECK_ALL].failure != HD_CHECK_SOUND)
		ret = hd_check(facts->tables, &hosts, &facts->results[HD_CHECK_HOSTS], err);
	facts->is_proved = facts->tables && !ret;
	if (ret == HD_ENOMEM)
		return ret;
	if (ret)
		snprintf(facts->no_proof, sizeof(facts->no_proof), "%.255s", err->text);
	return 0;
}

/* A link, to be sorted by its ends. */
struct link {
	uint32_t from, to, port;
};

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static int list_links(struct hd_report_facts *facts, struct hd_error *err)
{
	const struct hd_fabric *fabric = facts->fabric;
	struct link *links = malloc((fabric->n_links + (size_t)1) * sizeof(*links));

	facts->links = malloc((fabric->n_links + (size_t)1) * sizeof(*facts->links));
	facts->is_slow = calloc(fabric->n_ports + (size_t)1, sizeof(*facts->is_slow));
	if (!links || !facts->links || !facts->is_slow) {
		free(links);
		return hd_error_nomem(err);
	}
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (hd_is_switch_link(fabric, p) && p < peer)
			links[facts->n_links++] =
				(struct link){ fabric->ports[p].node, fabric->ports[peer].node, p };
	}
	qsort(links, facts->n_links, sizeof(*links), compare_links);
	for (uint32_t i = 0; i < facts->n_links; i++)
		facts->links[i] = links[i].port;
	for (uint32_t i = 0; i < facts->slow.n; i++) {
		uint32_t port = facts->slow.list[i].port;

		facts->is_slow[port] = facts->is_slow[fabric->ports[port].peer] = true;
	}
	free(links);
	return 0;
}

uint64_t hd_report_flows(const struct hd_report_facts *facts, uint32_t port)
{
	return hd_flows_by_rate(facts->flows[port], facts->fastest,
				hd_port_mbps(facts->fabric, port, facts->fastest));
}

static int count_flows(struct hd_report_facts *facts, struct hd_error *err)
{
	const struct hd_fabric *fabric = facts->fabric;

	facts->flows = calloc(fabric->n_ports + (size_t)1, sizeof(*facts->flows));
	if (!facts->flows)
		return hd_error_nomem(err);
	if (!facts->has_load)
		return 0;
	facts->fastest = hd_fastest_mbps(fabric);
	hd_for_each_port(p, fabric) {
		uint64_t flows;

		facts->flows[p] = hd_load_port(&facts->load, p);
		if (!hd_is_switch_link(fabric, p))
			continue;
		facts->rates_differ |=
			facts->fastest && hd_port_mbps(fabric, p, facts->fastest) != facts->fastest;
		flows = hd_report_flows(facts, p);
		facts->most = flows > facts->most ? flows : facts->most;
		facts->mean += (double)flows;
	}
	if (facts->n_links)
		facts->mean /= 2. * facts->n_links;
	return 0;
}

int hd_report_gather(const struct hd_report_request *request, const struct hd_common *common,
		     struct hd_report_facts *facts, struct hd_error *err)
{
	int ret;

	*facts = (struct hd_report_facts){ .request = request };
	ret = open_given(facts, common, err);
	if (!ret && facts->snapshot)
		ret = prove(facts, err);
	if (!ret)
		ret = describe(facts, err);
	if (!ret && !facts->snapshot)
		ret = prove(facts, err);
	if (!ret)
		ret = list_links(facts, err);
	if (!ret)
		ret = count_flows(facts, err);
	if (!ret)
		ret = hd_report_try_failures(facts, err);
	if (!ret && request->since)
		ret = hd_report_compare(facts, common, err);
	return ret;
}

void hd_report_facts_clear(struct hd_report_facts *facts)
{
	hd_report_since_clear(&facts->since);
	hd_fault_study_clear(&facts->study);
	free(facts->tried);
	free(facts->links);
	free(facts->flows);
	free(facts->cut);
	free(facts->is_slow);
	if (facts->has_load)
		hd_load_clear(&facts->load);
	for (int scope = 0; scope < 2; scope++)
		hd_check_clear(&facts->results[scope]);
	hd_served_tables_clear(&facts->kept);
	hd_gaps_clear(&facts->gaps);
	hd_shapes_clear(&facts->shapes);
	hd_slow_links_clear(&facts->slow);
	hd_snapshot_free(facts->snapshot);
	hd_fabric_free(facts->own);
}
