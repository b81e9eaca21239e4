// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Questions of libheddle to one set of tables: the proof, and loads. */
#include <string.h>

#include "api/api.h"
#include "change/both_tables.h"
#include "check/check.h"
#include "check/load.h"

_Static_assert((int)HEDDLE_NOT_COVERED == HD_CHECK_NOT_COVERED &&
		       (int)HEDDLE_CREDIT_LOOP == HD_CHECK_CREDIT_LOOP &&
		       (int)HEDDLE_NO_ROUTE == HD_CHECK_NO_PATH,
	       "the same numbers");

static void copy_cycle(const struct hd_check_result *result, struct heddle_check_result *own)
{
	const size_t n = own->cycle ? own->cycle_capacity : 0;

	own->n_cycle = result->n_witness;
	for (size_t i = 0; i < n && i < result->n_witness; i++) {
		const struct hd_witness *witness = &result->witness[i];

		own->cycle[i] = (struct heddle_channel){
			.port = witness->port,
			.vl = witness->vl,
			.source = witness->flow.source,
			.lid = witness->flow.lid,
			.sl = witness->flow.sl,
		};
	}
}

static void copy_result(const struct hd_check_result *result, const struct hd_fabric *fabric,
			struct heddle_check_result *own)
{
	own->failure = result->failure;
	own->sls = result->sls;
	own->vls = result->vls;
	own->max_hops = result->max_hops;
	own->channels = result->channels;
	own->dependencies = result->dependencies;
	copy_cycle(result, own);
	hd_check_summary(result, fabric, own->text, sizeof(own->text));
}

static int check(const struct heddle_tables *tables, const struct heddle_check_request *request,
		 struct heddle_check_result *own, struct hd_error *err)
{
	struct hd_check_options options = {
		.scope = request->hosts_only ? HD_CHECK_HOSTS : HD_CHECK_ALL,
		.all_sls = request->all_sls,
		.reversed_sl = request->reversed_sl,
		.max_vls = request->max_vls,
	};
	struct hd_check_result result;
	struct hd_both_tables both = { .now = tables->snapshot->tables };
	int ret = 0;

	if (request->before)
		ret = hd_both_tables_init(&both, both.now, request->before->snapshot->tables, err);
	hd_both_tables_ask(&both, &options);
	if (!ret)
		ret = hd_check(both.now, &options, &result, err);
	if (!ret) {
		copy_result(&result, both.now->fabric, own);
		hd_check_clear(&result);
	}
	hd_both_tables_clear(&both);
	return ret;
}

enum heddle_status heddle_check(const struct heddle_tables *tables,
				const struct heddle_check_request *request,
				struct heddle_check_result *result, struct heddle_error *error)
{
	struct heddle_check_request asked;
	struct heddle_check_result own;
	struct hd_error err = { 0 };
	int ret = hd_api_take_optional(&asked, sizeof(asked), request, &err);

	if (!ret)
		ret = hd_api_take_optional(&own, sizeof(own), result, &err);
	if (!ret)
		ret = check(tables, &asked, &own, &err);
	if (ret)
		return hd_api_done(error, ret, &err);
	hd_api_give(&own, sizeof(own), result);
	return own.failure == HEDDLE_SOUND ? hd_api_done(error, 0, &err)
					   : hd_api_no(error, "%s", own.text);
}

/* The link between switches that has most flows, in one direction. */
static void find_busiest(const struct hd_load *load, const struct hd_fabric *fabric,
			 struct heddle_load_result *own)
{
	own->busiest_port = HEDDLE_NONE;
	hd_for_each_port(p, fabric) {
		uint32_t flows;

		if (!hd_is_switch_link(fabric, p))
			continue;
		flows = hd_load_port(load, p);
		if (own->busiest_port != HEDDLE_NONE && flows <= own->busiest)
			continue;
		own->busiest = flows;
		own->busiest_port = p;
	}
}

enum heddle_status heddle_load(const struct heddle_tables *tables, uint32_t *flows, size_t n,
			       struct heddle_load_result *result, struct heddle_error *error)
{
	const struct hd_fabric *fabric = tables->fabric->fabric;
	struct heddle_load_result own;
	struct hd_error err = { 0 };
	struct hd_load load;
	int ret = hd_api_take_optional(&own, sizeof(own), result, &err);

	if (!ret)
		ret = hd_load_compute(tables->snapshot->tables, &load, &err);
	if (ret)
		return hd_api_done(error, ret, &err);
	if (n)
		memset(flows, 0, n * sizeof(*flows));
	for (uint32_t p = 0; p < fabric->n_ports && p < n; p++)
		flows[p] = hd_load_port(&load, p);
	own.n_flows = load.n_flows;
	own.n_lost = load.n_lost;
	own.total_hops = load.total_hops;
	own.max_hops = load.max_hops;
	find_busiest(&load, fabric, &own);
	hd_load_clear(&load);
	hd_api_give(&own, sizeof(own), result);
	return hd_api_done(error, 0, &err);
}
