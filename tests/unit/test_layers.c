// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engines whose SLs tell layers: d3r by the order of groups, df-minhop and df-sssp by hops. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "check/check.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "fabric/distances.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "sl2vl/lanes.h"
#include "support/random.h"
#include "support/transpose.h"
#include "tests/unit/proof.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"

static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine,
			       const char *layers)
{
	struct hd_route_request request = { .layers = layers };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

static void d3r_has_the_papers_resources(void **state)
{
	static const char *const arrangements[] = { "palmtree", "consecutive", "random(2)" };

	for (unsigned p = 2; p <= 5; p++)
		for (size_t i = 0; i < sizeof(arrangements) / sizeof(arrangements[0]); i++) {
			struct hd_check_result result;
			struct hd_fabric *fabric;
			struct hd_tables *tables;
			char spec[64];

			snprintf(spec, sizeof(spec), "dragonfly:a=%u,p=%u,h=%u,global=%s", 2 * p, p,
				 p, arrangements[i]);
			fabric = build_fabric(spec, 0);
			tables = route(fabric, "d3r", NULL);
			result = assert_sound(tables, spec);
			assert_int_equal(result.sls, 2);
			assert_int_equal(result.vls, 2);
			assert_int_equal(result.max_hops, 3);
			hd_tables_free(tables);
			tables = route(fabric, "d3r", "order3");
			result = assert_sound(tables, spec);
			assert_int_equal(result.sls, 3);
			assert_int_equal(result.vls, 3);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
		}
}

/* SL and VL: 0 within a group and to a higher one, 1 to a lower one, all the way. */
static void order_is_that_of_groups(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *tables = route(fabric, "d3r", NULL);

	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric) {
			const struct hd_lid *place = &fabric->lids[lid];
			struct hd_flow flow = { fabric->endports[i], (uint16_t)lid, 0 };
			uint32_t from = fabric->ports[flow.source].node;
			struct hd_hop hops[16];
			size_t n;

			if (place->port == HD_NONE || place->port == flow.source)
				continue;
			if (!hd_is_switch(fabric, from))
				from = hd_peer_node(fabric, from, 1);
			/* canonical order keeps the generator's: four switches a group */
			flow.sl = (uint8_t)hd_path_sl(tables, flow.source, lid);
			assert_int_equal(flow.sl, place->via_switch / 4 < from / 4);
			assert_int_equal(hd_walk(tables, &flow, hops, 16, &n), HD_CHECK_SOUND);
			for (size_t k = 0; k + 1 < n; k++)
				assert_int_equal(hops[k].vl, flow.sl);
		}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Writes the groups of a generated dragonfly, of which @fabric is a copy with other GUIDs. */
static void write_groups(const char *path, const struct hd_fabric *fabric, const uint32_t *node_of,
			 unsigned a)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	hd_for_each_switch(s, fabric)
		fprintf(file, "0x%016llx %u\n",
			(unsigned long long)fabric->nodes[node_of ? node_of[s] : s].guid, s / a);
	fclose(file);
}

static int route_groups(const struct hd_fabric *fabric, const char *engine, const char *path,
			struct hd_tables **tables, struct hd_error *err)
{
	struct hd_params *params = hd_params_new(hd_engine_find(engine)->policy.options);
	struct hd_route_request request = { .params = params };
	int ret;

	assert_hd_ok(hd_params_set(params, "engine", "groups", path, err), *err);
	ret = hd_route(hd_engine_find(engine), fabric, &request, tables, err);
	hd_params_free(params);
	return ret;
}

static const struct {
	const char *spec;
	unsigned a, hops; /* hops: at most */
	bool cycle;       /* with dla's layers */
} patterns[] = {
	{ "dragonfly:a=6,p=1,h=2,local=hyperx:3x2", 6, 5, true },
	{ "dragonfly:a=16,p=1,h=1,local=hyperx:4x4", 16, 5, true },
	{ "dragonfly:a=16,p=1,h=2,g=5,local=hyperx:4x4", 16, 5, false },
	{ "dragonfly:a=6,p=1,h=2,local=mesh:3x2", 6, 7, true },
	{ "dragonfly:a=9,p=1,h=2,g=4,local=mesh:3x3", 9, 9, true },
	{ "dragonfly:a=4,p=2,h=2,local=mesh:4x1", 4, 7, true },
	{ "dragonfly:a=5,p=1,h=2,local=ring", 5, 9, true },
	{ "dragonfly:a=8,p=1,h=3,g=6,local=ring", 8, 13, true },
	{ "dragonfly:a=3,p=1,h=2,local=ring,global=consecutive", 3, 3, false },
};

