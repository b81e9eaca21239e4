// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The order of switches that ways through a third group suit (engines/group_order.h). */
#include "tests/unit/unit.h"

#include "engines/group_order.h"
#include "fabric/faults.h"
#include "support/error.h"
#include "tests/unit/spec_fabric.h"

/* The order of the switches of @fabric, to be freed. */
static uint64_t *order_of(const struct hd_fabric *fabric)
{
	uint64_t *order = malloc(fabric->n_switches * sizeof(*order));
	struct hd_dragonfly *dragonfly = NULL;
	struct hd_error err;

	assert_non_null(order);
	assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err), err);
	assert_hd_ok(hd_group_order(fabric, dragonfly, order, &err), err);
	hd_dragonfly_free(dragonfly);
	return order;
}

static uint32_t links_between(const struct hd_fabric *fabric, const uint32_t *group, uint32_t a,
			      uint32_t b)
{
	uint32_t n = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = hd_peer_node(fabric, s, number);

			n += group[s] == a && peer < fabric->n_switches && group[peer] == b;
		}
	return n;
}

/* Whether ways from the group of @a to that of @b enter at @c and arrive at @d. */
static bool is_wish(const struct hd_fabric *fabric, const uint32_t *group, uint32_t a, uint32_t c,
		    uint32_t d)
{
	const uint32_t direct = links_between(fabric, group, group[a], group[d]);

	return group[a] != group[c] && group[c] != group[d] && group[a] != group[d] &&
	       links_between(fabric, group, group[a], group[c]) > direct &&
	       links_between(fabric, group, group[c], group[d]) > direct;
}

/* Counts, for the entry @c from @a, the wishes and those that suit @order. */
static void count_from(const struct hd_fabric *fabric, const uint32_t *group, const uint64_t *order,
		       uint32_t a, uint32_t c, unsigned *n, unsigned *n_suit)
{
	hd_for_each_switch(d, fabric)
		hd_for_each_number(number, fabric, d) {
			const uint32_t peer = hd_peer_node(fabric, d, number);

			if (peer >= fabric->n_switches || group[peer] != group[c] ||
			    !is_wish(fabric, group, a, c, d))
				continue;
			++*n;
			*n_suit += order[c] < order[d];
		}
}

/* Four groups, two pairs of which one link joins, and two the others: of 32 wishes 24 can suit. */
static void most_wishes_suit(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=5,p=1,h=1,g=4", 0);
	uint64_t *order = order_of(fabric);
	struct hd_dragonfly *dragonfly = NULL;
	unsigned n = 0, n_suit = 0;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err), err);
	hd_for_each_switch(c, fabric)
		hd_for_each_number(number, fabric, c) {
			const uint32_t a = hd_peer_node(fabric, c, number);

			if (a < fabric->n_switches)
				count_from(fabric, dragonfly->group, order, a, c, &n, &n_suit);
		}
	assert_int_equal(n, 32);
	assert_in_range(n_suit, 22, 24);
	hd_dragonfly_free(dragonfly);
	free(order);
	hd_fabric_free(fabric);
}

/* Each switch has a place of its own. */
static void all_places_differ(void **state)
{
	static const char *const specs[] = {
		"dragonfly:a=5,p=1,h=1,g=4",
		"dragonfly:a=5,p=1,h=4,g=13",
		"dragonfly:a=4,p=1,h=3,g=5",
		"dragonfly:a=2,p=1,h=1,g=2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		uint64_t *order = order_of(fabric);

		hd_for_each_switch(s, fabric)
			hd_for_each_switch(t, fabric)
				assert_true(s == t || order[s] != order[t]);
		free(order);
		hd_fabric_free(fabric);
	}
}

/* Any one link may fail. */
static void a_lost_link_changes_nothing(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=5,p=1,h=4,g=13", 0);
	uint64_t *order = order_of(fabric);

	(void)state;
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		const uint32_t peer = fabric->ports[p].peer;
		struct hd_fabric *rest;
		struct hd_error err;
		uint64_t *other;

		if (peer == HD_NONE || peer < p || fabric->ports[p].node >= fabric->n_switches ||
		    fabric->ports[peer].node >= fabric->n_switches)
			continue;
		assert_hd_ok(hd_fabric_without(fabric, &p, 1, NULL, 0, &rest, &err), err);
		other = order_of(rest);
		assert_memory_equal(order, other, fabric->n_switches * sizeof(*order));
		free(other);
		hd_fabric_free(rest);
	}
	free(order);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_wishes_suit),
		cmocka_unit_test(all_places_differ),
		cmocka_unit_test(a_lost_link_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
