// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engine parx and layer rule xyxy: proved on two VLs, with paths around one half for each LID. */
#include "tests/unit/dragonfly_case.h"

#include "engines/engine.h"
#include "sl2vl/lanes.h"
#include "tests/unit/proof.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/grid.h"

static struct hd_tables *route(const struct hd_fabric *fabric, struct hd_structure *structure)
{
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route_structure(hd_engine_find("parx"), fabric, &request, &tables,
					structure, &err),
		     err);
	return tables;
}

/* Two SLs and two VLs, three hops, also on the 12x8 of 672 hosts that the paper's authors built. */
static void proved_on_two_vls(void **state)
{
	static const char *const specs[] = { "hyperx:12x8,p=7", "hyperx:3x3", "hyperx:5x4,p=2",
					     "hyperx:2x8",      "hyperx:3x9", "hyperx:4x4,trunk=2",
					     "hyperx:16x16,p=1" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned seed = 0; seed < 2; seed++) {
			struct hd_fabric *fabric = build_fabric(specs[i], 2), *copy = NULL;
			struct hd_structure structure;
			struct hd_tables *tables;
			struct hd_check_result result;

			if (seed)
				copy = shuffled_copy(fabric, seed, NULL, NULL);
			tables = route(copy ? copy : fabric, &structure);
			result = assert_sound(tables, specs[i]);
			if (result.sls != 2 || result.vls != 2 || result.max_hops != 3)
				fail_msg("%s: %u SLs, %u VLs, %u hops", specs[i], result.sls,
					 result.vls, result.max_hops);
			hd_structure_clear(&structure);
			hd_tables_free(tables);
			hd_fabric_free(copy);
			hd_fabric_free(fabric);
		}
}

/* In the half that the routes at LMC offset @offset go around. */
static bool is_in_half(const struct hd_grid *grid, uint32_t s, unsigned offset)
{
	const unsigned d = offset / 2;
	const bool is_low = hd_grid_coordinate(grid, grid->point[s], d) < grid->size[d] / 2;

	return is_low == (offset % 2 == 0);
}

/* Follows the path; it has no link inside the half. Returns the hops. */
static unsigned follow(const struct hd_tables *tables, const struct hd_grid *grid, uint32_t s,
		       uint16_t lid, unsigned offset)
{
	unsigned n = 0;

	while (s != tables->fabric->lids[lid].via_switch) {
		const uint32_t next = hd_peer_node(tables->fabric, s, hd_lft(tables, s)[lid]);

		assert_false(is_in_half(grid, s, offset) && is_in_half(grid, next, offset));
		assert_true(++n <= 3);
		s = next;
	}
	return n;
}

/* In how many dimensions two switches differ. */
static unsigned distance(const struct hd_grid *grid, uint32_t a, uint32_t b)
{
	unsigned n = 0;

	for (unsigned d = 0; d < 2; d++)
		n += hd_grid_coordinate(grid, grid->point[a], d) !=
		     hd_grid_coordinate(grid, grid->point[b], d);
	return n;
}

/*
 * Every pair of switches has a shortest path to some LID. A pair in the same quadrant has a detour
 * to two LIDs; one in opposite quadrants has shortest paths to all.
 */
