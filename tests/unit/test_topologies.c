// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Specs, their errors, and the shapes that they build. */
#include "tests/unit/unit.h"

#include "support/options.h"
#include "topologies/topology.h"

static struct hd_fabric *make(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err = { 0 };

	if (hd_topology_build(spec, &fabric, &err))
		fail_msg("%s: %s", spec, err.text);
	return fabric;
}

/* Hops between the two switches that are farthest apart; HD_NONE when some are not connected. */
static uint32_t diameter(const struct hd_fabric *fabric)
{
	uint32_t n = fabric->n_switches, longest = 0;
	uint32_t *distance = malloc(n * sizeof(*distance)), *queue = malloc(n * sizeof(*queue));

	for (uint32_t from = 0; from < n; from++) {
		uint32_t head = 0, tail = 0;

		memset(distance, 0xFF, n * sizeof(*distance));
		distance[from] = 0;
		queue[tail++] = from;
		while (head < tail) {
			uint32_t s = queue[head++];

			hd_for_each_number(port, fabric, s) {
				uint32_t peer = hd_peer_node(fabric, s, port);

				if (peer < n && distance[peer] == HD_NONE) {
					distance[peer] = distance[s] + 1;
					queue[tail++] = peer;
				}
			}
		}
		for (uint32_t s = 0; s < n; s++)
			longest = distance[s] > longest ? distance[s] : longest;
	}
	free(distance);
	free(queue);
	return longest;
}

static uint32_t parallel_links(const struct hd_fabric *fabric)
{
	uint32_t n = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(i, fabric, s)
			for (unsigned k = 1; k < i; k++)
				n += hd_peer_node(fabric, s, i) != HD_NONE &&
				     hd_peer_node(fabric, s, i) == hd_peer_node(fabric, s, k);
	return n;
}

