// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When messages come: arrival processes against their formulas, phases, replies, determinism. */
#include "tests/unit/traffic_case.h"

#include "simfabric/traffic/deviate.h"
#include "simfabric/traffic/slots.h"
#include "support/options.h"

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
				for (last = 0; hd_traffic_next(t, host, &m) && m.time < ticks;
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

/* Whatever the order in which hosts are asked, they say the same; another seed says otherwise. */
static void test_determinism(void **state)
{
	static const char *const arrivals[] = { "poisson", "bernoulli", "deterministic", "bursty" };
	static const char *const patterns[] = { "uniform", "hotspot",
						"zipf",    "zipf:2,ranking=shared",
						"stencil", "permutation" };

	(void)state;
	for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
		for (size_t i = 0; i < sizeof(arrivals) / sizeof(arrivals[0]); i++) {
			struct hd_traffic *a = make_traffic(48, patterns[p], arrivals[i], 0.5, 8);
			struct hd_traffic *b = make_traffic(48, patterns[p], arrivals[i], 0.5, 8);
			struct hd_message *wanted = calloc(48 * 50, sizeof(*wanted)), m;

			assert_non_null(wanted);
			for (uint32_t host = 0; host < 48; host++)
				for (unsigned n = 0; n < 50; n++)
					assert_true(
						hd_traffic_next(a, host, &wanted[host * 50 + n]));
			for (unsigned n = 0; n < 50; n++)
				for (uint32_t host = 48; host-- > 0;) {
					assert_true(hd_traffic_next(b, host, &m));
					assert_memory_equal(&m, &wanted[host * 50 + n], sizeof(m));
				}
			free(wanted);
			hd_traffic_free(a);
			hd_traffic_free(b);
		}
}

static void test_seeds(void **state)
{
	struct hd_traffic_setting setting = { .n_hosts = 64, .unit_ticks = 1 };
	const struct hd_traffic_phase phase = { .pattern = "permutation",
						.arrival = "poisson",
						.load = 0.5,
						.size = 1000,
						.until = UINT64_MAX };
	struct hd_message m, before = { 0 };
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	for (; setting.seed < 5; setting.seed++, before = m) {
		assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &t, &err), err);
		assert_true(hd_traffic_next(t, 9, &m));
		assert_int_not_equal(m.time, before.time);
		hd_traffic_free(t);
	}
}

static void test_phases(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 16, .unit_ticks = 1, .seed = 1 };
	const struct hd_traffic_phase phases[] = {
		{ "shift:1", "deterministic", 0.5, 10, false, 1000 },
		{ "transpose", "poisson", 1, 20, false, 2000 },
		{ "uniform", "poisson", 0, 20, false, 3000 },
		{ "hotspot:osha", "deterministic:staggered=no", 0.1, 20, true, 5000 },
	};
	struct hd_error err = { 0 };
	struct hd_message m;
	struct hd_traffic *t;

	(void)state;
	assert_hd_ok(hd_traffic_new(&setting, phases, 4, &t, &err), err);
	assert_near(hd_traffic_offered(t, 4, 999), 0.5, 0);
	assert_near(hd_traffic_offered(t, 4, 1000), 1, 0);
	assert_near(hd_traffic_offered(t, 5, 1000), 0, 0); /* (1, 1) sends to itself */
	assert_near(hd_traffic_offered(t, 4, 2000), 0, 0);
	assert_near(hd_traffic_offered(t, 4, 3000), 0.1, 0);
	assert_near(hd_traffic_offered(t, 4, 5000), 0, 0);
	for (uint32_t host = 0; host < 16; host++) {
		unsigned n[4] = { 0 };

		while (hd_traffic_next(t, host, &m)) {
			const char *class = hd_traffic_class_name(t, m.tag);

			n[m.time / 1000 < 3 ? m.time / 1000 : 3]++;
			assert_true(m.time < 5000);
			assert_int_equal(m.size, m.time < 1000 ? 10 : 20);
			if (m.time < 1000)
				assert_int_equal(m.to, (host + 1) % 16);
			else if (m.time < 2000)
				assert_int_equal(m.to, host % 4 * 4 + host / 4);
			if (m.time < 3000)
				assert_string_equal(class, "all");
			else
				assert_true(!strcmp(class, "hotspot request") ||
					    !strcmp(class, "background request"));
		}
		assert_int_equal(n[0], 50);
		if (host % 4 == host / 4)
			assert_int_equal(n[1], 0);
		else
			assert_in_range(n[1], 20, 80);
		assert_int_equal(n[2], 0);
		/* requests are half of the load: one in 400 ticks */
		assert_int_equal(n[3], 5);
		assert_false(hd_traffic_next(t, host, &m));
	}
	assert_int_equal(hd_traffic_classes(t), 5);
	assert_null(hd_traffic_class_name(t, 5));
	hd_traffic_free(t);
}

