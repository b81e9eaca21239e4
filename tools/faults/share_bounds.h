/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a sample says of all sets: between which shares theirs is, with 95% confidence. */
#ifndef HD_FAULTS_SHARE_BOUNDS_H
#define HD_FAULTS_SHARE_BOUNDS_H

#include <stdint.h>

struct hd_share_bounds {
	double least, most; /* 0 to 1 */
};

/*
 * The exact interval of Clopper and Pearson (Biometrika 26, 1934) for @k of @n sets at random: 2.5%
 * at each end. Of 0 sets, the share is at most 1 - 0.025^(1/n), about 3.7/n. A sample of different
 * sets, of not many more than it has, says more than that.
 */
struct hd_share_bounds hd_share_bounds(uint64_t k, uint64_t n);

/* The share of sets beyond the greatest of @n: at most 1 - 0.05^(1/n), about 3/n. */
struct hd_share_bounds hd_share_beyond(uint64_t n);

#endif
