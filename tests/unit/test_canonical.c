// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Canonical copies: the same whatever GUIDs and LIDs the nodes have, and as the fabric is cabled.
 */
#include "tests/unit/unit.h"

#include "fabric/faults.h"
#include "support/error.h"
#include "support/random.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/relabel.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/canonical.h"

static struct hd_fabric *canonical(const struct hd_fabric *fabric)
{
	struct hd_fabric *copy;
	struct hd_error err;

	assert_hd_ok(hd_fabric_canonical(fabric, &copy, &err), err);
	return copy;
}

/* Names are not compared: look-alikes may have any of theirs. */
static void assert_same(const struct hd_fabric *a, const struct hd_fabric *b, const char *what)
{
	if (a->n_nodes != b->n_nodes || a->n_ports != b->n_ports || a->top_lid != b->top_lid)
		fail_msg("%s: counts", what);
	hd_for_each_node(n, a)
		if (a->nodes[n].guid != b->nodes[n].guid || a->nodes[n].type != b->nodes[n].type)
			fail_msg("%s: node %u", what, (unsigned)n);
	hd_for_each_port(p, a)
		if (a->ports[p].peer != b->ports[p].peer || a->ports[p].lid != b->ports[p].lid ||
		    a->ports[p].lmc != b->ports[p].lmc || a->ports[p].speed != b->ports[p].speed)
			fail_msg("%s: port %u", what, (unsigned)p);
}

static void check(const struct hd_fabric *fabric, const char *what)
{
	struct hd_fabric *first = canonical(fabric);

	assert_int_equal(first->n_links, fabric->n_links);
	assert_int_equal(first->n_switches, fabric->n_switches);
	assert_int_equal(first->n_endports, fabric->n_endports);
	for (uint64_t seed = 0; seed < 6; seed++) {
		struct hd_fabric *other = relabelled_copy(fabric, seed);
		struct hd_fabric *copy = canonical(other);

		assert_same(first, copy, what);
		hd_fabric_free(copy);
		hd_fabric_free(other);
	}
	hd_fabric_free(first);
}

static const char *const specs[] = {
	"dragonfly:a=4,p=2,h=2",
	"dragonfly:a=3,p=2,h=3,g=7",
	"torus:5x4,p=2",
	"mesh:3x3x3",
	"hyperx:4x3",
	"kns:k=4,n=2",
	"tree:k=4,n=3",
	"pgft:m=4x4x3,w=1x4x2,p=1x1x2",
	"dragonflyplus:leaves=2,g=3",
	"director:lines=4x3,spines=3,down=6,uplinks=5x3x1,hosts=4,aggregation=yes",
	"tree:k=5,n=1",
};

static void labels_do_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned lmc = 0; lmc < 2; lmc++) {
			struct hd_fabric *fabric = build_fabric(specs[i], lmc);

			check(fabric, specs[i]);
			hd_fabric_free(fabric);
		}
}

/* 378 hosts with 128 LIDs each, switches with those below: no room for gaps. */
static void nearly_all_lids(void **state)
{
	struct hd_fabric *fabric = build_fabric("mesh:9x14,p=3", 0), *copy;
	uint16_t of_switches = 1, of_hosts = 128;

	(void)state;
	hd_for_each_port(p, fabric) {
		struct hd_port *port = &fabric->ports[p];

		if (!port->lid)
			continue;
		port->lmc = port->node < fabric->n_switches ? 0 : 7;
		port->lid = port->lmc ? of_hosts : of_switches;
		*(port->lmc ? &of_hosts : &of_switches) += (uint16_t)(1u << port->lmc);
	}
	copy = canonical(fabric);
	assert_true(copy->top_lid <= HD_MAX_LID);
	hd_fabric_free(copy);
	hd_fabric_free(fabric);
}

/* Some links less, so that parts of the fabric stand apart. */
static void nor_do_they_on_damaged_fabrics(void **state)
{
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 3, 0);
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned times = 0; times < 3; times++) {
			struct hd_fabric *fabric = build_fabric(specs[i], 0), *less;
			uint32_t links[4];
			uint32_t n = 0;
			struct hd_error err;

			while (n < 4) {
				const uint32_t p = hd_random_below(&random, fabric->n_ports);

				if (fabric->ports[p].peer != HD_NONE)
					links[n++] = p;
			}
			assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, &less, &err),
				     err);
			check(less, specs[i]);
			hd_fabric_free(less);
			hd_fabric_free(fabric);
		}
}

static void random_graphs(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 24; seed++) {
		struct hd_fabric *fabric = random_graph(seed);

		check(fabric, "random");
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_do_not_matter),
		cmocka_unit_test(nearly_all_lids),
		cmocka_unit_test(nor_do_they_on_damaged_fabrics),
		cmocka_unit_test(random_graphs),
	};

	return cmocka_run_group_tests_name("canonical", tests, NULL, NULL);
}
