// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Missing and odd cables: of every family, those that were taken out, and no others. */
#include "tests/unit/unit.h"

#include "fabric/faults.h"
#include "plan/gaps.h"
#include "support/random.h"
#include "tests/unit/plan_case.h"
#include "topologies/recognise.h"
#include "topologies/topology.h"

#define MOST_CUT 6

static const char *const families[] = {
	"torus:6x6",
	"torus:5x5x5,p=2",
	"torus:6x6,p=8,trunk=4",
	"mesh:7x6",
	"hyperx:6x6",
	"hyperx:4x4x4,p=2",
	"kns:k=6,n=2",
	"dragonfly:a=6,p=3,h=3",
	"dragonfly:a=8,p=2,h=4,g=17",
	"dragonfly:a=8,p=2,h=2,g=5",
	"dragonflyplus:leaves=4,spines=4,hosts=4,h=4",
	"tree:k=6,n=3",
	"tree:k=8,n=2",
	"pgft:m=8x12,w=1x4,p=1x2",
};
#define N_FAMILIES (sizeof(families) / sizeof(families[0]))

struct found {
	struct hd_fabric *now;
	struct hd_shapes shapes;
	struct hd_gaps gaps;
};

/* Takes @now. */
static void find(struct hd_fabric *now, struct found *found)
{
	struct hd_error err;

	found->now = now;
	assert_hd_ok(hd_recognise(now, NULL, &found->shapes, &err), err);
	assert_hd_ok(hd_gaps_find(now, &found->shapes, false, &found->gaps, &err), err);
}

static void clear(struct found *found)
{
	hd_gaps_clear(&found->gaps);
	hd_shapes_clear(&found->shapes);
	hd_fabric_free(found->now);
}

static struct hd_fabric *build(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(hd_topology_build(spec, &fabric, &err), err);
	return fabric;
}

static unsigned count_trunks(const struct hd_fabric *fabric)
{
	unsigned n = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			n += peer != HD_NONE && hd_is_switch(fabric, peer) && peer > s;
		}
	return n;
}

/* Draws @n different links between switches. */
static void draw(const struct hd_fabric *fabric, unsigned n, uint64_t seed, uint32_t *ports)
{
	struct hd_random random;

	hd_random_init(&random, seed, 0);
	for (unsigned i = 0; i < n;) {
		uint32_t p = hd_random_below(&random, fabric->n_ports), k = 0;
		uint32_t peer = fabric->ports[p].peer;

		if (peer == HD_NONE || peer < p || !hd_is_switch(fabric, fabric->ports[p].node) ||
		    !hd_is_switch(fabric, fabric->ports[peer].node))
			continue;
		while (k < i && ports[k] != p)
			k++;
		if (k == i)
			ports[i++] = p;
	}
}

/* Whether @place may be @port, by its switch and by the free ports of this. */
static bool may_be(const struct found *found, const struct hd_place *place,
		   const struct hd_port *port)
{
	for (uint32_t s = HD_NONE;
	     (s = hd_free_ports_next_switch(&found->gaps.ports, place, s)) != HD_NONE;)
		for (unsigned number = 0;
		     s == port->node &&
		     (number = hd_free_ports_next(&found->gaps.ports, s, number)) != 0;)
			if (number == port->number)
				return true;
	return false;
}

/* Whether @port, a free one, is likely for its cable, if any port of its switch is. */
static bool is_likely(const struct found *found, const struct hd_fabric *whole, uint32_t port)
{
	const struct hd_free_ports *ports = &found->gaps.ports;
	uint32_t s = whole->ports[port].node, other = whole->ports[whole->ports[port].peer].node;
	bool any = false;

	for (unsigned number = 0; (number = hd_free_ports_next(ports, s, number)) != 0;)
		any |= hd_free_ports_is_likely(ports, s, other, number);
	return !any || hd_free_ports_is_likely(ports, s, other, whole->ports[port].number);
}

