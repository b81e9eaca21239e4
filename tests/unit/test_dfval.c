// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Valiant's routes over groups: who goes through which group, loads, lanes, refusals. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/dragonfly.h"

#define MOST_HOPS 16

struct fixture {
	struct hd_fabric *fabric;
	struct hd_dragonfly *shape;
	struct hd_tables *tables;
};

static int route(const struct hd_fabric *fabric, bool minimal, struct hd_tables **tables,
		 struct hd_error *err)
{
	const struct hd_engine *engine = hd_engine_find("dfval");
	struct hd_params *params = hd_params_new(engine->policy.options);
	struct hd_route_request request = { .params = params };
	int ret;

	assert_hd_ok(hd_params_set(params, "dfval", "minimal", minimal ? "on" : "off", err), *err);
	ret = hd_route(engine, fabric, &request, tables, err);
	hd_params_free(params);
	return ret;
}

static void setup(struct fixture *f, const char *spec, unsigned lmc, bool minimal)
{
	struct hd_error err;

	f->fabric = build_fabric(spec, lmc);
	assert_hd_ok(hd_dragonfly_recognise(f->fabric, NULL, &f->shape, &err), err);
	assert_hd_ok(route(f->fabric, minimal, &f->tables, &err), err);
}

static void teardown(struct fixture *f)
{
	hd_tables_free(f->tables);
	hd_dragonfly_free(f->shape);
	hd_fabric_free(f->fabric);
}

static uint32_t n_hosts(const struct fixture *f)
{
	return f->fabric->n_nodes - f->fabric->n_switches;
}

static const struct hd_port *host_port(const struct fixture *f, uint32_t host)
{
	return &f->fabric->ports[hd_port_index(f->fabric, f->fabric->n_switches + host, 1)];
}

static uint32_t group_of_host(const struct fixture *f, uint32_t host)
{
	return f->shape->group[f->fabric->ports[host_port(f, host)->peer].node];
}

/* The groups that a packet of @host to @lid visits, in groups[]; how many. */
static unsigned visit(const struct fixture *f, uint32_t host, uint32_t lid, uint32_t *groups)
{
	struct hd_flow flow = { .source = hd_port_index(f->fabric, f->fabric->n_switches + host, 1),
				.lid = (uint16_t)lid };
	struct hd_hop hops[MOST_HOPS];
	size_t n_hops;
	unsigned n = 0;

	assert_int_equal(hd_walk(f->tables, &flow, hops, MOST_HOPS, &n_hops), HD_CHECK_SOUND);
	for (size_t i = 1; i + 1 < n_hops; i++) {
		uint32_t group = f->shape->group[hops[i].node];

		if (!n || groups[n - 1] != group)
			groups[n++] = group;
	}
	return n;
}

/*
 * The intermediate group of a LID, on which the sources of all groups must agree; HD_NONE: none,
 * minimal routes. Sources in it, and those of the LID's own group, have minimal routes anyway.
 */
static uint32_t group_through(const struct fixture *f, uint32_t lid)
{
	uint32_t own = f->shape->group[f->fabric->lids[lid].via_switch];
	uint32_t via = HD_NONE, straight = HD_NONE;

	for (uint32_t host = 0; host < n_hosts(f); host++) {
		uint32_t groups[MOST_HOPS], from = group_of_host(f, host);
		unsigned n = visit(f, host, lid, groups);

		if (&f->fabric->ports[f->fabric->lids[lid].port] == host_port(f, host))
			continue; /* its own */
		assert_in_range(n, from == own ? 1 : 2, from == own ? 1 : 3);
		assert_int_equal(groups[0], from);
		assert_int_equal(groups[n - 1], own);
		if (n == 3) {
			assert_true(via == HD_NONE || via == groups[1]);
			via = groups[1];
		} else if (n == 2) {
			assert_true(straight == HD_NONE || straight == from || via == HD_NONE);
			straight = from;
		}
	}
	assert_true(via == HD_NONE || straight == via);
	return via;
}

