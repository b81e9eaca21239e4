// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/faults/share_bounds.h"

#include <math.h>

#define MISSES 0.05 /* the probability of a sample by which the share is missed */

/* The probability of at most @k of @n, each with probability @p, @k / @n <= @p < 1. */
static double at_most(double k, double n, double p)
{
	double term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
			  (n - k) * log1p(-p));
	double sum = term;

	/* from k down, each term is smaller than the one before */
	for (double i = k; i > 0 && term > 1e-16 * sum; i--) {
		term *= i * (1 - p) / ((n - i + 1) * p);
		sum += term;
	}
	return sum;
}

/* The share of which a sample has at most @k of @n with probability @tail; 0 < @k < @n. */
static double greatest_share(double k, double n, double tail)
{
	double low = k / n, high = 1;

	for (unsigned i = 0; i < 60; i++) {
		const double middle = (low + high) / 2;

		if (middle < 1 && at_most(k, n, middle) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct hd_share_bounds hd_share_bounds(uint64_t k, uint64_t n)
{
	const double of = (double)n, tail = MISSES / 2;
	struct hd_share_bounds bounds = { 0, 1 };

	if (!n)
		return bounds;
	if (k >= n)
		bounds.least = exp(log(tail) / of);
	else if (k)
		bounds.least = 1 - greatest_share((double)(n - k), of, tail);
	if (!k)
		bounds.most = -expm1(log(tail) / of);
	else if (k < n)
		bounds.most = greatest_share((double)k, of, tail);
	return bounds;
}

struct hd_share_bounds hd_share_beyond(uint64_t n)
{
	return (struct hd_share_bounds){ 0, n ? -expm1(log(MISSES) / (double)n) : 1 };
}