/* Groups of any pattern, in any order of GUIDs and ports, with one link between groups or more. */
static void d3r_serves_groups_of_any_pattern(void **state)
{
	char path[] = "/tmp/heddle-groups.XXXXXX";

	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct hd_fabric *fabric = build_fabric(patterns[i].spec, 1);
		uint32_t *node_of = malloc(fabric->n_nodes * sizeof(*node_of));

		for (uint64_t seed = 0; seed < 12; seed++) {
			struct hd_fabric *copy =
				seed ? shuffled_copy(fabric, seed, node_of, NULL) : fabric;
			struct hd_check_result result;
			struct hd_tables *tables;
			struct hd_error err;

			write_groups(path, copy, seed ? node_of : NULL, patterns[i].a);
			assert_hd_ok(route_groups(copy, "d3r", path, &tables, &err), err);
			result = assert_sound(tables, patterns[i].spec);
			assert_int_equal(result.vls, 2);
			assert_in_range(result.max_hops, 1, patterns[i].hops);
			hd_tables_free(tables);
			if (seed)
				hd_fabric_free(copy);
		}
		free(node_of);
		hd_fabric_free(fabric);
	}
	unlink(path);
}

/*
 * What dla would do to such groups, and why it refuses: a packet that comes from another group
 * takes two local links, and the second switch cannot tell it from one that is still to leave.
 */
static void dla_would_make_a_cycle(void **state)
{
	const struct hd_engine *engine = hd_engine_find("d3r");
	char path[] = "/tmp/heddle-groups.XXXXXX";

	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct hd_fabric *fabric = build_fabric(patterns[i].spec, 0);
		struct hd_params *params = hd_params_new(engine->policy.options);
		struct hd_route_request request = { .params = params };
		struct hd_routes routes = { 0 };
		struct hd_layering layering = { 0 };
		struct hd_queueing queueing = { 0 };
		struct hd_queues queues;
		struct hd_check_result result;
		struct hd_tables *tables;
		struct hd_error err;
		bool is_full = patterns[i].hops == 3;
		int ret;

		write_groups(path, fabric, NULL, patterns[i].a);
		ret = route_groups(fabric, "dla", path, &tables, &err);
		assert_int_equal(ret, is_full ? 0 : HD_EREFUSED);
		hd_tables_free(ret ? NULL : tables);
		if (!is_full)
			assert_hd_says(err, "is not fully connected");

		assert_hd_ok(hd_tables_new(fabric, &routes.tables, &err), err);
		assert_hd_ok(hd_params_set(params, "engine", "groups", path, &err), err);
		assert_hd_ok(engine->route(fabric, &request, &routes, &err), err);
		struct hd_layer_input input = { .tables = routes.tables,
						.structure = &routes.structure,
						.max_layers = 8,
						.max_classes = HD_MAX_SLS };
		assert_hd_ok(hd_layer_rule_find("shift")->build(&input, &layering, &err), err);
		assert_hd_ok(hd_queues_parse(NULL, &queues, &err), err);
		assert_hd_ok(hd_queueing_build(&queues, routes.tables, &routes.structure, &queueing,
					       &err),
			     err);
		assert_hd_ok(hd_lanes_apply(routes.tables, &layering, &queueing, 0, &err), err);
		assert_hd_ok(hd_check(routes.tables, NULL, &result, &err), err);
		assert_int_equal(result.failure,
				 patterns[i].cycle ? HD_CHECK_CREDIT_LOOP : HD_CHECK_SOUND);
		assert_int_equal(result.n_witness > 1, patterns[i].cycle);

		hd_check_clear(&result);
		hd_layering_clear(&layering);
		hd_queueing_clear(&queueing);
		hd_structure_clear(&routes.structure);
		hd_tables_free(routes.tables);
		hd_params_free(params);
		hd_fabric_free(fabric);
	}
	unlink(path);
}

static void assert_refused(const struct hd_fabric *fabric, const char *engine, const char *queues,
			   const char *words)
{
	struct hd_route_request request = { .queues = queues };
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_hd_says(err, words);
}

static void d3r_refuses(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:4x4", 0);
	char path[] = "/tmp/heddle-groups.XXXXXX";
	struct hd_tables *tables;
	struct hd_error err;
	FILE *file;

	assert_refused(fabric, "d3r", NULL, "not a dragonfly");
	hd_fabric_free(fabric);

	/* groups that are in parts: switches 0 and 1 change places with 4 and 5 */
	fabric = build_fabric("dragonfly:a=4,p=1,h=2", 0);
	file = fdopen(mkstemp(path), "w");
	hd_for_each_switch(s, fabric)
		fprintf(file, "0x%016llx %u\n", (unsigned long long)fabric->nodes[s].guid,
			(s < 8 && s % 4 < 2 ? s ^ 4 : s) / 4);
	fclose(file);
	assert_int_equal(route_groups(fabric, "d3r", path, &tables, &err), HD_EREFUSED);
	unlink(path);
	hd_fabric_free(fabric);
}

