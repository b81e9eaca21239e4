// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engine any: every connected graph, within the VLs that there are, sound in both scopes. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "engines/escape_tree.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "support/random.h"
#include "tests/unit/proof.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/shuffle.h"
#include "topologies/topology.h"

static struct hd_tables *route_any(const struct hd_fabric *fabric, const char *vls,
				   unsigned max_vls)
{
	const struct hd_engine *engine = hd_engine_find("any");
	struct hd_params *params = hd_params_new(engine->policy.options);
	struct hd_route_request request = { .params = params, .max_vls = max_vls };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_params_set(params, "engine any", "vls", vls, &err), err);
	assert_hd_ok(hd_route(engine, fabric, &request, &tables, &err), err);
	hd_params_free(params);
	return tables;
}

/* Returns the VLs in use. */
static unsigned prove(const struct hd_tables *tables, enum hd_check_scope scope)
{
	const struct hd_check_options options = { .scope = scope };

	return assert_sound_by(tables, &options, NULL).vls;
}

static void assert_all_sound(const struct hd_fabric *fabric)
{
	static const struct {
		const char *vls;
		unsigned max_vls, most;
	} cases[] = { { "1", 0, 1 }, { "3", 0, 3 }, { "0", 2, 2 }, { "8", 0, 8 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_tables *tables = route_any(fabric, cases[i].vls, cases[i].max_vls);

		assert_in_range(prove(tables, HD_CHECK_ALL), 1, cases[i].most);
		if (fabric->n_nodes > fabric->n_switches + 1)
			assert_in_range(prove(tables, HD_CHECK_HOSTS), 1, cases[i].most);
		hd_tables_free(tables);
	}
}

static void random_graphs(void **state)
{
	for (uint64_t seed = 1; seed <= (HD_IS_SLOW ? 30 : 120); seed++) {
		struct hd_fabric *fabric = random_graph(seed);

		assert_all_sound(fabric);
		hd_fabric_free(fabric);
	}
}

/* Renumbered ports change nothing but port numbers where no links are parallel. */
static void as_before(void **state)
{
	struct hd_fabric *bare, *fabric;
	struct hd_tables *once, *again;
	struct hd_error err;

	assert_hd_ok(hd_topology_build("dragonfly:a=4,p=2,h=2", &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
	once = route_any(fabric, "1", 0);
	again = route_any(fabric, "1", 0);
	assert_memory_equal(once->lft, again->lft, fabric->n_switches * once->lft_stride);
	hd_tables_free(once);
	hd_tables_free(again);
	hd_fabric_free(fabric);
	hd_fabric_free(bare);
}

/* Takes out as many links between switches as keep the fabric in one part, chosen by chance. */
static struct hd_fabric *degrade(const struct hd_fabric *fabric, uint64_t seed, unsigned percent)
{
	struct hd_fabric *now = NULL;
	struct hd_random random;
	uint32_t *links = malloc(fabric->n_ports * sizeof(*links)), n = 0;
	struct hd_error err;

	assert_non_null(links);
	hd_random_init(&random, seed, 0);
	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && p < peer && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node) &&
		    hd_random_below(&random, 100) < percent)
			links[n++] = p;
	}
	assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, &now, &err), err);
	free(links);
	return now;
}

static bool is_whole(const struct hd_fabric *fabric)
{
	struct hd_turn_graph graph;
	struct hd_escape_tree tree;
	struct hd_error err;
	unsigned n_roots = 0;

	assert_hd_ok(hd_turn_graph_init(&graph, fabric, &err), err);
	assert_hd_ok(hd_escape_tree_init(&tree, &graph, 0, &err), err);
	hd_for_each_switch(s, fabric)
		n_roots += tree.parent[s] == HD_NONE;
	hd_escape_tree_clear(&tree);
	hd_turn_graph_clear(&graph);
	return n_roots == 1;
}

static void degraded_shapes(void **state)
{
	static const char *const specs[] = {
		"dragonfly:a=4,p=2,h=2",
		"torus:5x4x3",
		"mesh:6x5",
		"kns:k=4,n=2",
		"tree:k=3,n=3",
		"hyperx:4x4",
		"torus:7,p=2",
		"pgft:m=4x4x3,w=1x4x2,p=1x1x2",
	};
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned percent = 0; percent <= 30; percent += HD_IS_SLOW ? 30 : 10) {
			struct hd_fabric *bare, *fabric, *left;
			struct hd_error err;

			assert_hd_ok(hd_topology_build(specs[i], &bare, &err), err);
			assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, i % 2, &fabric, &err),
				     err);
			left = degrade(fabric, 7 * i + percent, percent);
			if (is_whole(left)) {
				assert_all_sound(left);
				n++;
			}
			hd_fabric_free(left);
			hd_fabric_free(fabric);
			hd_fabric_free(bare);
		}
	assert_in_range(n, HD_IS_SLOW ? 12 : 16, 32);
}

/* Flows of the busiest link between switches by engine @name. */
static uint32_t busiest(const struct hd_fabric *fabric, const char *name)
{
	struct hd_route_request request = { .max_vls = 1 };
	struct hd_tables *tables;
	struct hd_load load;
	struct hd_error err;
	uint32_t most = 0;

	assert_hd_ok(hd_route(hd_engine_find(name), fabric, &request, &tables, &err), err);
	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s)
			if (hd_peer_node(fabric, s, number) < fabric->n_switches) {
				const uint32_t flows =
					hd_load_port(&load, hd_port_index(fabric, s, number));

				most = flows > most ? flows : most;
			}
	hd_load_clear(&load);
	hd_tables_free(tables);
	return most;
}

/* With one VL, the busiest link has a fraction of the flows that up*-down* puts on the root. */
static void less_than_updn(void **state)
{
	static const char *const specs[] = { "dragonfly:a=6,p=3,h=3", "torus:6x6x6",
					     "kns:k=8,n=2" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *bare, *fabric;
		struct hd_error err;

		assert_hd_ok(hd_topology_build(specs[i], &bare, &err), err);
		assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
		print_message("%s: any %u, updn %u\n", specs[i], busiest(fabric, "any"),
			      busiest(fabric, "updn"));
		assert_in_range(4 * busiest(fabric, "any"), 1, 3 * busiest(fabric, "updn"));
		hd_fabric_free(fabric);
		hd_fabric_free(bare);
	}
}

static void two_parts(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	uint8_t used[4] = { 0 };
	struct hd_check_result result;
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_error err;

	for (uint32_t s = 0; s < 4; s++)
		random_graph_add(builder, HD_SWITCH, 0x1000000 + s, 3);
	random_graph_link(builder, used, 0, 1);
	random_graph_link(builder, used, 2, 3);
	random_graph_add(builder, HD_CA, 0x2000000, 1);
	assert_hd_ok(hd_builder_link(builder, 4, 1, 0, 2, &err), err);
	fabric = random_graph_finish(builder);
	tables = route_any(fabric, "1", 0);
	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	/* the other part has no LIDs */
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	assert_int_equal(result.n_witness, 0);
	hd_check_clear(&result);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs),   cmocka_unit_test(as_before),
		cmocka_unit_test(degraded_shapes), cmocka_unit_test(less_than_updn),
		cmocka_unit_test(two_parts),
	};

	return cmocka_run_group_tests_name("any", tests, NULL, NULL);
}
