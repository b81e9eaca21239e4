// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Layer rule flex: every lane of every link in use, evenly, and no credit loop. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "sl2vl/lanes.h"
#include "topologies/dragonfly.h"
#include "topologies/topology.h"

struct fixture {
	struct hd_fabric *fabric;
	struct hd_dragonfly *shape;
	struct hd_tables *tables;
};

static void setup(struct fixture *f, const char *spec, unsigned lmc)
{
	struct hd_fabric *bare;
	struct hd_error err;

	assert_hd_ok(hd_topology_build(spec, &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, lmc, &f->fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_dragonfly_recognise(f->fabric, NULL, &f->shape, &err), err);
	f->tables = NULL;
}

static void teardown(struct fixture *f)
{
	hd_tables_free(f->tables);
	hd_dragonfly_free(f->shape);
	hd_fabric_free(f->fabric);
}

static int route(struct fixture *f, const char *engine, const char *queues, unsigned max_vls,
		 struct hd_error *err)
{
	struct hd_route_request request = { .layers = "flex",
					    .queues = queues,
					    .max_vls = max_vls };

	hd_tables_free(f->tables);
	f->tables = NULL;
	return hd_route(hd_engine_find(engine), f->fabric, &request, &f->tables, err);
}

static void assert_sound(const struct fixture *f, const char *what, unsigned sls, unsigned vls)
{
	struct hd_check_result result;
	struct hd_error err;
	char text[512];

	assert_hd_ok(hd_check(f->tables, NULL, &result, &err), err);
	if (result.failure != HD_CHECK_SOUND)
		fail_msg("%s: %s", what, hd_check_summary(&result, f->fabric, text, sizeof(text)));
	assert_in_range(result.sls, 1, sls);
	assert_int_equal(result.vls, vls);
	hd_check_clear(&result);
}

/*
 * Every link of the dragonfly, hosts' too, has flows on each of @vls VLs, at least @least times and
 * at most @most times its mean.
 */
static void assert_even(const struct fixture *f, unsigned vls, double least, double most)
{
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(f->tables, &load, &err), err);
	assert_int_equal(load.n_vls, vls);
	hd_for_each_port(port, f->fabric) {
		double mean = (double)hd_load_port(&load, port) / vls;

		for (unsigned vl = 0; vl < vls && f->fabric->ports[port].peer != HD_NONE; vl++) {
			double flows = load.flows[port * (size_t)vls + vl];

			if (flows < least * mean || flows > most * mean)
				fail_msg("port %u, VL %u: %g flows, mean %g", port, vl, flows,
					 mean);
		}
	}
	hd_load_clear(&load);
}

/* Where shift has VL 0 alone on global and terminal links, and two on local ones. */
static void minimal_routes_use_all_lanes(void **state)
{
	static const char
		*const specs[] = {
			"dragonfly:h=2",
			"dragonfly:h=2,global=consecutive",
			"dragonfly:h=3",
			"dragonfly:a=6,p=2,h=3",
			"dragonfly:a=4,p=2,h=2,g=5", /* trunks: few flows on some links */
		};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_error err;
		struct fixture f;

		setup(&f, specs[i], 0);
		for (unsigned vls = 2; vls <= 8; vls++) {
			assert_hd_ok(route(&f, "dla", NULL, vls, &err), err);
			assert_sound(&f, specs[i], 2 * vls, vls);
			if (i < 4)
				assert_even(&f, vls, 0.3, 1.7);
		}
		teardown(&f);
	}
}

/* On a larger one the lanes of a link differ from the mean by a quarter at most. */
static void lanes_are_even(void **state)
{
	struct hd_error err;
	struct fixture f;

	setup(&f, "dragonfly:h=4", 0);
	assert_hd_ok(route(&f, "dla", NULL, 8, &err), err);
	assert_sound(&f, "h=4", 16, 8);
	assert_even(&f, 8, 0.75, 1.25);
	teardown(&f);
}

static void valiant_routes_use_all_lanes(void **state)
{
	static const char *const specs[] = { "dragonfly:h=1", "dragonfly:h=2",
					     "dragonfly:h=2,global=consecutive",
					     "dragonfly:a=4,p=2,h=2,g=5", "dragonfly:h=3" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned vls = 3; vls <= 8; vls++) {
			struct hd_error err;
			struct fixture f;

			setup(&f, specs[i], 2);
			assert_hd_ok(route(&f, "dfval", NULL, vls, &err), err);
			assert_sound(&f, specs[i], 16, vls);
			teardown(&f);
		}
}