static void assert_sound(const struct fixture *f, const char *what)
{
	struct hd_check_result result;
	struct hd_error err;
	char text[512];

	assert_hd_ok(hd_check(f->tables, NULL, &result, &err), err);
	if (result.failure != HD_CHECK_SOUND)
		fail_msg("%s: %s", what, hd_check_summary(&result, f->fabric, text, sizeof(text)));
	assert_in_range(result.sls, 1, 10);
	assert_in_range(result.vls, 1, 6);
	assert_in_range(result.max_hops, 0, 5);
	hd_check_clear(&result);
}

/* Every size and arrangement, with as many LIDs as make sense, is free of credit loops. */
static void sound_everywhere(void **state)
{
	static const char *const specs[] = {
		"dragonfly:h=1,global=palmtree",
		"dragonfly:h=1,global=consecutive",
		"dragonfly:h=2,global=palmtree",
		"dragonfly:h=2,global=consecutive",
		"dragonfly:h=2,global=random(5)",
		"dragonfly:h=3,global=palmtree",
		"dragonfly:h=3,global=consecutive",
		"dragonfly:a=3,p=2,h=2",
		"dragonfly:a=4,p=4,h=2",
		"dragonfly:a=4,p=1,h=3",
		"dragonfly:a=4,p=2,h=2,g=5", /* trunks */
		"dragonfly:a=4,p=2,h=2,g=2",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned lmc = 0; lmc <= 3; lmc++)
			for (unsigned minimal = 0; minimal < (lmc ? 2 : 1); minimal++) {
				struct fixture f;

				setup(&f, specs[i], lmc, minimal);
				assert_sound(&f, specs[i]);
				teardown(&f);
			}
}

/*
 * Which layer of valiant's three a hop is in: how many global links were passed before it, or with
 * it.
 */
static void assert_layers(const struct fixture *f, uint32_t host, uint32_t lid, unsigned copies)
{
	struct hd_flow flow = { .source = hd_port_index(f->fabric, f->fabric->n_switches + host, 1),
				.lid = (uint16_t)lid };
	struct hd_hop hops[MOST_HOPS];
	unsigned passed = 0;
	size_t n_hops;

	flow.sl = (uint8_t)hd_path_sl(f->tables, flow.source, lid);
	assert_int_equal(hd_walk(f->tables, &flow, hops, MOST_HOPS, &n_hops), HD_CHECK_SOUND);
	for (size_t i = 0; i + 1 < n_hops; i++) {
		uint32_t port = hd_port_index(f->fabric, hops[i].node, hops[i].out);

		assert_int_equal(hops[i].vl % copies, hops[0].vl);
		switch (f->shape->port_class[port]) {
		case HD_PORT_GLOBAL:
			assert_int_equal(hops[i].vl / copies, passed++);
			break;
		case HD_PORT_LOCAL:
			assert_int_equal(hops[i].vl / copies, passed);
			break;
		default:
			assert_int_equal(hops[i].vl / copies, 0);
		}
	}
}

static void route_with(struct fixture *f, const char *queues, unsigned max_vls)
{
	struct hd_route_request request = { .queues = queues, .max_vls = max_vls };
	struct hd_error err;

	hd_tables_free(f->tables);
	assert_hd_ok(hd_route(hd_engine_find("dfval"), f->fabric, &request, &f->tables, &err), err);
}

static void assert_resources(const struct fixture *f, unsigned sls, unsigned vls)
{
	struct hd_check_result result;
	struct hd_error err;

	assert_hd_ok(hd_check(f->tables, NULL, &result, &err), err);
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	assert_int_equal(result.sls, sls);
	assert_int_equal(result.vls, vls);
	hd_check_clear(&result);
}

/*
 * No hop shares a lane with one that is earlier or later on its path; late lanes have long turns.
 */
