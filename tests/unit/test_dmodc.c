// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * dmodc: shift permutations free of contention on intact trees, all-pairs load at its bound, sound
 * on whatever is left of a tree, and what a failed cable changes.
 */
#include "tests/unit/dragonfly_case.h"

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/proof.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/fat_tree.h"

static struct hd_tables *route(const struct hd_fabric *fabric)
{
	struct hd_route_request request = { .max_vls = 1 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find("dmodc"), fabric, &request, &tables, &err), err);
	return tables;
}

/* Sound with all traffic, switches' own included, on one VL. */
static void assert_one_lane(const struct hd_tables *tables, const char *what)
{
	const struct hd_check_result result = assert_sound(tables, what);

	assert_int_equal(result.vls, 1);
	assert_int_equal(result.sls, 1);
}

/* Ports of end nodes along the tree: leaf by leaf, there by port. */
static uint32_t *hosts_along(const struct hd_fabric *fabric, uint32_t *n)
{
	uint32_t *hosts = malloc(fabric->n_ports * sizeof(*hosts));
	struct hd_fat_tree *tree;
	struct hd_error err;

	assert_non_null(hosts);
	assert_hd_ok(hd_fat_tree_recognise(fabric, &tree, &err), err);
	*n = 0;
	for (uint32_t i = 0; i < tree->n_at[0]; i++)
		hd_for_each_number(number, fabric, tree->order[i]) {
			uint32_t peer =
				fabric->ports[hd_port_index(fabric, tree->order[i], number)].peer;

			if (peer != HD_NONE && fabric->ports[peer].node >= fabric->n_switches)
				hosts[(*n)++] = peer;
		}
	hd_fat_tree_free(tree);
	return hosts;
}

/* Adds the flow from host port @from to @to; returns the most on a link between switches. */
static uint32_t add_flow(const struct hd_tables *tables, uint32_t from, uint32_t to, uint32_t *load)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t s = fabric->ports[fabric->ports[from].peer].node, most = 0;

	for (unsigned hops = 0; hops < 16; hops++) {
		uint32_t port = hd_port_index(fabric, s, hd_lft(tables, s)[fabric->ports[to].lid]);
		uint32_t peer = fabric->ports[port].peer;

		if (peer == to)
			return most;
		assert_int_not_equal(peer, HD_NONE);
		s = fabric->ports[peer].node;
		assert_true(s < fabric->n_switches);
		if (++load[port] > most)
			most = load[port];
	}
	fail_msg("a flow does not arrive");
	return 0;
}

static void assert_shifts(const struct hd_tables *tables, const uint32_t *hosts, uint32_t n,
			  uint32_t step, const char *what)
{
	uint32_t *load = malloc(tables->fabric->n_ports * sizeof(*load));

	assert_non_null(load);
	for (uint32_t shift = step; shift < n; shift += step) {
		memset(load, 0, tables->fabric->n_ports * sizeof(*load));
		for (uint32_t i = 0; i < n; i++)
			if (add_flow(tables, hosts[i], hosts[(i + shift) % n], load) > 1)
				fail_msg("%s: two flows on a link at shift %u", what,
					 (unsigned)shift);
	}
	free(load);
}

static void shifts_have_no_contention(void **state)
{
	static const char *const specs[] = { "tree:k=8,n=3", "tree:k=24,n=2", "tree:k=3,n=4",
					     "pgft:m=6x6x4,w=1x6x6", "pgft:m=8x6,w=1x4,p=1x2" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			struct hd_fabric *bare = make(specs[i]);
			/* other GUIDs and ports, but for the first */
			struct hd_fabric *copy = shuffled_copy(bare, seed, NULL, NULL);
			struct hd_fabric *fabric = with_lids(seed ? copy : bare, 0);
			struct hd_tables *tables = route(fabric);
			uint32_t n, *hosts = hosts_along(fabric, &n);

			assert_shifts(tables, hosts, n, 1, specs[i]);
			assert_one_lane(tables, specs[i]);
			free(hosts);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
			hd_fabric_free(seed ? bare : copy);
		}
}

