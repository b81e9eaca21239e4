// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Degraded fabrics: detours, and the lanes that they need. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/load.h"
#include "engines/engine.h"
#include "engines/repair.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "sl2vl/split.h"
#include "support/random.h"
#include "tables/diff.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"

static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine)
{
	struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

static struct hd_check_result check(const struct hd_tables *tables)
{
	struct hd_check_result result;
	struct hd_error err;
	char text[512];

	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	if (result.failure != HD_CHECK_SOUND)
		fail_msg("%s", hd_check_summary(&result, tables->fabric, text, sizeof(text)));
	return result;
}

/* One end of every link between switches. Returns how many. */
static uint32_t list_links(const struct hd_fabric *fabric, uint32_t *links)
{
	uint32_t n = 0;

	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && peer > p && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node))
			links[n++] = p;
	}
	return n;
}

static struct hd_fabric *without(const struct hd_fabric *fabric, const uint32_t *links,
				 size_t n_links, const uint32_t *switches, size_t n_switches)
{
	struct hd_fabric *rest;
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, links, n_links, switches, n_switches, &rest, &err),
		     err);
	return rest;
}

/* Flows on the link between switches that has most of them. */
static uint32_t worst_load(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_load load;
	uint32_t worst = 0;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node) &&
		    hd_load_port(&load, p) > worst)
			worst = hd_load_port(&load, p);
	}
	hd_load_clear(&load);
	return worst;
}

/* Whether packets for @lid still come from @s to its switch by the entries of @before. */
static bool arrives(const struct hd_tables *before, const struct hd_fabric *rest, uint32_t s,
		    uint32_t lid)
{
	while (s != rest->lids[lid].via_switch) {
		s = hd_peer_node(rest, s, hd_lft(before, s)[lid]);
		if (s == HD_NONE)
			return false;
	}
	return true;
}

/* Entries that still serve are kept; no more change than those that do not. Same switches. */
static void assert_kept(const struct hd_tables *before, const struct hd_tables *after)
{
	const struct hd_fabric *rest = after->fabric;
	struct hd_diff diff;
	uint64_t n_changed = 0;
	struct hd_error err;

	for (uint32_t s = 0; s < rest->n_switches; s++)
		for (uint32_t lid = 1; lid <= rest->top_lid; lid++) {
			bool same = hd_lft(before, s)[lid] == hd_lft(after, s)[lid];

			if (rest->lids[lid].port == HD_NONE)
				continue;
			n_changed += !same;
			if (!same && arrives(before, rest, s, lid))
				fail_msg("switch %u leaves its way to LID %u", s, lid);
		}
	assert_hd_ok(hd_diff_compute(before, after, NULL, NULL, &diff, &err), err);
	assert_true(diff.lft_entries == n_changed);
	assert_true(diff.pairs_lost == 0);
	hd_diff_clear(&diff);
}

/* Every single link: two VLs and any SL, as on the perfect shape; balance; few changes. */
static void a_link_lost_on_a_dragonfly(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *before = route(fabric, "dla");
	uint32_t *links = malloc(fabric->n_ports * sizeof(*links));
	uint32_t n = list_links(fabric, links), worst = worst_load(before);

	for (uint32_t i = 0; i < n; i++) {
		struct hd_fabric *rest = without(fabric, &links[i], 1, NULL, 0);
		struct hd_tables *after = route(rest, "dla");
		struct hd_check_result result = check(after);

		assert_int_equal(result.sls, 1);
		assert_int_equal(result.vls, 2);
		assert_in_range(result.max_hops, 3, 4);
		hd_check_clear(&result);
		assert_kept(before, after);
		assert_in_range(worst_load(after), worst, 2 * worst);
		hd_tables_free(after);
		hd_fabric_free(rest);
	}
	free(links);
	hd_tables_free(before);
	hd_fabric_free(fabric);
}