static void halves_are_gone_around(void **state)
{
	struct hd_fabric *fabric = build_fabric("hyperx:6x4,p=1", 2);
	struct hd_structure structure;
	struct hd_tables *tables = route(fabric, &structure);
	const struct hd_grid *grid = structure.grid;

	(void)state;
	for (uint32_t node = fabric->n_switches; node < fabric->n_nodes; node++) {
		const uint16_t lid = fabric->ports[hd_port_index(fabric, node, 1)].lid;
		const uint32_t to = fabric->lids[lid].via_switch;

		hd_for_each_switch(s, fabric) {
			const unsigned least = distance(grid, s, to);
			unsigned n_shortest = 0, n_halves = 0;

			for (unsigned offset = 0; offset < 4; offset++) {
				n_shortest += follow(tables, grid, s, (uint16_t)(lid + offset),
						     offset) == least;
				n_halves +=
					is_in_half(grid, s, offset) && is_in_half(grid, to, offset);
			}
			assert_int_equal(n_shortest, s == to ? 4 : 4 - n_halves);
		}
	}
	hd_structure_clear(&structure);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Without links and switches, relabelled: sound, mostly on the same VLs. */
static void serves_what_is_left(void **state)
{
	static const struct {
		uint32_t n_links;
		unsigned most_vls;
	} losses[] = { { 1, 2 }, { 6, 3 }, { 15, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		struct hd_fabric *whole = build_fabric("hyperx:6x4,p=2", 2), *less, *copy;
		uint32_t n_links, *links = switch_links(whole, &n_links), lost[15], gone = 5;
		struct hd_structure structure;
		struct hd_tables *tables;
		struct hd_error err;

		for (uint32_t k = 0; k < losses[i].n_links; k++)
			lost[k] = links[(k * 37 + 5) % n_links];
		assert_hd_ok(hd_fabric_without(whole, lost, losses[i].n_links, &gone, i == 1, &less,
					       &err),
			     err);
		copy = shuffled_copy(less, i + 1, NULL, NULL);
		tables = route(copy, &structure);
		assert_true(assert_sound(tables, "less").vls <= losses[i].most_vls);
		hd_structure_clear(&structure);
		hd_tables_free(tables);
		hd_fabric_free(copy);
		hd_fabric_free(less);
		free(links);
		hd_fabric_free(whole);
	}
}

/* A switch that can leave its half over no link uses the links inside it. */
static void a_half_may_be_all_there_is(void **state)
{
	struct hd_fabric *whole = build_fabric("hyperx:4x4,p=1", 2), *less;
	uint32_t n_links, *links = switch_links(whole, &n_links), lost[8], n = 0;
	struct hd_structure structure;
	struct hd_tables *tables;
	struct hd_grid *grid;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_grid_recognise(whole, NULL, &grid, &err), err);
	for (uint32_t k = 0; k < n_links; k++) {
		const uint32_t a = whole->ports[links[k]].node,
			       b = whole->ports[whole->ports[links[k]].peer].node;

		if ((a == 0 || b == 0) && is_in_half(grid, a, 0) != is_in_half(grid, b, 0))
			lost[n++] = links[k];
	}
	assert_int_equal(n, 2);
	assert_hd_ok(hd_fabric_without(whole, lost, n, NULL, 0, &less, &err), err);
	tables = route(less, &structure);
	assert_sound(tables, "no way out");
	hd_structure_clear(&structure);
	hd_tables_free(tables);
	hd_grid_free(grid);
	hd_fabric_free(less);
	free(links);
	hd_fabric_free(whole);
}

static void assert_refused(const char *spec, unsigned lmc, const char *why)
{
	struct hd_fabric *fabric = build_fabric(spec, lmc);
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(hd_route(hd_engine_find("parx"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	if (!strstr(err.text, why))
		fail_msg("%s: %s", spec, err.text);
	hd_fabric_free(fabric);
}

static void refuses_other_fabrics(void **state)
{
	(void)state;
	assert_refused("torus:4x4", 2, "HyperX of two dimensions, and this is torus 4x4");
	assert_refused("hyperx:3x3x3", 2, "this is torus 3x3x3");
	assert_refused("kns:k=4,n=2", 2, "this is kns 4x4");
	assert_refused("slimfly:q=3", 2, "not a grid");
	assert_refused("hyperx:4x4", 1, "four LIDs, LMC 2, and H-00000[1] has LMC 1");
}

/*
 * Rule xyxy on routes that it is not for: four hops along a line, and a grid of three dimensions.
 */
static void the_rule_refuses_other_routes(void **state)
{
	static const struct {
		const char *spec, *why;
	} others[] = { { "mesh:5x2", "no part of (x, y, x)" },
		       { "hyperx:3x3x3", "two dimensions" } };

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct hd_fabric *fabric = build_fabric(others[i].spec, 0);
		const struct hd_route_request request = { 0 };
		struct hd_layering layering = { 0 };
		struct hd_structure structure;
		struct hd_tables *tables;
		struct hd_layer_input input;
		struct hd_error err;

		assert_hd_ok(hd_route_structure(hd_engine_find("hdor"), fabric, &request, &tables,
						&structure, &err),
			     err);
		input = (struct hd_layer_input){ .tables = tables, .structure = &structure };
		assert_int_equal(hd_layer_rule_find("xyxy")->build(&input, &layering, &err),
				 HD_EREFUSED);
		assert_non_null(strstr(err.text, others[i].why));
		hd_layering_clear(&layering);
		hd_structure_clear(&structure);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proved_on_two_vls),
		cmocka_unit_test(halves_are_gone_around),
		cmocka_unit_test(serves_what_is_left),
		cmocka_unit_test(a_half_may_be_all_there_is),
		cmocka_unit_test(refuses_other_fabrics),
		cmocka_unit_test(the_rule_refuses_other_routes),
	};

	return cmocka_run_group_tests_name("parx", tests, NULL, NULL);
}
