// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Slim Fly and PolarFly are recognised in any numbering, with parts missing; other graphs are not.
 */
#include "tests/unit/dragonfly_case.h"

#include "support/random.h"
#include "tests/unit/shuffle.h"
#include "topologies/low_diameter.h"
#include "topologies/recognise.h"

static struct hd_low_diameter *recognise_low(const struct hd_fabric *fabric, const char *what)
{
	struct hd_low_diameter *low;
	struct hd_error err;

	if (hd_low_diameter_recognise(fabric, &low, &err))
		fail_msg("%s: %s", what, err.text);
	return low;
}

static const struct {
	const char *spec, *name;
	uint32_t q, p;
} fabrics[] = {
	{ "slimfly:q=3", "slimfly", 3, 3 },         { "slimfly:q=4", "slimfly", 4, 3 },
	{ "slimfly:q=5", "slimfly", 5, 4 },         { "slimfly:q=7,p=1", "slimfly", 7, 1 },
	{ "slimfly:q=8,p=1", "slimfly", 8, 1 },     { "slimfly:q=9,p=1", "slimfly", 9, 1 },
	{ "slimfly:q=11,p=1", "slimfly", 11, 1 },   { "slimfly:q=13,p=1", "slimfly", 13, 1 },
	{ "slimfly:q=17,p=1", "slimfly", 17, 1 },   { "polarfly:q=3", "polarfly", 3, 2 },
	{ "polarfly:q=4", "polarfly", 4, 3 },       { "polarfly:q=5", "polarfly", 5, 3 },
	{ "polarfly:q=7", "polarfly", 7, 4 },       { "polarfly:q=8", "polarfly", 8, 5 },
	{ "polarfly:q=9", "polarfly", 9, 5 },       { "polarfly:q=13,p=1", "polarfly", 13, 1 },
	{ "polarfly:q=16,p=1", "polarfly", 16, 1 },
};
#define N_FABRICS (sizeof(fabrics) / sizeof(fabrics[0]))

static void assert_is(const struct hd_low_diameter *low, size_t i, uint32_t n_switches,
		      uint32_t n_links, const char *what)
{
	if (strcmp(hd_low_diameter_name(low), fabrics[i].name) != 0 || low->q != fabrics[i].q ||
	    low->p != fabrics[i].p || low->n_missing_switches != n_switches ||
	    low->n_missing != n_links)
		fail_msg("%s %s: %s q=%u p=%u, %u switches and %u links missing", fabrics[i].spec,
			 what, hd_low_diameter_name(low), low->q, low->p, low->n_missing_switches,
			 low->n_missing);
}

static void whole_and_relabelled(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_FABRICS; i++) {
		struct hd_fabric *fabric = make(fabrics[i].spec);

		for (uint64_t seed = 0; seed < 3; seed++) {
			struct hd_fabric *copy = shuffled_copy(fabric, seed, NULL, NULL);
			struct hd_low_diameter *low = recognise_low(copy, fabrics[i].spec);

			assert_is(low, i, 0, 0, "whole");
			assert_true(hd_low_diameter_is_perfect(low));
			hd_low_diameter_free(low);
			hd_fabric_free(copy);
		}
		hd_fabric_free(fabric);
	}
}

/* Without every twentieth link: exactly those are missing, under other numbers, too. */
static void without_links(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_FABRICS; i++) {
		struct hd_fabric *whole = make(fabrics[i].spec), *less, *copy;
		uint32_t n_links, *links = switch_links(whole, &n_links), n_lost;
		uint32_t *node_of = malloc(whole->n_nodes * sizeof(*node_of));
		struct hd_low_diameter *low;
		struct hd_random random;
		struct hd_error err;

		hd_random_init(&random, i, 0);
		for (n_lost = 0; n_lost < n_links / 20; n_lost++) {
			const uint32_t at = n_lost + hd_random_below(&random, n_links - n_lost);
			const uint32_t link = links[at];

			links[at] = links[n_lost];
			links[n_lost] = link;
		}
		assert_hd_ok(hd_fabric_without(whole, links, n_lost, NULL, 0, &less, &err), err);
		copy = shuffled_copy(less, i, node_of, NULL);
		low = recognise_low(copy, fabrics[i].spec);
		assert_is(low, i, 0, n_lost, "without links");
		for (uint32_t k = 0; k < n_lost; k++) {
			const struct hd_port *port = &whole->ports[links[k]];
			uint32_t a = node_of[port->node];
			uint32_t b = node_of[whole->ports[port->peer].node], n = 0;

			for (uint32_t m = 0; m < low->n_missing; m++)
				n += low->missing[m].a == (a < b ? a : b) &&
				     low->missing[m].b == (a < b ? b : a);
			assert_int_equal(n, 1);
		}
		hd_low_diameter_free(low);
		free(node_of);
		free(links);
		hd_fabric_free(copy);
		hd_fabric_free(less);
		hd_fabric_free(whole);
	}
}

/* Without a switch, and without another link. */
static void without_switches(void **state)
{
	(void)state;
	for (size_t i = 1; i < N_FABRICS; i++) {
		struct hd_fabric *whole = make(fabrics[i].spec), *less, *copy;
		const uint32_t switches[] = { 1, 6 };
		struct hd_low_diameter *low;
		uint32_t n_links, *links;
		struct hd_error err;
		const size_t n = whole->n_switches > 40 ? 2 : 1;

		if (whole->n_switches < 20) {
			hd_fabric_free(whole);
			continue;
		}
		assert_hd_ok(hd_fabric_without(whole, NULL, 0, switches, n, &less, &err), err);
		hd_fabric_free(whole);
		links = switch_links(less, &n_links);
		assert_hd_ok(hd_fabric_without(less, links + n_links / 2, 1, NULL, 0, &whole, &err),
			     err);
		copy = shuffled_copy(whole, i, NULL, NULL);
		low = recognise_low(copy, fabrics[i].spec);
		assert_is(low, i, (uint32_t)n, 1, "without switches");
		hd_low_diameter_free(low);
		free(links);
		hd_fabric_free(copy);
		hd_fabric_free(less);
		hd_fabric_free(whole);
	}
}

/* Two links that changed their ends fit nowhere; nor does a graph of the same counts. */
static void other_graphs_are_not(void **state)
{
	static const struct {
		const char *spec, *says;
	} others[] = {
		{ "jellyfish:n=50,r=7", "pairs of switches" },
		{ "jellyfish:n=98,r=11", "pairs of switches" },
		{ "jellyfish:n=32,r=6", "not a Slim Fly of q = 4" },
		{ "torus:5x10", "not nearly" },
		{ "hyperx:7x7", "not nearly" },
		{ "dragonfly:a=4,p=2,h=2", "not nearly" },
		{ "tree:k=4,n=3", "not nearly" },
		{ "hyperx:1x3", "not nearly" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct hd_fabric *fabric = make(others[i].spec);
		struct hd_low_diameter *low;
		struct hd_error err;

		assert_int_equal(hd_low_diameter_recognise(fabric, &low, &err), HD_EREFUSED);
		if (!strstr(err.text, others[i].says))
			fail_msg("%s: %s", others[i].spec, err.text);
		assert_null(low);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_and_relabelled),
		cmocka_unit_test(without_links),
		cmocka_unit_test(without_switches),
		cmocka_unit_test(other_graphs_are_not),
	};

	return cmocka_run_group_tests_name("recognise low", tests, NULL, NULL);
}
