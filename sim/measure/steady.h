/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whether successive stretches of a run are alike, by batch means: every stretch is divided into
 * batches, and the spread of the batches tells how certain the difference of two means is.
 *
 * Two stretches are alike if packets arrived in both, and
 * - in saturation, the 95% confidence interval of the difference of what arrived, over time, lies
 *   within the tolerance. Below it what arrives is what is offered, and random as that is: the two
 *   differ by less than the tolerance and three standard deviations of a Poisson process;
 * - the same interval of the mean network latency lies within its tolerance. By Little's law this
 *   latency tells how full the network's buffers are, which settles in saturation too: buffers that
 *   fill (or a congestion that spreads) show here long before less arrives;
 * - below saturation, the same interval of the mean latency lies within the same tolerance: latency
 *   grows without bound when some hosts' queues do, however few these are.
 */
#ifndef HD_MEASURE_STEADY_H
#define HD_MEASURE_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a window. */
struct hd_batch {
	uint64_t accepted, packets;        /* units and packets that arrived */
	uint64_t latency, network_latency; /* of these packets together, ticks */
};

#define HD_BATCHES_MAX 16

/* Successive batches of equal length. */
struct hd_stretch {
	const struct hd_batch *batches;
	unsigned n;   /* at most HD_BATCHES_MAX */
	double ticks; /* that a batch takes */
};

/* Shares of the mean by which accepted load and latencies may differ. */
struct hd_tolerance {
	double load, latency;
};

/* Whether @a and @b are alike; false also if there are too few data. */
bool hd_stretches_agree(const struct hd_stretch *a, const struct hd_stretch *b, bool is_saturated,
			const struct hd_tolerance *tolerance);

#endif
