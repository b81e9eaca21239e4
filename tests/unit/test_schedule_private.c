// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rounds of tables with private LFTs and VL2VL; who loses packets by them. */
#include "tests/unit/unit.h"

#include "change/mixtures.h"
#include "change/private_losses.h"
#include "change/schedule.h"
#include "tables/ar_copy.h"
#include "tables/diff.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"

static bool is_same(const struct hd_tables *a, const struct hd_tables *b)
{
	const struct hd_fabric *fabric = a->fabric;
	struct hd_ar_changes changes = { .groups = false };

	hd_for_each_switch(s, fabric) {
		if (memcmp(hd_lft(a, s), hd_lft(b, s), a->lft_stride) != 0)
			return false;
		hd_ar_compare(a, b, s, &changes);
	}
	return memcmp(a->sl2vl, b->sl2vl, a->sl2vl_first[fabric->n_nodes] * sizeof(*a->sl2vl)) ==
		       0 &&
	       !changes.n_sets && !changes.n_private && !changes.n_map && !changes.n_vl2vl &&
	       !changes.groups;
}

/* Every round is proved, but the first one of old tables that loop. Returns the rounds. */
static unsigned replay(const struct hd_tables *now, const struct hd_tables *before, uint64_t *lost,
		       bool *at_once)
{
	struct hd_tables *behind, *ahead;
	uint64_t lost_in[HD_MAX_ROUNDS];
	struct hd_schedule schedule;
	struct hd_error err;
	unsigned n;

	assert_hd_ok(hd_schedule_make(now, before, &schedule, &err), err);
	assert_false(schedule.needs_new_sls);
	assert_hd_ok(hd_schedule_count_lost(&schedule, now, before, NULL, lost_in, &err), err);
	n = schedule.n_rounds;
	*at_once = schedule.is_at_once;
	*lost = 0;
	assert_hd_ok(hd_schedule_tables(&schedule, now, before, 0, &behind, &err), err);
	assert_true(is_same(behind, before));
	for (unsigned r = 1; r <= n; r++) {
		const struct hd_round *round = &schedule.rounds[r - 1];
		bool is_sound;

		assert_true(round->n_nodes > 0 || round->path_sls);
		assert_hd_ok(hd_schedule_tables(&schedule, now, before, r, &ahead, &err), err);
		assert_hd_ok(hd_mixtures_are_sound(ahead, behind, &is_sound, &err), err);
		assert_true(is_sound || (r == 1 && schedule.old_loops));
		*lost = lost_in[r - 1] > *lost ? lost_in[r - 1] : *lost;
		hd_tables_free(behind);
		behind = ahead;
	}
	assert_true(is_same(behind, now));
	assert_false(n && lost_in[n - 1]);
	hd_tables_free(behind);
	hd_schedule_clear(&schedule);
	return n;
}

static void private_lfts_change_in_rounds(void **state)
{
	static const struct {
		const char *fabric, *old, *new;
		bool at_once, loses;
		unsigned rounds;
	} cases[] = {
		{ "dragonflyplus:leaves=4,g=3", "dfplus", "dfplus:ar=valiant", false, false, 3 },
		{ "dragonflyplus:leaves=4,g=3", "dfplus:ar=valiant", "dfplus", false, false, 2 },
		{ "dragonflyplus:leaves=4,g=3", "dfplus:ar=minimal", "dfplus:ar=valiant", false,
		  false, 3 },
		/* nothing but a drop is proved */
		{ "dragonflyplus:leaves=2,spines=2,hosts=1,h=1", "dfplus:ar=valiant",
		  "dfplus:ar=minimal", false, true, 3 },
		/* the old tables loop */
		{ "dragonflyplus:leaves=2,spines=2,hosts=1,h=1", "minhop", "dfplus:ar=valiant",
		  false, true, 3 },
		{ "dragonflyplus:leaves=2,spines=2,hosts=1,h=1", "dfplus:ar=valiant",
		  "dfplus:ar=valiant", true, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].fabric, 0);
		struct hd_tables *old = route_fabric(fabric, cases[i].old, NULL);
		struct hd_tables *new = route_fabric(fabric, cases[i].new, NULL);
		struct hd_tables *before = put_onto(old, fabric);
		uint64_t lost;
		bool at_once;
		const unsigned n = replay(new, before, &lost, &at_once);

		if (at_once != cases[i].at_once || (lost > 0) != cases[i].loses ||
		    n != cases[i].rounds)
			fail_msg("%s, %s to %s: %u rounds, at once: %d, %d pairs lost",
				 cases[i].fabric, cases[i].old, cases[i].new, n, at_once,
				 (int)lost);
		hd_tables_free(before);
		hd_tables_free(new);
		hd_tables_free(old);
		hd_fabric_free(fabric);
	}
}

