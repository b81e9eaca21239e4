// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* VL arbitration by flows: weights, entries, and the count of flows against the check's. */
#include "tests/unit/unit.h"

#include "check/load.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "sl2vl/vlarb.h"
#include "topologies/topology.h"

/* Every VL of @vls has entries, none below a packet; @total gets the weight of each. */
static void assert_whole_turns(const struct hd_vlarb *vlarb, uint16_t vls, unsigned *total)
{
	uint16_t seen = 0;

	memset(total, 0, HD_MAX_VLS * sizeof(*total));
	assert_int_equal(vlarb->n_high, 0);
	assert_in_range(vlarb->n_low, 1, HD_VLARB_MAX);
	for (unsigned i = 0; i < vlarb->n_low; i++) {
		assert_in_range(vlarb->low[i].weight, 64, 255);
		seen |= (uint16_t)(1u << vlarb->low[i].vl);
		total[vlarb->low[i].vl] += vlarb->low[i].weight;
	}
	assert_int_equal(seen, vls);
}

static void weights_follow_flows(void **state)
{
	unsigned total[HD_MAX_VLS];
	struct hd_vlarb vlarb;

	hd_vlarb_weighted(3, (uint64_t[HD_MAX_VLS]){ 10, 10 }, &vlarb);
	assert_whole_turns(&vlarb, 3, total);
	assert_int_equal(vlarb.n_low, 2);
	assert_int_equal(total[0], 64);
	assert_int_equal(total[1], 64);

	hd_vlarb_weighted(3, (uint64_t[HD_MAX_VLS]){ 300, 100 }, &vlarb);
	assert_whole_turns(&vlarb, 3, total);
	assert_int_equal(vlarb.n_low, 2);
	assert_int_equal(total[0], 3 * total[1]);

	/* ten packets for one: in turns, with the other in between */
	hd_vlarb_weighted(5, (uint64_t[HD_MAX_VLS]){ 1000, 0, 100 }, &vlarb);
	assert_whole_turns(&vlarb, 5, total);
	assert_int_equal(vlarb.n_low, 4);
	assert_int_equal(total[0], 10 * total[2]);

	/* a VL without flows has the share of the one with fewest, and nobody's flows are equal */
	hd_vlarb_weighted(7, (uint64_t[HD_MAX_VLS]){ 200, 0, 100 }, &vlarb);
	assert_whole_turns(&vlarb, 7, total);
	assert_int_equal(total[1], total[2]);
	assert_int_equal(total[0], 2 * total[2]);
	hd_vlarb_weighted(6, (uint64_t[HD_MAX_VLS]){ 0 }, &vlarb);
	assert_whole_turns(&vlarb, 6, total);
	assert_int_equal(total[1], total[2]);
}

/* However uneven flows are: at most 64 entries, order kept, nobody below a packet. */
static void extremes_fit_the_table(void **state)
{
	uint64_t flows[HD_MAX_VLS] = { 0 };
	unsigned total[HD_MAX_VLS];
	struct hd_vlarb vlarb;

	for (unsigned n = 1; n <= HD_MAX_VLS; n++)
		for (unsigned base = 1; base <= 100; base += 9) {
			uint16_t vls = (uint16_t)((1u << n) - 1);

			for (unsigned vl = 0; vl < n; vl++)
				flows[vl] = vl ? flows[vl - 1] * base + vl : 1;
			for (unsigned vl = 0; vl < n; vl++)
				flows[vl] = flows[vl] > UINT32_MAX ? UINT32_MAX : flows[vl];
			hd_vlarb_weighted(vls, flows, &vlarb);
			assert_whole_turns(&vlarb, vls, total);
			for (unsigned vl = 1; vl < n; vl++)
				assert_true(total[vl] >= total[vl - 1]);
		}
}

static struct hd_tables *route(const struct hd_fabric *fabric, const char *layers,
			       const char *queues, enum hd_vlarb_policy policy)
{
	struct hd_route_request request = { .layers = layers, .queues = queues, .vlarb = policy };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err), err);
	return tables;
}

/* Weights of every switch's port are those of the flows that the check counts. */
static void assert_counted(const struct hd_fabric *fabric, const char *layers, const char *queues)
{
	struct hd_tables *equal = route(fabric, layers, queues, HD_VLARB_EQUAL);
	struct hd_tables *tables = route(fabric, layers, queues, HD_VLARB_FLOWS);
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		uint64_t flows[HD_MAX_VLS] = { 0 };
		struct hd_vlarb wanted;
		const struct hd_vlarb *before;
		uint16_t vls = 0;

		assert_int_equal(tables->vlarb_of_port[p] == HD_NONE,
				 fabric->ports[p].peer == HD_NONE);
		if (fabric->ports[p].peer == HD_NONE)
			continue;
		before = &equal->vlarbs[equal->vlarb_of_port[p]];
		for (unsigned i = 0; i < before->n_low; i++)
			vls |= (uint16_t)(1u << before->low[i].vl);
		for (unsigned vl = 0; vl < load.n_vls; vl++)
			flows[vl] = load.flows[p * (size_t)load.n_vls + vl];
		if (!hd_is_switch(fabric, fabric->ports[p].node))
			continue; /* has the weights of the first one of its switch */
		hd_vlarb_weighted(vls, flows, &wanted);
		assert_memory_equal(&tables->vlarbs[tables->vlarb_of_port[p]], &wanted,
				    sizeof(wanted));
	}
	hd_load_clear(&load);
	hd_tables_free(tables);
	hd_tables_free(equal);
}

static void flows_are_counted(void **state)
{
	static const char *const specs[] = { "dragonfly:h=2", "dragonfly:a=4,p=3,h=2,g=5" };

	for (size_t i = 0; i < 2; i++) {
		struct hd_fabric *bare, *fabric;
		struct hd_error err;

		assert_hd_ok(hd_topology_build(specs[i], &bare, &err), err);
		assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
		assert_counted(fabric, NULL, NULL);
		assert_counted(fabric, NULL, "xordet:4");
		assert_counted(fabric, "flex", NULL);
		assert_counted(fabric, "flex", "dbbm:3");
		hd_fabric_free(fabric);
		hd_fabric_free(bare);
	}
}

static void policies_have_names(void **state)
{
	enum hd_vlarb_policy policy;
	struct hd_error err;

	assert_hd_ok(hd_vlarb_parse(NULL, &policy, &err), err);
	assert_int_equal(policy, HD_VLARB_LAYERS);
	assert_hd_ok(hd_vlarb_parse("equal", &policy, &err), err);
	assert_int_equal(policy, HD_VLARB_EQUAL);
	assert_hd_ok(hd_vlarb_parse("flows", &policy, &err), err);
	assert_int_equal(policy, HD_VLARB_FLOWS);
	assert_int_equal(hd_vlarb_parse("fair", &policy, &err), HD_EINVAL);
	assert_hd_says(err, "layers, equal, flows");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_follow_flows),
		cmocka_unit_test(extremes_fit_the_table),
		cmocka_unit_test(flows_are_counted),
		cmocka_unit_test(policies_have_names),
	};

	return cmocka_run_group_tests_name("vlarb", tests, NULL, NULL);
}
