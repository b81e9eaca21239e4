// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When sweeps follow one another, in a subnet that loses MADs. */
#include "tests/unit/unit.h"

#include "manager/pace.h"
#include "support/random.h"

/* Sweeps are asked for at growing distances, and then no more. */
static void sweeps_come_later_and_later(void **state)
{
	struct hd_pace pace = { .tries = 0 };
	unsigned sum = 0, last = 0, n = 0;

	(void)state;
	for (unsigned delay; (delay = hd_pace_again(&pace)) != 0; n++) {
		assert_true(delay >= last);
		last = delay;
		sum += delay;
	}
	assert_int_equal(n, 24);
	assert_int_equal(last, 5120);
	assert_int_equal(sum, 16 * 20 + 2 * 5120 - 40);
	assert_int_equal(hd_pace_again(&pace), 0);
	/* a sweep without errors: from the beginning */
	hd_pace_begin(&pace, 1, 0);
	assert_false(hd_pace_end(&pace, false));
	assert_int_equal(hd_pace_again(&pace), 20);
}

/* Without a lost MAD, a refusal is what the next sweep would say, too. */
static void refusals_ask_for_a_sweep_where_mads_were_lost(void **state)
{
	struct hd_pace pace = { .tries = 0 };

	(void)state;
	hd_pace_begin(&pace, 1, 100);
	assert_false(hd_pace_may_help(&pace, 1, 100));
	assert_false(hd_pace_refused(&pace, 100));
	assert_false(hd_pace_end(&pace, false));
	hd_pace_begin(&pace, 2, 100);
	assert_true(hd_pace_may_help(&pace, 2, 101));
	assert_false(hd_pace_may_help(&pace, 6.1, 101));
	assert_true(hd_pace_refused(&pace, 101));
	assert_true(hd_pace_end(&pace, false));
	hd_pace_begin(&pace, 3, 101);
	assert_false(hd_pace_end(&pace, false));
}

/* Sweeps that each lose something begin at once for a while, then up to 10 s apart. */
static void failing_sweeps_are_kept_apart(void **state)
{
	struct hd_pace pace = { .tries = 0 };
	double now = 1000, last_gap = 0;

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		const double next = hd_pace_next(&pace);
		const double gap = next > now ? next - now : 0;

		assert_true(i >= 24 || gap == 0);
		assert_true(gap >= last_gap && gap <= 10);
		now += gap;
		last_gap = gap;
		hd_pace_begin(&pace, now, i);
		assert_true(hd_pace_end(&pace, true));
	}
	assert_true(last_gap == 10);
}

/* Whatever happens: waiting for another sweep ends, and a sweep without errors forgets it all. */
static void random_sweeps_end(void **state)
{
	struct hd_random random;
	struct hd_pace pace = { .tries = 0 };
	double now = 0;
	uint32_t lost = UINT32_MAX - 99;

	(void)state;
	hd_random_init(&random, 13, 0);
	for (unsigned i = 0; i < 5000; i++) {
		const uint32_t more = hd_random_below(&random, 3) ? hd_random_below(&random, 9) : 0;
		const bool is_refused = !hd_random_below(&random, 4);
		bool asks;

		now = hd_pace_next(&pace) > now ? hd_pace_next(&pace) : now;
		assert_true(hd_pace_next(&pace) <= pace.begin + 10);
		hd_pace_begin(&pace, now, lost);
		lost += more; /* wraps, as counters do */
		now += 0.01;
		assert_true(more || !hd_pace_may_help(&pace, now, lost));
		asks = is_refused && hd_pace_refused(&pace, lost);
		assert_int_equal(asks, is_refused && more);
		if (!is_refused)
			asks = hd_pace_end(&pace, more);
		if (asks)
			hd_pace_again(&pace);
		assert_in_range(pace.tries, 0, 24);
		assert_true(is_refused || more || !pace.tries);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweeps_come_later_and_later),
		cmocka_unit_test(refusals_ask_for_a_sweep_where_mads_were_lost),
		cmocka_unit_test(failing_sweeps_are_kept_apart),
		cmocka_unit_test(random_sweeps_end),
	};

	return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
