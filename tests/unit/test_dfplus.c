// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dragonfly+: what the builder makes, what is recognised and what is not, and engine dfplus: loads,
 * lanes, any SL, LIDs through other groups, and whatever is left of the shape.
 */
#include "tests/unit/dragonfly_case.h"

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "support/options.h"
#include "support/random.h"
#include "tests/unit/proof.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/dragonfly_plus.h"

static struct hd_dragonfly_plus *recognise_plus(const struct hd_fabric *fabric)
{
	struct hd_dragonfly_plus *plus;
	struct hd_error err;

	assert_hd_ok(hd_dragonfly_plus_recognise(fabric, &plus, &err), err);
	return plus;
}

static int try_route(const struct hd_fabric *fabric, const char *option, const char *value,
		     struct hd_tables **tables, struct hd_error *err)
{
	const struct hd_engine *engine = hd_engine_find("dfplus");
	struct hd_params *params = hd_params_new(engine->policy.options);
	struct hd_route_request request = { .params = params };
	int ret;

	assert_hd_ok(hd_params_set(params, "dfplus", option, value, err), *err);
	ret = hd_route(engine, fabric, &request, tables, err);
	hd_params_free(params);
	return ret;
}

static struct hd_tables *route_with(const struct hd_fabric *fabric, const char *option,
				    const char *value)
{
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(try_route(fabric, option, value, &tables, &err), err);
	return tables;
}

static struct hd_tables *route(const struct hd_fabric *fabric, const char *minimal)
{
	return route_with(fabric, "minimal", minimal);
}

/* Sound with all traffic, switches' own included; returns the VLs in use. */
static unsigned prove(const struct hd_tables *tables, bool all_sls, const char *what)
{
	const struct hd_check_options options = { .all_sls = all_sls };

	return assert_sound_by(tables, &options, what).vls;
}

/* leaves, spines, hosts, h, g, trunk */
static const struct {
	const char *spec;
	uint32_t leaves, spines, hosts, h, g, trunk;
} shapes[] = {
	{ "dragonflyplus:leaves=4", 4, 4, 4, 4, 17, 1 },
	{ "dragonflyplus:leaves=4,g=5", 4, 4, 4, 4, 5, 1 },
	{ "dragonflyplus:leaves=3,spines=2,hosts=5,h=3,g=4", 3, 2, 5, 3, 4, 1 },
	{ "dragonflyplus:leaves=2,spines=3,hosts=2,h=2,g=4,trunk=2", 2, 3, 2, 2, 4, 2 },
	{ "dragonflyplus:leaves=5,spines=2,hosts=1,h=1,g=3,global=consecutive", 5, 2, 1, 1, 3, 1 },
	{ "dragonflyplus:leaves=4,global=random(7)", 4, 4, 4, 4, 17, 1 },
};
#define N_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static void builds_what_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		const uint32_t a = shapes[i].leaves + shapes[i].spines;
		struct hd_fabric *fabric = make(shapes[i].spec);
		uint32_t n_links, *links = switch_links(fabric, &n_links), n_global = 0;

		assert_int_equal(fabric->n_switches, shapes[i].g * a);
		assert_int_equal(fabric->n_nodes - fabric->n_switches,
				 shapes[i].g * shapes[i].leaves * shapes[i].hosts);
		for (uint32_t k = 0; k < n_links; k++) {
			const struct hd_port *port = &fabric->ports[links[k]];
			uint32_t s = port->node, t = fabric->ports[port->peer].node;
			bool is_spine = s % a >= shapes[i].leaves;

			/* leaves with spines of their group, spines with spines of others */
			if (s / a == t / a) {
				assert_int_not_equal(is_spine, t % a >= shapes[i].leaves);
			} else {
				assert_true(is_spine && t % a >= shapes[i].leaves);
				n_global++;
			}
		}
		assert_int_equal(n_links - n_global,
				 shapes[i].g * shapes[i].leaves * shapes[i].spines);
		/* no port is left where the numbers divide */
		if (shapes[i].spines * shapes[i].h % (shapes[i].g - 1) == 0)
			assert_int_equal(n_global, shapes[i].g * shapes[i].spines * shapes[i].h *
							   shapes[i].trunk / 2);
		free(links);
		hd_fabric_free(fabric);
	}
}

