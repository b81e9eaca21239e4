// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Histograms, statistics and what is counted in a window. */
#include "tests/unit/unit.h"

#include <math.h>

#include "sim/measure/measure.h"
#include "sim/measure/series.h"
#include "support/random.h"

static void assert_near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%.9g is not within %g of %.9g", value, tolerance, wanted);
}

static void test_buckets_cover_all_numbers(void **state)
{
	uint64_t first, last, next = 0;

	(void)state;
	for (unsigned i = 0; i < HD_HISTOGRAM_BUCKETS; i++) {
		hd_histogram_bounds(i, &first, &last);
		assert_true(first == next);
		assert_true(last >= first);
		/* the middle is at most 1/256 off */
		if (first >= 256)
			assert_true((double)(last - first) / 2 <= (double)first / 256);
		else
			assert_true(first == last);
		next = last + 1;
	}
	assert_true(last == UINT64_MAX);
}

static void test_values_are_in_their_buckets(void **state)
{
	struct hd_histogram *h = calloc(1, sizeof(*h));
	uint64_t first, last;
	unsigned n = 0;

	(void)state;
	assert_non_null(h);
	for (unsigned shift = 0; shift < 64; shift++)
		for (int64_t off = -1; off <= 1; off++) {
			uint64_t value = (UINT64_C(1) << shift) + (uint64_t)off;
			unsigned hits = 0;

			memset(h, 0, sizeof(*h));
			hd_histogram_add(h, value);
			for (unsigned i = 0; i < HD_HISTOGRAM_BUCKETS; i++) {
				hd_histogram_bounds(i, &first, &last);
				if (!h->counts[i])
					continue;
				hits++;
				assert_true(value >= first && value <= last);
			}
			assert_int_equal(hits, 1);
			assert_true(h->min == value && h->max == value);
			n++;
		}
	assert_int_equal(n, 192);
	free(h);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void test_percentiles(void **state)
{
	enum { N = 100000 };
	static const double shares[] = { 0.001, 0.25, 0.5, 0.9, 0.99, 0.999 };
	struct hd_histogram *h = calloc(1, sizeof(*h));
	uint64_t *values = calloc(N, sizeof(*values));
	struct hd_random random;
	double sum = 0;

	(void)state;
	assert_non_null(h);
	assert_non_null(values);
	assert_true(hd_histogram_percentile(h, 0.5) == 0);
	assert_true(hd_histogram_mean(h) == 0);
	hd_random_init(&random, 1, 2);
	for (unsigned i = 0; i < N; i++) {
		values[i] = (uint64_t)exp(hd_random_u32(&random) * 0x1p-32 * 25);
		sum += (double)values[i];
		hd_histogram_add(h, values[i]);
	}
	qsort(values, N, sizeof(*values), compare);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		double exact = (double)values[(size_t)ceil(shares[i] * N) - 1];

		assert_near(hd_histogram_percentile(h, shares[i]), exact, exact / 256);
	}
	assert_true(hd_histogram_percentile(h, 1) == (double)values[N - 1]);
	assert_near(hd_histogram_mean(h), sum / N, sum / N * 1e-12);
	free(values);
	free(h);
}

