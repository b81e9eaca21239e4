// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Evening out: the busiest link has less, routes stay sound and get no longer. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "engines/busiest.h"
#include "engines/engine.h"
#include "engines/even.h"
#include "engines/way_columns.h"
#include "support/error.h"
#include "tests/unit/proof.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/spec_fabric.h"

static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine)
{
	const struct hd_route_request request = { .max_vls = 1 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

static uint64_t busiest_of(const struct hd_tables *tables)
{
	struct hd_error err;
	uint64_t busiest;

	assert_hd_ok(hd_busiest_link(tables, &busiest, &err), err);
	return busiest;
}

static uint64_t bound_of(const struct hd_fabric *fabric)
{
	struct hd_error err;
	uint64_t bound;
	double hops;

	assert_hd_ok(hd_busiest_link_bound(fabric, &bound, &hops, &err), err);
	return bound;
}

/* Links of all ways together. */
static uint64_t total_length(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint64_t sum = 0;

	hd_for_each_lid(lid, fabric) {
		const uint32_t last = fabric->lids[lid].via_switch;

		if (last == HD_NONE)
			continue;
		hd_for_each_switch(s, fabric)
			for (uint32_t at = s; at != last; sum++)
				at = hd_peer_node(fabric, at, hd_lft(tables, at)[lid]);
	}
	return sum;
}

/* Returns the flows of the busiest link before, and afterwards in @after. */
static uint64_t even_out(struct hd_tables *tables, uint64_t *after)
{
	const struct hd_even_request request = { 0 };
	const uint64_t before = busiest_of(tables);
	struct hd_route_targets targets;
	struct hd_error err;
	uint64_t said;

	assert_hd_ok(hd_route_targets_list(tables->fabric, &targets, &err), err);
	assert_hd_ok(hd_even_out(tables, &targets, &request, &said, &err), err);
	hd_route_targets_free(&targets);
	*after = busiest_of(tables);
	/* of the LIDs at every offset, where only base LIDs are counted here */
	assert_true(said >= *after);
	return before;
}

static void check(const struct hd_fabric *fabric, const char *engine, const char *what,
		  unsigned *n_better)
{
	struct hd_tables *tables = route(fabric, engine);
	const uint64_t length = total_length(tables);
	uint64_t before, after;

	before = even_out(tables, &after);
	assert_sound(tables, what);
	assert_true(total_length(tables) <= length);
	/* a fortieth at least, or nothing */
	assert_true(after == before || 40 * after <= 39 * before + 40);
	assert_true(after >= bound_of(fabric));
	*n_better += after < before;
	hd_tables_free(tables);
}

static void random_graphs(void **state)
{
	unsigned n_better = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 150; seed++) {
		struct hd_fabric *fabric = random_graph(seed);

		check(fabric, "updn", "a random graph", &n_better);
		hd_fabric_free(fabric);
	}
	assert_true(n_better > 10);
}

static void shapes(void **state)
{
	static const char *const specs[] = {
		"director:lines=12x9,spines=6,down=6,uplinks=5,hosts=6",
		"director:lines=12,spines=6,down=6,uplinks=6x3x1,hosts=6,aggregation=yes",
		"director:lines=12,spines=6,down=12,edges=12,uplinks=5,hosts=6,direct=4",
		"pgft:m=4x4x5,w=1x7x3,p=1x3x2",
		"torus:6x6",
		"dragonfly:a=4,p=2,h=2",
	};
	unsigned n_better = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned lmc = 0; lmc < 2; lmc++) {
			struct hd_fabric *fabric = build_fabric(specs[i], lmc);

			check(fabric, "updn", specs[i], &n_better);
			hd_fabric_free(fabric);
		}
	assert_true(n_better >= 8);
}

/* The flows of the busiest link after a search that may end at @enough. */
static uint64_t even_out_to(const struct hd_fabric *fabric, uint64_t enough)
{
	struct hd_tables *tables = route(fabric, "updn");
	const struct hd_even_request request = { .enough = enough };
	struct hd_route_targets targets;
	struct hd_error err;
	uint64_t busiest;

	assert_hd_ok(hd_route_targets_list(fabric, &targets, &err), err);
	assert_hd_ok(hd_even_out(tables, &targets, &request, &busiest, &err), err);
	assert_sound(tables, "a search that ends early");
	assert_int_equal(busiest, busiest_of(tables));
	hd_route_targets_free(&targets);
	hd_tables_free(tables);
	return busiest;
}

