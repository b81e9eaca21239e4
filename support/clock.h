/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Time that only goes forward. */
#ifndef HD_SUPPORT_CLOCK_H
#define HD_SUPPORT_CLOCK_H

#include <time.h>

/* CLOCK_MONOTONIC, in seconds. */
static inline double hd_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
