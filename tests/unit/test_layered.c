// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engine layered: proved, on few VLs, evenly loaded, with paths that share few links. */
#include "tests/unit/dragonfly_case.h"

#include "engines/busiest.h"
#include "engines/engine.h"
#include "tests/unit/proof.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"

static struct hd_tables *route_by(const char *engine, const struct hd_fabric *fabric)
{
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

/* Diameter-two graphs: two VLs with one LID, three with several; sound with all traffic. */
static void proved_on_few_vls(void **state)
{
	static const struct {
		const char *spec;
		unsigned lmc, most_vls, most_hops;
	} fabrics[] = {
		{ "slimfly:q=5", 0, 2, 2 },   { "slimfly:q=5", 1, 3, 3 },
		{ "slimfly:q=5", 2, 3, 3 },   { "slimfly:q=5", 3, 3, 3 },
		{ "slimfly:q=4", 2, 3, 3 },   { "slimfly:q=7", 0, 2, 2 },
		{ "slimfly:q=7", 1, 3, 3 },   { "slimfly:q=7", 2, 3, 3 },
		{ "slimfly:q=11", 0, 2, 2 },  { "slimfly:q=11", 2, 3, 3 },
		{ "slimfly:q=17", 0, 2, 2 },  { "slimfly:q=17,p=1", 2, 3, 3 },
		{ "polarfly:q=7", 0, 2, 2 },  { "polarfly:q=7", 2, 3, 3 },
		{ "polarfly:q=11", 1, 3, 3 }, { "oft:k=4", 2, 4, 4 },
		{ "tree:k=4,n=2", 2, 3, 3 },  { "jellyfish", 2, 4, 4 },
		{ "hyperx:5x5", 2, 3, 3 },    { "dragonfly:a=4,p=2,h=2", 1, 4, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++) {
		struct hd_fabric *fabric = build_fabric(fabrics[i].spec, fabrics[i].lmc);
		struct hd_tables *tables = route_by("layered", fabric);
		const struct hd_check_result result = assert_sound(tables, fabrics[i].spec);

		if (result.vls > fabrics[i].most_vls || result.max_hops > fabrics[i].most_hops)
			fail_msg("%s, LMC %u: %u VLs, %u hops", fabrics[i].spec, fabrics[i].lmc,
				 result.vls, result.max_hops);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

/* A path over switches' out-ports; returns its length. */
static unsigned follow(const struct hd_tables *tables, uint32_t s, uint16_t lid, uint32_t *ports)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned n = 0;

	while (s != fabric->lids[lid].via_switch) {
		const uint8_t port = hd_lft(tables, s)[lid];

		assert_true(n < 8);
		ports[n++] = hd_port_index(fabric, s, port);
		s = hd_peer_node(fabric, s, port);
	}
	return n;
}

/*
 * How many of the paths of four LIDs from @lid on share no link with one before that was counted.
 */
static unsigned count_apart(const struct hd_tables *tables, uint32_t s, uint16_t lid)
{
	uint32_t taken[32], ports[8];
	unsigned n_taken = 0, n_apart = 0;

	for (uint16_t offset = 0; offset < 4; offset++) {
		const unsigned n = follow(tables, s, (uint16_t)(lid + offset), ports);
		bool is_apart = true;

		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < n_taken; k++)
				is_apart &= ports[i] != taken[k];
		if (!is_apart)
			continue;
		memcpy(taken + n_taken, ports, n * sizeof(*ports));
		n_taken += n;
		n_apart++;
	}
	return n_apart;
}

/*
 * On the Slim Fly of 50 switches, two that are not linked have three paths or four without a common
 * link. Two that are linked have no other path of at most three links: the graph has girth 5.
 */
static void paths_share_few_links(void **state)
{
	struct hd_fabric *fabric = build_fabric("slimfly:q=5", 2);
	struct hd_tables *tables = route_by("layered", fabric);

	(void)state;
	for (uint32_t node = fabric->n_switches; node < fabric->n_nodes; node++) {
		const uint16_t lid = fabric->ports[hd_port_index(fabric, node, 1)].lid;
		const uint32_t to = fabric->lids[lid].via_switch;

		hd_for_each_switch(s, fabric) {
			uint32_t ports[8];
			const unsigned n = s == to ? 0 : follow(tables, s, lid, ports);

			if (n == 1)
				assert_int_equal(count_apart(tables, s, lid), 1);
			if (n == 2)
				assert_true(count_apart(tables, s, lid) >= 3);
			assert_true(n <= 2);
		}
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Routes that are looked at twice are more even than df-sssp's, and no longer. */
static void busiest_links_have_fewer_flows(void **state)
{
	static const char *const specs[] = { "jellyfish", "slimfly:q=7",
					     "jellyfish:n=80,r=9,seed=5" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		struct hd_tables *tables = route_by("layered", fabric);
		struct hd_tables *other = route_by("df-sssp", fabric);
		uint64_t mine, theirs;
		struct hd_error err;

		assert_hd_ok(hd_busiest_link(tables, &mine, &err), err);
		assert_hd_ok(hd_busiest_link(other, &theirs, &err), err);
		assert_true(mine < theirs);
		assert_int_equal(assert_sound(tables, specs[i]).max_hops,
				 assert_sound(other, specs[i]).max_hops);
		hd_tables_free(other);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

/* Without links, relabelled, with doubled cables: proved all the same, on four VLs. */
static void serves_what_is_left(void **state)
{
	static const char *const specs[] = { "slimfly:q=5", "polarfly:q=5", "oft:k=3" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (uint32_t n = 1; n <= 6; n += 5) {
			struct hd_fabric *whole = build_fabric(specs[i], 2), *less, *copy;
			uint32_t n_links, *links = switch_links(whole, &n_links), lost[6];
			struct hd_tables *tables;
			struct hd_error err;

			for (uint32_t k = 0; k < n; k++)
				lost[k] = links[(k * 37 + i) % n_links];
			assert_hd_ok(hd_fabric_without(whole, lost, n, NULL, 0, &less, &err), err);
			copy = shuffled_copy(less, n, NULL, NULL);
			tables = route_by("layered", copy);
			assert_true(assert_sound(tables, specs[i]).vls <= 5);
			hd_tables_free(tables);
			hd_fabric_free(copy);
			hd_fabric_free(less);
			free(links);
			hd_fabric_free(whole);
		}
}

static void trunks_share_their_paths(void **state)
{
	struct hd_fabric *fabric = build_fabric("hyperx:4x3,p=2,trunk=3", 2);
	struct hd_tables *tables = route_by("layered", fabric);

	(void)state;
	assert_sound(tables, "trunks");
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Parts of a fabric that no link joins. */
static void refuses_a_fabric_in_parts(void **state)
{
	struct hd_fabric *whole = build_fabric("mesh:2x2", 1), *parts;
	const struct hd_route_request request = { 0 };
	uint32_t n_links, *links = switch_links(whole, &n_links);
	struct hd_tables *tables;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_fabric_without(whole, links, n_links, NULL, 0, &parts, &err), err);
	assert_int_equal(hd_route(hd_engine_find("layered"), parts, &request, &tables, &err),
			 HD_EREFUSED);
	assert_non_null(strstr(err.text, "parts"));
	free(links);
	hd_fabric_free(parts);
	hd_fabric_free(whole);
}

/*
 * Paths of many hops need more SLs than there are, and no eight layers hold them. The refusal says
 * what fits, and that does.
 */
static void refuses_by_both_rules(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:8x8", 2), *fewer, *more;
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	(void)state;
	assert_int_equal(hd_route(hd_engine_find("layered"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_non_null(strstr(err.text, "more flow classes than the 16"));
	assert_non_null(strstr(err.text, "credit loops"));
	assert_non_null(
		strstr(err.text, "LMC 2 fits with 10 SLs and 10 VLs; LMC 0 fits with about"));
	fewer = build_fabric("torus:8x8", 0);
	tables = route_by("layered", fewer);
	assert_sound(tables, "fewer LIDs");
	hd_tables_free(tables);
	hd_fabric_free(fewer);
	more = build_fabric("torus:8x8", 2);
	hd_for_each_port(port, more)
		more->ports[port].vls = HD_MAX_VLS;
	tables = route_by("layered", more);
	assert_int_equal(assert_sound(tables, "more VLs").vls, 10);
	hd_tables_free(tables);
	hd_fabric_free(more);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proved_on_few_vls),
		cmocka_unit_test(paths_share_few_links),
		cmocka_unit_test(busiest_links_have_fewer_flows),
		cmocka_unit_test(serves_what_is_left),
		cmocka_unit_test(trunks_share_their_paths),
		cmocka_unit_test(refuses_a_fabric_in_parts),
		cmocka_unit_test(refuses_by_both_rules),
	};

	return cmocka_run_group_tests_name("layered", tests, NULL, NULL);
}
