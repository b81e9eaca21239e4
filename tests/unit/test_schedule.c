// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rounds of a change, replayed: mixtures within each are made one by one and proved by themselves.
 * HD_MIXTURES: how many of each round (experiments/changes/mixtures.py).
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "change/both_tables.h"
#include "change/schedule.h"
#include "fabric/faults.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"
#include "tests/unit/tables_case.h"

static const struct hd_check_options plain = { .scope = HD_CHECK_ALL };

static bool are_same(const struct hd_tables *a, const struct hd_tables *b)
{
	const struct hd_fabric *fabric = a->fabric;

	return memcmp(a->lft, b->lft, fabric->n_switches * a->lft_stride) == 0 &&
	       memcmp(a->sl2vl, b->sl2vl, a->sl2vl_first[fabric->n_nodes] * sizeof(*a->sl2vl)) == 0;
}

/* What a schedule of some changes came to. */
struct tally {
	unsigned n, n_at_once, n_dropping, n_dropping_hosts, n_without, most_rounds, n_found;
	unsigned n_mixtures;
};

/* Mixtures of each round. */
static unsigned mixtures_per_round(void)
{
	const char *asked = getenv("HD_MIXTURES");

	if (asked)
		return (unsigned)strtoul(asked, NULL, 10);
	return HD_IS_SLOW ? 3 : 20;
}

/* An entry of round 2 or later that goes along with round 1: whether the proof finds that. */
static bool is_found_early(const struct hd_schedule *schedule, const struct hd_tables *now,
			   const struct hd_tables *before)
{
	const size_t size = now->fabric->n_switches * now->lft_stride;
	const struct hd_check_options between = { .before = before };
	struct hd_tables *first;
	struct hd_error err;
	bool is_found = false;

	assert_hd_ok(hd_schedule_tables(schedule, now, before, 1, &first, &err), err);
	for (size_t i = 0; i < size && !is_found; i++) {
		const uint8_t kept = first->lft[i];

		if (hd_schedule_new_round(&schedule->entries, i) < 2)
			continue;
		first->lft[i] = now->lft[i];
		is_found = loops(first, &between);
		first->lft[i] = kept;
	}
	hd_tables_free(first);
	return is_found;
}

/* Whether something on the way to hosts is dropped. */
static bool drops_hosts(const struct hd_schedule *schedule, const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric) {
			const uint32_t port = fabric->lids[lid].port;

			if (port != HD_NONE && !hd_is_switch(fabric, fabric->ports[port].node) &&
			    hd_schedule_drop_round(&schedule->entries,
						   s * tables->lft_stride + lid))
				return true;
		}
	return false;
}

static void replay(const struct hd_tables *now, const struct hd_tables *before, unsigned n_mixtures,
		   struct tally *tally)
{
	struct hd_schedule schedule;
	struct hd_tables *behind, *ahead;
	struct hd_random random;
	struct hd_error err;
	bool drops = false;

	assert_hd_ok(hd_schedule_make(now, before, &schedule, &err), err);
	tally->n++;
	tally->n_at_once += schedule.is_at_once;
	tally->n_without += schedule.needs_new_sls;
	if (schedule.n_rounds > tally->most_rounds)
		tally->most_rounds = schedule.n_rounds;
	hd_random_init(&random, 5, 6);
	assert_hd_ok(hd_schedule_tables(&schedule, now, before, 0, &behind, &err), err);
	assert_true(are_same(behind, before));
	for (unsigned r = 1; r <= schedule.n_rounds; r++) {
		assert_hd_ok(hd_schedule_tables(&schedule, now, before, r, &ahead, &err), err);
		drops |= schedule.rounds[r - 1].n_dropped_entries > 0;
		assert_true(schedule.rounds[r - 1].path_sls || !are_same(behind, ahead));
		for (unsigned i = 0; i < n_mixtures; i++) {
			struct hd_tables *mixture = mix(ahead, behind, &random);

			/* of old tables that loop, the first round is not proved */
			if (r > 1 || !schedule.old_loops)
				assert_false(loops(mixture, &plain));
			tally->n_mixtures++;
			hd_tables_free(mixture);
		}
		hd_tables_free(behind);
		behind = ahead;
	}
	assert_true(schedule.needs_new_sls || are_same(behind, now));
	hd_tables_free(behind);
	tally->n_dropping += drops;
	tally->n_dropping_hosts += drops_hosts(&schedule, now);
	if (!schedule.is_at_once && !drops && schedule.n_rounds > 1)
		tally->n_found += is_found_early(&schedule, now, before);
	hd_schedule_clear(&schedule);
}