/* Queues leave fewer layers and classes. */
static void goes_with_queues(void **state)
{
	static const struct {
		const char *queues;
		unsigned sls;
	} known[] = { { "dbbm:2", 16 }, { "xordet:4", 16 }, { "bbq:3", 12 } };
	struct hd_error err;
	struct fixture f;

	setup(&f, "dragonfly:h=2", 1);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_hd_ok(route(&f, "dla", known[i].queues, 0, &err), err);
		assert_sound(&f, known[i].queues, known[i].sls, i == 2 ? 6 : 8);
	}
	assert_hd_ok(route(&f, "dfval", "dbbm:2", 0, &err), err);
	assert_sound(&f, "dfval dbbm:2", 16, 8);
	teardown(&f);
}

/* Elsewhere: the engine's own layers, several times. */
static void other_shapes_use_all_lanes(void **state)
{
	static const struct {
		const char *spec, *engine;
		unsigned max_vls, sls, vls;
	} known[] = {
		{ "mesh:4x4", "hdor", 8, 8, 8 },
		{ "mesh:4x4", "hdor", 15, 15, 15 },
		{ "torus:5x5", "hdor", 8, 16, 8 },
		{ "torus:4x4x4", "hdor", 8, 8, 8 },
		{ "torus:5x5x5", "hdor", 8, 16, 4 },
		{ "torus:6x6", "hdor", 7, 12, 6 },
		{ "kns:k=4,n=2", "hdor", 8, 4, 8 },
		{ "torus:4x4", "updn", 8, 8, 8 },
		{ "dragonfly:h=2", "updn", 4, 4, 4 },
		{ "dragonfly:h=2", "df-minhop", 8, 16, 8 },
		{ "dragonfly:h=2", "df-sssp", 6, 16, 6 },
		{ "dragonfly:h=2", "d3r", 8, 8, 8 },
		{ "torus:4x4", "df-minhop", 8, 16, 8 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct hd_route_request request = { .layers = "flex", .max_vls = known[i].max_vls };
		struct hd_fabric *bare, *fabric;
		struct hd_check_result result;
		struct hd_tables *tables;
		struct hd_error err;

		assert_hd_ok(hd_topology_build(known[i].spec, &bare, &err), err);
		hd_for_each_port(p, bare)
			bare->ports[p].vls = HD_MAX_VLS;
		assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
		hd_fabric_free(bare);
		assert_hd_ok(
			hd_route(hd_engine_find(known[i].engine), fabric, &request, &tables, &err),
			err);
		assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		assert_in_range(result.sls, known[i].vls / 2, known[i].sls);
		assert_int_equal(result.vls, known[i].vls);
		hd_check_clear(&result);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static void refusals(void **state)
{
	const struct hd_layer_rule *rule = hd_layer_rule_find("flex");
	struct hd_structure structure = { 0 };
	struct hd_layering layering = { 0 };
	struct hd_layer_input input = { .structure = &structure };
	struct hd_error err;
	struct fixture f;

	setup(&f, "dragonfly:h=2", 1);
	assert_int_equal(route(&f, "dla", NULL, 1, &err), HD_EREFUSED);
	assert_hd_says(err, "2 layers x 1 queues (single) need 2 VLs, of which there are 1");
	assert_int_equal(route(&f, "dla", "dbbm:5", 0, &err), HD_EREFUSED);
	assert_int_equal(route(&f, "dfval", NULL, 2, &err), HD_EREFUSED);
	assert_int_equal(route(&f, "dfval", "dbbm:9", 0, &err), HD_EREFUSED);
	assert_hd_says(err, "SLs");

	assert_hd_ok(hd_tables_new(f.fabric, &f.tables, &err), err);
	input.tables = f.tables;
	assert_int_equal(rule->build(&input, &layering, &err), HD_EREFUSED);
	assert_hd_says(err, "needs another one to start from");
	hd_layering_clear(&layering);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(minimal_routes_use_all_lanes), cmocka_unit_test(lanes_are_even),
		cmocka_unit_test(valiant_routes_use_all_lanes), cmocka_unit_test(goes_with_queues),
		cmocka_unit_test(other_shapes_use_all_lanes),   cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests_name("flex", tests, NULL, NULL);
}
