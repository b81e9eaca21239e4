// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What heddle qos show does with whatever a class file and a dump of VL arbitration say: text
 * before and behind the first line of '%'.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vlarb/bound.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "vlarb/saturation.h"
#include "vlarb/guarantee.h"
#include "support/error.h"
#include "tables/dumps.h"
#include "topologies/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct hd_fabric *make_fabric(void)
{
	struct hd_fabric *bare, *fabric;
	struct hd_error err;

	require(!hd_topology_build("tree:k=2,n=2", &bare, &err));
	require(!hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err));
	hd_fabric_free(bare);
	return fabric;
}

/* Nobody has more than the link, nor is promised more than all together leave it. */
static void judge(const struct hd_vlarb *vlarb, uint16_t vls, unsigned packets)
{
	uint8_t packet[HD_MAX_VLS];
	struct hd_guarantee guarantee;
	struct hd_backlog backlog;
	double shares = 0, rates = 0;

	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		packet[vl] = (uint8_t)(1 + (packets >> vl & 1) * 15 + vl);
	hd_vlarb_backlog(vlarb, vls, packet, &backlog);
	hd_vlarb_guarantee(vlarb, vls, packet, &guarantee);
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		shares += backlog.share[vl];
		rates += guarantee.rate[vl];
		require(guarantee.rate[vl] >= 0 && guarantee.latency[vl] >= 0);
		if (vlarb->n_high || !(guarantee.rate[vl] > 0))
			continue;
		/* one table: what all have is what each is promised */
		require(fabs(guarantee.rate[vl] - backlog.share[vl]) < 1e-6);
		require(guarantee.latency[vl] > backlog.gap[vl] - 1e-6);
	}
	require(shares < 1 + 1e-9 && rates < 1 + 1e-9);
}

static void bound(const struct hd_tables *tables)
{
	static const struct hd_bound_traffic traffics[] = {
		{ .load = 1 },
		{ .load = .3, .burst = 1, .buffer = 100, .any_order = true, .cap = 3 },
	};

	for (unsigned i = 0; tables->classes && i < 2; i++) {
		struct hd_bound found;
		struct hd_error err;

		require(!hd_bound_find(tables, &traffics[i], &found, &err));
		for (unsigned c = 0; c < tables->classes->n; c++)
			require(found.list[c].wait >= 0 && found.list[c].bytes >= 0 &&
				found.list[c].need >= 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '%', size) : NULL;
	const size_t n = end ? (size_t)(end - data) : size;
	struct hd_fabric *fabric = make_fabric();
	struct hd_classes classes;
	struct hd_route_request request = { 0 };
	struct hd_tables *tables = NULL;
	struct hd_error err;

	if (!hd_classes_parse("fuzz", (const char *)data, n, &classes, &err))
		request.classes = &classes;
	if (!hd_route(hd_engine_find("updn"), fabric, &request, &tables, &err)) {
		if (end)
			hd_dump_vlarb.parse(tables, "fuzz", (const char *)end + 1, size - n - 1,
					    &err);
		for (uint32_t v = 0; v < tables->n_vlarbs; v++) {
			judge(&tables->vlarbs[v], 0x7fff, v);
			judge(&tables->vlarbs[v], 0x15, ~v);
		}
		bound(tables);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
	return 0;
}
