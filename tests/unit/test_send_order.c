// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The order within rounds: what mends first. In no mixture does a pair lose packets that had them.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "change/send_order.h"
#include "change/schedule.h"
#include "fabric/faults.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"

/* Whether packets from the switch @s get to @lid. */
static bool arrives(const struct hd_tables *tables, uint32_t s, uint32_t lid)
{
	const struct hd_fabric *fabric = tables->fabric;

	for (uint32_t hops = 0; hops <= fabric->n_switches; hops++) {
		const uint8_t out = hd_lft(tables, s)[lid];

		if (fabric->lids[lid].via_switch == s && fabric->lids[lid].via_port == out)
			return true;
		if (!out || out > fabric->nodes[s].n_ports)
			return false;
		s = hd_peer_node(fabric, s, out);
		if (s == HD_NONE || !hd_is_switch(fabric, s))
			return false;
	}
	return false;
}

/* Pairs of switches and LIDs that arrive by @before and by @now and not by @tables. */
static unsigned count_lost(const struct hd_tables *tables, const struct hd_tables *before,
			   const struct hd_tables *now)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned n = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric)
			n += !arrives(tables, s, lid) && arrives(before, s, lid) &&
			     arrives(now, s, lid);
	return n;
}

/* What mixtures lose with what mends first, and without. */
struct tally {
	unsigned n_parted, lost, lost_without;
};

static unsigned lost_on_the_way(const struct hd_tables *ahead, const struct hd_tables *behind,
				const struct hd_tables *before, const struct hd_tables *now,
				struct hd_random *random)
{
	unsigned lost = 0;

	for (unsigned i = 0; i < (HD_IS_SLOW ? 2 : 8); i++) {
		struct hd_tables *mixture = mix(ahead, behind, random);

		lost += count_lost(mixture, before, now);
		hd_tables_free(mixture);
	}
	return lost;
}

/* What goes first from @now to @next, the same as of a goal and in place; NULL: nothing does. */
static struct hd_tables *send_first(const struct hd_tables *next, const struct hd_tables *now)
{
	struct hd_tables *of_goal = NULL, *first = put_onto(next, next->fabric);
	const size_t n_entries = next->fabric->n_switches * next->lft_stride;
	const size_t n_rows = next->sl2vl_first[next->fabric->n_nodes];
	bool is_first, is_in_place;
	struct hd_error err;

	assert_hd_ok(hd_send_first(next, now, &of_goal, &is_first, &err), err);
	assert_hd_ok(hd_send_first(NULL, now, &first, &is_in_place, &err), err);
	assert_int_equal(is_first, is_in_place);
	assert_int_equal(is_first, of_goal != NULL);
	assert_memory_equal(first->lft, (is_first ? of_goal : next)->lft, n_entries);
	assert_memory_equal(first->sl2vl, (is_first ? of_goal : next)->sl2vl,
			    n_rows * sizeof(*next->sl2vl));
	hd_tables_free(of_goal);
	if (is_first)
		return first;
	hd_tables_free(first);
	return NULL;
}

static void replay(const struct hd_tables *now, const struct hd_tables *before, struct tally *tally)
{
	struct hd_schedule schedule;
	struct hd_random random;
	struct hd_error err;

	assert_hd_ok(hd_schedule_make(now, before, &schedule, &err), err);
	hd_random_init(&random, 7, 8);
	for (unsigned r = 1; r <= schedule.n_rounds; r++) {
		struct hd_tables *behind, *ahead, *first;

		assert_int_equal(schedule.rounds[r - 1].n_dropped_entries, 0);
		assert_hd_ok(hd_schedule_tables(&schedule, now, before, r - 1, &behind, &err), err);
		assert_hd_ok(hd_schedule_tables(&schedule, now, before, r, &ahead, &err), err);
		tally->lost_without += lost_on_the_way(ahead, behind, before, now, &random);
		first = send_first(ahead, behind);
		if (first) {
			tally->n_parted++;
			tally->lost += lost_on_the_way(first, behind, before, now, &random);
			tally->lost += lost_on_the_way(ahead, first, before, now, &random);
		} else {
			tally->lost += lost_on_the_way(ahead, behind, before, now, &random);
		}
		hd_tables_free(first);
		hd_tables_free(ahead);
		hd_tables_free(behind);
	}
	hd_schedule_clear(&schedule);
}

/* The fabric without a switch. */
static struct hd_fabric *fail_switch(const struct hd_fabric *fabric, uint32_t s)
{
	struct hd_fabric *less;
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, NULL, 0, &s, 1, &less, &err), err);
	return less;
}

static void replay_both(const struct hd_fabric *whole, struct hd_fabric *less, const char *engine,
			struct tally *tally)
{
	struct hd_tables *of_whole = route_by(whole, engine), *of_less = route_by(less, engine);
	struct hd_tables *fails = put_onto(of_whole, less), *returns = put_onto(of_less, whole);

	replay(of_less, fails, tally);
	replay(of_whole, returns, tally);
	hd_tables_free(fails);
	hd_tables_free(returns);
	hd_tables_free(of_whole);
	hd_tables_free(of_less);
	hd_fabric_free(less);
}

static void nothing_is_lost(void **state)
{
	static const char *const engines[] = { "dla", "d3r" };

	(void)state;
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		struct hd_fabric *whole = build_fabric("dragonfly:a=4,p=1,h=2", 0), *less;
		struct tally tally = { 0 };

		for (unsigned n = 0; (less = fail_link(whole, n * 9)); n++)
			replay_both(whole, less, engines[i], &tally);
		for (uint32_t s = 0; s < whole->n_switches; s += 12)
			replay_both(whole, fail_switch(whole, s), engines[i], &tally);
		print_message("%s: %u rounds in two parts; lost %u, in one part %u\n", engines[i],
			      tally.n_parted, tally.lost, tally.lost_without);
		assert_true(tally.n_parted > 0);
		assert_int_equal(tally.lost, 0);
		assert_true(tally.lost_without > 0);
		hd_fabric_free(whole);
	}
}

/* Where all that changes mends, or nothing does, there is no order. */
static void one_part(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=1,h=2", 0);
	struct hd_tables *now = route_by(fabric, "dla"), *other = route_by(fabric, "updn");
	struct hd_tables *empty = put_onto(now, fabric), *first;

	(void)state;
	memset(empty->lft, HD_NO_PATH, fabric->n_switches * empty->lft_stride);
	assert_null(send_first(now, empty));
	assert_null(send_first(now, now));
	assert_null(send_first(now, other));
	/* one switch forgets all: what it gets mends, and so do those behind which it was */
	memset(hd_lft(other, 0), HD_NO_PATH, other->lft_stride);
	first = send_first(now, other);
	assert_non_null(first);
	assert_memory_equal(hd_lft(first, 0), hd_lft(now, 0), now->lft_stride);
	hd_tables_free(first);
	hd_tables_free(now);
	hd_tables_free(other);
	hd_tables_free(empty);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(one_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
