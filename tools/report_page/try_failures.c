// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which links are tried, with which engine, and what became of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tools/report_page/facts.h"
#include "tools/route_options.h"

#define USUAL 50                  /* links, where LFTs are small enough for a second */
#define WORK  (UINT64_C(1) << 24) /* LFT entries of all tried links together */
#define LEAST 8                   /* fewer say little */

/* The engine that made the tables, with its rules; of a fabric, the one that is taken. */
static int find_engine(const struct hd_report_facts *facts, struct hd_routing_arguments *routing,
		       struct hd_error *err)
{
	const struct hd_provenance *made = facts->snapshot ? &facts->snapshot->provenance : NULL;
	char spec[1024];

	if (!made || !made->engine) {
		const struct hd_served_by *by = &facts->served_by;

		if (by->first >= by->choices.n)
			return hd_error_set(err, HD_EREFUSED, "no engine serves the fabric");
		return hd_routing_take_engine(by->choices.list[by->first].name, routing, err);
	}
	snprintf(spec, sizeof(spec), "%s%s%s", made->engine,
		 made->options && *made->options ? ":" : "", made->options ? made->options : "");
	for (char *at = spec; *at; at++)
		*at = *at == ' ' ? ',' : *at;
	routing->layers = made->layers && *made->layers ? made->layers : NULL;
	routing->queues = made->queues && *made->queues ? made->queues : NULL;
	return hd_routing_take_engine(spec, routing, err);
}

/* How many links to try; 0: none, and why. */
static uint64_t choose_number(struct hd_report_facts *facts)
{
	uint64_t given = facts->request->n_failures;
	uint64_t entries = (uint64_t)facts->fabric->n_switches * (facts->fabric->top_lid + 1);
	uint64_t usual = WORK / (entries + 1) < USUAL ? WORK / (entries + 1) : USUAL;

	if (given != HD_REPORT_USUAL_FAILURES) {
		if (!given)
			snprintf(facts->no_study, sizeof(facts->no_study), "not asked for");
		return given;
	}
	if (usual >= LEAST)
		return usual;
	snprintf(facts->no_study, sizeof(facts->no_study),
		 "the fabric is large: --failures N tries N links");
	return 0;
}

static int run(struct hd_report_facts *facts, const struct hd_routing_arguments *routing,
	       uint64_t n, struct hd_error *err)
{
	const struct hd_fault_sets sets = { .n_links = 1,
					    .n_sample = n,
					    .seed = facts->request->seed };
	struct hd_params *params = NULL;
	struct hd_route_request request;
	int ret = hd_routing_params(routing, &params, err);

	if (ret)
		return ret;
	request = hd_routing_request(routing, params);
	if (facts->tables && facts->tables->classes)
		request.classes = facts->tables->classes;
	ret = hd_fault_study_init(&facts->study, facts->fabric, &sets, err);
	facts->study.keeps_each = true;
	if (!ret)
		ret = hd_fault_study_run(&facts->study, routing->engine, &request, 0, err);
	hd_params_free(params);
	return ret;
}

/* Which link each set was. */
static void note_tried(struct hd_report_facts *facts)
{
	struct hd_fault_study *study = &facts->study;

	for (uint64_t set = 0; set < study->n_sets; set++) {
		uint32_t port;

		hd_fault_sets_choose(&study->list, &study->sets, set, study->chosen);
		port = study->chosen[0];
		facts->tried[port] = facts->tried[facts->fabric->ports[port].peer] = (uint32_t)set;
	}
}

int hd_report_try_failures(struct hd_report_facts *facts, struct hd_error *err)
{
	struct hd_routing_arguments routing = { .fabric = facts->request->given };
	uint64_t n = choose_number(facts);
	int ret;

	facts->tried = malloc((facts->fabric->n_ports + (size_t)1) * sizeof(*facts->tried));
	if (!facts->tried)
		return hd_error_nomem(err);
	memset(facts->tried, 0xFF, facts->fabric->n_ports * sizeof(*facts->tried));
	if (!n)
		return 0;
	if (!facts->n_links) {
		snprintf(facts->no_study, sizeof(facts->no_study), "there is no link to fail");
		return 0;
	}
	ret = find_engine(facts, &routing, err);
	if (!ret)
		ret = run(facts, &routing, n, err);
	facts->engine = routing.engine;
	facts->has_study = !ret;
	hd_routing_clear(&routing);
	if (ret == HD_ENOMEM)
		return ret;
	if (ret)
		snprintf(facts->no_study, sizeof(facts->no_study), "%.300s", err->text);
	else
		note_tried(facts);
	return 0;
}
