// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of a run in cycles: with a wheel they come in the order that the calendar alone gives. */
#include "tests/unit/unit.h"

#include "sim/model/events.h"
#include "support/random.h"

#define KIND  6 /* of the events in the wheel; kinds are 0 to 9 */
#define CYCLE 10

struct both {
	struct hd_events plain, wheeled;
	struct hd_random random;
	uint32_t posted, under_way;
};

static void both_init(struct both *both, uint64_t seed)
{
	*both = (struct both){ .posted = 0 };
	hd_events_init(&both->plain);
	hd_events_init(&both->wheeled);
	hd_events_use_wheel(&both->wheeled, KIND, CYCLE);
	hd_random_init(&both->random, seed, 0);
}

static void both_free(struct both *both)
{
	assert_false(both->plain.out_of_memory || both->wheeled.out_of_memory);
	assert_true(both->plain.keys[HD_NO_LINE] == HD_KEY_NONE);
	assert_true(both->wheeled.keys[HD_NO_LINE] == HD_KEY_NONE);
	assert_int_equal(both->wheeled.calendar.n, 0);
	hd_events_free(&both->plain);
	hd_events_free(&both->wheeled);
}

static void post(struct both *both, unsigned kind, uint64_t delay)
{
	hd_events_post_any(&both->plain, kind, delay, 7, both->posted);
	hd_events_post_any(&both->wheeled, kind, delay, 7, both->posted++);
	both->under_way++;
}

/* A delay that the wheel takes, mostly. */
static uint64_t draw(struct both *both)
{
	uint64_t cycles = hd_random_below(&both->random, 8) ? hd_random_below(&both->random, 60)
							    : hd_random_below(&both->random, 3000);
	uint64_t late = both->plain.now % CYCLE ? CYCLE - both->plain.now % CYCLE : 0;

	return hd_random_below(&both->random, 16) ? cycles * CYCLE + late : cycles;
}

static void take(struct both *both)
{
	struct hd_event plain, wheeled;
	unsigned kind, wheeled_kind;

	assert_true(both->plain.keys[HD_NO_LINE] == both->wheeled.keys[HD_NO_LINE]);
	both->plain.now = both->wheeled.now = both->plain.keys[HD_NO_LINE] >> HD_KEY_BITS;
	plain = hd_events_take_any(&both->plain, &kind);
	wheeled = hd_events_take_any(&both->wheeled, &wheeled_kind);
	assert_int_equal(kind, wheeled_kind);
	assert_int_equal(plain.a, wheeled.a);
	assert_int_equal(plain.b, wheeled.b);
	both->under_way--;
}

/* Few events, and thousands of one time. */
static void test_order(void **state)
{
	static const unsigned numbers[] = { 1, 3, 40, 5000 };

	(void)state;
	for (uint64_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct both both;

		both_init(&both, i);
		while (both.posted < 20 * numbers[i] + 2000) {
			unsigned kind = hd_random_below(&both.random, 4)
						? KIND
						: (unsigned)hd_random_below(&both.random, 10);

			if (both.under_way < numbers[i] || hd_random_below(&both.random, 2))
				post(&both, kind, draw(&both));
			if (both.under_way > numbers[i])
				take(&both);
		}
		while (both.under_way)
			take(&both);
		both_free(&both);
	}
}

/* What is looked at ahead is what will be taken, as far as it is known. */
static void test_ahead(void **state)
{
	struct hd_wheel wheel;

	(void)state;
	hd_wheel_init(&wheel, CYCLE);
	assert_null(hd_wheel_ahead(&wheel, 0));
	for (uint32_t i = 0; i < 100; i++)
		assert_true(hd_wheel_post(&wheel, 0, i / 40 * 3 * CYCLE, i, 0));
	assert_false(hd_wheel_post(&wheel, 0, CYCLE + 1, 0, 0));
	assert_false(hd_wheel_post(&wheel, 0, HD_WHEEL_CYCLES * CYCLE, 0, 0));
	for (uint32_t i = 0; i < 100; i++) {
		for (unsigned n = 0; n < HD_WHEEL_CHUNK; n++) {
			const struct hd_wheel_event *ahead = hd_wheel_ahead(&wheel, n);

			assert_true(ahead || n);
			if (ahead)
				assert_int_equal(ahead->a, i + n);
		}
		assert_true(hd_wheel_first(&wheel) == i / 40 * 3 * CYCLE);
		assert_int_equal(hd_wheel_take(&wheel).a, i);
	}
	assert_true(hd_wheel_first(&wheel) == HD_WHEEL_NONE);
	hd_wheel_free(&wheel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
