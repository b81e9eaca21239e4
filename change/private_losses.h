/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Who loses packets by tables with private LFTs or VL2VL. Internal to change/. */
#ifndef HD_CHANGE_PRIVATE_LOSSES_H
#define HD_CHANGE_PRIVATE_LOSSES_H

#include "tables/tables.h"

struct hd_error;

/*
 * Counts in @n ordered pairs of ports of two end nodes, as hd_diff_compute() does (tables/diff.h),
 * that lose no packets by @before nor by @now, and by @at may lose some. HD_ENOMEM.
 */
int hd_private_losses(const struct hd_tables *at, const struct hd_tables *now,
		      const struct hd_tables *before, uint64_t *n, struct hd_error *err);

#endif