/* Student's t, 97.5%: from tables. */
static void test_student_t(void **state)
{
	static const struct {
		size_t degrees;
		double t;
	} cases[] = { { 1, 12.7062 }, { 2, 4.3027 },  { 4, 2.7764 },  { 5, 2.5706 },
		      { 6, 2.4469 },  { 9, 2.2622 },  { 15, 2.1314 }, { 30, 2.0423 },
		      { 60, 2.0003 }, { 120, 1.9799 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_near(hd_student_t(cases[i].degrees), cases[i].t, 0.0006);
}

static void test_means(void **state)
{
	static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct hd_mean mean = hd_mean_of(values, 8);

	(void)state;
	assert_near(mean.mean, 5, 1e-12);
	/* t(7) = 2.3646, s^2 = 32 / 7 */
	assert_near(mean.half_width, 2.3646 * sqrt(32.0 / 7 / 8), 0.001);
	assert_true(hd_mean_of(values, 1).half_width == 0);
	assert_true(hd_mean_of(values, 0).mean == 0);
}

/* Of 20 intervals, 19 hold the true mean. */
static void test_confidence(void **state)
{
	struct hd_random random;
	unsigned held = 0;

	(void)state;
	hd_random_init(&random, 3, 4);
	for (unsigned i = 0; i < 10000; i++) {
		double values[5];
		struct hd_mean mean;

		for (unsigned k = 0; k < 5; k++) {
			values[k] = -6;
			for (unsigned n = 0; n < 12; n++)
				values[k] += hd_random_u32(&random) * 0x1p-32;
		}
		mean = hd_mean_of(values, 5);
		held += fabs(mean.mean) <= mean.half_width;
	}
	assert_near(held, 9500, 100);
}

static void test_fairness(void **state)
{
	static const double equal[] = { 3, 3, 3, 3 }, one[] = { 1, 0, 0, 0 }, two[] = { 1, 3 };
	struct hd_fairness f = hd_fairness_of(equal, 4);

	(void)state;
	assert_near(f.jain, 1, 1e-12);
	assert_near(f.variation, 0, 1e-12);
	assert_near(f.max_min, 1, 1e-12);
	f = hd_fairness_of(one, 4);
	assert_near(f.jain, 0.25, 1e-12);
	assert_near(f.variation, sqrt(3), 1e-12);
	assert_true(f.max_min == 0 && f.min == 0 && f.max == 1);
	f = hd_fairness_of(two, 2);
	assert_near(f.jain, 0.8, 1e-12);
	assert_near(f.variation, 0.5, 1e-12);
	assert_near(f.max_min, 3, 1e-12);
	assert_true(hd_fairness_of(NULL, 0).jain == 1);
}

static struct hd_measure *make(unsigned slices)
{
	const struct hd_measure_options options = {
		.begin = 1000,
		.end = 2000,
		.slices = slices,
		.n_hosts = 2,
		.n_classes = 2,
		.unit_ticks = 10,
	};
	struct hd_measure *measure;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_measure_new(&options, &measure, &err), err);
	return measure;
}

static void send(struct hd_measure *m, uint64_t time, uint64_t latency, uint32_t from, unsigned tag)
{
	const struct hd_message message = { time, from, 1 - from, 5, tag, 0 };

	hd_measure_generated(m, &message);
	hd_measure_delivered(m, time + latency, &message, time + latency / 2, 3);
}

static void test_what_counts_is_in_the_window(void **state)
{
	struct hd_measure *m = make(4);
	struct hd_fairness fairness;
	struct hd_error err = { 0 };

	(void)state;
	send(m, 900, 99, 0, 0);   /* before */
	send(m, 990, 10, 0, 0);   /* arrives at its beginning */
	send(m, 1000, 100, 0, 1); /* within */
	send(m, 1900, 99, 0, 0);
	send(m, 1900, 100, 1, 0); /* arrives at its end */
	send(m, 2000, 1, 1, 0);   /* after */
	hd_measure_dropped(m, 1500, &(struct hd_message){ 1400, 0, 1, 5, 1, 0 });
	hd_measure_dropped(m, 2500, &(struct hd_message){ 1400, 0, 1, 5, 1, 0 });
	assert_int_equal(hd_measure_all(m)->packets, 3);
	assert_int_equal(hd_measure_all(m)->accepted, 15);
	assert_int_equal(hd_measure_all(m)->offered, 15);
	assert_int_equal(hd_measure_all(m)->hops, 9);
	assert_int_equal(hd_measure_all(m)->dropped, 1);
	assert_int_equal(m->classes[0].packets, 2);
	assert_int_equal(m->classes[1].packets, 1);
	assert_int_equal(m->classes[1].latency.max, 100);
	assert_int_equal(m->classes[1].network_latency.max, 50);
	assert_int_equal(m->max_hops, 3);
	/* 15 units of 10 ticks on 2 links in 1000 ticks */
	assert_near(hd_measure_load(m, 15), 0.075, 1e-12);
	assert_int_equal(m->slices[0].accepted, 10);
	assert_int_equal(m->slices[1].packets, 0);
	assert_int_equal(m->slices[3].latency, 99);
	assert_hd_ok(hd_measure_fairness(m, NULL, m->options.n_hosts, &fairness, &err), err);
	assert_near(fairness.max, 0.15, 1e-12);
	assert_near(fairness.min, 0, 1e-12);
	hd_measure_free(m);
}

/* A source is one as long as something of it is still to arrive, whenever that was generated. */
static void test_sources_of_what_was_generated_before(void **state)
{
	const struct hd_message early = { 900, 0, 1, 5, 0, 0 }, lost = { 950, 1, 0, 5, 0, 0 };
	const struct hd_message late = { 2000, 1, 0, 5, 0, 0 };
	struct hd_measure *m = make(4);
	struct hd_error err = { 0 };
	double shares[2];

	(void)state;
	hd_measure_generated(m, &early);
	hd_measure_generated(m, &early);
	hd_measure_delivered(m, 1500, &early, 950, 3);
	hd_measure_generated(m, &late); /* sends nothing before the window's end */
	assert_hd_ok(hd_measure_shares(m, NULL, 2, shares, &err), err);
	assert_near(shares[0], 0.05, 1e-12);
	assert_true(isnan(shares[1]));
	hd_measure_generated(m, &lost);
	assert_hd_ok(hd_measure_shares(m, NULL, 2, shares, &err), err);
	assert_near(shares[1], 0, 0); /* it waits, and gets nothing through */
	hd_measure_dropped(m, 990, &lost);
	assert_hd_ok(hd_measure_shares(m, NULL, 2, shares, &err), err);
	assert_true(isnan(shares[1]));
	hd_measure_free(m);
}

/* A message of some host, generated and maybe delivered or dropped, each in a part of @n. */
static void count_one(struct hd_random *random, struct hd_measure *whole,
		      struct hd_measure *const *parts, unsigned n)
{
	const struct hd_message message = { .time = hd_random_below(random, 3000),
					    .from = hd_random_below(random, 5),
					    .size = 1 + hd_random_below(random, 9),
					    .tag = hd_random_below(random, 2) };
	uint64_t now = message.time + hd_random_below(random, 500);
	unsigned hops = hd_random_below(random, 7), end = hd_random_below(random, 3);
	struct hd_measure *source = parts[hd_random_below(random, n)];
	struct hd_measure *destination = parts[hd_random_below(random, n)];

	hd_measure_generated(whole, &message);
	hd_measure_generated(source, &message);
	if (message.time >= whole->options.end)
		return;
	if (end == 0) {
		hd_measure_delivered(whole, now, &message, message.time, hops);
		hd_measure_delivered(destination, now, &message, message.time, hops);
	} else if (end == 1) {
		hd_measure_dropped(whole, now, &message);
		hd_measure_dropped(destination, now, &message);
	}
}

static void compare_measures(const struct hd_measure *a, const struct hd_measure *b)
{
	size_t classes = (a->options.n_classes + (size_t)1) * sizeof(*a->classes);

	assert_int_equal(memcmp(a->classes, b->classes, classes), 0);
	assert_memory_equal(a->slices, b->slices, a->options.slices * sizeof(*a->slices));
	assert_memory_equal(a->batches, b->batches, sizeof(a->batches));
	assert_int_equal(a->max_hops, b->max_hops);
	for (uint32_t host = 0; host < a->options.n_hosts; host++) {
		assert_int_equal(a->sources[host].accepted, b->sources[host].accepted);
		assert_int_equal(a->sources[host].pending, b->sources[host].pending);
		assert_int_equal(a->sources[host].sends, b->sources[host].sends);
	}
}

/* What parts count, in whichever part, adds up to the whole: also over windows that follow. */
static void test_parts_add_up(void **state)
{
	const struct hd_measure_options options = { .begin = 200,
						    .end = 1000,
						    .slices = 3,
						    .n_hosts = 5,
						    .n_classes = 2,
						    .unit_ticks = 1 };
	struct hd_measure *whole, *sum, *parts[3];
	struct hd_error err = { 0 };
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 5, 0);
	assert_hd_ok(hd_measure_new(&options, &whole, &err), err);
	assert_hd_ok(hd_measure_new(&options, &sum, &err), err);
	for (unsigned k = 0; k < 3; k++)
		assert_hd_ok(hd_measure_new(&options, &parts[k], &err), err);
	for (unsigned window = 0; window < 2; window++) {
		for (unsigned i = 0; i < 400; i++) {
			count_one(&random, whole, parts, 3);
			if (i % 150 == 149)
				for (unsigned k = 0; k < 3; k++)
					hd_measure_join(sum, parts[k]);
		}
		for (unsigned k = 0; k < 3; k++)
			hd_measure_join(sum, parts[k]);
		compare_measures(whole, sum);
		assert_hd_ok(hd_measure_extend(whole, &err), err);
		assert_hd_ok(hd_measure_extend(sum, &err), err);
		compare_measures(whole, sum);
		for (unsigned k = 0; k < 3; k++)
			parts[k]->options = sum->options;
	}
	hd_measure_free(whole);
	hd_measure_free(sum);
	for (unsigned k = 0; k < 3; k++)
		hd_measure_free(parts[k]);
}

