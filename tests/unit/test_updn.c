// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* up*-down* routes: sound on any connected graph with one VL, whatever the root. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/shuffle.h"
#include "topologies/topology.h"

static void assert_sound(const struct hd_fabric *fabric, const char *root)
{
	const struct hd_engine *engine = hd_engine_find("updn");
	struct hd_params *params = hd_params_new(engine->policy.options);
	struct hd_route_request request = { .params = params, .max_vls = 1 };
	struct hd_check_result result;
	struct hd_tables *tables;
	struct hd_error err;
	char text[512];

	if (root)
		assert_hd_ok(hd_params_set(params, "engine updn", "root", root, &err), err);
	assert_hd_ok(hd_route(engine, fabric, &request, &tables, &err), err);
	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	if (result.failure != HD_CHECK_SOUND)
		fail_msg("%s", hd_check_summary(&result, fabric, text, sizeof(text)));
	assert_int_equal(result.vls, 1);
	hd_check_clear(&result);
	hd_tables_free(tables);
	hd_params_free(params);
}

static void random_graphs(void **state)
{
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct hd_fabric *fabric = random_graph(seed), *copy;
		char root[32];

		assert_sound(fabric, NULL);
		copy = shuffled_copy(fabric, seed, NULL, NULL);
		assert_sound(copy, NULL);
		hd_fabric_free(copy);
		snprintf(root, sizeof(root), "0x%llx", 0x1000000ull + seed % fabric->n_switches);
		assert_sound(fabric, root);
		hd_fabric_free(fabric);
	}
}

static void shapes(void **state)
{
	static const char *const specs[] = {
		"dragonfly:a=4,p=2,h=2", "torus:5x4x3",  "mesh:6x5",
		"kns:k=4,n=2",           "tree:k=3,n=3", "hyperx:4x4"
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *bare, *fabric;
		struct hd_error err;

		assert_hd_ok(hd_topology_build(specs[i], &bare, &err), err);
		assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 1, &fabric, &err), err);
		assert_sound(fabric, NULL);
		hd_fabric_free(fabric);
		hd_fabric_free(bare);
	}
}

/* A ring longer than distances are counted. */
static void a_long_ring(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	uint8_t used[600] = { 0 };
	struct hd_fabric *fabric;

	for (uint32_t s = 0; s < 600; s++)
		random_graph_add(builder, HD_SWITCH, 0x1000000 + s, 3);
	for (uint32_t s = 0; s < 600; s++)
		random_graph_link(builder, used, s, (s + 1) % 600);
	fabric = random_graph_finish(builder);
	assert_sound(fabric, NULL);
	hd_fabric_free(fabric);
}

static void wrong_roots(void **state)
{
	static const char *const wrong[] = { "nobody", "0x999999", "H-00000" };
	const struct hd_engine *engine = hd_engine_find("updn");
	struct hd_fabric *bare, *fabric;
	struct hd_error err;

	assert_hd_ok(hd_topology_build("mesh:2x2", &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct hd_params *params = hd_params_new(engine->policy.options);
		struct hd_route_request request = { .params = params };
		struct hd_tables *tables;

		assert_hd_ok(hd_params_set(params, "engine updn", "root", wrong[i], &err), err);
		assert_int_not_equal(hd_route(engine, fabric, &request, &tables, &err), 0);
		hd_params_free(params);
	}
	hd_fabric_free(fabric);
	hd_fabric_free(bare);
}

/* Links between switches of a whole tree carry what they must, by level. */
static void even_on_trees(void **state)
{
	static const struct {
		const char *spec;
		uint32_t least, most;
	} trees[] = { { "tree:k=8,n=3", 448, 504 }, { "tree:k=4,n=4", 192, 252 } };

	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		for (uint64_t seed = 0; seed < 2; seed++) {
			struct hd_fabric *bare, *copy, *fabric;
			struct hd_route_request request = { 0 };
			struct hd_tables *tables;
			struct hd_load load;
			struct hd_error err;

			assert_hd_ok(hd_topology_build(trees[i].spec, &bare, &err), err);
			copy = shuffled_copy(bare, seed, NULL, NULL);
			assert_hd_ok(hd_fabric_assign_lids(copy, HD_NONE, 0, &fabric, &err), err);
			assert_hd_ok(
				hd_route(hd_engine_find("updn"), fabric, &request, &tables, &err),
				err);
			assert_hd_ok(hd_load_compute(tables, &load, &err), err);
			hd_for_each_switch(s, fabric)
				hd_for_each_number(number, fabric, s) {
					uint32_t port = hd_port_index(fabric, s, number);
					uint32_t peer = hd_peer_node(fabric, s, number);

					if (peer < fabric->n_switches)
						assert_in_range(hd_load_port(&load, port),
								trees[i].least, trees[i].most);
				}
			hd_load_clear(&load);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
			hd_fabric_free(copy);
			hd_fabric_free(bare);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs), cmocka_unit_test(shapes),
		cmocka_unit_test(a_long_ring),   cmocka_unit_test(wrong_roots),
		cmocka_unit_test(even_on_trees),
	};

	return cmocka_run_group_tests_name("updn", tests, NULL, NULL);
}