static void counts_and_diameters(void **state)
{
	static const struct {
		const char *spec;
		uint32_t hosts, switches, links, diameter; /* diameter 0: not computed */
	} shapes[] = {
		/* the paper's dragonflies: N = ap(ah + 1), g groups of a switches */
		{ "dragonfly:a=4,p=2,h=2", 72, 36, 72 + 54 + 36, 3 },
		{ "dragonfly:a=6,p=3,h=3", 342, 114, 342 + 285 + 171, 3 },
		{ "dragonfly:a=8,p=4,h=4", 1056, 264, 1056 + 924 + 528, 3 },
		{ "dragonfly:a=10,p=5,h=5", 2550, 510, 2550 + 2295 + 1275, 3 },
		{ "dragonfly:a=16,p=8,h=8", 16512, 2064, 16512 + 15480 + 8256, 0 },
		{ "dragonfly:a=3,p=2,h=2", 42, 21, 42 + 21 + 21, 3 },
		{ "dragonfly", 72, 36, 162, 3 },
		{ "dragonfly:h=3", 342, 114, 798, 3 },
		{ "dragonfly:a=4,p=4,h=2", 144, 36, 144 + 54 + 36, 3 },
		{ "dragonfly:a=4,p=0,h=0", 0, 4, 6, 1 },
		{ "torus:8x8", 64, 64, 64 + 128, 8 },
		{ "torus:3x4x5,p=2", 120, 60, 120 + 180, 5 },
		{ "torus:2x3", 6, 6, 6 + 3 + 6, 2 },
		{ "torus:2x2x2x2x2x2,p=0", 0, 64, 192, 6 },
		{ "torus:9", 9, 9, 18, 4 },
		{ "mesh:8x8", 64, 64, 64 + 112, 14 },
		{ "mesh:2x5,p=3", 30, 10, 30 + 5 + 8, 5 },
		{ "hyperx:4x4", 64, 16, 64 + 48, 2 },
		{ "hyperx:3x4x5,p=1", 60, 60, 60 + 60 + 90 + 120, 3 },
		{ "hyperx:7", 49, 7, 49 + 21, 1 },
		{ "hyperx:1x3,p=1", 3, 3, 3 + 3, 1 },
		/* the tori of Cano-Cano et al. (QoS): switches of 48 and 28 ports */
		{ "torus:8x8,p=8,trunk=10", 512, 64, 512 + 10 * 128, 8 },
		{ "torus:8x8x4,p=4,trunk=4", 1024, 256, 1024 + 4 * 768, 10 },
		{ "torus:5x2,trunk=3", 10, 10, 10 + 3 * 15, 3 },
		{ "mesh:4x3,trunk=2", 12, 12, 12 + 2 * 17, 5 },
		{ "hyperx:4x3,p=2,trunk=3", 24, 12, 24 + 3 * 30, 2 },
		/* routers are switches too: N = k^n of them, and n * k^(n-1) lines */
		{ "kns:k=4,n=2", 16, 16 + 8, 16 + 32, 4 },
		{ "kns:k=48,n=2", 2304, 2304 + 96, 2304 * 3, 0 },
		{ "kns:k=24,n=3", 13824, 13824 + 1728, 13824 * 4, 0 },
		{ "kns:k=3,n=1", 3, 3 + 1, 6, 2 },
		{ "tree:k=2,n=3", 8, 12, 8 * 3, 4 },
		{ "tree:k=4,n=3", 64, 48, 64 * 3, 4 },
		{ "tree:k=8,n=3", 512, 192, 512 * 3, 4 },
		{ "tree:k=5,n=1", 5, 1, 5, 0 },
		{ "pgft:m=4x4x4,w=1x4x4", 64, 48, 64 * 3, 4 },
		{ "pgft:m=18x18x36,w=1x18x18,p=1x1x1", 11664, 1620, 11664 * 3, 0 },
		{ "pgft:m=12x8,w=1x6", 96, 8 + 6, 96 + 48, 2 },
		{ "pgft:m=3x2x4,w=1x2x3,rails=2", 24, 8 + 8 + 6, 24 + 16 + 24, 4 },
		{ "pgft:m=5,w=1", 5, 1, 5, 0 },
		{ "director", 324, 18 + 18 + 18, 324 + 324 + 324, 2 },
		{ "director:lines=30x24,uplinks=9", 1944, 108 + 54 + 36, 1944 + 108 * 9 + 54 * 18,
		  4 },
		{ "director:lines=4,spines=2,down=6,edges=3,uplinks=4x2x1,hosts=2x3x4,direct=2", 17,
		  3 + 4 + 2, 17 + 7 + 8, 4 },
		{ "director:lines=2x1,spines=2,down=3,uplinks=3,hosts=1,aggregation=yes", 3 + 10,
		  3 + 3 + 4, 13 + 9 + 6, 4 },
		{ "pgft", 16, 4 + 2, 16 + 8, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);

		if (fabric->n_switches != shapes[i].switches ||
		    fabric->n_nodes != shapes[i].hosts + shapes[i].switches ||
		    fabric->n_links != shapes[i].links)
			fail_msg("%s: %u nodes, %u switches, %u links", shapes[i].spec,
				 (unsigned)fabric->n_nodes, (unsigned)fabric->n_switches,
				 (unsigned)fabric->n_links);
		if (shapes[i].diameter && diameter(fabric) != shapes[i].diameter)
			fail_msg("%s: diameter %u", shapes[i].spec, (unsigned)diameter(fabric));
		assert_int_equal(parallel_links(fabric) > 0,
				 strstr(shapes[i].spec, "trunk") != NULL);
		hd_fabric_free(fabric);
	}
}

/* Node @name has port @port linked to node @peer, port @peer_port. */
static void assert_link(const struct hd_fabric *fabric, const char *name, unsigned port,
			const char *peer, unsigned peer_port)
{
	struct hd_error err = { 0 };
	uint32_t node, other;

	assert_hd_ok(hd_fabric_find(fabric, name, &node, &err), err);
	assert_hd_ok(hd_fabric_find(fabric, peer, &other, &err), err);
	assert_int_equal(fabric->ports[hd_port_index(fabric, node, port)].peer,
			 hd_port_index(fabric, other, peer_port));
}