/* The sum of values is exact, also beyond 2^64. */
static void test_a_sum_is_exact(void **state)
{
	struct hd_histogram *h = calloc(2, sizeof(*h));

	(void)state;
	assert_non_null(h);
	for (unsigned i = 0; i < 3; i++)
		hd_histogram_add(h, UINT64_MAX);
	hd_histogram_add(h + 1, 5);
	hd_histogram_join(h, h + 1);
	assert_int_equal(h->sum_high, 3);
	assert_int_equal(h->sum, 2);
	assert_int_equal(h->min, 5);
	assert_int_equal(h->n, 4);
	assert_near(hd_histogram_mean(h), 0.75 * 0x1p64, 0x1p20);
	free(h);
}

static void test_nothing_arrives(void **state)
{
	const struct hd_message message = { 900, 0, 1, 5, 0, 0 };
	struct hd_measure *m = make(4);

	(void)state;
	assert_true(hd_measure_is_steady(m)); /* and nothing is to arrive */
	hd_measure_generated(m, &message);
	assert_false(hd_measure_is_steady(m));
	hd_measure_delivered(m, 950, &message, 910, 3);
	assert_true(hd_measure_is_steady(m));
	hd_measure_free(m);
}

/* What is generated ahead belongs to the window of its time. */
static void test_windows_one_after_another(void **state)
{
	const struct hd_message ahead[] = { { 2000, 0, 1, 5, 0, 0 }, { 5000, 1, 0, 5, 0, 0 } };
	struct hd_measure *m = make(4);
	struct hd_error err = { 0 };

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		hd_measure_generated(m, &ahead[i % 2]);
	for (uint64_t t = 1000; t < 1990; t += 10)
		send(m, t, 9, 0, 0);
	assert_true(hd_measure_is_steady(m));
	assert_hd_ok(hd_measure_extend(m, &err), err);
	assert_true(m->options.begin == 2000 && m->options.end == 4000);
	assert_int_equal(hd_measure_all(m)->offered, 50);
	assert_int_equal(hd_measure_all(m)->packets, 0);
	for (uint64_t t = 2000; t < 3990; t += 10)
		send(m, t, 9, 0, 0);
	assert_int_equal(hd_measure_all(m)->accepted, 995);
	assert_true(hd_measure_is_steady(m));
	assert_hd_ok(hd_measure_extend(m, &err), err);
	assert_int_equal(hd_measure_all(m)->offered, 50);
	/* halves alike, but not like the window before */
	for (uint64_t t = 4000; t < 7990; t += 10)
		send(m, t, 7, 0, 0);
	assert_false(hd_measure_is_steady(m));
	hd_measure_free(m);
}

