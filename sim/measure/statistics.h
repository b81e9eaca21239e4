/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Means with their confidence, and how evenly a quantity is shared. */
#ifndef HD_MEASURE_STATISTICS_H
#define HD_MEASURE_STATISTICS_H

#include <stddef.h>

/* A mean, and the half width of its 95% confidence interval by Student's t; 0 for one value. */
struct hd_mean {
	double mean;
	double half_width;
};

struct hd_mean hd_mean_of(const double *values, size_t n);

/* The 97.5% quantile of Student's t distribution with @degrees of freedom (at least 1). */
double hd_student_t(size_t degrees);

/* Measures of how even @n shares are: all are 1 (variation 0) if the shares are equal. */
struct hd_fairness {
	double min, max, mean;
	double max_min;   /* max / min; 0: some share is 0 */
	double variation; /* coefficient of variation: standard deviation / mean */
	double jain;      /* (sum x)^2 / (n sum x^2); Jain, Chiu and Hawe 1984 */
};

struct hd_fairness hd_fairness_of(const double *values, size_t n);

#endif
