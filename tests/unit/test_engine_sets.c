// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Engines' port sets, written into emulated switches by MADs: they come back as they were, and
 * traffic by them loses nothing and stands nowhere still, also where links are missing.
 */
#include "tests/unit/unit.h"

#include "engines/engine.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/sma_ar.h"
#include "simfabric/traffic/carried.h"
#include "simfabric/traffic/carried_links.h"
#include "simfabric/traffic/fabric_view.h"
#include "tables/ar.h"
#include "topologies/topology.h"

#define MS UINT64_C(1000000)

struct set_case {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_emulator *emulator;
};

static bool deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	(void)context;
	(void)port;
	(void)packet;
	return true;
}

static void lost(void *context, const struct hd_packet *packet)
{
	(void)context;
	(void)packet;
}

/* States, LIDs and LFTs, as a subnet manager leaves them. */
static void bring_up(struct set_case *c)
{
	hd_for_each_port(p, c->fabric) {
		struct hd_emulator_port *port = &c->emulator->ports[p];

		port->lid = c->fabric->ports[p].lid;
		port->lmc = c->fabric->ports[p].lmc;
		if (port->state == HD_PORT_INIT)
			port->state = HD_PORT_ACTIVE;
	}
	memcpy(c->emulator->sl2vl, c->tables->sl2vl,
	       c->tables->sl2vl_first[c->fabric->n_nodes] * sizeof(*c->emulator->sl2vl));
	hd_for_each_switch(s, c->fabric) {
		struct hd_emulator_switch *state = &c->emulator->switches[s];

		state->lft = malloc(c->tables->lft_stride);
		assert_non_null(state->lft);
		state->lft_size = (uint32_t)c->tables->lft_stride;
		state->linear_fdb_top = (uint16_t)c->fabric->top_lid;
		memcpy(state->lft, hd_lft(c->tables, s), c->tables->lft_stride);
	}
}

static void set(struct set_case *c, uint32_t s, unsigned attribute, uint32_t modifier,
		const uint8_t *data)
{
	struct hd_packet packet = { .sqp = 0 };

	packet.mad[HD_MAD_BASE_VERSION] = packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_SET;
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, (uint16_t)attribute);
	hd_put32(packet.mad + HD_MAD_MODIFIER, modifier);
	memcpy(packet.mad + HD_SMP_DATA, data, HD_SMP_DATA_SIZE);
	assert_int_equal(hd_sma_handle(c->emulator, s, 0, &packet), HD_ANSWERED);
	assert_int_equal(hd_get16(packet.mad + HD_MAD_STATUS), 0);
}

static uint8_t state_of(enum hd_ar_state state)
{
	static const uint8_t states[] = {
		[HD_AR_STATIC] = HD_SWITCH_AR_STATIC,
		[HD_AR_BOUNDED] = HD_SWITCH_AR_BOUNDED,
		[HD_AR_FREE] = HD_SWITCH_AR_FREE,
		[HD_AR_HASH] = HD_SWITCH_AR_HASH,
	};

	return states[state];
}

/* The sets of switch @s by MADs: groups, entries, and then adaptive routing on. */
static void program(struct set_case *c, uint32_t s)
{
	const struct hd_ar_groups *groups = &c->tables->ar->groups[s];
	uint8_t data[HD_SMP_DATA_SIZE];

	for (uint32_t block = 0; 2 * block < groups->n; block++) {
		memset(data, 0, sizeof(data));
		for (uint32_t i = 0; i < 2 && 2 * block + i < groups->n; i++)
			hd_for_each_in_set(port, &groups->sets[2 * block + i])
				data[32 * i + 31 - port / 8] |= (uint8_t)(1u << port % 8);
		set(c, s, 0xFF21, block, data);
	}
	for (uint32_t block = 0; block <= c->fabric->top_lid / 16; block++) {
		for (uint32_t i = 0; i < 16; i++) {
			const uint32_t lid = 16 * block + i;
			struct hd_ar_entry entry = { .port = HD_NO_PATH, .state = HD_AR_STATIC };

			if (lid <= c->fabric->top_lid)
				entry = hd_ar_entry(c->tables, s, 0, lid);
			data[4 * i] = (uint8_t)(state_of(entry.state) << 6);
			data[4 * i + 1] = entry.port;
			hd_put16(data + 4 * i + 2, entry.set ? entry.group : 0);
		}
		set(c, s, 0xFF23, block, data);
	}
	memset(data, 0, sizeof(data));
	data[2] = data[3] = 1;
	set(c, s, 0xFF20, 0, data);
}