static const struct hd_tolerance strict = { 0.05, 0.1 }, lax = { 0.05, 0.2 };

/* Stretches of batches of a tick, with a packet for each unit. */
struct stretch {
	struct hd_batch batches[HD_BATCHES_MAX];
	struct hd_stretch stretch;
};

/* @load and @latency begin at the first and rise by the second from batch to batch. */
static const struct hd_stretch *stretch(struct stretch *s, const double load[2],
					const double latency[2], unsigned seed)
{
	struct hd_random random;

	hd_random_init(&random, seed, 5);
	for (unsigned i = 0; i < HD_BATCHES_MAX; i++) {
		struct hd_batch *batch = &s->batches[i];
		double noise = hd_random_u32(&random) * 0x1p-32 - 0.5;

		batch->accepted = batch->packets =
			(uint64_t)((load[0] + load[1] * i) * (1 + 0.02 * noise));
		batch->network_latency =
			(uint64_t)((double)batch->packets * (latency[0] + latency[1] * i));
		batch->latency = 2 * batch->network_latency;
	}
	s->stretch = (struct hd_stretch){ s->batches, HD_BATCHES_MAX, 1 };
	return &s->stretch;
}

static void test_stretches(void **state)
{
	static const double flat[2] = { 10000, 0 }, less[2] = { 9400, 0 }, few[2] = { 25, 0 };
	static const double falling[2] = { 10000, -120 }, fewer[2] = { 22, 0 };
	static const double latency[2] = { 500, 0 }, higher[2] = { 560, 0 },
			    filling[2] = { 500, 8 };
	struct stretch a, b;

	(void)state;
	stretch(&a, flat, latency, 1);
	for (unsigned saturated = 0; saturated < 2; saturated++) {
		assert_true(hd_stretches_agree(&a.stretch, stretch(&b, flat, latency, 2), saturated,
					       &strict));
		/* buffers that fill, though as much arrives */
		assert_false(hd_stretches_agree(&a.stretch, stretch(&b, flat, filling, 2),
						saturated, &strict));
		assert_false(hd_stretches_agree(&a.stretch, stretch(&b, flat, higher, 2), saturated,
						&strict));
		assert_true(hd_stretches_agree(&a.stretch, stretch(&b, flat, higher, 2), saturated,
					       &lax));
		assert_false(hd_stretches_agree(&a.stretch, stretch(&b, less, latency, 2),
						saturated, &strict));
		assert_false(hd_stretches_agree(&a.stretch, stretch(&b, falling, latency, 2),
						saturated, &strict));
	}
	/* hosts' queues alone grow: that is what they do in saturation */
	stretch(&b, flat, latency, 2);
	for (unsigned i = 0; i < HD_BATCHES_MAX; i++)
		b.batches[i].latency *= 2;
	assert_false(hd_stretches_agree(&a.stretch, &b.stretch, false, &strict));
	assert_true(hd_stretches_agree(&a.stretch, &b.stretch, true, &strict));
	/*
	 * a difference of 13%, but of so few packets that chance makes it, unless there are no more
	 */
	stretch(&a, few, latency, 1);
	assert_true(hd_stretches_agree(&a.stretch, stretch(&b, fewer, latency, 2), false, &strict));
	assert_false(hd_stretches_agree(&a.stretch, stretch(&b, fewer, latency, 2), true, &strict));
	/* a burst, and nothing */
	memset(&a.batches[1], 0, (HD_BATCHES_MAX - 1) * sizeof(a.batches[0]));
	assert_false(hd_stretches_agree(&a.stretch, &a.stretch, false, &strict));
}