/* Links fail and come back. */
static void links_fail_and_return(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonflyplus:leaves=4,hosts=1,g=3", 0);
	struct hd_tables *of_whole = route_fabric(whole, "dfplus:ar=valiant", NULL);
	struct hd_fabric *less;

	(void)state;
	for (unsigned k = 0; (less = fail_link(whole, k)); k += 9) {
		struct hd_tables *of_less = route_fabric(less, "dfplus:ar=valiant", NULL);
		struct hd_tables *fails = put_onto(of_whole, less);
		struct hd_tables *returns = put_onto(of_less, whole);
		uint64_t lost;
		bool at_once;

		replay(of_less, fails, &lost, &at_once);
		assert_int_equal(lost, 0);
		replay(of_whole, returns, &lost, &at_once);
		/* in between, a new way may end at a switch whose entry comes a round later */
		assert_in_range(lost, 0, 11);
		hd_tables_free(returns);
		hd_tables_free(fails);
		hd_tables_free(of_less);
		hd_fabric_free(less);
	}
	hd_tables_free(of_whole);
	hd_fabric_free(whole);
}

/* By LFTs alone, as many pairs lose packets as the comparison of tables says. */
static void losses_are_those_of_diff(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=3,p=2,h=1", 0);
	struct hd_tables *tables = route_fabric(fabric, "dla", NULL);
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 5, 6);
	for (unsigned i = 0; i < 20; i++) {
		struct hd_tables *at = put_onto(tables, fabric);
		struct hd_diff diff;
		struct hd_error err;
		uint64_t n;

		for (unsigned k = 0; k < 4; k++) {
			const uint32_t s = (uint32_t)hd_random_below(&random, fabric->n_switches);
			const uint64_t lid = 1 + hd_random_below(&random, fabric->top_lid);

			hd_lft(at, s)[lid] = HD_NO_PATH;
		}
		assert_hd_ok(hd_private_losses(at, tables, tables, &n, &err), err);
		assert_hd_ok(hd_diff_compute(tables, at, NULL, NULL, &diff, &err), err);
		assert_int_equal(n, diff.pairs_lost);
		hd_diff_clear(&diff);
		hd_tables_free(at);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void refuses(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonflyplus:leaves=2,spines=2,hosts=1,h=1", 0);
	struct hd_tables *old = route_fabric(fabric, "dfplus:ar=valiant", NULL);
	struct hd_tables *loop = route_fabric(fabric, "minhop:ar=yes", NULL);
	struct hd_tables *before = put_onto(old, fabric);
	struct hd_schedule schedule;
	struct hd_error err;

	(void)state;
	assert_int_equal(hd_schedule_make(loop, before, &schedule, &err), HD_EREFUSED);
	assert_hd_says(err, "the new tables have a loop by themselves");
	loop->n_lft_unknown = 1;
	assert_int_equal(hd_schedule_make(loop, before, &schedule, &err), HD_EINVAL);
	assert_hd_says(err, "the new tables lack LFTs");
	loop->n_lft_unknown = 0;
	hd_tables_free(before);
	hd_tables_free(loop);
	hd_tables_free(old);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_lfts_change_in_rounds),
		cmocka_unit_test(links_fail_and_return),
		cmocka_unit_test(losses_are_those_of_diff),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