static void ports_and_names_are_as_documented(void **state)
{
	struct hd_fabric *fabric = make("torus:4x12,p=2");

	(void)state;
	assert_link(fabric, "H-00003", 1, "S1.00", 2);
	assert_link(fabric, "S3.11", 3, "S0.11", 4);
	assert_link(fabric, "S2.03", 5, "S2.04", 6);
	hd_fabric_free(fabric);

	fabric = make("mesh:3x2");
	assert_link(fabric, "S0.1", 2, "S1.1", 3);
	assert_link(fabric, "S2.0", 4, "S2.1", 4);
	assert_int_equal(hd_peer_node(fabric, 2, 2), HD_NONE);
	hd_fabric_free(fabric);

	fabric = make("hyperx:4x3,p=1");
	assert_link(fabric, "S1.2", 2, "S0.2", 2);
	assert_link(fabric, "S1.2", 4, "S3.2", 3);
	assert_link(fabric, "S1.2", 6, "S1.1", 6);
	hd_fabric_free(fabric);

	/* 8 hosts, 10 ports up, 10 down, along each dimension */
	fabric = make("torus:8x8,p=8,trunk=10");
	assert_int_equal(fabric->nodes[0].n_ports, 48);
	assert_link(fabric, "S0.0", 9, "S1.0", 19);
	assert_link(fabric, "S0.0", 18, "S1.0", 28);
	assert_link(fabric, "S0.0", 19, "S7.0", 9);
	assert_link(fabric, "S0.0", 38, "S0.1", 48);
	hd_fabric_free(fabric);

	fabric = make("torus:8x8x4,p=4,trunk=4");
	assert_int_equal(fabric->nodes[0].n_ports, 28);
	hd_fabric_free(fabric);

	/* in a dimension of two there are no ports down */
	fabric = make("torus:5x2,p=1,trunk=2");
	assert_int_equal(fabric->nodes[0].n_ports, 1 + 4 + 2);
	assert_link(fabric, "S0.0", 7, "S0.1", 7);
	hd_fabric_free(fabric);

	fabric = make("hyperx:4x3,p=1,trunk=2");
	assert_int_equal(fabric->nodes[0].n_ports, 1 + 2 * 3 + 2 * 2);
	assert_link(fabric, "S1.2", 3, "S0.2", 3);
	assert_link(fabric, "S1.2", 7, "S3.2", 5);
	assert_link(fabric, "S1.2", 11, "S1.1", 11);
	hd_fabric_free(fabric);

	fabric = make("kns:k=4,n=2");
	assert_link(fabric, "H-00006", 1, "R2.1", 1);
	assert_link(fabric, "R2.1", 2, "X1", 3);
	assert_link(fabric, "R2.1", 3, "Y2", 2);
	hd_fabric_free(fabric);

	fabric = make("tree:k=2,n=3");
	assert_link(fabric, "H-00005", 1, "L0S2", 2);
	assert_link(fabric, "L0S2", 4, "L1S3", 1);
	assert_link(fabric, "L1S3", 3, "L2S1", 2);
	hd_fabric_free(fabric);

	fabric = make("pgft:m=3x2x4,w=1x2x3,p=1x2x1");
	assert_link(fabric, "H-00005", 1, "L0S1", 3);
	/* port 4 + 2 * 1 + 1: the second cable to the second parent, where L0S1 is child 1 */
	assert_link(fabric, "L0S1", 7, "L1S1", 4);
	assert_link(fabric, "L0S6", 4, "L1S6", 1);
	/* 4 ports down; digits (1, 2) of L1S5, parents (1, 0), (1, 1), (1, 2) */
	assert_link(fabric, "L1S5", 7, "L2S5", 3);
	hd_fabric_free(fabric);

	/* hosts of two adapters: those of host 3 on leaves 2 and 3 */
	fabric = make("pgft:m=3x4,w=1x2,rails=2");
	assert_link(fabric, "H-00006", 1, "L0S2", 1);
	assert_link(fabric, "H-00007", 1, "L0S3", 1);
	assert_link(fabric, "H-00009", 1, "L0S3", 2);
	hd_fabric_free(fabric);

	fabric = make("dragonfly:a=4,p=2,h=2");
	assert_link(fabric, "H-00011", 1, "G1S1", 2);
	assert_link(fabric, "G1S1", 3, "G1S0", 3);
	assert_link(fabric, "G1S3", 5, "G1S2", 5);
	assert_link(fabric, "G1S0", 6, "G0S3", 7);
	hd_fabric_free(fabric);
}

