// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Topologies of low diameter, and the fields and graphs that they are made of: all by closed forms.
 */
#include "tests/unit/unit.h"

#include "topologies/finite_field.h"
#include "topologies/mms_graph.h"
#include "topologies/polarity_graph.h"
#include "topologies/switch_graph.h"
#include "topologies/topology.h"

static struct hd_fabric *make(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err = { 0 };

	if (hd_topology_build(spec, &fabric, &err))
		fail_msg("%s: %s", spec, err.text);
	return fabric;
}

static void assert_field(uint32_t q)
{
	struct hd_field f;

	hd_field_init(&f, q);
	for (uint32_t x = 0; x < q; x++) {
		uint32_t n_inverses = 0;

		assert_int_equal(hd_field_add(&f, x, 0), x);
		assert_int_equal(hd_field_multiply(&f, x, 1), x);
		assert_int_equal(hd_field_multiply(&f, x, 0), 0);
		assert_int_equal(hd_field_subtract(&f, x, x), 0);
		for (uint32_t y = 0; y < q; y++) {
			const uint32_t sum = hd_field_add(&f, x, y);
			const uint32_t z = (x + 3 * y + 1) % q;

			n_inverses += hd_field_multiply(&f, x, y) == 1;
			assert_true(sum < q && hd_field_multiply(&f, x, y) < q);
			assert_int_equal(sum, hd_field_add(&f, y, x));
			assert_int_equal(hd_field_subtract(&f, sum, y), x);
			assert_int_equal(hd_field_multiply(&f, sum, z),
					 hd_field_add(&f, hd_field_multiply(&f, x, z),
						      hd_field_multiply(&f, y, z)));
			if (f.m == 1)
				assert_int_equal(sum, (x + y) % q);
		}
		assert_int_equal(n_inverses, x > 0);
	}
}

static void fields_obey_their_laws(void **state)
{
	static const uint32_t powers[] = { 2,  3,  4,  5,  7,  8,  9,  11, 13, 16, 17, 19,
					   23, 25, 27, 29, 31, 32, 37, 41, 43, 49, 64, 81 };
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(powers) / sizeof(powers[0]); i++)
		assert_field(powers[i]);
	for (uint32_t q = 0; q <= 43; q++)
		n += hd_is_prime_power(q);
	assert_int_equal(n, 21);
	assert_false(hd_is_prime_power(1) || hd_is_prime_power(36) || hd_is_prime_power(12));
}

/* Adds paths of one and of two links from @u: n_paths[v]. */
static void count_paths(const struct hd_switch_graph *graph, uint32_t u, uint32_t *n_paths)
{
	memset(n_paths, 0, graph->n * sizeof(*n_paths));
	for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++) {
		const uint32_t v = graph->neighbour[i];

		n_paths[v]++;
		for (uint32_t k = graph->first[v]; k < graph->first[v + 1]; k++)
			n_paths[graph->neighbour[k]]++;
	}
}

/*
 * The graph is undirected, has @degree links at all switches but at @n_less, which have one less,
 * and diameter 2. @most: paths of at most two links between two switches; 1 is girth 5.
 */
static void assert_graph(const struct hd_switch_graph *graph, uint32_t n, uint32_t degree,
			 uint32_t n_less, uint32_t most)
{
	uint32_t *n_paths = malloc(n * sizeof(*n_paths)), n_found = 0;

	assert_int_equal(graph->n, n);
	assert_int_equal(graph->max_degree, degree);
	for (uint32_t u = 0; u < n; u++) {
		const uint32_t own = graph->first[u + 1] - graph->first[u];

		assert_true(own == degree || own == degree - 1);
		n_found += own < degree;
		for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++) {
			assert_true(i == graph->first[u] ||
				    graph->neighbour[i] > graph->neighbour[i - 1]);
			assert_true(graph->neighbour[i] != u);
			assert_true(hd_switch_graph_has(graph, graph->neighbour[i], u));
		}
		count_paths(graph, u, n_paths);
		for (uint32_t v = 0; v < n; v++)
			if (v != u && (!n_paths[v] || n_paths[v] > most))
				fail_msg("%u paths from %u to %u of %u", n_paths[v], u, v, n);
	}
	assert_int_equal(n_found, n_less);
	free(n_paths);
}

static void slim_flies(void **state)
{
	/* q of all kinds: 4w - 1, 4w and 4w + 1, primes and powers; q = 5 is a Moore graph */
	static const struct {
		uint32_t q, degree;
	} graphs[] = { { 3, 5 },   { 4, 6 },   { 5, 7 },   { 7, 11 },  { 8, 12 },
		       { 9, 13 },  { 11, 17 }, { 13, 19 }, { 16, 24 }, { 17, 25 },
		       { 19, 29 }, { 23, 35 }, { 25, 37 }, { 27, 41 } };
	struct hd_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(graphs) / sizeof(graphs[0]); i++) {
		const uint32_t q = graphs[i].q;
		struct hd_switch_graph graph;

		assert_true(hd_mms_exists(q));
		assert_int_equal(hd_mms_degree(q), graphs[i].degree);
		assert_hd_ok(hd_mms_graph(q, &graph, &err), err);
		assert_graph(&graph, 2 * q * q, graphs[i].degree, 0, q == 5 ? 1 : q);
		hd_switch_graph_clear(&graph);
	}
	for (uint32_t q = 29; q <= 43; q++)
		assert_int_equal(hd_mms_exists(q),
				 q == 29 || q == 31 || q == 32 || q == 37 || q == 41 || q == 43);
	assert_false(hd_mms_exists(2) || hd_mms_exists(6) || hd_mms_exists(47));
}