static void refuses_what_cannot_be_built(void **state)
{
	static const char *const specs[][2] = {
		{ "dragonflyplus:leaves=4,g=18", "is the most that can be linked" },
		{ "dragonflyplus:leaves=0", "leaves" },
		{ "dragonflyplus:leaves=200,spines=100,h=200", "ports on a switch" },
		{ "dragonflyplus:leaves=4,global=round", "is not palmtree" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric;
		struct hd_error err = { 0 };

		assert_int_not_equal(hd_topology_build(specs[i][0], &fabric, &err), 0);
		if (!strstr(err.text, specs[i][1]))
			fail_msg("%s: %s", specs[i][0], err.text);
	}
}

static void recognises_what_is_shuffled(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++)
		for (uint64_t seed = 0; seed < 4; seed++) {
			const uint32_t a = shapes[i].leaves + shapes[i].spines;
			struct hd_fabric *fabric = make(shapes[i].spec);
			uint32_t *node_of = malloc(fabric->n_nodes * sizeof(*node_of));
			struct hd_fabric *copy;
			struct hd_dragonfly_plus *plus;

			assert_non_null(node_of);
			copy = shuffled_copy(fabric, seed, node_of, NULL);
			plus = recognise_plus(copy);
			assert_true(hd_dragonfly_plus_is_perfect(plus));
			assert_int_equal(plus->n_groups, shapes[i].g);
			assert_int_equal(plus->leaves, shapes[i].leaves);
			assert_int_equal(plus->spines, shapes[i].spines);
			assert_int_equal(plus->hosts, shapes[i].hosts);
			for (uint32_t s = 0; s < fabric->n_switches; s++) {
				assert_int_equal(plus->is_spine[node_of[s]],
						 s % a >= shapes[i].leaves);
				assert_int_equal(plus->group[node_of[s]],
						 plus->group[node_of[s / a * a]]);
			}
			hd_dragonfly_plus_free(plus);
			free(node_of);
			hd_fabric_free(copy);
			hd_fabric_free(fabric);
		}
}

static void recognises_nothing_else(void **state)
{
	static const char *const specs[] = { "dragonfly:a=4,p=2,h=2", "tree:k=4,n=2",
					     "tree:k=4,n=3",          "torus:4x4",
					     "kns:k=4,n=2",           "hyperx:4x4",
					     "pgft:m=4x4x3,w=1x4x2",  "mesh:2x2" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = make(specs[i]);
		struct hd_dragonfly_plus *plus;
		struct hd_error err = { 0 };

		if (hd_dragonfly_plus_recognise(fabric, &plus, &err) != HD_EREFUSED)
			fail_msg("%s is none", specs[i]);
		assert_null(plus);
		assert_non_null(strstr(err.text, "not a Dragonfly+"));
		hd_fabric_free(fabric);
	}
}