/* @fabric becomes the case's, with the sets of @engine as on a command line. */
static void set_up(struct set_case *c, struct hd_fabric *bare, const char *engine)
{
	const struct hd_emulator_host host = { deliver, lost, NULL };
	const struct hd_policy *policy;
	struct hd_emulator_options options;
	struct hd_params *params;
	struct hd_error err = { 0 };

	hd_emulator_options_init(&options);
	options.ar = true;
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &c->fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_policy_parse(&hd_engines, engine, &policy, &params, &err), err);
	assert_hd_ok(hd_route((const struct hd_engine *)policy, c->fabric,
			      &(struct hd_route_request){ .params = params }, &c->tables, &err),
		     err);
	hd_params_free(params);
	assert_non_null(c->tables->ar);
	assert_hd_ok(hd_emulator_new(c->fabric, &options, &host, &c->emulator, &err), err);
	bring_up(c);
	hd_for_each_switch(s, c->fabric)
		program(c, s);
}

static void tear_down(struct set_case *c)
{
	hd_emulator_free(c->emulator);
	hd_tables_free(c->tables);
	hd_fabric_free(c->fabric);
}

static void check_read_back(const struct set_case *c)
{
	struct hd_carried_view *view;
	struct hd_error err;

	assert_hd_ok(hd_carried_view_new(c->emulator, &view, &err), err);
	assert_hd_ok(hd_carried_view_take_sets(view, c->emulator, 2, &err), err);
	assert_non_null(view->tables->ar);
	hd_for_each_switch(s, c->fabric)
		hd_for_each_lid(lid, c->fabric) {
			const struct hd_ar_entry wanted = hd_ar_entry(c->tables, s, 0, lid),
						 got = hd_ar_entry(view->tables, s, 0, lid);

			assert_int_equal(got.port, wanted.port);
			assert_int_equal(got.state, wanted.state);
			if (wanted.state != HD_AR_STATIC)
				assert_memory_equal(got.set, wanted.set, sizeof(*got.set));
		}
	hd_carried_view_free(view);
}

static int start(struct set_case *c, struct hd_carried *carried, const char *text,
		 struct hd_error *err)
{
	struct hd_carried_options options;

	assert_non_null(carried);
	assert_hd_ok(
		hd_carried_options_parse(text, true, hd_carried_mtu(c->emulator), &options, err),
		*err);
	return hd_carried_start(carried, &options, err);
}

/* Carries traffic as fast as hosts can send, which nothing loses; nowhere are packets stuck. */
static void check_traffic(struct set_case *c, const char *text)
{
	struct hd_carried *carried = hd_carried_new(c->emulator);
	struct hd_carried_status status;
	struct hd_error err = { 0 };

	assert_hd_ok(start(c, carried, text, &err), err);
	do {
		hd_emulator_advance(c->emulator, c->emulator->now + 10 * MS);
		status = hd_carried_status(carried);
	} while (hd_carried_is_on(status.state));
	assert_string_equal(status.trouble, "");
	assert_true(status.generated > 100);
	assert_int_equal(status.delivered, status.generated);
	hd_carried_free(carried);
}

static struct hd_fabric *build(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(hd_topology_build(spec, &fabric, &err), err);
	return fabric;
}