/* Adapters of the same rail, host by host; and all adapters, in the order of hosts. */
static void rails(void **state)
{
	struct hd_fabric *fabric = with_lids(make("pgft:m=8x16,w=1x8,rails=8"), 0);
	struct hd_tables *tables = route(fabric);
	uint32_t hosts[128];

	(void)state;
	for (uint32_t i = 0; i < 128; i++)
		hosts[i] = hd_port_index(fabric, fabric->n_switches + i, 1);
	assert_shifts(tables, hosts, 128, 8, "rails");
	assert_one_lane(tables, "rails");
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* All links from one level to the next carry the same, which is the least that they can. */
static void load_is_at_its_bound(void **state)
{
	static const struct {
		const char *spec;
		unsigned lmc;
		uint32_t up[3]; /* by level */
	} trees[] = {
		/* a leaf has k hosts and k links up: each carries a host's flows to all others' */
		{ "tree:k=8,n=3", 0, { 512 - 8, 512 - 64 } },
		{ "tree:k=24,n=2", 0, { 576 - 24 } },
		{ "tree:k=4,n=4", 1, { 256 - 4, 256 - 16, 256 - 64 } },
		{ "pgft:m=18x6,w=1x3,p=1x3", 0, { 2 * (108 - 18) } },
		{ "pgft:m=8x4x4,w=1x4x2", 0, { 2 * (128 - 8), 4 * (128 - 32) } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct hd_fabric *fabric = with_lids(make(trees[i].spec), trees[i].lmc);
		struct hd_tables *tables = route(fabric);
		struct hd_fat_tree *tree;
		struct hd_load load;
		struct hd_error err;

		assert_hd_ok(hd_fat_tree_recognise(fabric, &tree, &err), err);
		assert_hd_ok(hd_load_compute(tables, &load, &err), err);
		assert_int_equal(load.n_lost, 0);
		hd_for_each_switch(s, fabric)
			hd_for_each_number(number, fabric, s) {
				uint32_t peer = hd_peer_node(fabric, s, number);
				unsigned level;

				if (peer >= fabric->n_switches)
					continue;
				level = tree->level[s] < tree->level[peer] ? tree->level[s]
									   : tree->level[peer];
				if (hd_load_port(&load, hd_port_index(fabric, s, number)) !=
				    trees[i].up[level])
					fail_msg("%s: %u flows", trees[i].spec,
						 (unsigned)hd_load_port(
							 &load, hd_port_index(fabric, s, number)));
			}
		assert_one_lane(tables, trees[i].spec);
		hd_load_clear(&load);
		hd_fat_tree_free(tree);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static struct hd_fabric *damaged(const struct hd_fabric *fabric, struct hd_random *random,
				 uint32_t n_cables, uint32_t n_switches)
{
	uint32_t n_links, *links = switch_links(fabric, &n_links);
	uint32_t switches[4];
	struct hd_fabric *less;
	struct hd_error err;

	for (uint32_t i = 0; i < n_cables; i++) {
		uint32_t other = i + hd_random_below(random, n_links - i), link = links[i];

		links[i] = links[other];
		links[other] = link;
	}
	/* switches that are no leaves */
	for (uint32_t i = 0; i < n_switches; i++)
		switches[i] = fabric->n_switches - 1 - (uint32_t)i * 2;
	assert_hd_ok(hd_fabric_without(fabric, links, n_cables, switches, n_switches, &less, &err),
		     err);
	free(links);
	return less;
}

/* Whatever fails, as long as all is connected. */
static void degraded_trees_are_sound(void **state)
{
	static const char *const specs[] = { "tree:k=4,n=2",
					     "tree:k=4,n=3",
					     "tree:k=6,n=3",
					     "tree:k=2,n=4",
					     "pgft:m=12x8,w=1x4,p=1x2",
					     "pgft:m=4x3x5,w=1x3x2,p=1x2x3",
					     "pgft:m=8x16,w=1x6,rails=8" };
	struct hd_random random;
	unsigned n_routed = 0, n_refused = 0;

	(void)state;
	hd_random_init(&random, 11, 0);
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = make(specs[i]);
		uint32_t n_links, *links = switch_links(fabric, &n_links);

		free(links);
		for (uint64_t seed = 0; seed < 24; seed++) {
			struct hd_fabric *less =
				damaged(fabric, &random, 1 + hd_random_below(&random, n_links / 5),
					(uint32_t)(seed % 3));
			struct hd_fabric *copy = shuffled_copy(less, seed, NULL, NULL);
			struct hd_fabric *lids = with_lids(copy, seed % 4 == 3);
			struct hd_route_request request = { .max_vls = 1 };
			struct hd_tables *tables;
			struct hd_error err;
			int ret = hd_route(hd_engine_find("dmodc"), lids, &request, &tables, &err);

			if (ret) {
				assert_int_equal(ret, HD_EREFUSED);
				n_refused++;
			} else {
				assert_one_lane(tables, specs[i]);
				hd_tables_free(tables);
				n_routed++;
			}
			hd_fabric_free(lids);
			hd_fabric_free(less);
		}
		hd_fabric_free(fabric);
	}
	/* those that fall apart, and that are no trees any more */
	assert_true(n_routed > 100);
	assert_true(n_refused < 40);
}

/*
 * On an intact tree, entries to hosts change where the way led by the failed cable, and nowhere
 * else.
 */
static void a_failed_cable_changes_what_used_it(void **state)
{
	struct hd_fabric *fabric = with_lids(make("tree:k=6,n=3"), 0);
	struct hd_tables *before = route(fabric);
	uint32_t n_links, *links = switch_links(fabric, &n_links);
	uint64_t n_used = 0, n_changed = 0, n_others = 0, n_entries = 0;

	(void)state;
	for (uint32_t i = 0; i < n_links; i += 5) {
		const struct hd_port *port = &fabric->ports[links[i]];
		const struct hd_port *peer = &fabric->ports[port->peer];
		struct hd_fabric *less;
		struct hd_tables *after;
		struct hd_error err;

		assert_hd_ok(hd_fabric_without(fabric, &links[i], 1, NULL, 0, &less, &err), err);
		after = route(less);
		assert_one_lane(after, "a cable less");
		hd_for_each_switch(s, fabric)
			hd_for_each_end_node(h, fabric) {
				uint16_t lid = fabric->ports[hd_port_index(fabric, h, 1)].lid;
				uint8_t out = hd_lft(before, s)[lid];
				uint32_t at = s;
				bool is_used = false, is_changed = hd_lft(after, s)[lid] != out;

				while (at < fabric->n_switches) {
					uint32_t p =
						hd_port_index(fabric, at, hd_lft(before, at)[lid]);

					is_used |= &fabric->ports[p] == port ||
						   &fabric->ports[p] == peer;
					at = fabric->ports[fabric->ports[p].peer].node;
				}
				n_entries++;
				n_used += is_used;
				n_changed += is_changed;
				n_others += is_changed && !is_used;
			}
		hd_tables_free(after);
		hd_fabric_free(less);
	}
	if (n_others || n_changed > n_used)
		fail_msg("%llu of %llu entries change, %llu used the cable, %llu others change",
			 (unsigned long long)n_changed, (unsigned long long)n_entries,
			 (unsigned long long)n_used, (unsigned long long)n_others);
	free(links);
	hd_tables_free(before);
	hd_fabric_free(fabric);
}

static void refuses(const struct hd_fabric *fabric, const char *says)
{
	struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err = { 0 };

	assert_int_equal(hd_route(hd_engine_find("dmodc"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_null(tables);
	assert_hd_says(err, says);
}

static void what_is_no_tree_is_refused(void **state)
{
	static const struct {
		const char *spec, *says;
	} shapes[] = {
		{ "dragonfly:a=4,p=2,h=2", "not a fat tree: the switches have no levels" },
		{ "torus:4x4", "not a fat tree: the switches have no levels" },
		{ "kns:k=4,n=2", "pairs of leaf switches have no path up and down" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = with_lids(make(shapes[i].spec), 0);

		refuses(fabric, shapes[i].says);
		hd_fabric_free(fabric);
	}
}

static void parts_are_refused_by_name(void **state)
{
	struct hd_fabric *fabric = make("pgft:m=4x24,w=1x2");
	uint32_t links[2] = { hd_port_index(fabric, 3, 5), hd_port_index(fabric, 3, 6) };
	struct hd_fabric *less;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_fabric_without(fabric, links, 2, NULL, 0, &less, &err), err);
	less = with_lids(less, 0);
	refuses(less, "in parts: no path leads from switch L0S00 to switch L0S03");
	hd_fabric_free(less);
	hd_fabric_free(fabric);
}

/* A single switch, and one level. */
static void one_switch(void **state)
{
	struct hd_fabric *fabric = with_lids(make("tree:k=5,n=1"), 1);
	struct hd_tables *tables = route(fabric);

	(void)state;
	assert_one_lane(tables, "one switch");
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shifts_have_no_contention),
		cmocka_unit_test(rails),
		cmocka_unit_test(load_is_at_its_bound),
		cmocka_unit_test(degraded_trees_are_sound),
		cmocka_unit_test(a_failed_cable_changes_what_used_it),
		cmocka_unit_test(what_is_no_tree_is_refused),
		cmocka_unit_test(parts_are_refused_by_name),
		cmocka_unit_test(one_switch),
	};

	return cmocka_run_group_tests_name("dmodc", tests, NULL, NULL);
}
