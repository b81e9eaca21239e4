// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is kept of a whole fabric tells of what is left of it what a study from nothing tells. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/baseline_check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "engines/baseline_routes.h"
#include "fabric/builder.h"
#include "fabric/faults.h"
#include "fabric/link_rate.h"
#include "support/error.h"
#include "support/random.h"
#include "tables/lft_copy.h"
#include "tests/unit/same_fabric.h"
#include "tests/unit/spec_fabric.h"

/* A whole fabric, and its baseline. */
struct base {
	const struct hd_engine *engine;
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_baseline_routes routes;
	struct hd_variant_routes variant_routes;
	struct hd_baseline_check check;
	struct hd_variant_check check_now;
	uint32_t n_links;
	uint32_t *links; /* a port of each link between switches */
	unsigned n_known, n_asked;
};

static void list_links(struct base *base)
{
	const struct hd_fabric *fabric = base->fabric;

	base->links = malloc(fabric->n_ports * sizeof(*base->links));
	assert_non_null(base->links);
	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && peer > p && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node))
			base->links[base->n_links++] = p;
	}
}

/* Some links come up with one lane of four. */
static void slow_down(struct base *base)
{
	for (uint32_t i = 2; i < base->n_links; i += 5) {
		struct hd_port *port = &base->fabric->ports[base->links[i]];

		port->width = base->fabric->ports[port->peer].width = 1;
	}
}

static void begin(struct base *base, const char *spec, const char *engine, unsigned lmc)
{
	struct hd_route_request request = { .baseline = &base->routes };
	struct hd_error err;

	*base = (struct base){ .engine = hd_engine_find(engine),
			       .fabric = build_fabric(spec, lmc) };
	list_links(base);
	slow_down(base);
	assert_hd_ok(hd_route(base->engine, base->fabric, &request, &base->tables, &err), err);
	base->variant_routes.base = &base->routes;
	assert_hd_ok(hd_baseline_check_init(&base->check, base->tables, 0, &err), err);
	assert_hd_ok(hd_variant_check_init(&base->check_now, &base->check, &err), err);
}

static void end(struct base *base)
{
	hd_variant_check_clear(&base->check_now);
	hd_baseline_check_clear(&base->check);
	hd_variant_routes_clear(&base->variant_routes);
	hd_baseline_routes_clear(&base->routes);
	hd_tables_free(base->tables);
	hd_fabric_free(base->fabric);
	free(base->links);
}

/* What a check and a count from nothing say. False: the tables are not sound. */
static bool find_expected(const struct base *base, const struct hd_tables *tables,
			  struct hd_variant_result *expected)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t fastest = hd_fastest_mbps(base->fabric);
	struct hd_check_result result;
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	*expected = (struct hd_variant_result){
		.sls = result.sls,
		.vls = result.vls,
		.max_hops = result.max_hops,
	};
	hd_check_clear(&result);
	if (result.failure != HD_CHECK_SOUND)
		return false;
	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	for (uint32_t i = 0; i < base->n_links; i++)
		for (int back = 0; back < 2; back++) {
			const uint32_t p =
				back ? base->fabric->ports[base->links[i]].peer : base->links[i];

			const uint64_t flows = hd_load_by_rate(&load, base->fabric, fastest, p);

			if (flows > expected->worst_load)
				expected->worst_load = flows;
		}
	hd_load_clear(&load);
	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric)
			expected->n_changed +=
				fabric->lids[lid].port != HD_NONE &&
				hd_lft(tables, s)[lid] != hd_lft(base->tables, s)[lid];
	return true;
}

/* Asks the baseline about @tables. */
static void ask(struct base *base, const struct hd_tables *tables)
{
	struct hd_variant_result expected, result;
	const bool is_sound = find_expected(base, tables, &expected);
	struct hd_error err;
	bool is_known;

	base->check_now.tries = (struct hd_variant_tries){ 0 }; /* to be asked every time */
	assert_hd_ok(hd_variant_check_tell(&base->check, &base->check_now, tables, &result,
					   &is_known, &err),
		     err);
	if (is_known) {
		assert_true(is_sound);
		assert_int_equal(result.sls, expected.sls);
		assert_int_equal(result.vls, expected.vls);
		assert_int_equal(result.max_hops, expected.max_hops);
		assert_int_equal(result.worst_load, expected.worst_load);
		assert_int_equal(result.n_changed, expected.n_changed);
	}
	base->n_asked += is_sound;
	base->n_known += is_known;
}

