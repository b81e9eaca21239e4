// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/statistics.h"

#include <math.h>

double hd_student_t(size_t degrees)
{
	/* tabulated where the expansion below is off by more than 0.0005 */
	static const double few[] = { 12.7062, 4.3027, 3.1824, 2.7764,
				      2.5706,  2.4469, 2.3646, 2.3060 };
	const double z = 1.959963985, d = (double)degrees;

	if (degrees - 1 < sizeof(few) / sizeof(few[0]))
		return few[degrees - 1];
	/* Cornish-Fisher; Abramowitz and Stegun 26.7.5 */
	return z + (pow(z, 3) + z) / (4 * d) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * d * d) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * pow(d, 3));
}

struct hd_mean hd_mean_of(const double *values, size_t n)
{
	struct hd_mean mean = { 0 };
	double squares = 0;

	if (!n)
		return mean;
	for (size_t i = 0; i < n; i++)
		mean.mean += values[i] / (double)n;
	if (n == 1)
		return mean;
	for (size_t i = 0; i < n; i++)
		squares += pow(values[i] - mean.mean, 2);
	mean.half_width = hd_student_t(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
	return mean;
}

struct hd_fairness hd_fairness_of(const double *values, size_t n)
{
	struct hd_fairness fairness = { .jain = 1 };
	double sum = 0, squares = 0, deviations = 0;

	if (!n)
		return fairness;
	fairness.min = fairness.max = values[0];
	for (size_t i = 0; i < n; i++) {
		fairness.min = fmin(fairness.min, values[i]);
		fairness.max = fmax(fairness.max, values[i]);
		sum += values[i];
		squares += values[i] * values[i];
	}
	fairness.mean = sum / (double)n;
	if (fairness.min > 0)
		fairness.max_min = fairness.max / fairness.min;
	if (squares > 0)
		fairness.jain = sum * sum / ((double)n * squares);
	for (size_t i = 0; i < n; i++)
		deviations += pow(values[i] - fairness.mean, 2);
	if (fairness.mean > 0)
		fairness.variation = sqrt(deviations / (double)n) / fairness.mean;
	return fairness;
}
