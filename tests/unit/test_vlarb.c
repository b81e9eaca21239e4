// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* VL arbitration by flows: weights, entries, and the count of flows against the check's. */
#include "tests/unit/unit.h"

#include "check/load.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "vlarb/vlarb.h"
#include "support/random.h"
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

/* Every VL of @vls is served within @room, with a packet at least; the high table only at need. */
static void assert_fits(const struct hd_vlarb *vlarb, uint16_t vls, struct hd_vlarb_room room)
{
	assert_in_range(vlarb->n_low, 0, room.low);
	assert_in_range(vlarb->n_high, 0, room.high);
	assert_int_equal(vlarb->high_limit, 0);
	assert_int_equal(hd_vlarb_serves(vlarb), vls);
	for (unsigned i = 0; i < vlarb->n_low; i++)
		assert_in_range(vlarb->low[i].weight, 64, 255);
	for (unsigned i = 0; i < vlarb->n_high; i++)
		assert_in_range(vlarb->high[i].weight, 64, 255);
	if (__builtin_popcount(vls) <= room.low)
		assert_int_equal(vlarb->n_high, 0);
}

static void lanes_are_split_over_both_tables(void **state)
{
	struct hd_vlarb vlarb, before;

	/* eight lanes in four entries each: the same shares, four lanes in each */
	hd_vlarb_turns(0xFF, NULL, &vlarb);
	assert_true(hd_vlarb_fit(&vlarb, &(struct hd_vlarb_room){ 4, 4 }));
	assert_fits(&vlarb, 0xFF, (struct hd_vlarb_room){ 4, 4 });
	assert_int_equal(vlarb.n_low, 4);
	assert_int_equal(vlarb.n_high, 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(vlarb.low[i].weight, 64);
		assert_int_equal(vlarb.high[i].weight, 64);
	}
	/* as it was where it fits, and where it does not */
	hd_vlarb_turns(0x7FFF, NULL, &vlarb);
	before = vlarb;
	assert_false(hd_vlarb_fit(&vlarb, &(struct hd_vlarb_room){ 8, 6 }));
	assert_memory_equal(&vlarb, &before, sizeof(vlarb));
	assert_true(hd_vlarb_fit(&vlarb, &(struct hd_vlarb_room){ 15, 0 }));
	assert_memory_equal(&vlarb, &before, sizeof(vlarb));
	/* the heaviest lane has half of the link where it has half of the weight */
	hd_vlarb_weighted(0x1F, (uint64_t[HD_MAX_VLS]){ 100, 100, 400, 100, 100 }, &vlarb);
	assert_true(hd_vlarb_fit(&vlarb, &(struct hd_vlarb_room){ 4, 4 }));
	assert_int_equal(vlarb.n_low, 1);
	assert_int_equal(vlarb.low[0].vl, 2);
	assert_int_equal(vlarb.n_high, 4);
	/* fewer entries, nearly the same shares */
	hd_vlarb_weighted(5, (uint64_t[HD_MAX_VLS]){ 1000, 0, 100 }, &vlarb);
	assert_true(hd_vlarb_fit(&vlarb, &(struct hd_vlarb_room){ 3, 3 }));
	assert_fits(&vlarb, 5, (struct hd_vlarb_room){ 3, 3 });
	assert_int_equal(vlarb.n_low, 3);
}

static void whatever_fits_is_served(void **state)
{
	struct hd_random random;

	hd_random_init(&random, 1, 7);
	for (unsigned i = 0; i < 20000; i++) {
		uint16_t vls = (uint16_t)(1 + hd_random_u32(&random) % 0x7FFF);
		struct hd_vlarb_room room = { (uint8_t)(hd_random_u32(&random) % 18),
					      (uint8_t)(hd_random_u32(&random) % 18) };
		int n = __builtin_popcount(vls);
		uint64_t flows[HD_MAX_VLS];
		struct hd_vlarb vlarb;

		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
			flows[vl] = hd_random_u32(&random) >> hd_random_u32(&random) % 32;
		hd_vlarb_weighted(vls, flows, &vlarb);
		assert_int_equal(hd_vlarb_fit(&vlarb, &room), n <= room.low + room.high);
		if (n <= room.low + room.high)
			assert_fits(&vlarb, vls, room);
	}
}

static void ports_differ(void **state)
{
	struct hd_fabric *bare, *fabric;
	struct hd_vlarb_room *rooms;
	struct hd_route_request request = { .queues = "xordet:4", .vlarb_cap = 3 };
	struct hd_tables *tables;
	struct hd_error err;
	uint32_t port;

	assert_hd_ok(hd_topology_build("dragonfly:h=2", &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "8 VLs are in use at ");
	assert_hd_says(err, "has room for 3 + 3");
	rooms = calloc(fabric->n_ports, sizeof(*rooms));
	assert_non_null(rooms);
	hd_for_each_port(p, fabric)
		rooms[p] = (struct hd_vlarb_room){ 8, 8 };
	port = hd_port_index(fabric, 1, 5); /* those to the same group are 3, 4, 5 */
	rooms[port] = (struct hd_vlarb_room){ 5, 3 };
	/* a port that arbitrates by itself */
	rooms[port - 1] = (struct hd_vlarb_room){ 0, 0 };
	request.vlarb_rooms = rooms;
	assert_hd_ok(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err), err);
	assert_fits(&tables->vlarbs[tables->vlarb_of_port[port]], 0xFF, rooms[port]);
	assert_int_equal(tables->vlarb_of_port[port - 1], HD_NONE);
	assert_fits(&tables->vlarbs[tables->vlarb_of_port[port - 2]], 0xFF, rooms[port - 2]);
	free(rooms);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	hd_fabric_free(bare);
}

static struct hd_tables *route(const struct hd_fabric *fabric, const char *layers,
			       const char *queues, enum hd_vlarb_policy policy)
{
	struct hd_route_request request = {
		.layers = layers, .queues = queues, .vlarb = policy, .vlarb_cap = HD_VLARB_MAX
	};
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
	hd_for_each_port(p, fabric) {
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
		cmocka_unit_test(lanes_are_split_over_both_tables),
		cmocka_unit_test(whatever_fits_is_served),
		cmocka_unit_test(ports_differ),
		cmocka_unit_test(flows_are_counted),
		cmocka_unit_test(policies_have_names),
	};

	return cmocka_run_group_tests_name("vlarb", tests, NULL, NULL);
}
