// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The queue of events of any order, against a sorted list of what is in it. */
#include "tests/unit/unit.h"

#include "sim/model/calendar.h"
#include "support/random.h"

/* What is in the queue, by (key, b): events are numbered in b as they are posted. */
struct pair {
	struct hd_calendar late;
	struct hd_calendar_event *events; /* [n] sorted from @first on */
	size_t first, n, size;
	uint64_t now; /* key of what was taken last */
	uint32_t posted;
	struct hd_random random;
};

static void pair_init(struct pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	hd_calendar_init(&pair->late);
	hd_random_init(&pair->random, 1, 1);
	assert_true(hd_calendar_first(&pair->late) == HD_CALENDAR_NONE);
	assert_null(hd_calendar_ahead(&pair->late, 0));
}

static void pair_free(struct pair *pair)
{
	assert_int_equal(pair->late.n, 0);
	hd_calendar_free(&pair->late);
	free(pair->events);
}

static void post(struct pair *pair, uint64_t key)
{
	size_t low = pair->first, high = pair->n;

	if (pair->n == pair->size) {
		pair->size = pair->size ? 2 * pair->size : 64;
		pair->events = realloc(pair->events, pair->size * sizeof(*pair->events));
		assert_non_null(pair->events);
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pair->events[middle].key <= key)
			low = middle + 1;
		else
			high = middle;
	}
	memmove(&pair->events[low + 1], &pair->events[low],
		(pair->n++ - low) * sizeof(*pair->events));
	pair->events[low] = (struct hd_calendar_event){ .key = key, .a = 7, .b = pair->posted };
	assert_true(hd_calendar_post(&pair->late, key, 7, pair->posted++));
}

static void take(struct pair *pair)
{
	const struct hd_calendar_event *expected = &pair->events[pair->first++];
	struct hd_calendar_event event;

	assert_true(hd_calendar_first(&pair->late) == expected->key);
	event = hd_calendar_take(&pair->late);
	assert_true(event.key == expected->key);
	assert_int_equal(event.a, expected->a);
	assert_int_equal(event.b, expected->b);
	pair->now = event.key;
	if (pair->first == pair->n)
		pair->first = pair->n = 0;
}

static void take_all(struct pair *pair)
{
	while (pair->n)
		take(pair);
	assert_true(hd_calendar_first(&pair->late) == HD_CALENDAR_NONE);
}

/* Up to 2^bits keys ahead, mostly near: all magnitudes are equally likely. */
static uint64_t any_gap(struct pair *pair, unsigned bits)
{
	uint64_t gap = (uint64_t)hd_random_u32(&pair->random) << 32 | hd_random_u32(&pair->random);

	return gap >> (64 - hd_random_below(&pair->random, bits + 1)) % 64;
}

/* Populations that grow, stay and shrink, with delays of all magnitudes. */
static void test_any_delays(void **state)
{
	static const unsigned bits[] = { 1, 4, 10, 20, 40 };
	const unsigned rounds = HD_IS_SLOW ? 12000 : 40000;
	struct pair pair;

	(void)state;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		pair_init(&pair);
		for (unsigned round = 0; round < rounds; round++) {
			unsigned posts = round < rounds / 4 ? 2 : round % 1000 < 500 ? 0 : 2;

			for (unsigned k = 0; k < posts; k++)
				post(&pair, pair.now + any_gap(&pair, bits[i]));
			if (pair.n)
				take(&pair);
		}
		take_all(&pair);
		pair_free(&pair);
	}
}

/* Each event causes one, as hosts generate packets; nearly all of it is in buckets. */
static void test_steady_population(void **state)
{
	static const unsigned sizes[] = { 3, 72, 2000, 16512 };
	const size_t n_sizes = sizeof(sizes) / sizeof(sizes[0]) - HD_IS_SLOW;
	struct pair pair;

	(void)state;
	for (size_t i = 0; i < n_sizes; i++) {
		pair_init(&pair);
		for (unsigned k = 0; k < sizes[i]; k++)
			post(&pair, hd_random_below(&pair.random, 1000000));
		for (unsigned k = 0; k < 4 * sizes[i]; k++) {
			take(&pair);
			post(&pair, pair.now + hd_random_below(&pair.random, 1000000));
		}
		if (sizes[i] > 1000) {
			assert_true(pair.late.heap.n < sizes[i] / 10);
			assert_true(pair.late.n_bucketed > sizes[i] / 2);
			for (unsigned k = 0; k <= HD_CALENDAR_AHEAD; k++)
				assert_int_equal(hd_calendar_ahead(&pair.late, k)->b,
						 pair.events[pair.first + k].b);
		}
		take_all(&pair);
		pair_free(&pair);
	}
}

/* Many events of few keys: the order among equals is that of posting, and nothing is quadratic. */
static void test_bursts(void **state)
{
	struct hd_calendar late;
	struct hd_calendar_event event;
	const uint32_t n = 1000000;

	(void)state;
	for (unsigned keys = 1; keys <= 4; keys++) {
		uint64_t last = 0;

		hd_calendar_init(&late);
		for (uint32_t i = 0; i < n; i++)
			assert_true(hd_calendar_post(&late, 1000 + i % keys, 0, i));
		for (uint32_t i = 0; i < n; i++) {
			event = hd_calendar_take(&late);
			/* more come for the last of these keys while they are taken */
			if (i < n / 8)
				assert_true(hd_calendar_post(&late, 999 + keys, 0, n + i));
			assert_true(!i || (event.key << 32 | event.b) > last);
			last = event.key << 32 | event.b;
		}
		assert_int_equal(late.n, n / 8);
		hd_calendar_free(&late);
	}
}

/* A far event is known first, what comes before it does not become slow. */
static void test_far_events(void **state)
{
	const uint64_t far = UINT64_C(1) << 46;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	for (unsigned round = 0; round < 20; round++) {
		post(&pair, pair.now + far);
		post(&pair, HD_CALENDAR_NONE - 1 - round % 2);
		for (unsigned k = 0; k < 3000; k++)
			post(&pair, pair.now + hd_random_below(&pair.random, 5000));
		for (unsigned k = 0; k < 3001; k++)
			take(&pair);
	}
	assert_true(pair.now == 20 * far);
	take_all(&pair);
	/* and it is as before when it was empty */
	pair.now = 0;
	for (unsigned k = 0; k < 3000; k++)
		post(&pair, hd_random_below(&pair.random, 5000));
	take_all(&pair);
	pair_free(&pair);
}

/* Orders are renumbered before they run out. */
static void test_numbers_run_out(void **state)
{
	struct pair pair;

	(void)state;
	pair_init(&pair);
	for (unsigned k = 0; k < 500; k++)
		post(&pair, 1000 + k / 10 * 50);
	pair.late.posted = UINT32_MAX - 205;
	pair.late.review = UINT32_MAX;
	pair.late.strain = 0;
	for (unsigned k = 0; k < 1000; k++) {
		take(&pair);
		post(&pair, pair.now + 2500);
	}
	assert_true(pair.late.posted < 5000);
	take_all(&pair);
	pair_free(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_delays),      cmocka_unit_test(test_steady_population),
		cmocka_unit_test(test_bursts),          cmocka_unit_test(test_far_events),
		cmocka_unit_test(test_numbers_run_out),
	};

	return cmocka_run_group_tests_name("calendar", tests, NULL, NULL);
}