static void test_replies(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 16, .unit_ticks = 1, .seed = 1 };
	const struct hd_traffic_phase phase = { "uniform", "poisson", 0.5, 10, true, UINT64_MAX };
	struct hd_message m = { 0 }, reply, no;
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &t, &err), err);
	assert_int_equal(hd_traffic_classes(t), 2);
	for (unsigned n = 0; n < 100000; n++)
		assert_true(hd_traffic_next(t, 3, &m));
	/* half of the load are requests */
	assert_near(100000.0 * 10 / (double)m.time, 0.25, 0.003);
	assert_string_equal(hd_traffic_class_name(t, m.tag), "request");
	assert_true(hd_traffic_reply(t, 12345, &m, &reply));
	assert_int_equal(reply.time, 12345);
	assert_int_equal(reply.from, m.to);
	assert_int_equal(reply.to, 3);
	assert_int_equal(reply.size, 10);
	assert_string_equal(hd_traffic_class_name(t, reply.tag), "reply");
	assert_false(hd_traffic_reply(t, 12345, &reply, &no));
	hd_traffic_free(t);
	t = make_traffic(16, "uniform", "poisson", 0.5, 10);
	assert_true(hd_traffic_next(t, 3, &m));
	assert_false(hd_traffic_reply(t, 12345, &m, &reply));
	hd_traffic_free(t);
}