static const char *const shapes[][2] = {
	{ "tree:k=4,n=2", "updn:ar=yes,ar_state=free" },
	{ "tree:k=3,n=3", "dmodc:ar=yes,ar_state=bounded" },
	{ "tree:k=2,n=4", "minhop:ar=yes" },
	{ "mesh:4x4", "hdor:ar=negative-first" },
	{ "hyperx:3x3,p=2", "hdor:ar=negative-first,ar_state=hash" },
	{ "dragonflyplus:leaves=2,spines=2,hosts=2,h=1", "dfplus:ar=minimal" },
	{ "torus:4x4", "updn:ar=yes" },
	{ "torus:4x4", "any:ar=yes" },
};

/* A choice goes with every switch of the model. */
static const char *const switches[] = {
	"4us uniform 1 packet=256B buffer=2",
	"4us uniform 1 packet=256B buffer=2 switch.model=cioq",
	"4us uniform 1 packet=256B buffer=2 switch.voq=yes",
	"4us uniform 1 packet=256B switch.model=hierarchical",
	"4us uniform 1 packet=256B switch.port_buffer=16KiB switch.damq=yes arbiter=age",
	"4us uniform 1 packet=256B switch.buffering=voqnet",
};

static void sets_come_back_and_carry_packets(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct set_case c;

		set_up(&c, build(shapes[i][0]), shapes[i][1]);
		check_read_back(&c);
		for (size_t k = 0; k < sizeof(switches) / sizeof(switches[0]); k++)
			check_traffic(&c, switches[k]);
		tear_down(&c);
	}
}

/* The same without some links. */
static void and_where_links_are_missing(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct hd_fabric *whole = build(shapes[i][0]), *rest;
		struct set_case c;
		struct hd_error err;
		uint32_t links[2];
		unsigned n = 0;

		for (uint32_t p = 5; n < 2; p += 7)
			if (hd_is_switch_link(whole, p % whole->n_ports))
				links[n++] = p % whole->n_ports;
		assert_hd_ok(hd_fabric_without(whole, links, n, NULL, 0, &rest, &err), err);
		hd_fabric_free(whole);
		set_up(&c, rest, shapes[i][1]);
		check_read_back(&c);
		check_traffic(&c, "4us uniform 1 packet=256B buffer=2");
		tear_down(&c);
	}
}

/* Sets that heddle check does not prove, all minimal ports of a mesh, stand still. */
static void sets_with_a_cycle_stand_still(void **state)
{
	struct set_case c;
	struct hd_carried *carried;
	struct hd_carried_status status;
	struct hd_error err = { 0 };

	(void)state;
	set_up(&c, build("mesh:4x4,p=2"), "minhop:ar=yes");
	carried = hd_carried_new(c.emulator);
	assert_hd_ok(start(&c, carried, "1ms uniform 1 packet=2KiB buffer=1", &err), err);
	do {
		hd_emulator_advance(c.emulator, c.emulator->now + 10 * MS);
		status = hd_carried_status(carried);
	} while (hd_carried_is_on(status.state));
	assert_int_equal(strncmp(status.trouble, "deadlock of ", 12), 0);
	assert_true(status.lost > 0);
	hd_carried_free(carried);
	tear_down(&c);
}

/* A choice is among 64 links at most: traffic says so. With adaptive routing off there is none. */
static void switches_with_more_links_are_refused(void **state)
{
	struct set_case c;
	struct hd_carried *carried;
	struct hd_error err = { 0 };

	(void)state;
	set_up(&c, build("tree:k=33,n=2"), "updn:ar=yes");
	carried = hd_carried_new(c.emulator);
	assert_int_equal(start(&c, carried, "1us uniform 0.1", &err), HD_ERANGE);
	assert_non_null(strstr(err.text, "a switch has 66 links"));
	hd_for_each_switch(s, c.fabric)
		c.emulator->switches[s].ar->is_on = false;
	assert_hd_ok(start(&c, carried, "1us uniform 0.1", &err), err);
	hd_carried_free(carried);
	tear_down(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_come_back_and_carry_packets),
		cmocka_unit_test(and_where_links_are_missing),
		cmocka_unit_test(sets_with_a_cycle_stand_still),
		cmocka_unit_test(switches_with_more_links_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
