// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/unit.h"

#include "engines/engine.h"
#include "fabric/lids.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/topology.h"

struct hd_fabric *with_lids(struct hd_fabric *bare, unsigned lmc)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, lmc, &fabric, &err), err);
	hd_fabric_free(bare);
	return fabric;
}

struct hd_fabric *build_fabric(const char *spec, unsigned lmc)
{
	struct hd_fabric *bare;
	struct hd_error err;

	assert_hd_ok(hd_topology_build(spec, &bare, &err), err);
	return with_lids(bare, lmc);
}

struct hd_tables *route_fabric(const struct hd_fabric *fabric, const char *engine,
			       const char *layers)
{
	const struct hd_policy *policy;
	struct hd_route_request request = { .layers = layers };
	struct hd_params *params;
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_policy_parse(&hd_engines, engine, &policy, &params, &err), err);
	request.params = params;
	assert_hd_ok(hd_route((const struct hd_engine *)policy, fabric, &request, &tables, &err),
		     err);
	hd_params_free(params);
	return tables;
}
