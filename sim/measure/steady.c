// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/steady.h"

#include <math.h>

#include "sim/measure/statistics.h"

#define DEVIATIONS 3

/* A quantity that batches are compared by; NaN: the batch does not have it. */
typedef double (*quantity)(const struct hd_batch *batch, double ticks);

static double rate(const struct hd_batch *batch, double ticks)
{
	return (double)batch->accepted / ticks;
}

static double network_latency(const struct hd_batch *batch, double ticks)
{
	(void)ticks;
	return batch->packets ? (double)batch->network_latency / (double)batch->packets : NAN;
}

static double latency(const struct hd_batch *batch, double ticks)
{
	(void)ticks;
	return batch->packets ? (double)batch->latency / (double)batch->packets : NAN;
}

/* The values of the batches of @stretch that have the quantity. */
static unsigned values_of(const struct hd_stretch *stretch, quantity of, double *values)
{
	unsigned n = 0;

	for (unsigned i = 0; i < stretch->n; i++) {
		values[n] = of(&stretch->batches[i], stretch->ticks);
		n += !isnan(values[n]);
	}
	return n;
}

/* Whether the confidence interval of the difference lies within @tolerance of the mean of both. */
static bool is_alike(const struct hd_stretch *a, const struct hd_stretch *b, quantity of,
		     double tolerance)
{
	double in_a[HD_BATCHES_MAX], in_b[HD_BATCHES_MAX];
	unsigned n_a = values_of(a, of, in_a), n_b = values_of(b, of, in_b);
	struct hd_mean mean_a = hd_mean_of(in_a, n_a), mean_b = hd_mean_of(in_b, n_b);

	if (n_a < 2 || n_b < 2)
		return false;
	/* each half width is that of its own mean: for independent means the squares add up */
	return fabs(mean_a.mean - mean_b.mean) + hypot(mean_a.half_width, mean_b.half_width) <=
	       tolerance * (mean_a.mean + mean_b.mean) / 2;
}

struct arrived {
	double rate;      /* units in a tick */
	double deviation; /* of the rate, if arrivals were a Poisson process */
};

static struct arrived arrived_in(const struct hd_stretch *stretch)
{
	double units = 0, packets = 0, ticks = stretch->n * stretch->ticks;

	for (unsigned i = 0; i < stretch->n; i++) {
		units += (double)stretch->batches[i].accepted;
		packets += (double)stretch->batches[i].packets;
	}
	return (struct arrived){ units / ticks, packets > 0 ? units / sqrt(packets) / ticks : 0 };
}

bool hd_stretches_agree(const struct hd_stretch *a, const struct hd_stretch *b, bool is_saturated,
			const struct hd_tolerance *tolerance)
{
	struct arrived in_a = arrived_in(a), in_b = arrived_in(b);

	if (!(in_a.rate > 0) || !(in_b.rate > 0))
		return false;
	if (!is_alike(a, b, network_latency, tolerance->latency))
		return false;
	if (is_saturated)
		return is_alike(a, b, rate, tolerance->load);
	return is_alike(a, b, latency, tolerance->latency) &&
	       fabs(in_a.rate - in_b.rate) <=
		       tolerance->load * (in_a.rate + in_b.rate) / 2 +
			       DEVIATIONS * hypot(in_a.deviation, in_b.deviation);
}