/* Every so-and-so-manieth link fails and comes back. */
static void links_fail_and_return(void **state)
{
	static const struct {
		const char *fabric, *engine;
		unsigned every, most_rounds, lmc;
		bool may_drop, may_drop_hosts, may_fail, stay;
	} cases[] = {
		{ "dragonfly:a=4,p=1,h=2", "dla", 9, 2, 0, false, false, false, false },
		{ "dragonfly:a=4,p=1,h=2", "d3r", 9, 2, 0, false, false, false, false },
		{ "dragonfly:a=4,p=1,h=2", "updn", 17, 16, 0, true, true, false, false },
		{ "dragonfly:a=4,p=1,h=2", "df-sssp", 30, 16, 0, true, true, true, false },
		{ "dragonfly:a=4,p=1,h=2", "df-minhop", 30, 16, 0, true, true, true, false },
		{ "dragonfly:a=4,p=1,h=2", "any", 30, 16, 0, true, true, false, false },
		{ "kns:k=4,n=2", "hdor", 5, 16, 0, true, true, true, false },
		{ "tree:k=4,n=2", "dmodc", 3, 16, 0, true, false, false, false },
		{ "tree:k=4,n=2", "updn", 3, 16, 0, true, false, false, false },
		{ "torus:5x5", "hdor", 11, 16, 0, true, true, true, false },
		{ "dragonfly:a=4,p=1,h=2", "dla", 9, 2, 0, false, false, false, true },
		{ "dragonfly:a=4,p=1,h=2", "d3r", 9, 2, 0, false, false, false, true },
		{ "dragonfly:a=4,p=1,h=2", "updn", 17, 16, 0, true, true, false, true },
		{ "dragonfly:a=4,p=1,h=2", "df-sssp", 30, 16, 0, true, true, false, true },
		{ "dragonfly:a=4,p=1,h=2", "df-minhop", 30, 16, 0, true, true, false, true },
		{ "dragonfly:a=4,p=1,h=2", "any", 30, 16, 0, true, true, false, true },
		{ "kns:k=4,n=2", "hdor", 5, 16, 0, true, true, false, true },
		{ "tree:k=4,n=2", "dmodc", 3, 16, 0, true, false, false, true },
		{ "torus:5x5", "hdor", 11, 16, 0, true, true, false, true },
		{ "dragonfly:a=4,p=1,h=2", "dfval", 30, 4, 1, true, true, false, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *whole = build_fabric(cases[i].fabric, cases[i].lmc), *less;
		struct hd_tables *of_whole = route_by(whole, cases[i].engine);
		struct tally tally = { 0 };

		for (unsigned n = 0;
		     (less = fail_link(whole, n * cases[i].every * (HD_IS_SLOW ? 3 : 1))); n++) {
			struct hd_tables *of_less = route_behind(less, cases[i].engine,
								 cases[i].stay ? of_whole : NULL);
			struct hd_tables *before = put_onto(of_whole, less), *of_back;

			replay(of_less, before, mixtures_per_round(), &tally);
			hd_tables_free(before);
			before = put_onto(of_less, whole);
			of_back = route_behind(whole, cases[i].engine,
					       cases[i].stay ? of_less : NULL);
			replay(of_back, before, mixtures_per_round(), &tally);
			hd_tables_free(before);
			hd_tables_free(of_back);
			hd_tables_free(of_less);
			hd_fabric_free(less);
		}
		print_message(
			"%s, %s, lanes %s: %u changes, %u at once, %u rounds at most, %u drop, %u "
			"have none; an entry too early is found in %u; %u mixtures, none with "
			"a loop\n",
			cases[i].fabric, cases[i].engine, cases[i].stay ? "stay" : "anew", tally.n,
			tally.n_at_once, tally.most_rounds, tally.n_dropping, tally.n_without,
			tally.n_found, tally.n_mixtures);
		assert_true(tally.n > 1);
		assert_true(tally.most_rounds <= cases[i].most_rounds);
		assert_true(cases[i].may_drop || !tally.n_dropping);
		assert_true(cases[i].may_drop_hosts || !tally.n_dropping_hosts);
		assert_true(cases[i].may_fail || !tally.n_without);
		assert_true(tally.n_found + tally.n_at_once + tally.n_dropping + tally.n_without >
			    0);
		hd_tables_free(of_whole);
		hd_fabric_free(whole);
	}
}

/* From another engine's tables that have a credit loop: all that changes is dropped first. */
static void from_a_loop(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=1,h=2", 0);
	struct hd_tables *old = route_by(fabric, "minhop"), *new = route_by(fabric, "dla");
	struct hd_tables *before = put_onto(old, fabric);
	struct hd_schedule schedule;
	struct tally tally = { 0 };
	struct hd_error err;

	(void)state;
	assert_true(loops(old, &plain));
	replay(new, before, 20, &tally);
	assert_int_equal(tally.n_dropping, 1);
	assert_hd_ok(hd_schedule_make(new, before, &schedule, &err), err);
	assert_true(schedule.old_loops);
	assert_int_equal(schedule.n_rounds, 2);
	hd_schedule_clear(&schedule);
	/* and to it there is no way */
	assert_int_equal(hd_schedule_make(before, new, &schedule, &err), HD_EREFUSED);
	assert_hd_says(err, "the new tables have a loop by themselves");
	hd_tables_free(before);
	hd_tables_free(old);
	hd_tables_free(new);
	hd_fabric_free(fabric);
}

/* All that changes is dropped, then set: proved where a schedule is, and the pairs are counted. */
static void drops(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonfly:a=4,p=1,h=2", 0),
			 *less = fail_link(whole, 5);
	struct hd_tables *old = route_by(less, "dla"), *new = route_by(whole, "dla"), *at;
	struct hd_tables *before = put_onto(old, whole);
	uint64_t lost[HD_MAX_ROUNDS];
	struct hd_schedule schedule;
	struct hd_random random;
	struct hd_error err;
	bool is_proved;

	(void)state;
	hd_random_init(&random, 7, 8);
	assert_hd_ok(hd_schedule_drop(new, before, &schedule, &is_proved, &err), err);
	assert_int_equal(schedule.n_rounds, 2);
	assert_true(is_proved);
	assert_false(schedule.old_loops);
	assert_int_equal(schedule.rounds[0].n_entries, 0);
	assert_true(schedule.rounds[0].n_dropped_entries > 0);
	assert_hd_ok(hd_schedule_count_lost(&schedule, new, before, NULL, lost, &err), err);
	assert_true(lost[0] > 0);
	assert_int_equal(lost[1], 0);
	assert_hd_ok(hd_schedule_tables(&schedule, new, before, 1, &at, &err), err);
	for (unsigned i = 0; i < 20; i++) {
		struct hd_tables *first = mix(at, before, &random), *last = mix(new, at, &random);

		assert_false(loops(first, &plain) || loops(last, &plain));
		hd_tables_free(first);
		hd_tables_free(last);
	}
	hd_tables_free(at);
	assert_hd_ok(hd_schedule_tables(&schedule, new, before, 2, &at, &err), err);
	assert_true(are_same(at, new));
	hd_tables_free(at);
	hd_schedule_clear(&schedule);
	hd_tables_free(before);
	hd_tables_free(old);
	hd_tables_free(new);
	hd_fabric_free(less);
	hd_fabric_free(whole);
}

/* Switch @s has failed: its LID, and that of its host, are vacant. */
static struct hd_fabric *fail_switch(const struct hd_fabric *fabric, uint32_t s)
{
	const uint32_t failed[] = { s };
	struct hd_fabric *less;
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, NULL, 0, failed, 1, &less, &err), err);
	return less;
}

