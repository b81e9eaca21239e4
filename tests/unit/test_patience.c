// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How often the plug-in asks again. */
#include "tests/unit/unit.h"

#include "manager/patience.h"

static double now;

/* Rounds of @seconds, from @n on; each leaves @kept of a thousand. How many there are. */
static unsigned count_rounds(size_t n, unsigned kept, double seconds)
{
	struct hd_patience patience = { .last = 0 };
	unsigned rounds = 0;

	now = 100;
	for (; hd_patience_lasts(&patience, n, now); rounds++) {
		now += seconds;
		n = n * kept / 1000;
	}
	return rounds;
}

static void nothing_left_is_nothing_to_do(void **state)
{
	(void)state;
	assert_int_equal(count_rounds(0, 1000, 0.001), 0);
}

/* What comes through one time in five is all there in the end. */
static void quick_rounds_go_on_while_they_help(void **state)
{
	struct hd_patience patience = { .last = 0 };
	size_t n = 5000;

	(void)state;
	now = 100;
	while (hd_patience_lasts(&patience, n, now)) {
		now += 0.002;
		/* the last ones take some rounds each */
		n = n > 8 ? n * 4 / 5 : n - (patience.rounds % 5 == 0);
	}
	assert_int_equal(n, 0);
}

/* A dead node is not asked for ever: with time-outs hardly at all where it has many ports. */
static void what_is_dead_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(count_rounds(1, 1000, 1), 3);
	assert_int_equal(count_rounds(65, 1000, 1), 1);
	assert_int_equal(count_rounds(1, 1000, 0.001), 12);
	assert_int_equal(count_rounds(65, 1000, 0.001), 3);
}

/* One in sixteen that is answered is next to nothing, one in eight is not. */
static void one_in_eight_helps(void **state)
{
	(void)state;
	assert_int_equal(count_rounds(100000, 938, 0.001), 3);
	assert_true(count_rounds(100000, 870, 0.001) > 40);
}

/* Where each round takes its time-outs, there are few rounds even if they help. */
static void slow_rounds_end(void **state)
{
	(void)state;
	assert_true(count_rounds(1000000000, 800, 1) <= 24);
	assert_true(count_rounds(1000000000, 800, 0.001) > 40);
}

/* What is found makes more to be asked for: that is no idle round. */
static void rounds_that_find_more_help(void **state)
{
	struct hd_patience patience = { .last = 0 };
	size_t n = 100;

	(void)state;
	now = 100;
	for (unsigned i = 0; i < 20; i++) {
		assert_true(hd_patience_lasts(&patience, n, now));
		n += 10;
		patience.is_renewed = true;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_left_is_nothing_to_do),
		cmocka_unit_test(quick_rounds_go_on_while_they_help),
		cmocka_unit_test(what_is_dead_is_left_alone),
		cmocka_unit_test(one_in_eight_helps),
		cmocka_unit_test(slow_rounds_end),
		cmocka_unit_test(rounds_that_find_more_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