static void a_switch_lost_on_a_dragonfly(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *before = route(fabric, "dla");
	uint32_t worst = worst_load(before);

	hd_for_each_switch(s, fabric) {
		struct hd_fabric *rest = without(fabric, NULL, 0, &s, 1);
		struct hd_tables *after = route(rest, "dla");
		struct hd_check_result result = check(after);

		assert_int_equal(rest->n_nodes, fabric->n_nodes - 3);
		assert_in_range(result.vls, 2, 8);
		hd_check_clear(&result);
		assert_in_range(worst_load(after), 1, 2 * worst);
		hd_tables_free(after);
		hd_fabric_free(rest);
	}
	hd_tables_free(before);
	hd_fabric_free(fabric);
}

/* Moves @n of the @n_all to the front by chance. */
static void draw(struct hd_random *random, uint32_t *list, uint32_t n_all, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = i + hd_random_below(random, n_all - i), swap = list[i];

		list[i] = list[k];
		list[k] = swap;
	}
}

/* @spec, shuffled, without some links and switches. */
static struct hd_fabric *damaged(const char *spec, unsigned lmc, unsigned seed)
{
	struct hd_fabric *plain = build_fabric(spec, lmc), *rest;
	struct hd_fabric *fabric = shuffled_copy(plain, seed, NULL, NULL);
	uint32_t *links = malloc(fabric->n_ports * sizeof(*links)), switches[2];
	struct hd_random random;

	hd_random_init(&random, seed, 0);
	draw(&random, links, list_links(fabric, links), seed % 7);
	for (uint32_t i = 0; i < 2; i++)
		switches[i] = hd_random_below(&random, fabric->n_switches);
	rest = without(fabric, links, seed % 7, switches, seed % 3);
	free(links);
	hd_fabric_free(fabric);
	hd_fabric_free(plain);
	return rest;
}

/* Random failures on shuffled fabrics: routed and proved, or refused with a reason. */
static void many_failures_are_routed_or_refused(void **state)
{
	static const struct {
		const char *engine, *spec, *queues;
		unsigned lmc;
	} cases[] = {
		{ "dla", "dragonfly:a=4,p=2,h=2", NULL, 0 },
		{ "dla", "dragonfly:a=4,p=1,h=2,g=5", "xordet:2", 1 },
		{ "dla", "dragonfly:a=6,p=2,h=3,global=random(3)", NULL, 0 },
		{ "d3r", "dragonfly:a=4,p=2,h=2", NULL, 0 },
		{ "d3r", "dragonfly:a=4,p=2,h=2,g=3", "dbbm:2", 0 },
		{ "dfval", "dragonfly:a=4,p=2,h=2", NULL, 2 },
		{ "df-minhop", "dragonfly:a=4,p=2,h=2", NULL, 0 },
		{ "df-sssp", "dragonfly:a=4,p=2,h=2", NULL, 0 },
		{ "hdor", "torus:6x6", NULL, 0 },
		{ "hdor", "mesh:4x4x3", "xordet:2", 0 },
		{ "hdor", "kns:k=6,n=2", NULL, 0 },
		{ "hdor", "hyperx:4x4", NULL, 0 },
		{ "osha", "kns:k=6,n=2", NULL, 1 },
		{ "sasha", "torus:4x4x4", NULL, 1 },
	};
	const unsigned n_cases = sizeof(cases) / sizeof(cases[0]), n = 12 * n_cases;
	unsigned n_routed = 0;

	for (unsigned seed = 1; seed <= n; seed++) {
		unsigned i = seed % n_cases;
		struct hd_fabric *rest = damaged(cases[i].spec, cases[i].lmc, seed);
		struct hd_route_request request = { .queues = cases[i].queues };
		struct hd_tables *tables;
		struct hd_error err;

		if (hd_route(hd_engine_find(cases[i].engine), rest, &request, &tables, &err) == 0) {
			struct hd_check_result result = check(tables);

			hd_check_clear(&result);
			hd_tables_free(tables);
			n_routed++;
		} else {
			assert_int_equal(err.code, HD_EREFUSED);
			assert_true(err.text[0]);
		}
		hd_fabric_free(rest);
	}
	assert_in_range(n_routed, 9 * n_cases, n);
}

static void parts_are_refused(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0), *rest;
	struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	uint32_t links[5], n = 0;
	struct hd_error err;

	hd_for_each_number(number, fabric, 0)
		if (hd_peer_node(fabric, 0, number) < fabric->n_switches)
			links[n++] = hd_port_index(fabric, 0, number);
	rest = without(fabric, links, n, NULL, 0);
	assert_int_equal(hd_route(hd_engine_find("dla"), rest, &request, &tables, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "the fabric is in parts: no path from ");
	hd_fabric_free(rest);
	hd_fabric_free(fabric);
}