/*
 * A congestion that spreads for 1.5 ms before less arrives: Valiant routes a little above what they
 * carry, 342 hosts, in steps of 0.1 ms: accepted (1e-4 of the links) and network latency (ns).
 */
static void test_a_slow_decay(void **state)
{
	static const unsigned recorded[][2] = {
		{ 4270, 16709 }, { 4346, 20970 }, { 4329, 22645 }, { 4316, 26381 }, { 4354, 28636 },
		{ 4362, 31075 }, { 4334, 32585 }, { 4280, 34872 }, { 4297, 35131 }, { 4171, 34973 },
		{ 4035, 35732 }, { 4145, 39123 }, { 4205, 43214 }, { 4188, 41278 }, { 4062, 39061 },
		{ 3853, 40573 }, { 3575, 44218 }, { 3337, 43774 }, { 3212, 45446 }, { 3027, 45616 },
	};
	const unsigned n = sizeof(recorded) / sizeof(recorded[0]);
	struct hd_batch batches[sizeof(recorded) / sizeof(recorded[0])];

	(void)state;
	for (unsigned i = 0; i < n; i++)
		batches[i] = (struct hd_batch){ recorded[i][0], recorded[i][0], 0,
						(uint64_t)recorded[i][0] * recorded[i][1] };
	/* wherever in the first 0.8 ms a window begins, and however long it is */
	for (unsigned half = 4; 2 * half <= n; half++)
		for (unsigned i = 0; i < 8 && i + 2 * half <= n; i++) {
			const struct hd_stretch first = { batches + i, half, 1 };
			const struct hd_stretch second = { batches + i + half, half, 1 };

			assert_false(hd_stretches_agree(&first, &second, true, &strict));
		}
}

