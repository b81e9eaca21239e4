/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random gaps in integers, so that they are the same on every machine: numbers of 32 bits before
 * and 32 after the point.
 */
#ifndef HD_TRAFFIC_DEVIATE_H
#define HD_TRAFFIC_DEVIATE_H

#include "sim/traffic/pattern.h"

/* Longest mean gap, in ticks. With a longer one, nothing is sent. */
#define HD_LONGEST_GAP 0x1p56

/* Splits @value into whole part and 2^-64ths. */
void hd_split(double value, uint64_t *whole, uint64_t *fraction);

/* An exponentially distributed number of mean 1, in 2^-32. */
uint64_t hd_exponential(struct hd_random *random);

/*
 * @factor, in 2^-32, times @whole + @fraction (2^-64): returns the whole part; @rest gets the rest
 * (2^-64).
 */
static inline uint64_t hd_scale(uint64_t factor, uint64_t whole, uint64_t fraction, uint64_t *rest)
{
	uint64_t high = factor >> 32, low = (uint32_t)factor;
	uint64_t product = low * (uint32_t)whole;
	uint64_t rests =
		(uint32_t)product + high * (fraction >> 32) + (low * (fraction >> 32) >> 32);

	*rest = rests << 32;
	return high * whole + low * (whole >> 32) + (product >> 32) + (rests >> 32);
}

/* Moves the time of @source on; false: the time would be too large. */
static inline bool hd_advance(struct hd_source *source, uint64_t ticks, uint64_t fraction)
{
	uint64_t time = source->time;

	source->fraction += fraction;
	source->time += ticks + (source->fraction < fraction);
	return source->time >= time;
}

/*
 * Failures before the first success of trials that succeed with probability p: an exponential
 * deviate over -ln(1 - p), of which @whole + @fraction is one over, rounded down.
 */
static inline uint64_t hd_failures(struct hd_random *random, uint64_t whole, uint64_t fraction)
{
	uint64_t rest;

	return hd_scale(hd_exponential(random), whole, fraction, &rest);
}

/* 1 / -ln(1 - @p), for hd_failures(); 0 < @p. At p = 1 it is 0. */
void hd_failures_scale(double p, uint64_t *whole, uint64_t *fraction);

#endif