static void assert_same(const struct hd_tables *a, const struct hd_tables *b)
{
	const struct hd_fabric *fabric = a->fabric;

	assert_memory_equal(a->lft, b->lft, fabric->n_switches * a->lft_stride);
	assert_memory_equal(a->sl2vl, b->sl2vl,
			    a->sl2vl_first[fabric->n_nodes] * sizeof(*a->sl2vl));
	assert_int_equal(a->n_sl_rows, b->n_sl_rows);
	assert_memory_equal(a->sl_rows, b->sl_rows, a->n_sl_rows * a->lft_stride);
	assert_memory_equal(a->sl_row_of_port, b->sl_row_of_port,
			    fabric->n_ports * sizeof(*a->sl_row_of_port));
}

/* Routes without @n links by the baseline and from nothing; NULL: refused, with the same reason. */
static struct hd_tables *route_without(struct base *base, const uint32_t *links, size_t n,
				       struct hd_fabric **rest)
{
	struct hd_route_request request = { 0 };
	struct hd_tables *fresh, *tables;
	struct hd_error err, reason;
	int ret;

	assert_hd_ok(hd_fabric_without(base->fabric, links, n, NULL, 0, rest, &err), err);
	ret = hd_route(base->engine, *rest, &request, &fresh, &reason);
	base->variant_routes.tries = (struct hd_variant_tries){ 0 };
	request.variant = &base->variant_routes;
	assert_int_equal(hd_route(base->engine, *rest, &request, &tables, &err), ret);
	if (ret) {
		assert_string_equal(err.text, reason.text);
		return NULL;
	}
	assert_same(fresh, tables);
	hd_tables_free(fresh);
	return tables;
}

static void try_links(struct base *base, const uint32_t *links, size_t n)
{
	struct hd_fabric *rest;
	struct hd_tables *tables = route_without(base, links, n, &rest);

	if (tables)
		ask(base, tables);
	hd_tables_free(tables);
	hd_fabric_free(rest);
}

/* The copy without links between switches is what a builder makes of the rest. */
static void fabrics_are_copied(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=3,p=2,h=1", 1);
	bool *without = calloc(fabric->n_ports, sizeof(*without));
	uint32_t ports[4], n, *lost = malloc(fabric->n_ports * sizeof(*lost));
	struct hd_fabric *copy, *built;
	struct hd_builder *builder;
	struct hd_error err;

	assert_true(without && lost);
	n = 0;
	hd_for_each_port(p, fabric)
		if (n < 2 && hd_is_switch(fabric, fabric->ports[p].node) &&
		    fabric->ports[p].peer < hd_port_index(fabric, fabric->n_switches, 0)) {
			ports[n++] = p;
			without[p] = true;
		}
	ports[2] = ports[0]; /* listed twice, by either end */
	ports[3] = fabric->ports[ports[1]].peer;
	assert_hd_ok(hd_fabric_without(fabric, ports, 4, NULL, 0, &copy, &err), err);
	assert_hd_ok(hd_builder_copy(fabric, NULL, without, &builder, &err), err);
	assert_hd_ok(hd_builder_finish(builder, &built, &err), err);
	assert_null(fabric_difference(copy, built));
	assert_true(hd_fabric_lost_links(fabric, copy, lost, &n));
	assert_int_equal(n, 4);
	assert_true(hd_fabric_lost_links(copy, copy, lost, &n));
	assert_int_equal(n, 0);
	assert_false(hd_fabric_lost_links(copy, fabric, lost, &n)); /* a link has come */
	hd_fabric_free(built);
	hd_fabric_free(copy);
	hd_fabric_free(fabric);
	free(without);
	free(lost);
}