/* The flows on links of each kind; all links of one kind carry the same. */
static void load_is_even(void **state)
{
	static const struct {
		const char *spec;
		unsigned lmc;
		uint32_t global, local[2]; /* flows; local: least and most */
	} cases[] = {
		/* 16 hosts of a group to 16 of another over one link; up, 4 hosts to all others' */
		{ "dragonflyplus:leaves=4", 0, 256, { 256 + 12, 256 + 12 } },
		/* the same over four links; up, 4 hosts to 4 groups' 16 each by 4 spines, and more
		   within */
		{ "dragonflyplus:leaves=4,g=5", 0, 64, { 76, 76 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = with_lids(make(cases[i].spec), cases[i].lmc);
		struct hd_dragonfly_plus *plus = recognise_plus(fabric);
		struct hd_tables *tables = route(fabric, "on");
		struct hd_load load;
		struct hd_error err;

		assert_hd_ok(hd_load_compute(tables, &load, &err), err);
		assert_int_equal(load.n_lost, 0);
		hd_for_each_switch(s, fabric)
			hd_for_each_number(number, fabric, s) {
				uint32_t port = hd_port_index(fabric, s, number);
				uint64_t flows = hd_load_port(&load, port);

				if (plus->port_class[port] == HD_PORT_GLOBAL)
					assert_int_equal(flows, cases[i].global);
				if (plus->port_class[port] == HD_PORT_LOCAL)
					assert_true(flows >= cases[i].local[0] &&
						    flows <= cases[i].local[1]);
			}
		hd_load_clear(&load);
		hd_tables_free(tables);
		hd_dragonfly_plus_free(plus);
		hd_fabric_free(fabric);
	}
}

static void sound_with_any_sl(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++)
		for (uint64_t seed = 0; seed < 2; seed++) {
			struct hd_fabric *bare = make(shapes[i].spec);
			struct hd_fabric *fabric =
				with_lids(shuffled_copy(bare, seed, NULL, NULL), 0);
			struct hd_tables *tables = route(fabric, "on");

			assert_int_equal(prove(tables, true, shapes[i].spec), 2);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
			hd_fabric_free(bare);
		}
}

/* All choices with a detour by another group, with what switches repair; LFTs are those without. */
static void sets_with_detours_are_sound(void **state)
{
	const struct hd_check_options options = { .all_sls = true, .local_repair = 2 };

	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++)
		for (uint64_t seed = 0; seed < 2; seed++) {
			struct hd_fabric *bare = make(shapes[i].spec);
			struct hd_fabric *fabric =
				with_lids(shuffled_copy(bare, seed, NULL, NULL), (unsigned)seed);
			struct hd_tables *tables = route_with(fabric, "ar", "valiant");
			struct hd_tables *plain = route(fabric, "on");
			const struct hd_check_result result =
				assert_sound_by(tables, &options, shapes[i].spec);

			assert_int_equal(result.vls, 2);
			assert_in_range(result.max_hops, 5, 7);
			assert_memory_equal(tables->lft, plain->lft,
					    fabric->n_switches * tables->lft_stride);
			hd_tables_free(plain);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
			hd_fabric_free(bare);
		}
}

/* The same without any one link, of one kind after another. */
static void sets_with_detours_lack_a_link(void **state)
{
	struct hd_fabric *fabric = make("dragonflyplus:leaves=3,spines=2,hosts=1,h=3,g=4");
	uint32_t n_links, *links = switch_links(fabric, &n_links);

	(void)state;
	for (uint32_t i = 0; i < n_links; i++) {
		struct hd_error err;
		struct hd_fabric *less;
		struct hd_tables *tables;

		assert_hd_ok(hd_fabric_without(fabric, &links[i], 1, NULL, 0, &less, &err), err);
		less = with_lids(less, 0);
		tables = route_with(less, "ar", "valiant");
		assert_int_equal(prove(tables, true, "without a link"), 2);
		hd_tables_free(tables);
		hd_fabric_free(less);
	}
	free(links);
	hd_fabric_free(fabric);
}

/* Links between groups that the packet from @source to LID @to passes. */
static unsigned count_globals(const struct hd_tables *tables, const struct hd_dragonfly_plus *plus,
			      uint32_t source, uint16_t to)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t s = fabric->ports[fabric->ports[source].peer].node;
	unsigned n = 0;

	for (unsigned hops = 0; hops < 16; hops++) {
		uint32_t port = hd_port_index(fabric, s, hd_lft(tables, s)[to]);

		n += plus->port_class[port] == HD_PORT_GLOBAL;
		s = fabric->ports[fabric->ports[port].peer].node;
		if (s >= fabric->n_switches)
			return n;
	}
	fail_msg("a flow does not arrive");
	return 0;
}