static void test_saturation_and_steadiness(void **state)
{
	struct hd_measure *m = make(10);

	(void)state;
	for (uint64_t t = 1000; t < 1990; t += 10)
		send(m, t, 9, 0, 0);
	assert_false(hd_measure_is_saturated(m));
	assert_true(hd_measure_is_steady(m));
	for (uint64_t t = 1500; t < 1600; t += 10) /* the second half takes longer */
		send(m, t, 350, 0, 0);
	assert_false(hd_measure_is_steady(m));
	for (unsigned i = 0; i < 20; i++)
		hd_measure_generated(m, &(struct hd_message){ 1100, 0, 1, 5, 0, 0 });
	assert_true(hd_measure_is_saturated(m));
	hd_measure_free(m);
	m = make(10);
	for (uint64_t t = 1600; t < 1900; t += 10)
		send(m, t, 9, 0, 0);
	assert_false(hd_measure_is_steady(m));
	hd_measure_free(m);
}

static void test_an_empty_window(void **state)
{
	struct hd_measure_options options = { .begin = 5, .end = 5, .slices = 2, .unit_ticks = 1 };
	struct hd_measure *measure;
	struct hd_error err = { 0 };

	(void)state;
	assert_int_equal(hd_measure_new(&options, &measure, &err), HD_EINVAL);
	assert_hd_says(err, "window");
	assert_null(measure);
}

static struct hd_series *make_series(uint64_t begin, uint64_t end, uint64_t step, uint64_t origin)
{
	const struct hd_series_options options = { begin, end, step, origin, 4, 2 };
	struct hd_series *series;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_series_new(&options, &series, &err), err);
	return series;
}