/* Switches first, then hosts, both in the order of their indices, which GUIDs follow. */
static void guids_follow_from_indices(void **state)
{
	struct hd_fabric *fabric = make("dragonfly:h=3,g=11");

	(void)state;
	hd_for_each_switch(s, fabric) {
		char name[16];

		assert_int_equal(fabric->nodes[s].guid, UINT64_C(0x0001000000000000) + s);
		snprintf(name, sizeof(name), "G%02uS%u", (unsigned)s / 6, (unsigned)s % 6);
		assert_string_equal(hd_node_name(fabric, s), name);
	}
	for (uint32_t i = 0; i < fabric->n_nodes - fabric->n_switches; i++) {
		uint32_t node = fabric->n_switches + i;
		const struct hd_port *port = &fabric->ports[hd_port_index(fabric, node, 1)];
		char name[16];

		assert_int_equal(fabric->nodes[node].guid, UINT64_C(0x0002000000000000) + 16 * i);
		assert_int_equal(port->guid, fabric->nodes[node].guid + 1);
		assert_int_equal(port->width, 4);
		assert_int_equal(port->speed, HD_HDR);
		snprintf(name, sizeof(name), "H-%05u", (unsigned)i);
		assert_string_equal(hd_node_name(fabric, node), name);
	}
	hd_fabric_free(fabric);
}

static void registry_is_sorted_and_examples_build(void **state)
{
	(void)state;
	for (size_t i = 0; hd_topologies.policies[i]; i++) {
		const struct hd_policy *policy = hd_topologies.policies[i];
		const struct hd_topology *topology = (const struct hd_topology *)policy;

		if (i)
			assert_true(strcmp(hd_topologies.policies[i - 1]->name, policy->name) < 0);
		assert_ptr_equal(hd_policy_find(&hd_topologies, policy->name), policy);
		assert_true(hd_topology_is_spec(topology->example));
		assert_true(hd_topology_is_spec(policy->name));
		hd_fabric_free(make(topology->example));
	}
	assert_null(hd_policy_find(&hd_topologies, "torus:8x8"));
	assert_null(hd_policy_find(&hd_topologies, "toru"));
	assert_null(hd_policy_find(&hd_topologies, ""));
	assert_false(hd_topology_is_spec("torus.net"));
	assert_false(hd_topology_is_spec("./torus"));
	assert_false(hd_topology_is_spec(""));
	assert_false(hd_topology_is_spec(":"));
}