/* Pairs of hosts that lose packets in the worst round; some do where their entries are dropped. */
static uint64_t lost_pairs(const struct hd_schedule *schedule, const struct hd_tables *now,
			   const struct hd_tables *before)
{
	uint64_t lost[HD_MAX_ROUNDS], most = 0;
	struct hd_error err;

	assert_hd_ok(hd_schedule_count_lost(schedule, now, before, NULL, lost, &err), err);
	for (unsigned r = 0; r < schedule->n_rounds; r++)
		most = lost[r] > most ? lost[r] : most;
	if (drops_hosts(schedule, now))
		assert_true(most > 0);
	return most;
}

/* Whether the mixtures of both have a loop, also those of packets to who has failed. */
static bool loops_with_failed(const struct hd_tables *now, const struct hd_tables *before,
			      const bool *failed)
{
	const struct hd_check_options options = { .before = before, .failed = failed };

	return loops(now, &options);
}

/* Every round is sound with packets to who has failed, but one that is not proved. */
static void try_rounds(const struct hd_schedule *schedule, const struct hd_both_tables *both)
{
	struct hd_tables *at[2];
	struct hd_error err;

	for (unsigned r = schedule->old_loops; r < schedule->n_rounds; r++) {
		for (unsigned i = 0; i < 2; i++)
			assert_hd_ok(hd_schedule_tables(schedule, both->now, both->before, r + i,
							&at[i], &err),
				     err);
		assert_false(loops_with_failed(at[1], at[0], both->failed[HD_CHECK_ALL]));
		hd_tables_free(at[0]);
		hd_tables_free(at[1]);
	}
}

/*
 * Entries for vacant LIDs go before anything else changes: an old entry for one of them and a new
 * entry for another LID would meet.
 */