/* Two points have one common neighbour, unless they are linked and one of them is it. */
static void polar_flies(void **state)
{
	static const uint32_t powers[] = { 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25 };
	struct hd_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
		const uint32_t q = powers[i];
		struct hd_switch_graph graph;

		assert_hd_ok(hd_polarity_graph(q, &graph, &err), err);
		assert_graph(&graph, q * q + q + 1, q + 1, q + 1, 2);
		assert_int_equal(graph.first[graph.n], q * (q + 1) * (q + 1));
		hd_switch_graph_clear(&graph);
	}
}

static uint32_t links_between_switches(const struct hd_fabric *fabric)
{
	uint32_t n = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s)
			n += hd_peer_node(fabric, s, number) < fabric->n_switches;
	return n / 2;
}

static void counts(void **state)
{
	static const struct {
		const char *spec;
		uint32_t switches, hosts, links, ports;
	} shapes[] = {
		/* the machine of Blach et al. (2024) */
		{ "slimfly", 50, 200, 175, 11 },
		{ "slimfly:q=7", 98, 588, 539, 17 },
		{ "slimfly:q=17", 578, 7514, 7225, 38 },
		{ "slimfly:q=43,p=12", 3698, 44376, 120185, 77 },
		{ "polarfly:q=7,p=1", 57, 57, 224, 9 },
		{ "polarfly:q=31", 993, 15888, 15872, 48 },
		{ "jellyfish:n=50,r=7", 50, 200, 175, 11 },
		{ "jellyfish:n=4,r=3,p=0", 4, 0, 6, 3 },
		{ "jellyfish:n=16,r=15,p=1", 16, 16, 120, 16 },
		{ "jellyfish:n=245,r=14,p=10,seed=3", 245, 2450, 1715, 24 },
		/* 2k(k(k - 1) + 1) hosts, 3(k(k - 1) + 1) switches (Kathareios et al., 2015) */
		{ "oft", 39, 104, 104, 8 },
		{ "oft:k=9,p=5", 219, 730, 1314, 18 },
		{ "oft:k=18", 921, 11052, 11052, 36 },
		{ "multiplane", 16, 16, 32, 8 },
		{ "multiplane:slimfly:q=5,planes=4", 200, 200, 700, 11 },
		{ "multiplane:dragonfly:a=4,p=2,h=2,planes=3", 108, 72, 3 * 90, 7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		uint32_t most = 0;

		hd_for_each_switch(s, fabric)
			if (fabric->nodes[s].n_ports > most)
				most = fabric->nodes[s].n_ports;
		if (fabric->n_switches != shapes[i].switches ||
		    fabric->n_nodes - fabric->n_switches != shapes[i].hosts ||
		    links_between_switches(fabric) != shapes[i].links || most != shapes[i].ports)
			fail_msg("%s: %u switches, %u hosts, %u links, %u ports", shapes[i].spec,
				 fabric->n_switches, fabric->n_nodes - fabric->n_switches,
				 links_between_switches(fabric), most);
		hd_fabric_free(fabric);
	}
}

/* A sum over links that the order of links does not change, and any other link does. */
static uint64_t sum_of_links(const struct hd_fabric *fabric)
{
	uint64_t sum = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s)
			sum += (uint64_t)(s + 1) * hd_peer_node(fabric, s, number) * number;
	return sum;
}

/* The same number gives the same graph on every machine, each other number another one. */
static void jellyfish_is_random_and_the_same(void **state)
{
	struct hd_fabric *fabrics[4];

	(void)state;
	fabrics[0] = make("jellyfish:n=50,r=7,p=4");
	fabrics[1] = make("jellyfish:n=50,r=7,p=4,seed=1");
	fabrics[2] = make("jellyfish:n=50,r=7,p=4,seed=2");
	fabrics[3] = make("jellyfish:n=50,r=7,p=4,seed=4294967295");
	assert_int_equal(sum_of_links(fabrics[0]), sum_of_links(fabrics[1]));
	assert_int_equal(sum_of_links(fabrics[0]), UINT64_C(0x40C48F));
	for (int i = 2; i < 4; i++)
		assert_true(sum_of_links(fabrics[i]) != sum_of_links(fabrics[i - 1]));
	for (int i = 0; i < 4; i++) {
		hd_for_each_switch(s, fabrics[i])
			hd_for_each_number(number, fabrics[i], s)
				assert_true(hd_peer_node(fabrics[i], s, number) != HD_NONE);
		hd_fabric_free(fabrics[i]);
	}
}