/* Every link, some pairs, and the whole fabric again, of which nothing must have changed. */
static void links_fail(void **state)
{
	static const struct {
		const char *fabric, *engine;
		unsigned lmc, most_unknown; /* of 100 sound sets */
	} cases[] = {
		{ "dragonfly:a=4,p=2,h=2", "dla", 0, 10 },
		{ "dragonfly:a=3,p=1,h=2,g=3", "dla", 0, 0 }, /* entries move, and none is lost */
		{ "dragonfly:a=4,p=2,h=2", "d3r", 0, 10 },
		{ "dragonfly:a=3,p=2,h=1", "dfval", 1, 100 },
		{ "dragonfly:a=3,p=2,h=1", "df-sssp", 1, 100 },
		{ "dragonfly:a=3,p=2,h=1", "any", 0, 0 },
		{ "dragonfly:a=3,p=2,h=1", "heddle", 0, 100 },
		{ "dragonfly:a=4,p=1,h=2", "updn", 1, 0 },
		{ "kns:k=4,n=2", "hdor", 0, 100 },
		{ "torus:4x4", "hdor", 0, 100 },
		{ "mesh:3x4,p=2", "hdor", 0, 100 },
		{ "tree:k=4,n=2", "dmodc", 0, 0 },
		{ "tree:k=3,n=3", "dmodc", 1, 0 },
		/* a search evens out loads, from ways that are known of the whole fabric */
		{ "director:lines=6x5,spines=4,down=4,uplinks=3,hosts=4", "dmodc", 0, 0 },
		{ "director:lines=6,spines=4,down=4,uplinks=4x2x1,hosts=3", "dmodc", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_random random;
		struct base base;

		begin(&base, cases[i].fabric, cases[i].engine, cases[i].lmc);
		hd_random_init(&random, 5, i);
		for (uint32_t l = 0; l < base.n_links; l += HD_IS_SLOW ? 9 : 1)
			try_links(&base, &base.links[l], 1);
		for (unsigned k = 0; k < (HD_IS_SLOW ? 3 : 20); k++) {
			const uint32_t first = hd_random_below(&random, base.n_links - 1);
			const uint32_t two[] = {
				base.links[first],
				base.links[first + 1 +
					   hd_random_below(&random, base.n_links - first - 1)]
			};

			try_links(&base, two, 2);
		}
		ask(&base, base.tables);
		assert_true(100 * (base.n_asked - base.n_known) <=
			    cases[i].most_unknown * base.n_asked);
		end(&base);
	}
}

/* Changes some entries, SLs or rows by chance. */
static void spoil(struct hd_tables *tables, struct hd_random *random)
{
	const struct hd_fabric *fabric = tables->fabric;
	const unsigned n = 1 + hd_random_below(random, 3), kind = hd_random_below(random, 8);

	for (unsigned i = 0; i < n; i++) {
		const uint32_t s = hd_random_below(random, fabric->n_switches);
		const uint32_t lid = 1 + hd_random_below(random, fabric->top_lid);

		hd_lft_touch(tables, s);
		if (kind > 1)
			hd_lft(tables, s)[lid] =
				(uint8_t)hd_random_below(random, fabric->nodes[s].n_ports + 2u);
		else if (kind)
			tables->sl_rows[hd_random_below(random, tables->n_sl_rows) *
						tables->lft_stride +
					lid] = (uint8_t)hd_random_below(random, 3);
		else
			tables->sl2vl[hd_random_below(
				random, (uint32_t)tables->sl2vl_first[fabric->n_nodes])] =
				hd_row_all(hd_random_below(random, 3));
	}
}

/* Tables that no engine makes: with holes, circles, cycles, lanes that are dropped or starved. */
static void tables_by_chance(void **state)
{
	static const char *const cases[][2] = {
		{ "dragonfly:a=3,p=2,h=1", "dla" },
		{ "dragonfly:a=3,p=2,h=1", "df-minhop" },
		{ "dragonfly:a=3,p=1,h=1", "updn" },
		{ "tree:k=3,n=2", "dmodc" },
		{ "torus:4x4", "hdor" },
		{ "kns:k=3,n=2", "any" },
	};
	unsigned n_known = 0, n_sound = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_random random;
		struct base base;

		begin(&base, cases[i][0], cases[i][1], 0);
		hd_random_init(&random, 7, i);
		for (unsigned k = 0; k < (HD_IS_SLOW ? 20 : 400); k++) {
			const uint32_t link = hd_random_below(&random, base.n_links);
			struct hd_fabric *rest;
			struct hd_tables *tables =
				route_without(&base, &base.links[link], k % 2, &rest);

			if (tables) {
				spoil(tables, &random);
				ask(&base, tables);
			}
			hd_tables_free(tables);
			hd_fabric_free(rest);
		}
		n_known += base.n_known;
		n_sound += base.n_asked;
		end(&base);
	}
	assert_true(n_sound > 30);
	assert_true(2 * n_known > n_sound);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fabrics_are_copied),
		cmocka_unit_test(links_fail),
		cmocka_unit_test(tables_by_chance),
	};

	return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}