/* Strikes the cable of @port off the missing ones. */
static bool strike(const struct found *found, const struct hd_fabric *whole, uint32_t port,
		   bool *is_struck)
{
	const struct hd_port *one = &whole->ports[port], *other = &whole->ports[one->peer];
	const struct hd_differences *differences = &found->gaps.differences;

	for (uint32_t i = 0; i < differences->n_planned; i++) {
		const struct hd_place *ends = differences->planned[i].ends;

		if (is_struck[i] ||
		    !((may_be(found, &ends[0], one) && may_be(found, &ends[1], other)) ||
		      (may_be(found, &ends[1], one) && may_be(found, &ends[0], other))))
			continue;
		is_struck[i] = true;
		return true;
	}
	return false;
}

static void test_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_FAMILIES; i++) {
		struct found found;

		find(build(families[i]), &found);
		assert_true(found.gaps.is_known);
		assert_false(found.gaps.is_other);
		assert_int_equal(found.gaps.n_missing, 0);
		assert_int_equal(found.gaps.n_odd, 0);
		clear(&found);
	}
}

/* Those that were taken out, with their ports, and no others. */
static void test_missing(void **state)
{
	unsigned n_wrong = 0;

	(void)state;
	for (size_t i = 0; i < N_FAMILIES * MOST_CUT; i += HD_IS_SLOW ? 7 : 1) {
		struct hd_fabric *whole = build(families[i / MOST_CUT]), *now;
		unsigned n = 1 + (unsigned)(i % MOST_CUT);
		bool is_struck[MOST_CUT] = { false };
		uint32_t ports[MOST_CUT];
		struct found found;
		struct hd_error err;

		draw(whole, n, i + 1, ports);
		assert_hd_ok(hd_fabric_without(whole, ports, n, NULL, 0, &now, &err), err);
		find(now, &found);
		/* a small mesh without a twentieth of its cables may be none */
		if (!found.gaps.is_known && 20 * n > count_trunks(now)) {
			clear(&found);
			hd_fabric_free(whole);
			continue;
		}
		assert_true(found.gaps.is_known);
		if (found.gaps.n_missing != n || found.gaps.n_odd)
			fail_msg("%s without %u: %u missing, %u odd of %s", families[i / MOST_CUT],
				 n, found.gaps.n_missing, found.gaps.n_odd, found.gaps.shape);
		for (unsigned k = 0; k < n; k++)
			if (!strike(&found, whole, ports[k], is_struck))
				fail_msg("%s without %u: no %u", families[i / MOST_CUT], n, k);
		for (unsigned k = 0; k < n; k++)
			n_wrong += !is_likely(&found, whole, ports[k]) +
				   !is_likely(&found, whole, whole->ports[ports[k]].peer);
		clear(&found);
		hd_fabric_free(whole);
	}
	/* of more than 500 ends */
	assert_true(n_wrong <= 2);
}

/* A port that an odd cable has may be the one of a missing cable. */
static void test_odd(void **state)
{
	static const struct faults moved = { .n_moved = 1, .trunks_only = true };
	struct hd_fabric *whole = build("torus:8x8");
	char label[HD_END_LABEL_SIZE];
	struct found found;

	(void)state;
	find(faulty_copy(whole, &moved, false, 3), &found);
	assert_int_equal(found.gaps.n_missing, 0);
	assert_int_equal(found.gaps.n_odd, 1);
	for (unsigned end = 0; end < 2; end++) {
		const struct hd_place *place = &found.gaps.differences.present[0].ends[end];
		struct hd_place any = { place->present, HD_NONE, HD_NONE, 0 },
				pair[] = { any, any };

		assert_true(may_be(
			&found, &any,
			&found.now->ports[hd_port_index(found.now, place->present, place->port)]));
		assert_non_null(
			strstr(hd_end_label(&found.gaps.ports, pair, 0, label), "[one of "));
	}
	clear(&found);
	hd_fabric_free(whole);
}

/* Any shape fits one switch. */
static void test_unknown(void **state)
{
	struct found found;

	(void)state;
	find(build("tree:k=4,n=1"), &found);
	assert_false(found.gaps.is_known);
	clear(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