/* Without any entry from an engine, repair routes by itself; circles are no paths either. */
static void repair_starts_from_nothing(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:4x4", 0);
	const struct hd_structure none = { 0 };
	struct hd_tables *tables;
	uint64_t n_repaired;
	struct hd_error err;

	for (int circles = 0; circles < 2; circles++) {
		struct hd_check_result result;

		assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
		hd_for_each_lid(lid, fabric) {
			const struct hd_lid *place = &fabric->lids[lid];

			for (uint32_t s = 0; circles && s < fabric->n_switches; s++)
				hd_for_each_number(p, fabric, s)
					if (hd_peer_node(fabric, s, p) < fabric->n_switches)
						hd_lft(tables, s)[lid] = (uint8_t)p;
			hd_lft(tables, place->via_switch)[lid] = place->via_port;
		}
		assert_hd_ok(hd_repair(tables, &none, &n_repaired, &err), err);
		assert_in_range(n_repaired, circles ? 100 : 15 * 32, 15 * 32);
		assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
		assert_true(result.reachable);
		if (!circles)
			assert_int_equal(result.max_hops, 4);
		hd_check_clear(&result);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

/* Splits what minhop gives, with @max_layers and @max_classes at most. */
static int split(struct hd_tables *tables, unsigned max_layers, unsigned max_classes,
		 struct hd_split_summary *summary, struct hd_error *err)
{
	const struct hd_structure none = { 0 };
	const struct hd_layer_input input = { .tables = tables,
					      .structure = &none,
					      .max_layers = max_layers,
					      .max_classes = max_classes };
	struct hd_layering layering = { 0 };
	struct hd_queueing queueing = { 0 };
	struct hd_queues queues;
	int ret = hd_layer_rule_find("single")->build(&input, &layering, err);

	if (!ret)
		ret = hd_queues_parse(NULL, &queues, err);
	if (!ret)
		ret = hd_queueing_build(&queues, tables, &none, &queueing, err);
	if (!ret)
		ret = hd_split_flows(&input, &layering, summary, err);
	if (!ret)
		ret = hd_lanes_apply(tables, &layering, &queueing, 0, err);
	hd_queueing_clear(&queueing);
	hd_layering_clear(&layering);
	return ret;
}

/* Shortest paths on any fabric, in as few layers as first fit finds. */
static void splitting_makes_any_routes_sound(void **state)
{
	static const char *const specs[] = { "torus:4x4",  "torus:5x5x3", "dragonfly:a=4,p=2,h=2",
					     "hyperx:4x4", "kns:k=4,n=2", "torus:7" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		struct hd_tables *tables = route(fabric, "minhop");
		struct hd_split_summary summary;
		struct hd_check_result result;
		struct hd_error err;

		assert_hd_ok(split(tables, 8, 16, &summary, &err), err);
		result = check(tables);
		assert_int_equal(result.sls, 1 + summary.added_classes);
		assert_int_equal(result.vls, 1 + summary.added_layers);
		assert_in_range(result.vls, 1, 6);
		hd_check_clear(&result);
		/* nothing is left to do the next time, and without spare lanes it is refused */
		hd_tables_free(tables);
		tables = route(fabric, "minhop");
		if (summary.added_layers) {
			assert_int_equal(split(tables, 1, 16, NULL, &err), HD_EREFUSED);
			assert_hd_says(err, "credit loops");
			assert_int_equal(split(tables, 8, 1, NULL, &err), HD_EREFUSED);
		} else {
			assert_hd_ok(split(tables, 1, 1, NULL, &err), err);
		}
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_lost_on_a_dragonfly),
		cmocka_unit_test(a_switch_lost_on_a_dragonfly),
		cmocka_unit_test(many_failures_are_routed_or_refused),
		cmocka_unit_test(parts_are_refused),
		cmocka_unit_test(repair_starts_from_nothing),
		cmocka_unit_test(splitting_makes_any_routes_sound),
	};

	return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
