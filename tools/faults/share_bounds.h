/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a sample says of all sets: between which shares theirs is, with 95% confidence. */
#ifndef HD_FAULTS_SHARE_BOUNDS_H
#define HD_FAULTS_SHARE_BOUNDS_H

#include <stdint.h>

struct hd_share_bounds {
	double least, most; /* 0 to 1 */
};

/*
 * The exact interval of Clopper and Pearson (Biometrika 26, 1934) for @k of @n sets at random. If
 * @k is 0 or @n, the interval has one open end, and all 5% are at that end: of 0 sets, the share is
 * at most 1 - 0.05^(1/n), about 3/n. A sample of different sets of few says more than that.
 */
struct hd_share_bounds hd_share_bounds(uint64_t k, uint64_t n);

#endif
