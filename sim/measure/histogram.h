/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Histograms over the whole range of uint64_t with a bounded relative error, after HdrHistogram:
 * every power of two is divided into 128 buckets of equal width. Values below 256 are exact;
 * percentiles of larger ones are at most 1/256 (0.4%) off, the middle of their bucket. The least,
 * greatest and mean value are exact.
 */
#ifndef HD_MEASURE_HISTOGRAM_H
#define HD_MEASURE_HISTOGRAM_H

#include <stdint.h>

#define HD_HISTOGRAM_BITS    7
#define HD_HISTOGRAM_BUCKETS ((64 - HD_HISTOGRAM_BITS + 1) << HD_HISTOGRAM_BITS)

struct hd_histogram {
	uint64_t n;
	uint64_t min, max;      /* 0 when the histogram is empty */
	uint64_t sum, sum_high; /* of the values: sum + sum_high * 2^64 */
	uint64_t counts[HD_HISTOGRAM_BUCKETS];
};

/* A histogram of all zeros is empty. */
void hd_histogram_add(struct hd_histogram *histogram, uint64_t value);

/* Adds the values of @part. */
void hd_histogram_join(struct hd_histogram *histogram, const struct hd_histogram *part);

/* 0 when it is empty. */
double hd_histogram_mean(const struct hd_histogram *histogram);

/*
 * The value that a share @share (0 .. 1) of all values does not exceed; share 1: the greatest
 * value. 0 if the histogram is empty.
 */
double hd_histogram_percentile(const struct hd_histogram *histogram, double share);

/* The values that @bucket counts: @first .. @last. */
void hd_histogram_bounds(unsigned bucket, uint64_t *first, uint64_t *last);

#endif
