// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/unit.h"

#include "engines/engine.h"
#include "fabric/faults.h"
#include "tables/onto.h"
#include "tests/unit/mixing.h"

struct hd_tables *route_by(const struct hd_fabric *fabric, const char *engine)
{
	return route_behind(fabric, engine, NULL);
}

struct hd_tables *route_behind(const struct hd_fabric *fabric, const char *engine,
			       const struct hd_tables *previous)
{
	const struct hd_route_request request = {
		.previous = previous,
		.previous_by = previous ? hd_engine_find(engine) : NULL,
	};
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

struct hd_tables *put_onto(const struct hd_tables *tables, const struct hd_fabric *fabric)
{
	struct hd_tables *result;
	struct hd_error err;

	assert_hd_ok(hd_tables_onto(tables, fabric, &result, NULL, &err), err);
	return result;
}

struct hd_tables *mix(const struct hd_tables *now, const struct hd_tables *before,
		      struct hd_random *random)
{
	const struct hd_fabric *fabric = now->fabric;
	const size_t n_rows = now->sl2vl_first[fabric->n_nodes];
	struct hd_tables *mixture;
	struct hd_error err;

	assert_hd_ok(hd_tables_new(fabric, &mixture, &err), err);
	for (size_t i = 0; i < fabric->n_switches * now->lft_stride; i++)
		mixture->lft[i] = (hd_random_below(random, 2) ? now : before)->lft[i];
	for (size_t i = 0; i < n_rows; i++)
		mixture->sl2vl[i] = (hd_random_below(random, 2) ? now : before)->sl2vl[i];
	assert_hd_ok(hd_tables_set_sl_rows(mixture, fabric->n_ports, &err), err);
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		mixture->sl_row_of_port[p] = p;
		hd_for_each_lid(lid, fabric)
			mixture->sl_rows[p * mixture->lft_stride + lid] = (uint8_t)hd_path_sl(
				hd_random_below(random, 2) ? now : before, p, lid);
	}
	return mixture;
}

bool loops(const struct hd_tables *tables, const struct hd_check_options *options)
{
	struct hd_check_result result;
	struct hd_error err;
	bool any;

	assert_hd_ok(hd_check(tables, options, &result, &err), err);
	any = result.found[HD_CHECK_FORWARD_LOOP].n || result.n_witness;
	hd_check_clear(&result);
	return any;
}

struct hd_fabric *fail_link(const struct hd_fabric *fabric, unsigned number)
{
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		const uint32_t peer = fabric->ports[p].peer;
		struct hd_fabric *less;
		struct hd_error err;

		if (peer == HD_NONE || peer < p || !hd_is_switch(fabric, fabric->ports[p].node) ||
		    !hd_is_switch(fabric, fabric->ports[peer].node) || number-- > 0)
			continue;
		assert_hd_ok(hd_fabric_without(fabric, &p, 1, NULL, 0, &less, &err), err);
		return less;
	}
	return NULL;
}

void assert_same_sls(const struct hd_tables *now, const struct hd_tables *previous)
{
	const struct hd_fabric *fabric = now->fabric;
	struct hd_tables *before = put_onto(previous, fabric);

	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric) {
			const uint32_t p = fabric->endports[i];

			if (fabric->lids[lid].port != HD_NONE &&
			    hd_path_sl(before, p, lid) != HD_NO_SL)
				assert_int_equal(hd_path_sl(now, p, lid),
						 hd_path_sl(before, p, lid));
		}
	hd_tables_free(before);
}
