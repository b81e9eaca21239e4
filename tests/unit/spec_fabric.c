// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/unit.h"

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
