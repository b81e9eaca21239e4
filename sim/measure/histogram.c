// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/histogram.h"

#include <math.h>

#define HALF (UINT64_C(1) << HD_HISTOGRAM_BITS)

/* The two lowest octaves are one row of exact values; each further one has HALF buckets. */
static unsigned bucket_of(uint64_t value)
{
	unsigned shift;

	if (value < 2 * HALF)
		return (unsigned)value;
	shift = 63 - (unsigned)__builtin_clzll(value) - HD_HISTOGRAM_BITS;
	return (shift << HD_HISTOGRAM_BITS) + (unsigned)(value >> shift);
}

void hd_histogram_bounds(unsigned bucket, uint64_t *first, uint64_t *last)
{
	unsigned shift;

	if (bucket < 2 * HALF) {
		*first = *last = bucket;
		return;
	}
	shift = (bucket >> HD_HISTOGRAM_BITS) - 1;
	*first = (bucket - ((uint64_t)shift << HD_HISTOGRAM_BITS)) << shift;
	*last = *first + ((UINT64_C(1) << shift) - 1);
}

static void add_to_sum(struct hd_histogram *histogram, uint64_t low, uint64_t high)
{
	histogram->sum += low;
	histogram->sum_high += high + (histogram->sum < low);
}

void hd_histogram_add(struct hd_histogram *histogram, uint64_t value)
{
	if (!histogram->n || value < histogram->min)
		histogram->min = value;
	if (value > histogram->max)
		histogram->max = value;
	histogram->n++;
	add_to_sum(histogram, value, 0);
	histogram->counts[bucket_of(value)]++;
}

void hd_histogram_join(struct hd_histogram *histogram, const struct hd_histogram *part)
{
	if (!part->n)
		return;
	if (!histogram->n || part->min < histogram->min)
		histogram->min = part->min;
	if (part->max > histogram->max)
		histogram->max = part->max;
	histogram->n += part->n;
	add_to_sum(histogram, part->sum, part->sum_high);
	for (unsigned i = 0; i < HD_HISTOGRAM_BUCKETS; i++)
		histogram->counts[i] += part->counts[i];
}

double hd_histogram_mean(const struct hd_histogram *histogram)
{
	double sum = (double)histogram->sum + 0x1p64 * (double)histogram->sum_high;

	return histogram->n ? sum / (double)histogram->n : 0;
}

double hd_histogram_percentile(const struct hd_histogram *histogram, double share)
{
	uint64_t rank, below = 0, first, last;
	double middle;

	if (!histogram->n)
		return 0;
	rank = (uint64_t)ceil(share * (double)histogram->n);
	if (rank < 1)
		rank = 1;
	if (rank >= histogram->n)
		return (double)histogram->max;
	for (unsigned bucket = 0; bucket < HD_HISTOGRAM_BUCKETS; bucket++) {
		below += histogram->counts[bucket];
		if (below < rank)
			continue;
		hd_histogram_bounds(bucket, &first, &last);
		middle = ((double)first + (double)last) / 2;
		if (middle < (double)histogram->min)
			return (double)histogram->min;
		return middle > (double)histogram->max ? (double)histogram->max : middle;
	}
	return (double)histogram->max;
}