/* Steps are whole from the origin on, whether it is before, within or behind the window. */
static void test_steps_of_a_series(void **state)
{
	static const struct {
		uint64_t begin, end, step, origin;
		size_t n;
		int64_t second;
		uint64_t first, last;
	} cases[] = {
		{ 100, 200, 10, 100, 10, 10, 10, 10 },  { 100, 200, 10, 0, 10, 110, 10, 10 },
		{ 105, 200, 10, 100, 10, 10, 5, 10 },   { 100, 200, 30, 150, 4, -30, 20, 20 },
		{ 100, 200, 30, 310, 4, -180, 30, 10 }, { 100, 200, 100, 199, 2, 0, 99, 1 },
		{ 100, 101, 1, 0, 1, 0, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_series *series =
			make_series(cases[i].begin, cases[i].end, cases[i].step, cases[i].origin);
		uint64_t length = 0;

		assert_int_equal(series->n, cases[i].n);
		assert_true(hd_series_begin(series, 0) ==
			    (int64_t)(cases[i].begin - cases[i].origin));
		if (series->n > 1)
			assert_true(hd_series_begin(series, 1) == cases[i].second);
		assert_int_equal(hd_series_length(series, 0), cases[i].first);
		assert_int_equal(hd_series_length(series, series->n - 1), cases[i].last);
		for (size_t k = 0; k < series->n; k++)
			length += hd_series_length(series, k);
		assert_int_equal(length, cases[i].end - cases[i].begin);
		/* every time is in the step that it should be in */
		for (uint64_t time = cases[i].begin; time < cases[i].end; time++) {
			const struct hd_message message = { .time = time, .size = 1 };

			hd_series_generated(series, &message);
		}
		for (size_t k = 0; k < series->n; k++)
			assert_int_equal(series->steps[k].generated, hd_series_length(series, k));
		free(series);
	}
}

/* Loads count when they happen, latencies where their packets were generated. */
static void test_what_a_series_counts(void **state)
{
	const struct hd_message early = { .time = 99, .size = 3 };
	const struct hd_message first = { .time = 100, .size = 5 };
	const struct hd_message second = { .time = 115, .size = 7 };
	const struct hd_message lost = { .time = 119, .size = 1 };
	const struct hd_message late = { .time = 120, .size = 9 };
	struct hd_series *series = make_series(100, 120, 10, 100);
	const struct hd_message *const all[] = { &early, &first, &second, &lost, &late };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		hd_series_generated(series, all[i]);
	assert_int_equal(series->pending, 3);
	hd_series_delivered(series, 111, &early, 100, true);
	hd_series_delivered(series, 112, &first, 103, false);
	hd_series_dropped(series, &lost);
	hd_series_dropped(series, &late);
	assert_int_equal(series->pending, 1);
	hd_series_delivered(series, 130, &second, 120, true);
	assert_int_equal(series->pending, 0);
	assert_int_equal(series->steps[0].offered, 5);
	assert_int_equal(series->steps[0].accepted, 0);
	assert_int_equal(series->steps[0].packets, 1);
	assert_int_equal(series->steps[0].latency, 12);
	assert_int_equal(series->steps[0].network_latency, 9);
	assert_int_equal(series->steps[0].misrouted, 0);
	assert_int_equal(series->steps[1].offered, 8);
	assert_int_equal(series->steps[1].accepted, 8);
	assert_int_equal(series->steps[1].generated, 2);
	assert_int_equal(series->steps[1].packets, 1);
	assert_int_equal(series->steps[1].latency, 15);
	assert_int_equal(series->steps[1].misrouted, 1);
	/* 8 units of 2 ticks on 4 links for 10 */
	assert_near(hd_series_load(series, 1, 8), 0.4, 1e-12);
	hd_series_generated(series, &lost);
	hd_series_refused(series, &lost);
	assert_int_equal(series->steps[1].offered, 8);
	assert_int_equal(series->pending, 0);
	free(series);
}

static void test_impossible_series(void **state)
{
	static const struct hd_series_options cases[] = {
		{ 100, 100, 10, 0, 1, 1 },
		{ 100, 200, 0, 0, 1, 1 },
		{ 0, HD_SERIES_STEPS + 1, 1, 0, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_series *series;
		struct hd_error err;

		assert_true(hd_series_new(&cases[i], &series, &err) < 0);
		assert_null(series);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets_cover_all_numbers),
		cmocka_unit_test(test_values_are_in_their_buckets),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_student_t),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_confidence),
		cmocka_unit_test(test_fairness),
		cmocka_unit_test(test_what_counts_is_in_the_window),
		cmocka_unit_test(test_sources_of_what_was_generated_before),
		cmocka_unit_test(test_parts_add_up),
		cmocka_unit_test(test_a_sum_is_exact),
		cmocka_unit_test(test_nothing_arrives),
		cmocka_unit_test(test_windows_one_after_another),
		cmocka_unit_test(test_stretches),
		cmocka_unit_test(test_a_slow_decay),
		cmocka_unit_test(test_saturation_and_steadiness),
		cmocka_unit_test(test_an_empty_window),
		cmocka_unit_test(test_steps_of_a_series),
		cmocka_unit_test(test_what_a_series_counts),
		cmocka_unit_test(test_impossible_series),
	};

	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
