/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What intent/judge.h counts, by walking along every path. */
#ifndef HD_TESTS_UNIT_INTENT_NAIVE_H
#define HD_TESTS_UNIT_INTENT_NAIVE_H

#include "intent/judge.h"

/*
 * Fills n, n_bad and mean of @verdicts[demand]; returns the number of paths that are not covered.
 */
uint64_t intent_naive(const struct hd_rules *rules, const struct hd_tables *tables,
		      struct hd_demand_verdict *verdicts);

#endif