/* Rule shift is for routes of one local link on either side; two of them would make a cycle. */
static void d3r_shifts_in_full_groups(void **state)
{
	const struct hd_route_request request = { .layers = "shift" };
	struct hd_fabric *fabric = build_fabric("dragonfly:a=6,p=2,h=2,local=ring", 0);
	struct hd_tables *tables, *dla;
	struct hd_check_result result;
	struct hd_error err;

	(void)state;
	assert_int_equal(hd_route(hd_engine_find("d3r"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "layer rule 'shift' needs groups that are fully connected");
	hd_fabric_free(fabric);

	fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	tables = route(fabric, "d3r", "shift");
	dla = route(fabric, "dla", NULL);
	result = assert_sound(tables, "d3r, shift");
	assert_int_equal(result.sls, 1);
	assert_int_equal(result.vls, 2);
	hd_for_each_switch(s, fabric)
		assert_memory_equal(hd_lft(tables, s), hd_lft(dla, s), tables->lft_stride);
	hd_tables_free(dla);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Table 2: at most these SLs, and three VLs. */
static void df_needs_no_more_than_the_paper(void **state)
{
	static const struct {
		const char *engine;
		unsigned sls[4]; /* of 72, 342, 1,056 and 2,550 hosts */
	} table[] = { { "df-sssp", { 3, 4, 5, 6 } }, { "df-minhop", { 4, 5, 6, 6 } } };
	static const char *const arrangements[] = { "palmtree", "consecutive" };

	for (unsigned p = 2; p <= 5; p++)
		for (size_t i = 0; i < 4; i++) {
			struct hd_check_result result;
			struct hd_fabric *fabric;
			struct hd_tables *tables;
			char spec[64];

			snprintf(spec, sizeof(spec), "dragonfly:a=%u,p=%u,h=%u,global=%s", 2 * p, p,
				 p, arrangements[i / 2]);
			fabric = build_fabric(spec, 0);
			tables = route(fabric, table[i % 2].engine, NULL);
			result = assert_sound(tables, spec);
			assert_in_range(result.sls, 1, table[i % 2].sls[p - 2]);
			assert_int_equal(result.vls, 3);
			assert_int_equal(result.max_hops, 3);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
		}
}

/* Paths are shortest, and the VL is the number of switches passed, 0 to and from end nodes. */
static void assert_hops(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint8_t *distances;
	struct hd_error err;

	assert_hd_ok(hd_switch_distances(fabric, &distances, &err), err);
	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric) {
			const struct hd_lid *place = &fabric->lids[lid];
			struct hd_flow flow = { fabric->endports[i], (uint16_t)lid, 0 };
			struct hd_hop hops[32];
			size_t n;
			unsigned passed = 0;
			uint32_t from = HD_NONE;

			if (place->port == HD_NONE || place->port == flow.source)
				continue;
			flow.sl = (uint8_t)hd_path_sl(tables, flow.source, lid);
			assert_int_equal(hd_walk(tables, &flow, hops, 32, &n), HD_CHECK_SOUND);
			for (size_t k = 0; k + 1 < n; k++)
				if (!hd_is_switch(fabric, hops[k].node) ||
				    !hd_is_switch(fabric, hops[k + 1].node)) {
					assert_int_equal(hops[k].vl, 0);
				} else {
					from = from == HD_NONE ? hops[k].node : from;
					assert_int_equal(hops[k].vl, passed++);
				}
			if (from != HD_NONE)
				assert_int_equal(passed,
						 distances[(size_t)from * fabric->n_switches +
							   place->via_switch]);
		}
	free(distances);
}

static void the_vl_is_the_hop(void **state)
{
	static const char *const specs[] = { "dragonfly:a=4,p=2,h=2", "torus:4x4",  "mesh:4x3",
					     "tree:k=3,n=3",          "hyperx:4x4", "kns:k=4,n=2" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned sssp = 0; sssp < 2; sssp++) {
			struct hd_fabric *fabric = build_fabric(specs[i], i % 2);
			struct hd_tables *tables =
				route(fabric, sssp ? "df-sssp" : "df-minhop", NULL);

			assert_sound(tables, specs[i]);
			assert_hops(tables);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
		}
}

/* Hops need a VL each, and classes an SL each. */
static void hop_refuses_with_the_numbers(void **state)
{
	struct hd_fabric *fabric = build_fabric("mesh:6x6", 0);

	assert_refused(fabric, "df-sssp", NULL, "10 hops between switches, which need 10 layers");
	assert_refused(fabric, "df-minhop", NULL, "of which there are 8");
	hd_fabric_free(fabric);
	fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	assert_refused(fabric, "df-sssp", "xordet:4",
		       "need 3 layers, one for each, of which there are 2");
	assert_refused(fabric, "df-minhop", "dbbm:8", "of which there are 1");
	hd_fabric_free(fabric);
}

/* @fabric without @n random links between switches. */
static struct hd_fabric *damage(const struct hd_fabric *fabric, unsigned n,
				struct hd_random *random)
{
	struct hd_fabric *result;
	struct hd_error err;
	uint32_t links[8];

	for (unsigned i = 0; i < n;) {
		uint32_t port = hd_random_below(random, fabric->n_ports);
		uint32_t peer = fabric->ports[port].peer;
		bool known = peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[port].node) ||
			     !hd_is_switch(fabric, fabric->ports[peer].node);

		for (unsigned k = 0; k < i; k++)
			known |= links[k] == port || links[k] == peer;
		if (!known)
			links[i++] = port;
	}
	assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, &result, &err), err);
	return result;
}