static void hops_have_lanes_of_their_own(void **state)
{
	static const struct {
		const char *spec;
		unsigned sls;
	} known[] = { { "dragonfly:h=1", 3 },
		      { "dragonfly:h=2", 4 },
		      { "dragonfly:h=2,global=random(5)", 4 },
		      { "dragonfly:a=4,p=2,h=2,g=5", 4 },
		      { "dragonfly:h=3", 4 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (unsigned copies = 1; copies <= 2; copies++) {
			struct fixture f;

			setup(&f, known[i].spec, 2, true);
			route_with(&f, NULL, copies == 1 ? 5 : 0);
			for (uint32_t from = 0; from < n_hosts(&f); from++)
				for (uint32_t to = 0; to < n_hosts(&f); to++)
					for (unsigned offset = 0; offset < 4 && to != from;
					     offset++)
						assert_layers(&f, from,
							      host_port(&f, to)->lid + offset,
							      copies);
			assert_resources(&f, known[i].sls * copies, 3 * copies);
			hd_for_each_port(p, f.fabric) {
				const struct hd_vlarb *vlarb;

				if (f.tables->vlarb_of_port[p] == HD_NONE)
					continue;
				vlarb = &f.tables->vlarbs[f.tables->vlarb_of_port[p]];
				assert_int_equal(vlarb->n_high, 0);
				for (unsigned e = 0; e < vlarb->n_low; e++)
					assert_int_equal(vlarb->low[e].weight,
							 vlarb->low[e].vl < copies ? 64 : 192);
			}
			teardown(&f);
		}
}

/* Five queues of 15 VLs leave three layers and three classes: the order of groups needs two. */
static void few_sls_are_enough(void **state)
{
	struct fixture f;

	setup(&f, "dragonfly:h=2", 2, true);
	hd_for_each_port(p, f.fabric)
		f.fabric->ports[p].vls = 15;
	route_with(&f, "dbbm:5", 0);
	assert_resources(&f, 10, 15);
	teardown(&f);
}

/* One VL is enough for the links of end nodes. */
static void end_nodes_need_one_vl(void **state)
{
	struct fixture f;

	setup(&f, "dragonfly:h=2", 2, true);
	for (uint32_t host = 0; host < n_hosts(&f); host++)
		f.fabric->ports[hd_port_index(f.fabric, f.fabric->n_switches + host, 1)].vls = 1;
	route_with(&f, NULL, 0);
	assert_resources(&f, 8, 6);
	hd_for_each_port(p, f.fabric)
		if (f.shape->port_class[p] == HD_PORT_TERMINAL &&
		    f.tables->vlarb_of_port[p] != HD_NONE)
			assert_int_equal(f.tables->vlarbs[f.tables->vlarb_of_port[p]].n_low, 1);
	teardown(&f);
}

/*
 * How often each group is gone through by the LIDs at offsets @begin .. @end - 1 of the hosts of
 * group @own.
 */
static void count_groups(const struct fixture *f, const uint32_t *via, uint32_t own, unsigned begin,
			 unsigned end, unsigned *count)
{
	memset(count, 0, f->shape->n_groups * sizeof(*count));
	for (uint32_t host = 0; host < n_hosts(f); host++)
		for (unsigned offset = begin; group_of_host(f, host) == own && offset < end;
		     offset++)
			count[via[host_port(f, host)->lid + offset]]++;
}

/* All groups but one's own, as often as any other or once more. */
static void assert_even(const struct fixture *f, const unsigned *count, uint32_t own)
{
	unsigned least = UINT32_MAX, most = 0;

	for (uint32_t group = 0; group < f->shape->n_groups; group++) {
		if (group == own)
			continue;
		least = count[group] < least ? count[group] : least;
		most = count[group] > most ? count[group] : most;
	}
	assert_int_equal(count[own], 0);
	assert_in_range(most - least, 0, 1);
}

static void groups_are_used_evenly(void **state)
{
	static const char *const specs[] = {
		"dragonfly:h=2",         "dragonfly:h=2,global=consecutive",
		"dragonfly:a=3,p=2,h=2", "dragonfly:a=4,p=1,h=2",
		"dragonfly:a=4,p=3,h=2", "dragonfly:a=4,p=2,h=2,g=4",
	};
	const unsigned lmc = 2, offsets = 1u << lmc;

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct fixture f;
		uint32_t *via;
		unsigned *count;

		setup(&f, specs[i], lmc, true);
		via = calloc(f.fabric->top_lid + (size_t)1, sizeof(*via));
		count = calloc(f.shape->n_groups, sizeof(*count));
		for (uint32_t host = 0; host < n_hosts(&f); host++) {
			uint32_t lid = host_port(&f, host)->lid;

			for (unsigned offset = 0; offset < offsets; offset++)
				via[lid + offset] = group_through(&f, lid + offset);
			assert_int_equal(via[lid], HD_NONE);
			for (unsigned one = 1; f.shape->n_groups > 4 && one < offsets; one++)
				for (unsigned other = 1; other < one; other++)
					assert_int_not_equal(via[lid + one], via[lid + other]);
		}
		for (uint32_t own = 0; own < f.shape->n_groups; own++) {
			for (unsigned offset = 1; offset < offsets; offset++) {
				count_groups(&f, via, own, offset, offset + 1, count);
				assert_even(&f, count, own);
			}
			count_groups(&f, via, own, 1, offsets, count);
			assert_even(&f, count, own);
		}
		free(via);
		free(count);
		teardown(&f);
	}
}

/*
 * Adds one to every port between switches and to hosts by which a packet of @host to @lid leaves.
 */
static void add_flow(const struct fixture *f, uint32_t host, uint32_t lid, uint32_t *flows)
{
	struct hd_flow flow = { .source = hd_port_index(f->fabric, f->fabric->n_switches + host, 1),
				.lid = (uint16_t)lid };
	struct hd_hop hops[MOST_HOPS];
	size_t n_hops;

	hd_walk(f->tables, &flow, hops, MOST_HOPS, &n_hops);
	for (size_t i = 1; i + 1 < n_hops; i++)
		flows[hd_port_index(f->fabric, hops[i].node, hops[i].out)]++;
}

/*
 * Flows from all hosts to all LIDs of the others: a global link of a balanced dragonfly of g groups
 * of n hosts has n^2 minimal ones, and for each of the K spread LIDs n (g - 2) on the way to the
 * intermediate group, n (g - 2) on the way from it, and n whose own group that is.
 */
static void global_links_are_even(void **state)
{
	for (unsigned h = 2; h <= 3; h++)
		for (unsigned lmc = 1; lmc <= 2; lmc++) {
			const uint32_t n = 2 * h * h, n_groups = n + 1, spread = (1u << lmc) - 1;
			struct fixture f;
			uint32_t *flows;
			char spec[64];

			snprintf(spec, sizeof(spec), "dragonfly:h=%u", h);
			setup(&f, spec, lmc, true);
			flows = calloc(f.fabric->n_ports, sizeof(*flows));
			for (uint32_t from = 0; from < n_hosts(&f); from++)
				for (uint32_t to = 0; to < n_hosts(&f); to++)
					for (unsigned offset = 0; offset <= spread; offset++)
						add_flow(&f, from, host_port(&f, to)->lid + offset,
							 flows);
			hd_for_each_port(p, f.fabric)
				if (f.shape->port_class[p] == HD_PORT_GLOBAL)
					assert_int_equal(flows[p],
							 n * n + n * spread * (2 * n_groups - 3));
			free(flows);
			teardown(&f);
		}
}

/*
 * The most that a channel of @class carries when every host sends, at rate 1, to all hosts of the
 * group @shift after its own, LIDs in turns.
 */
static double adversarial_load(const struct fixture *f, unsigned shift, enum hd_port_class class)
{
	const uint32_t hosts_of_group = f->shape->a * f->shape->p;
	uint32_t *flows = calloc(f->fabric->n_ports, sizeof(*flows)), most = 0;
	unsigned offsets = 1u << host_port(f, 0)->lmc;

	for (uint32_t from = 0; from < n_hosts(f); from++)
		for (uint32_t to = 0; to < n_hosts(f); to++)
			for (unsigned offset = 0;
			     offset < offsets &&
			     group_of_host(f, to) ==
				     (group_of_host(f, from) + shift) % f->shape->n_groups;
			     offset++)
				add_flow(f, from, host_port(f, to)->lid + offset, flows);
	hd_for_each_port(p, f->fabric)
		if (f->shape->port_class[p] == class && flows[p] > most)
			most = flows[p];
	free(flows);
	return (double)most / (hosts_of_group * offsets);
}

static void assert_near(double value, double wanted)
{
	if (value < wanted - 5e-5 || value > wanted + 5e-5)
		fail_msg("%.5f is not %.4f", value, wanted);
}

/*
 * Accepted load under adversarial traffic, of which docs/lanes.md has the table, is bounded by the
 * most loaded channel. Minimal routes have 1 / (2h^2): 0.125 and 0.0556. Global links bound the
 * shift by one group, local links of the intermediate groups the shift by h.
 */
static void adversarial_bounds(void **state)
{
	static const struct {
		unsigned h, lmc;
		bool minimal;
		double global_1, local_1, local_h;
	} known[] = {
		{ 2, 1, true, 0.2222, 0.3636, 0.3077 },  { 2, 2, true, 0.3636, 0.6154, 0.4211 },
		{ 2, 3, true, 0.5333, 0.5517, 0.3721 },  { 2, 4, true, 0.5333, 0.5246, 0.3516 },
		{ 2, 0, false, 0.5000, 0.4000, 0.2857 }, { 2, 3, false, 0.5000, 0.5000, 0.3333 },
		{ 3, 1, true, 0.1053, 0.2667, 0.2105 },  { 3, 2, true, 0.1905, 0.4706, 0.2759 },
		{ 3, 3, true, 0.3200, 0.5517, 0.2807 },  { 3, 4, true, 0.4848, 0.5079, 0.2602 },
		{ 3, 0, false, 0.5000, 0.4000, 0.2222 }, { 3, 3, false, 0.5000, 0.4706, 0.2424 },
		{ 4, 4, true, 0.3404, 0.5246, 0.2119 },  { 4, 5, true, 0.5079, 0.5120, 0.2058 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct fixture f;
		char spec[64];

		snprintf(spec, sizeof(spec), "dragonfly:h=%u", known[i].h);
		setup(&f, spec, known[i].lmc, known[i].minimal);
		assert_near(1 / adversarial_load(&f, 1, HD_PORT_GLOBAL), known[i].global_1);
		assert_near(1 / adversarial_load(&f, 1, HD_PORT_LOCAL), known[i].local_1);
		assert_near(1 / adversarial_load(&f, known[i].h, HD_PORT_GLOBAL),
			    known[i].global_1);
		assert_near(1 / adversarial_load(&f, known[i].h, HD_PORT_LOCAL), known[i].local_h);
		teardown(&f);
	}
}

static void assert_refused(const char *spec, unsigned lmc, bool minimal, const char *words)
{
	struct hd_fabric *fabric = build_fabric(spec, lmc);
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(route(fabric, minimal, &tables, &err), HD_EREFUSED);
	assert_hd_says(err, words);
	hd_fabric_free(fabric);
}

static void refusals(void **state)
{
	assert_refused("dragonfly:h=2", 0, true, "set an LMC of 1 or more");
	assert_refused("dragonfly:a=4,p=2,h=2,local=ring", 1, true, "");
	assert_refused("dragonfly:a=1,p=2,h=4", 1, true, "no other group");
	assert_refused("torus:4x4", 1, true, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_everywhere),
		cmocka_unit_test(hops_have_lanes_of_their_own),
		cmocka_unit_test(few_sls_are_enough),
		cmocka_unit_test(end_nodes_need_one_vl),
		cmocka_unit_test(groups_are_used_evenly),
		cmocka_unit_test(global_links_are_even),
		cmocka_unit_test(adversarial_bounds),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests_name("dfval", tests, NULL, NULL);
}
