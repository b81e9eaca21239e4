// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is not confirmed, and how long copies of Sets may be under way. */
#include "tests/unit/unit.h"

#include "manager/repeated_sets.h"
#include "manager/unconfirmed.h"
#include "manager/unconfirmed_switches.h"
#include "support/random.h"
#include "tests/unit/mixing.h"
#include "tests/unit/tables_case.h"

static void what_is_unconfirmed_is_told(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_unconfirmed unconfirmed = { .first_port = 0 };
	const uint32_t port = hd_port_index(fabric, 1, 3);
	char text[800];

	(void)state;
	hd_unconfirmed_add(&unconfirmed, &unconfirmed.n_blocks, port);
	assert_false(hd_unconfirmed_is_unproved(&unconfirmed));
	hd_unconfirmed_describe(&unconfirmed, fabric, "that is all", text, sizeof(text));
	assert_ptr_equal(strstr(text,
				"0 SL2VL rows and 1 VL arbitration blocks unconfirmed (first: "
				"S2"),
			 text);
	assert_non_null(strstr(text, "routes and lanes are the proved ones, shares are not; that "
				     "is all"));
	hd_unconfirmed_add(&unconfirmed, &unconfirmed.n_rows, 0);
	unconfirmed.n_lfts = 5;
	assert_int_equal(unconfirmed.first_port, port);
	assert_int_equal(hd_unconfirmed_count(&unconfirmed), 7);
	assert_true(hd_unconfirmed_is_unproved(&unconfirmed));
	hd_unconfirmed_describe(&unconfirmed, fabric, "that is all", text, sizeof(text));
	assert_ptr_equal(strstr(text, "5 LFT blocks, 1 SL2VL rows and 1 VL"), text);
	assert_non_null(strstr(text, "the switches do not have the proved tables"));
	hd_fabric_free(fabric);
}

/* Sweeps are asked for twice as late each time, ten times, and none while one is. */
static void sweeps_try_again_ten_times(void **state)
{
	unsigned tries = 0, sum = 0;
	char plan[80];

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		const unsigned delay = hd_unconfirmed_plan(&tries, false, plan, sizeof(plan));

		assert_int_equal(delay, 1u << i);
		sum += delay;
		assert_int_equal(hd_unconfirmed_plan(&tries, true, plan, sizeof(plan)), 0);
		assert_int_equal(tries, i + 1);
	}
	assert_int_equal(sum, 1023);
	assert_string_equal(plan, "sweeping again later (try 10 of 10)");
	assert_int_equal(hd_unconfirmed_plan(&tries, false, plan, sizeof(plan)), 0);
	assert_string_equal(plan, "not sweeping again for that");
}

/* A switch is counted for as many sweeps in a row as it has not confirmed, whoever else has not. */
static void sweeps_in_a_row_are_counted(void **state)
{
	struct hd_unconfirmed_switches switches = { .n_last = 0 };

	(void)state;
	for (unsigned sweep = 1; sweep <= HD_UNCONFIRMED_MOST_SWEEPS + 1; sweep++) {
		/* another one in each sweep, and more than there was room for in the second */
		hd_unconfirmed_switches_note(&switches, 100 - sweep);
		hd_unconfirmed_switches_note(&switches, 7);
		for (unsigned i = 0; sweep == 2 && i < 40; i++)
			hd_unconfirmed_switches_note(&switches, 1000 - i);
		hd_unconfirmed_switches_end_sweep(&switches);
		assert_int_equal(switches.n_last, sweep == 2 ? 42 : 2);
		assert_int_equal(switches.last[0].guid, 7);
		assert_int_equal(switches.last[0].n_sweeps, sweep);
		assert_int_equal(switches.last[1].guid, 100 - sweep);
		assert_int_equal(switches.last[1].n_sweeps, 1);
		assert_int_equal(hd_unconfirmed_holds(&switches.last[0]),
				 sweep <= HD_UNCONFIRMED_MOST_SWEEPS);
	}
	/* what was noted and forgotten does not count, and a sweep without it begins anew */
	hd_unconfirmed_switches_note(&switches, 7);
	hd_unconfirmed_switches_forget(&switches);
	hd_unconfirmed_switches_end_sweep(&switches);
	assert_int_equal(switches.n_last, 0);
	hd_unconfirmed_switches_note(&switches, 7);
	hd_unconfirmed_switches_end_sweep(&switches);
	assert_int_equal(switches.last[0].n_sweeps, 1);
	hd_unconfirmed_switches_clear(&switches);
}

/*
 * Sets of rounds that take any time: a copy that was sent within the time-outs of its request, and
 * arrives no later than that after its answer, is there before the wait is over.
 */
static void no_copy_outlives_the_wait(void **state)
{
	const double timeout = 0.2;
	const unsigned retries = 3;
	struct hd_repeated_sets sets = { .begin = 0 };
	struct hd_random random;
	double now = 10;

	(void)state;
	hd_random_init(&random, 17, 0);
	for (unsigned i = 0; i < 5000; i++) {
		const double lasts = hd_random_below(&random, 1000) / 1e3;
		const double before = sets.end;

		sets.begin = now;
		now += lasts;
		hd_repeated_sets_note(&sets, now, timeout, retries);
		assert_true(sets.end >= before);
		if (lasts < timeout)
			assert_true(sets.end == before);
		else
			assert_true(sets.end >= now + (lasts < 0.8 ? lasts : 0.8) - 1e-9);
		assert_true(sets.end <= now + 0.8 + 1e-9);
		if (hd_random_below(&random, 2) && now < sets.end)
			now = sets.end;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_unconfirmed_is_told),
		cmocka_unit_test(sweeps_try_again_ten_times),
		cmocka_unit_test(sweeps_in_a_row_are_counted),
		cmocka_unit_test(no_copy_outlives_the_wait),
	};

	return cmocka_run_group_tests_name("unconfirmed", tests, NULL, NULL);
}