/* First LIDs are reached minimally unless they are not to be, others through another group. */
static void lids_go_through_other_groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++)
		for (int minimal = 0; minimal < 2; minimal++) {
			struct hd_fabric *fabric = with_lids(make(shapes[i].spec), 2);
			struct hd_dragonfly_plus *plus = recognise_plus(fabric);
			struct hd_tables *tables = route(fabric, minimal ? "on" : "off");
			const uint32_t source = hd_port_index(fabric, fabric->n_switches, 1);
			uint32_t n[4][3] = { { 0 } };

			assert_int_equal(prove(tables, false, shapes[i].spec), 3);
			hd_for_each_end_node(h, fabric) {
				const struct hd_port *port =
					&fabric->ports[hd_port_index(fabric, h, 1)];
				uint32_t there = fabric->ports[port->peer].node;

				if (plus->group[there] == 0)
					continue;
				for (unsigned k = 0; k < 4; k++) {
					unsigned globals = count_globals(tables, plus, source,
									 (uint16_t)(port->lid + k));

					assert_in_range(globals, 1, 2);
					n[k][globals]++;
				}
			}
			/* minimal; through the source's own group it is one, too */
			assert_true(!minimal || !n[0][2]);
			for (unsigned k = (unsigned)minimal; k < 4; k++)
				assert_true(n[k][2] > (shapes[i].g > 3 ? n[k][1] : 0));
			hd_tables_free(tables);
			hd_dragonfly_plus_free(plus);
			hd_fabric_free(fabric);
		}
}

/* Whatever fails, as long as all is connected and it is a Dragonfly+ still. */
static void degraded_ones_are_sound(void **state)
{
	struct hd_random random;
	unsigned n_routed = 0, n_refused = 0, n_detours = 0;

	(void)state;
	hd_random_init(&random, 5, 0);
	for (size_t i = 0; i < N_SHAPES; i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		uint32_t n_links, *links = switch_links(fabric, &n_links);

		for (uint64_t seed = 0; seed < 20; seed++) {
			uint32_t fail[3] = { hd_random_below(&random, n_links),
					     hd_random_below(&random, n_links),
					     hd_random_below(&random, n_links) };
			uint32_t s = hd_random_below(&random, fabric->n_switches);
			struct hd_fabric *less, *whole;
			struct hd_route_request request = { 0 };
			struct hd_tables *tables;
			struct hd_error err;
			int ret;

			for (unsigned k = 0; k < 3; k++)
				fail[k] = links[fail[k]];
			if (fail[1] == fail[0])
				fail[1] = fail[2];
			assert_hd_ok(hd_fabric_without(fabric, fail, seed % 3, &s, seed % 4 == 3,
						       &less, &err),
				     err);
			whole = with_lids(less, seed % 5 == 4);
			ret = hd_route(hd_engine_find("dfplus"), whole, &request, &tables, &err);
			if (ret) {
				assert_int_equal(ret, HD_EREFUSED);
				n_refused++;
			} else {
				prove(tables, false, shapes[i].spec);
				hd_tables_free(tables);
				n_routed++;
			}
			ret = try_route(whole, "ar", "valiant", &tables, &err);
			if (ret) {
				assert_int_equal(ret, HD_EREFUSED);
			} else {
				prove(tables, true, "with detours");
				hd_tables_free(tables);
				n_detours++;
			}
			hd_fabric_free(whole);
		}
		free(links);
		hd_fabric_free(fabric);
	}
	/* small ones fall apart, or lack too much of their shape */
	if (n_routed < 90 || n_detours < 90)
		fail_msg("%u are routed, %u refused, %u with detours", n_routed, n_refused,
			 n_detours);
}

