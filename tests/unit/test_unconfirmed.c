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

/* The switch @guid, of those that were noted and taken. */
static struct hd_unconfirmed_switch *find(struct hd_unconfirmed_switches *switches, uint64_t guid)
{
	for (size_t i = 0; i < switches->n; i++)
		if (switches->now[i].guid == guid)
			return &switches->now[i];
	return NULL;
}

/* Links stay down from when the first of a switch did, whatever others do; and no longer than that. */
static void links_stay_down_for_a_while(void **state)
{
	struct hd_unconfirmed_switches switches = { .n = 0 };

	(void)state;
	for (unsigned time = 0; time < 2 * HD_UNCONFIRMED_SECONDS; time++) {
		/* another one each time, and more than there was room for in the third */
		hd_unconfirmed_switches_note(&switches, 100 - time);
		hd_unconfirmed_switches_note(&switches, 7);
		for (unsigned i = 0; time == 2 && i < 40; i++)
			hd_unconfirmed_switches_note(&switches, 1000 - i);
		hd_unconfirmed_switches_take(&switches);
		assert_int_equal(switches.n, time == 2 ? 42 : 2);
		for (size_t i = 1; i < switches.n; i++)
			assert_true(switches.now[i].guid > switches.now[i - 1].guid);
		assert_true(hd_unconfirmed_stay_down(find(&switches, 100 - time), true, time));
		/* its first new link comes at 3 */
		assert_int_equal(hd_unconfirmed_stay_down(find(&switches, 7), time >= 3, time),
				 time >= 3 && time < 3 + HD_UNCONFIRMED_SECONDS);
	}
	/* the links have come up, and another one is new */
	assert_false(hd_unconfirmed_stay_down(find(&switches, 7), false, 30));
	assert_true(hd_unconfirmed_stay_down(find(&switches, 7), true, 31));
	assert_false(hd_unconfirmed_stay_down(find(&switches, 7), true, 41));
	/* what was noted and forgotten does not count, and who has confirmed begins anew */
	hd_unconfirmed_switches_note(&switches, 7);
	hd_unconfirmed_switches_forget(&switches);
	hd_unconfirmed_switches_take(&switches);
	assert_int_equal(switches.n, 0);
	hd_unconfirmed_switches_note(&switches, 7);
	hd_unconfirmed_switches_take(&switches);
	assert_true(hd_unconfirmed_stay_down(find(&switches, 7), true, 42));
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
		cmocka_unit_test(links_stay_down_for_a_while),
		cmocka_unit_test(no_copy_outlives_the_wait),
	};

	return cmocka_run_group_tests_name("unconfirmed", tests, NULL, NULL);
}