/* A search that may end early says of the busiest link what one to the end says. */
static void enough_is_enough(void **state)
{
	unsigned n_early = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct hd_fabric *fabric = random_graph(seed);
		const uint64_t least = even_out_to(fabric, 0);

		for (uint64_t enough = least * 9 / 10; enough <= least * 3 / 2;
		     enough += least / 20 + 1) {
			const uint64_t busiest = even_out_to(fabric, enough);

			assert_int_equal(busiest <= enough, least <= enough);
			assert_true(busiest >= least);
			assert_true(busiest == least || busiest <= enough);
			n_early += busiest > least;
		}
		hd_fabric_free(fabric);
	}
	assert_true(n_early > 10);
}

/* Where all links share flows as they should, no entry moves. */
static void what_is_even_stays(void **state)
{
	static const char *const specs[] = { "tree:k=4,n=3", "pgft:m=6x6x4,w=1x6x6",
					     "tree:k=6,n=2" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		struct hd_tables *tables = route(fabric, "dmodc"), *same = route(fabric, "dmodc");
		uint64_t after;

		even_out(tables, &after);
		assert_memory_equal(tables->lft, same->lft,
				    fabric->n_switches * tables->lft_stride);
		hd_tables_free(tables);
		hd_tables_free(same);
		hd_fabric_free(fabric);
	}
}

/* Switches that packets do not arrive from, and routes with a cycle, are left alone. */
static void what_is_not_whole_stays(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=4,n=2", 0);
	struct hd_tables *tables = route(fabric, "dmodc");
	const struct hd_even_request request = { 0 };
	struct hd_route_targets targets;
	struct hd_error err;
	uint64_t busiest = 1;

	(void)state;
	hd_lft(tables, 0)[fabric->ports[hd_port_index(fabric, fabric->n_nodes - 1, 1)].lid] =
		HD_NO_PATH;
	assert_hd_ok(hd_route_targets_list(fabric, &targets, &err), err);
	assert_hd_ok(hd_even_out(tables, &targets, &request, &busiest, &err), err);
	assert_int_equal(busiest, 0);
	hd_route_targets_free(&targets);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void assert_as_the_lfts(struct hd_way_columns *columns, const struct hd_route_target *target)
{
	const struct hd_fabric *fabric = columns->tables->fabric;
	const struct hd_way_column *column = hd_way_column_read(columns, target);

	assert_non_null(column);
	hd_for_each_switch(s, fabric)
		if (s != column->last)
			assert_int_equal(columns->graph->port[column->out[s]],
					 hd_lft(columns->tables, s)[target->lid]);
}

/*
 * LFTs of more than 1 MiB, of which blocks of LIDs are copied, and entries are written meanwhile.
 */
static void columns_are_as_the_lfts(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=16,n=3", 0);
	struct hd_tables *tables = route(fabric, "minhop");
	uint32_t *sources = calloc(fabric->n_switches, sizeof(*sources));
	struct hd_route_targets targets;
	struct hd_way_columns columns;
	struct hd_turn_graph graph;
	struct hd_error err;

	(void)state;
	assert_true(fabric->n_switches * tables->lft_stride > 1 << 20);
	assert_hd_ok(hd_turn_graph_init(&graph, fabric, &err), err);
	assert_hd_ok(hd_route_targets_list(fabric, &targets, &err), err);
	assert_hd_ok(hd_way_columns_init(&columns, tables, &graph, &targets, sources, &err), err);
	assert_false(columns.are_kept);
	for (size_t i = 0; i < 40; i++)
		assert_as_the_lfts(&columns, &targets.list[i]);
	/* blocks are copied, whatever the order; what is written then is read */
	for (size_t i = 0; i < 40; i++) {
		const struct hd_route_target *target = &targets.list[i];
		const uint32_t s = target->via_switch ? 0 : 1;

		assert_as_the_lfts(&columns, target);
		hd_way_columns_write(&columns, s, target->lid, graph.port[graph.first[s]]);
		assert_as_the_lfts(&columns, target);
	}
	/* what is written otherwise is read where that is said */
	hd_lft(tables, 2)[targets.list[0].lid] = graph.port[graph.first[2] + 1];
	hd_way_column_forget(&columns, &targets.list[0]);
	assert_as_the_lfts(&columns, &targets.list[0]);
	assert_as_the_lfts(&columns, &targets.list[0]);
	hd_lft(tables, 3)[targets.list[0].lid] = HD_NO_PATH;
	hd_way_column_forget(&columns, &targets.list[0]);
	assert_null(hd_way_column_read(&columns, &targets.list[0]));
	hd_way_columns_clear(&columns);
	hd_route_targets_free(&targets);
	hd_turn_graph_clear(&graph);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	free(sources);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs),
		cmocka_unit_test(shapes),
		cmocka_unit_test(enough_is_enough),
		cmocka_unit_test(what_is_even_stays),
		cmocka_unit_test(what_is_not_whole_stays),
		cmocka_unit_test(columns_are_as_the_lfts),
	};

	return cmocka_run_group_tests_name("even", tests, NULL, NULL);
}