/* Leaves have one spine in common; those of equal place have all. */
static void leaves_of_orthogonal_trees_meet(void **state)
{
	struct hd_fabric *fabric = make("oft:k=5");
	struct hd_switch_graph graph;
	struct hd_error err;
	const uint32_t n = 21;

	(void)state;
	assert_hd_ok(hd_switch_graph_new(fabric, &graph, &err), err);
	for (uint32_t a = 0; a < 2 * n; a++)
		for (uint32_t b = 0; b < 2 * n; b++) {
			uint32_t n_common = 0;

			for (uint32_t i = graph.first[a]; i < graph.first[a + 1]; i++)
				n_common += hd_switch_graph_has(&graph, graph.neighbour[i], b);
			assert_int_equal(n_common, a % n == b % n ? 5 : 1);
		}
	hd_switch_graph_clear(&graph);
	hd_fabric_free(fabric);
}

/* Port n of host H is on plane n, where the spec has H. */
static void planes_have_the_same_hosts(void **state)
{
	struct hd_fabric *plane = make("director:aggregation=yes");
	struct hd_fabric *fabric = make("multiplane:director:aggregation=yes,planes=2");
	uint32_t n_aggregation = 0, host = fabric->n_switches;

	(void)state;
	assert_int_equal(fabric->n_switches, 2 * plane->n_switches);
	for (uint32_t node = plane->n_switches; node < plane->n_nodes; node++) {
		const uint32_t at = hd_peer_node(plane, node, 1);

		if (strstr(hd_node_name(plane, node), "Aggregation")) {
			assert_int_equal(hd_peer_node(fabric, host++, 1), at);
			assert_int_equal(hd_peer_node(fabric, host++, 1), at + plane->n_switches);
			n_aggregation++;
			continue;
		}
		assert_int_equal(hd_peer_node(fabric, host, 1), at);
		assert_int_equal(hd_peer_node(fabric, host++, 2), at + plane->n_switches);
	}
	assert_true(n_aggregation > 0);
	assert_int_equal(host, fabric->n_nodes);
	hd_fabric_free(fabric);
	hd_fabric_free(plane);
}

static void bad_specs_say_why(void **state)
{
	static const struct {
		const char *spec;
		int code;
		const char *says;
	} bad[] = {
		{ "slimfly:q=6", HD_EINVAL, "slimfly: q = 6 is no prime power" },
		{ "slimfly:q=2", HD_ERANGE, "3..43" },
		{ "slimfly:q=47", HD_ERANGE, "3..43" },
		{ "slimfly:q=43", HD_ERANGE, "LIDs" },
		{ "slimfly:q=5,p=250", HD_ERANGE, "257 ports on a switch" },
		{ "slimfly:p=x", HD_EINVAL, "not a number" },
		{ "polarfly:q=6", HD_EINVAL, "polarfly: q = 6 is no prime power" },
		{ "polarfly:q=65", HD_ERANGE, "2..64" },
		{ "jellyfish:n=5,r=3", HD_EINVAL, "5 switches of 3 links: the product is odd" },
		{ "jellyfish:n=6,r=6", HD_EINVAL, "6 links need more than 5 other switches" },
		{ "jellyfish:n=6,r=2", HD_ERANGE, "3..128" },
		{ "jellyfish:n=16385", HD_ERANGE, "4..16384" },
		{ "jellyfish:seed=-1", HD_EINVAL, "-1 is not in" },
		{ "oft:k=7", HD_EINVAL, "oft: k = 7 is no prime power and 1" },
		{ "oft:k=2", HD_ERANGE, "3..65" },
		{ "oft:k=65", HD_ERANGE, "LIDs" },
		{ "multiplane:tree:k=4,n=2,planes=9", HD_ERANGE, "2..8" },
		{ "multiplane:tree:k=4,n=2,planes=x", HD_EINVAL, "planes" },
		{ "multiplane:butterfly,planes=2", HD_EINVAL, "no topology 'butterfly'" },
		{ "multiplane:multiplane:tree,planes=2", HD_EINVAL, "no planes of its own" },
		{ "multiplane:slimfly:q=25,planes=8", HD_ERANGE, "LIDs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct hd_fabric *fabric;
		struct hd_error err = { 0 };
		int ret = hd_topology_build(bad[i].spec, &fabric, &err);

		if (ret != bad[i].code || !strstr(err.text, bad[i].says))
			fail_msg("%s: %d, %s", bad[i].spec, ret, err.text);
		assert_null(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_obey_their_laws),
		cmocka_unit_test(slim_flies),
		cmocka_unit_test(polar_flies),
		cmocka_unit_test(counts),
		cmocka_unit_test(jellyfish_is_random_and_the_same),
		cmocka_unit_test(leaves_of_orthogonal_trees_meet),
		cmocka_unit_test(planes_have_the_same_hosts),
		cmocka_unit_test(bad_specs_say_why),
	};

	return cmocka_run_group_tests_name("low diameter", tests, NULL, NULL);
}