/* Random dragonflies, trunked and shuffled, some without a few links: sound or refused. */
static void random_dragonflies(void **state)
{
	static const char *const engines[] = { "d3r", "df-minhop", "df-sssp" };
	unsigned n_sound[3] = { 0 };

	for (uint64_t seed = 1; seed <= 150; seed++) {
		struct hd_fabric *fabric, *copy, *damaged;
		struct hd_random random;
		char spec[96];
		unsigned a, h, p, g;

		hd_random_init(&random, seed, 0);
		a = 1 + hd_random_below(&random, 6);
		h = 1 + hd_random_below(&random, 3);
		p = 1 + hd_random_below(&random, 2);
		g = 2 + hd_random_below(&random, a * h);
		snprintf(spec, sizeof(spec), "dragonfly:a=%u,p=%u,h=%u,g=%u,global=random(%u)", a,
			 p, h, g, (unsigned)seed);
		fabric = build_fabric(spec, hd_random_below(&random, 3));
		copy = shuffled_copy(fabric, seed, NULL, NULL);
		damaged = damage(copy, a > 3 ? hd_random_below(&random, 3) : 0, &random);
		for (size_t e = 0; e < 3; e++) {
			struct hd_route_request request = { 0 };
			struct hd_tables *tables;
			struct hd_error err;
			int ret = hd_route(hd_engine_find(engines[e]), damaged, &request, &tables,
					   &err);

			if (ret == HD_EREFUSED)
				continue;
			assert_hd_ok(ret, err);
			assert_sound(tables, spec);
			hd_tables_free(tables);
			n_sound[e]++;
		}
		hd_fabric_free(damaged);
		hd_fabric_free(copy);
		hd_fabric_free(fabric);
	}
	for (size_t e = 0; e < 3; e++)
		assert_in_range(n_sound[e], 75, 150);
}

static void transposed(void **state)
{
	enum { ROWS = 70, COLUMNS = 131, IN = 140, OUT = 75 };
	uint8_t *in = malloc(ROWS * IN), *out = malloc(COLUMNS * OUT);

	for (unsigned i = 0; i < ROWS * IN; i++)
		in[i] = (uint8_t)(i * 37 + i / 251);
	memset(out, 0xA5, COLUMNS * OUT);
	hd_transpose(in, IN, ROWS, COLUMNS, out, OUT);
	for (unsigned c = 0; c < COLUMNS; c++)
		for (unsigned r = 0; r < OUT; r++)
			assert_int_equal(out[c * OUT + r], r < ROWS ? in[r * IN + c] : 0xA5);
	free(in);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(d3r_has_the_papers_resources),
		cmocka_unit_test(order_is_that_of_groups),
		cmocka_unit_test(d3r_serves_groups_of_any_pattern),
		cmocka_unit_test(dla_would_make_a_cycle),
		cmocka_unit_test(d3r_refuses),
		cmocka_unit_test(d3r_shifts_in_full_groups),
		cmocka_unit_test(df_needs_no_more_than_the_paper),
		cmocka_unit_test(the_vl_is_the_hop),
		cmocka_unit_test(hop_refuses_with_the_numbers),
		cmocka_unit_test(random_dragonflies),
		cmocka_unit_test(transposed),
	};

	return cmocka_run_group_tests_name("layers", tests, NULL, NULL);
}
