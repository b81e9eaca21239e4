// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When messages come: every arrival process against its formulas. */
#include "tests/unit/traffic_case.h"

#include "sim/traffic/deviate.h"
#include "sim/traffic/slots.h"

static void test_exponential(void **state)
{
	enum { DRAWS = 2000000, CELLS = 64 };
	uint32_t counts[CELLS] = { 0 };
	struct hd_random random;
	double sum = 0, squares = 0;

	(void)state;
	hd_random_init(&random, 3, 4);
	for (unsigned i = 0; i < DRAWS; i++) {
		double x = (double)hd_exponential(&random) * 0x1p-32;

		sum += x;
		squares += x * x;
		counts[(unsigned)(-expm1(-x) * CELLS)]++;
	}
	assert_near(sum / DRAWS, 1, 0.003);
	assert_near(squares / DRAWS, 2, 0.02);
	assert_uniform(counts, CELLS, DRAWS);
}

static void test_fixed_point(void **state)
{
	struct hd_source source = { .time = UINT64_MAX - 10 };
	uint64_t whole, fraction, rest;

	(void)state;
	hd_split(1234567.625, &whole, &fraction);
	assert_int_equal(whole, 1234567);
	assert_true(fraction == (uint64_t)5 << 61);
	/* 2.5 times that */
	assert_true(hd_scale((uint64_t)5 << 31, whole, fraction, &rest) == 3086419);
	assert_near((double)rest * 0x1p-64, 0.0625, 1e-9);
	assert_true(hd_scale((uint64_t)44 << 32 | UINT32_MAX, (uint64_t)1 << 56, 0, &rest) ==
		    ((uint64_t)45 << 56) - ((uint64_t)1 << 24));
	assert_true(hd_advance(&source, 9, (uint64_t)1 << 63));
	assert_true(hd_advance(&source, 0, (uint64_t)1 << 63));
	assert_true(source.time == UINT64_MAX);
	assert_true(source.fraction == 0);
	assert_false(hd_advance(&source, 1, 0));
}

/* Every process offers what the load says: 2 million messages each. */
static void test_rates(void **state)
{
	static const char *const arrivals[] = {
		"poisson",   "deterministic",   "deterministic:staggered=no",
		"bernoulli", "bernoulli:1",     "bursty",
		"bursty:1",  "bursty:20,slot=3"
	};
	static const double loads[] = { 0.013, 0.1, 0.3, 0.7, 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(arrivals) / sizeof(arrivals[0]); i++)
		for (size_t l = 0; l < sizeof(loads) / sizeof(loads[0]); l++) {
			struct hd_traffic *t =
				make_traffic(64, "uniform", arrivals[i], loads[l], 8);
			const double ticks = 8.0 * UNIT_TICKS * 30000 / loads[l];
			struct hd_message m = { 0 };
			uint64_t n = 0, last;

			assert_near(hd_traffic_offered(t, 3, 12345), loads[l], 1e-12);
			for (uint32_t host = 0; host < 64; host++)
				for (last = 0;
				     hd_traffic_next(t, host, &m) && (double)m.time < ticks;
				     n++, last = m.time)
					assert_true(m.time >= last);
			if (fabs((double)n / (64 * 30000.0) - 1) > 0.005)
				fail_msg("%s at %g offers %g", arrivals[i], loads[l],
					 loads[l] * (double)n / (64 * 30000.0));
			hd_traffic_free(t);
		}
}

/* Equal gaps do not drift: after a billion ticks the number of messages is exact. */
static void test_deterministic_does_not_drift(void **state)
{
	struct hd_traffic *t = make_traffic(2, "uniform", "deterministic:staggered=no", 0.3, 7);
	struct hd_message m;

	(void)state;
	for (uint64_t n = 0; n < 5000000; n++) {
		assert_true(hd_traffic_next(t, 1, &m));
		if (n % 1000 == 0)
			assert_true(m.time == (uint64_t)floorl(n * (7 * UNIT_TICKS / 0.3L)) ||
				    m.time == (uint64_t)ceill(n * (7 * UNIT_TICKS / 0.3L)));
	}
	hd_traffic_free(t);
}

/* Numbers of packets in slots: all 0 or 1, as often as the load says, the gaps geometric. */
static void test_bernoulli_slots(void **state)
{
	enum { GAPS = 8 };
	struct hd_traffic *t = make_traffic(2, "uniform", "bernoulli", 0.25, 4);
	uint32_t gaps[GAPS] = { 0 };
	struct hd_message m;
	uint64_t last = 0;

	(void)state;
	assert_true(hd_traffic_next(t, 0, &m));
	for (unsigned i = 0; i < 400000; i++) {
		uint64_t slots;

		last = m.time;
		assert_true(hd_traffic_next(t, 0, &m));
		assert_int_equal(m.time % (4 * UNIT_TICKS), 0);
		slots = (m.time - last) / (4 * UNIT_TICKS);
		assert_true(slots > 0);
		if (slots <= GAPS)
			gaps[slots - 1]++;
	}
	for (unsigned i = 0; i < GAPS; i++)
		assert_near(gaps[i] / 400000.0, 0.25 * pow(0.75, i), 0.003);
	hd_traffic_free(t);
}