static void a_leaf_without_hosts(void **state)
{
	struct hd_fabric *fabric = make("dragonflyplus:leaves=4,g=3"), *less;
	uint32_t hosts[4];
	struct hd_error err;
	struct hd_dragonfly_plus *plus;
	struct hd_tables *tables;

	(void)state;
	/* all hosts of the first leaf are gone */
	for (uint32_t i = 0; i < 4; i++)
		hosts[i] = hd_port_index(fabric, 0, i + 1);
	assert_hd_ok(hd_fabric_without(fabric, hosts, 4, NULL, 0, &less, &err), err);
	hd_fabric_free(fabric);
	plus = recognise_plus(less);
	assert_int_equal(plus->n_groups, 3);
	assert_false(plus->is_spine[0]);
	assert_true(hd_dragonfly_plus_is_perfect(plus));
	hd_dragonfly_plus_free(plus);
	less = with_lids(less, 0);
	tables = route(less, "on");
	prove(tables, true, "a leaf without hosts");
	hd_tables_free(tables);
	hd_fabric_free(less);
}

/* A copy of @fabric, which @a switches are a group of, with @n more links of leaves of two groups. */
static struct hd_fabric *with_leaf_links(const struct hd_fabric *fabric, uint32_t a,
					 uint32_t leaves, unsigned n)
{
	const uint32_t n_groups = fabric->n_switches / a;
	struct hd_builder *builder = begin_copy(fabric, n);

	for (unsigned i = 0; i < n; i++) {
		const uint32_t group = i % n_groups, other = (group + 1 + i / n_groups) % n_groups;
		const uint32_t one = group * a + i % leaves, two = other * a + (i + 1) % leaves;

		link_copied(builder, one, fabric->nodes[one].n_ports + i + 1, two,
			    fabric->nodes[two].n_ports + i + 1);
	}
	return end_copy(builder);
}

/* Links between leaves of two groups count apart, and none of them is in the way, however many. */
static void leaves_of_two_groups_are_linked(void **state)
{
	static const unsigned numbers[] = { 1, 8, 19, 60 };
	struct hd_fabric *fabric = make("dragonflyplus:leaves=4,spines=4,hosts=2,h=2,g=9");

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct hd_fabric *bare = with_leaf_links(fabric, 8, 4, numbers[i]);
		struct hd_fabric *copy = with_lids(shuffled_copy(bare, i, NULL, NULL), 0);
		struct hd_dragonfly_plus *plus = recognise_plus(copy);
		struct hd_tables *tables = route(copy, "on");

		assert_int_equal(plus->n_odd_global, numbers[i]);
		assert_int_equal(plus->n_odd_local, 0);
		assert_int_equal(plus->n_groups, 9);
		assert_int_equal(plus->n_missing_global, 0);
		assert_false(hd_dragonfly_plus_is_perfect(plus));
		assert_int_equal(prove(tables, true, "links of leaves"), 2);
		hd_tables_free(tables);
		tables = route_with(copy, "ar", "valiant");
		assert_int_equal(prove(tables, true, "links of leaves, with detours"), 2);
		hd_tables_free(tables);
		tables = route(copy, "off");
		prove(tables, false, "links of leaves, through other groups");
		hd_tables_free(tables);
		hd_dragonfly_plus_free(plus);
		hd_fabric_free(copy);
		hd_fabric_free(bare);
	}
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_what_it_says),
		cmocka_unit_test(refuses_what_cannot_be_built),
		cmocka_unit_test(recognises_what_is_shuffled),
		cmocka_unit_test(recognises_nothing_else),
		cmocka_unit_test(load_is_even),
		cmocka_unit_test(sound_with_any_sl),
		cmocka_unit_test(sets_with_detours_are_sound),
		cmocka_unit_test(sets_with_detours_lack_a_link),
		cmocka_unit_test(lids_go_through_other_groups),
		cmocka_unit_test(degraded_ones_are_sound),
		cmocka_unit_test(a_leaf_without_hosts),
		cmocka_unit_test(leaves_of_two_groups_are_linked),
	};

	return cmocka_run_group_tests_name("dfplus", tests, NULL, NULL);
}