static void bad_specs_say_why(void **state)
{
	static const struct {
		const char *spec;
		int code;
		const char *says;
	} bad[] = {
		{ "butterfly:k=2", HD_EINVAL, "no topology 'butterfly'" },
		{ "", HD_EINVAL, "no topology ''" },
		{ "torus:8x8\n", HD_EINVAL, "control character" },
		{ "dragonfly:q=2", HD_EINVAL, "dragonfly has no option 'q'" },
		{ "torus:8x8,trunk=0", HD_ERANGE, "trunk" },
		{ "torus:8x8,p=8,trunk=62", HD_ERANGE, "256 ports on a switch" },
		{ "hyperx:8x8,trunk=4294967295", HD_ERANGE, "trunk" },
		{ "dragonfly:a=4,a=4", HD_EINVAL, "given twice" },
		{ "dragonfly:a", HD_EINVAL, "'a' is not key=value" },
		{ "dragonfly:a=4,", HD_EINVAL, "empty" },
		{ "dragonfly:,a=4", HD_EINVAL, "empty" },
		{ "dragonfly:a=", HD_EINVAL, "dragonfly: a: '' is not a number" },
		{ "dragonfly:a=-1", HD_EINVAL, "-1 is not in" },
		{ "dragonfly:a=0", HD_ERANGE, "not in 1..49151" },
		{ "dragonfly:h=99999999999999999999", HD_ERANGE, "not in" },
		{ "dragonfly:a=4,h=2,g=10", HD_ERANGE, "a*h + 1 = 4*2 + 1 = 9" },
		{ "dragonfly:h=0,g=2", HD_ERANGE, "= 1 is the most" },
		{ "dragonfly:a=250,h=10", HD_ERANGE, "269 ports on a switch" },
		{ "dragonfly:h=20", HD_ERANGE, "640800 hosts + 32040 switches = 672840 LIDs" },
		{ "dragonfly:a=49151,h=252,p=0,local=ring", HD_ERANGE, "LIDs" },
		{ "dragonfly:global=star", HD_EINVAL, "global: 'star'" },
		{ "dragonfly:global=random(", HD_EINVAL, "parentheses" },
		{ "dragonfly:global=random)", HD_EINVAL, "parentheses" },
		{ "dragonfly:global=random()", HD_EINVAL, "random(SEED)" },
		{ "dragonfly:global=random(1)2", HD_EINVAL, "random(SEED)" },
		{ "dragonfly:global=random(1,2)", HD_EINVAL, "random(SEED)" },
		{ "dragonfly:a=6,local=hyperx:2x2", HD_EINVAL, "W*H = a = 6" },
		{ "dragonfly:a=8,local=hyperx:2x2x2", HD_EINVAL, "hyperx:WxH" },
		{ "dragonfly:a=6,local=hyperx:", HD_EINVAL, "local" },
		{ "dragonfly:local=mesh", HD_EINVAL, "local: 'mesh'" },
		{ "torus", HD_EINVAL, "torus: sizes must be given" },
		{ "torus:p=1", HD_EINVAL, "torus: sizes must be given" },
		{ "torus:8x8,8x8", HD_EINVAL, "not key=value" },
		{ "torus:8x8,sizes=8x8", HD_EINVAL, "given twice" },
		{ "torus:8x", HD_EINVAL, "not sizes" },
		{ "torus:x8", HD_EINVAL, "not sizes" },
		{ "torus:8X8", HD_EINVAL, "not sizes" },
		{ "torus:8x1", HD_ERANGE, "size 1" },
		{ "torus:2x2x2x2x2x2x2", HD_ERANGE, "6 dimensions" },
		{ "torus:49151x49151x49151x49151x49151x49151", HD_ERANGE, "LIDs" },
		{ "torus:222x222", HD_ERANGE, "49284 hosts + 49284 switches = 98568 LIDs" },
		{ "torus:4x4,p=251", HD_ERANGE, "255 ports on a switch" },
		{ "hyperx:256", HD_ERANGE, "ports on a switch" },
		{ "kns:k=255", HD_ERANGE, "k: 255 is not in 2..254" },
		{ "kns:n=7", HD_ERANGE, "n: 7" },
		{ "kns:k=254,n=6", HD_ERANGE, "LIDs" },
		{ "tree:k=128", HD_ERANGE, "256 ports on a switch" },
		{ "tree:k=127,n=6", HD_ERANGE, "LIDs" },
		{ "pgft:m=4x4,w=1", HD_EINVAL, "w has 1 levels, and m has 2" },
		{ "director:lines=2,down=2,edges=2,uplinks=3", HD_ERANGE, "6 uplinks" },
		{ "director:lines=0", HD_ERANGE, "size 0" },
		{ "director:direct=19", HD_ERANGE, "direct" },
		{ "director:hosts=200,uplinks=100,lines=36,spines=60,down=200", HD_ERANGE,
		  "300 ports" },
		{ "pgft:m=4x4,w=1x2,p=1x2x3", HD_EINVAL, "p has 3 levels" },
		{ "pgft:m=4x4,w=2x2", HD_EINVAL, "rails=2" },
		{ "pgft:m=4x4,w=1x2,p=2x1", HD_EINVAL, "must begin with 1" },
		{ "pgft:m=4x0,w=1x2", HD_ERANGE, "size 0" },
		{ "pgft:m=4x4,w=1x2,rails=3", HD_EINVAL, "4 leaf switches do not divide" },
		{ "pgft:m=200x4,w=1x60", HD_ERANGE, "260 ports on a switch" },
		{ "pgft:m=254x254x254x254x254x254,w=1x254x254x254x254x254", HD_ERANGE, "ports" },
		{ "pgft:m=100x100x100,w=1x2x2", HD_ERANGE, "LIDs" },
	};
	struct hd_fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct hd_error err = { 0 };
		int ret = hd_topology_build(bad[i].spec, &fabric, &err);

		if (ret != bad[i].code || err.code != ret)
			fail_msg("%s: %d %s", bad[i].spec, ret, err.text);
		assert_null(fabric);
		assert_hd_says(err, bad[i].says);
		assert_int_equal(hd_topology_build(bad[i].spec, &fabric, NULL), ret);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_and_diameters),
		cmocka_unit_test(ports_and_names_are_as_documented),
		cmocka_unit_test(guids_follow_from_indices),
		cmocka_unit_test(registry_is_sorted_and_examples_build),
		cmocka_unit_test(bad_specs_say_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