/* fairness-contention-flexvc: equations 1.4 - 1.8; the spec's 002-X7. */
static void test_on_off_chain(void **state)
{
	struct hd_on_off chain = hd_on_off(0.4 / 8, 5);

	(void)state;
	assert_near(chain.on, 0.05, 1e-12);
	assert_near(chain.on2off, 0.2, 1e-12);
	assert_near(chain.off2on, 0.0104167, 1e-7);
	/* the steady state of the matrix is P_ON */
	assert_near((1 - chain.on2off + chain.on2off * chain.off2on) * chain.on +
			    chain.off2on * (1 - chain.on),
		    chain.on, 1e-12);
	chain = hd_on_off(1.0 / 8, 5);
	assert_near(chain.on, 0.125, 1e-12);
	assert_near(chain.off2on, 0.0277778, 1e-7);
	assert_near(hd_on_off(1, 5).off2on, 1, 1e-12);
	assert_near(hd_on_off(0, 5).off2on, 0, 1e-12);
}

/* Bursts have one destination and consecutive slots; their lengths are geometric, mean 5. */
static void test_bursts(void **state)
{
	/* so many that hardly ever two bursts have the same destination */
	struct hd_traffic *t = make_traffic(100000, "uniform", "bursty", 0.4, 8);
	const unsigned bursts = 200000;
	uint32_t lengths[12] = { 0 }, length = 1;
	double packets = 0, silent = 0, together = 0;
	struct hd_message m, before;

	(void)state;
	assert_true(hd_traffic_next(t, 5, &before));
	for (unsigned n = 0; n < bursts; before = m) {
		assert_true(hd_traffic_next(t, 5, &m));
		packets++;
		if (m.to == before.to && m.time - before.time == UNIT_TICKS) {
			length++;
			continue;
		}
		n++;
		if (length <= 12)
			lengths[length - 1]++;
		length = 1;
		silent += (double)(m.time - before.time) / UNIT_TICKS - 1;
		together += m.time - before.time == UNIT_TICKS;
	}
	assert_near(packets / bursts, 5, 0.05);
	for (unsigned i = 0; i < 12; i++)
		assert_near(lengths[i] / (double)bursts, 0.2 * pow(0.8, i), 0.005);
	/* a pause of k slots has probability (1 - off2on)^k off2on, k = 0 too */
	assert_near(silent / bursts * 0.0104167 / (1 - 0.0104167), 1, 0.01);
	assert_near(together / bursts, 0.0104167, 0.001);
	hd_traffic_free(t);
	/* full load: every packet's time a packet, and destinations change still */
	t = make_traffic(100000, "uniform", "bursty:5,slot=8", 1, 8);
	assert_true(hd_traffic_next(t, 5, &before));
	packets = 0;
	for (unsigned n = 1; n < 100000; n++, before = m) {
		assert_true(hd_traffic_next(t, 5, &m));
		assert_int_equal(m.time, n * 8 * UNIT_TICKS);
		packets += m.to != before.to;
	}
	assert_near(packets / 100000, 0.2, 0.005);
	hd_traffic_free(t);
}

/* So little that the next message is beyond all time is nothing. */
static void test_least_loads(void **state)
{
	static const char *const arrivals[] = { "poisson", "bernoulli", "deterministic", "bursty" };
	struct hd_message m;

	(void)state;
	for (size_t i = 0; i < sizeof(arrivals) / sizeof(arrivals[0]); i++)
		for (double load = 1e-10; load > 1e-300; load *= 1e-5) {
			struct hd_traffic *t = make_traffic(3, "uniform", arrivals[i], load, 64);
			uint64_t last = 0;

			for (unsigned n = 0; n < 1000 && hd_traffic_next(t, 0, &m); n++) {
				assert_true(m.time >= last);
				last = m.time;
			}
			hd_traffic_free(t);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exponential),
		cmocka_unit_test(test_fixed_point),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_deterministic_does_not_drift),
		cmocka_unit_test(test_bernoulli_slots),
		cmocka_unit_test(test_on_off_chain),
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_least_loads),
	};

	return cmocka_run_group_tests_name("arrivals", tests, NULL, NULL);
}