static void vacant_lids_go_first(void **state)
{
	static const char *const engines[] = { "any", "updn", "hdor" };
	unsigned n_behind = 0, n_lost = 0;

	(void)state;
	for (unsigned n = 0; n < 4 * 15; n++) {
		struct hd_fabric *whole = build_fabric("torus:4x4", 0);
		struct hd_fabric *less = fail_switch(whole, n / 4);
		/* the last: from one engine to another, which drops entries */
		struct hd_tables *old = route_by(whole, n % 4 < 3 ? engines[n % 4] : "any");
		struct hd_tables *routes = route_by(less, n % 4 < 3 ? engines[n % 4] : "updn"), *at;
		const struct hd_tables *new, *before;
		struct hd_both_tables both;
		struct hd_schedule schedule;
		struct hd_error err;

		assert_hd_ok(hd_both_tables_init(&both, routes, old, &err), err);
		new = both.now;
		before = both.before;
		assert_hd_ok(hd_schedule_make(new, before, &schedule, &err), err);
		assert_true(schedule.n_rounds >= 1);
		assert_true(schedule.n_rounds == 1 || !schedule.is_at_once);
		try_rounds(&schedule, &both);
		assert_hd_ok(hd_schedule_tables(&schedule, new, before, 1, &at, &err), err);
		hd_for_each_switch(s, less)
			hd_for_each_lid(lid, new->fabric) {
				const size_t i = s * new->lft_stride + lid;

				if (new->fabric->lids[lid].port == HD_NONE)
					assert_int_equal(at->lft[i], HD_NO_PATH);
				else if (!schedule.old_loops)
					assert_int_equal(at->lft[i], before->lft[i]);
			}
		n_behind += schedule.n_rounds > 1;
		n_lost += lost_pairs(&schedule, new, before) > 0;
		hd_tables_free(at);
		assert_hd_ok(
			hd_schedule_tables(&schedule, new, before, schedule.n_rounds, &at, &err),
			err);
		assert_true(are_same(at, new));
		hd_tables_free(at);
		hd_schedule_clear(&schedule);
		hd_both_tables_clear(&both);
		hd_tables_free(routes);
		hd_tables_free(old);
		hd_fabric_free(less);
		hd_fabric_free(whole);
	}
	assert_true(n_behind > 0);
	print_message("vacant LIDs: %u changes behind, %u lose pairs meanwhile\n", n_behind,
		      n_lost);
}

static void nothing_changes(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:5x5", 0);
	struct hd_tables *tables = route_by(fabric, "hdor"), *before = put_onto(tables, fabric);
	struct hd_schedule schedule;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_schedule_make(tables, before, &schedule, &err), err);
	assert_true(schedule.is_at_once);
	assert_int_equal(schedule.n_rounds, 0);
	hd_schedule_clear(&schedule);
	hd_tables_free(before);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* A port that keeps its LID without a link is one that has failed, too. */
static void ports_without_links_are_vacant(void **state)
{
	struct hd_fabric *whole = tables_case_fabric(), *less;
	struct hd_tables *old = tables_case_tables(whole), *routes, *at;
	const uint32_t link = whole->ports[whole->lids[7].port].peer;
	struct hd_both_tables both;
	struct hd_schedule schedule;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_fabric_without(whole, &link, 1, NULL, 0, &less, &err), err);
	assert_true(less->lids[7].port != HD_NONE && !hd_is_end_port(less, less->lids[7].port));
	routes = route_by(less, "updn");
	/* another change, which comes behind */
	hd_lft(routes, 0)[8] = 3;
	hd_lft(old, 0)[8] = 4;
	assert_hd_ok(hd_both_tables_init(&both, routes, old, &err), err);
	assert_int_not_equal(hd_lft(both.before, 0)[7], HD_NO_PATH);
	assert_int_equal(hd_lft(both.now, 0)[7], HD_NO_PATH);
	assert_hd_ok(hd_schedule_make(both.now, both.before, &schedule, &err), err);
	try_rounds(&schedule, &both);
	assert_hd_ok(hd_schedule_tables(&schedule, both.now, both.before, 1, &at, &err), err);
	for (uint32_t s = 0; s < 2; s++)
		assert_int_equal(hd_lft(at, s)[7], HD_NO_PATH);
	assert_int_equal(hd_lft(at, 0)[8], 4);
	hd_tables_free(at);
	hd_schedule_clear(&schedule);
	hd_both_tables_clear(&both);
	hd_tables_free(routes);
	hd_tables_free(old);
	hd_fabric_free(less);
	hd_fabric_free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_fail_and_return),
		cmocka_unit_test(from_a_loop),
		cmocka_unit_test(drops),
		cmocka_unit_test(vacant_lids_go_first),
		cmocka_unit_test(ports_without_links_are_vacant),
		cmocka_unit_test(nothing_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