static void test_misuse(void **state)
{
	static const struct {
		const char *pattern, *arrival;
		double load;
		uint32_t size;
		int code;
		const char *says;
	} cases[] = {
		{ "unifrom", "poisson", 0.5, 1, HD_EINVAL,
		  "there is no traffic pattern 'unifrom'" },
		{ "", "poisson", 0.5, 1, HD_EINVAL, "there is no traffic pattern ''" },
		{ "uniform", "poison", 0.5, 1, HD_EINVAL, "there is no arrival process 'poison'" },
		{ "uniform\n", "poisson", 0.5, 1, HD_EINVAL, "a control character" },
		{ "uniform:x=1", "poisson", 0.5, 1, HD_EINVAL, "uniform has no option 'x'" },
		{ "uniform:self", "poisson", 0.5, 1, HD_EINVAL, "'self' is not key=value" },
		{ "uniform:self=2", "poisson", 0.5, 1, HD_EINVAL, "neither on nor off" },
		{ "uniform:self=no,", "poisson", 0.5, 1, HD_EINVAL, "an option is empty" },
		{ "shift:1,by=2", "poisson", 0.5, 1, HD_EINVAL, "'by' is given twice" },
		{ "shift:24", "poisson", 0.5, 1, HD_ERANGE, "by" },
		{ "bitreverse", "poisson", 0.5, 1, HD_EINVAL, "bitreverse: 24 hosts are no power" },
		{ "transpose", "poisson", 0.5, 1, HD_EINVAL, "transpose: 24 hosts are no square" },
		{ "tornado:4x5", "poisson", 0.5, 1, HD_EINVAL, "4x5 is not a shape of 24 hosts" },
		{ "tornado:4x", "poisson", 0.5, 1, HD_EINVAL, "'4x' is not at most" },
		{ "tornado:2x2x2x3", "poisson", 0.5, 1, HD_OK, NULL },
		{ "stencil:2x2x2x3", "poisson", 0.5, 1, HD_EINVAL, "at most 3 lengths" },
		{ "stencil:0x24", "poisson", 0.5, 1, HD_EINVAL, "at most 3 lengths" },
		{ "adversarial", "poisson", 0.5, 1, HD_EINVAL, "no dragonfly" },
		{ "adversarial-consecutive", "poisson", 0.5, 1, HD_EINVAL, "no dragonfly" },
		{ "zipf:-1", "poisson", 0.5, 1, HD_ERANGE, "zipf: s: -1 is not in 0 .. 100" },
		{ "zipf:x", "poisson", 0.5, 1, HD_EINVAL, "s: 'x' is not a number" },
		{ "zipf:nan", "poisson", 0.5, 1, HD_EINVAL, "s: 'nan' is not a number" },
		{ "zipf:ranking=none", "poisson", 0.5, 1, HD_EINVAL, "neither source nor shared" },
		{ "hotspot:sasha", "poisson", 0.5, 1, HD_EINVAL, "neither dla nor osha" },
		{ "hotspot:sources=24", "poisson", 0.5, 1, HD_ERANGE, "sources" },
		{ "hotspot:sources=1%", "poisson", 0.5, 1, HD_ERANGE, "1% of 24 hosts are none" },
		{ "hotspot:sources=20,destinations=5", "poisson", 0.5, 1, HD_EINVAL,
		  "more than 24" },
		{ "hotspot:rate=2", "poisson", 0.5, 1, HD_ERANGE, "rate: 2 is not in 0 .. 1" },
		{ "trace", "poisson", 0.5, 1, HD_EINVAL, "'file' must be given" },
		{ "trace:/nonexistent", "poisson", 0.5, 1, HD_EIO, "" },
		{ "uniform", "bursty:0.5", 0.5, 1, HD_ERANGE, "bursty: burst: 0.5" },
		{ "uniform", "bernoulli:9", 0.5, 8, HD_ERANGE, "slot" },
		{ "uniform", "poisson:1", 0.5, 1, HD_EINVAL, "'1' is not key=value" },
		{ "uniform", "poisson", 1.01, 1, HD_ERANGE, "load: 1.01 is not in 0 .. 1" },
		{ "uniform", "poisson", -0.1, 1, HD_ERANGE, "load: -0.1" },
		{ "uniform", "poisson", (double)NAN, 1, HD_ERANGE, "load: " },
		{ "uniform", "poisson", 0.5, 0, HD_ERANGE, "at least one unit" },
	};
	struct hd_traffic_setting setting = { .n_hosts = 24, .unit_ticks = 1 };
	struct hd_traffic_phase two[] = { { "uniform", "poisson", 1, 1, false, 10 },
					  { "uniform", "poisson", 1, 1, false, 10 } };
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct hd_traffic_phase phase = { .pattern = cases[i].pattern,
							.arrival = cases[i].arrival,
							.load = cases[i].load,
							.size = cases[i].size,
							.until = UINT64_MAX };

		memset(&err, 0, sizeof(err));
		if (hd_traffic_new(&setting, &phase, 1, &t, &err) != cases[i].code)
			fail_msg("%s, %s: %d %s", cases[i].pattern, cases[i].arrival, err.code,
				 err.text);
		if (cases[i].code)
			assert_null(t);
		if (cases[i].says)
			assert_hd_says(err, cases[i].says);
		assert_true(hd_traffic_new(&setting, &phase, 1, &t, NULL) == cases[i].code);
		hd_traffic_free(t);
		hd_traffic_free(cases[i].code
					? NULL
					: make_traffic(24, cases[i].pattern, "poisson", 0.5, 1));
	}
	assert_int_equal(hd_traffic_new(&setting, two, 2, &t, &err), HD_EINVAL);
	assert_hd_says(err, "phase 2 ends before it begins");
	assert_int_equal(hd_traffic_new(&setting, two, 0, &t, &err), HD_EINVAL);
	setting.n_hosts = 0;
	assert_int_equal(hd_traffic_new(&setting, two, 1, &t, &err), HD_EINVAL);
	setting.n_hosts = 1;
	for (size_t i = 0; hd_patterns[i]; i++) { /* nobody to send to */
		two[0].pattern = hd_patterns[i]->name;
		assert_int_equal(hd_traffic_new(&setting, two, 1, &t, &err), HD_EINVAL);
		assert_hd_says(err, hd_patterns[i]->name);
	}
}

/* Names ascend, and every option is explained. */
static void test_registry(void **state)
{
	const struct hd_pattern *const *lists[] = { hd_patterns, hd_arrivals };

	(void)state;
	for (unsigned l = 0; l < 2; l++)
		for (size_t i = 0; lists[l][i]; i++) {
			assert_true(!i || strcmp(lists[l][i - 1]->name, lists[l][i]->name) < 0);
			assert_true(*lists[l][i]->summary);
			for (const struct hd_option *o = lists[l][i]->options; o->key; o++)
				assert_true(*o->help && o->unit);
		}
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
		cmocka_unit_test(test_determinism),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_misuse),
		cmocka_unit_test(test_registry),
		cmocka_unit_test(test_least_loads),
	};

	return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
