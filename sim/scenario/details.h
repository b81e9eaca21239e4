/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of a result that are not columns: flow classes, links, the time series, the histogram.
 */
#ifndef HD_SCENARIO_DETAILS_H
#define HD_SCENARIO_DETAILS_H

#include "sim/scenario/run.h"

/*
 * A JSON object in one line; times in ns, or cycles. Free with free(); NULL when out of memory.
 */
char *hd_result_details(const struct hd_result *result, const struct hd_fabric *fabric,
			enum hd_clock clock);

/* The cycle of a deadlock: "A[1] VL 0 -> B[2] VL 0 -> A[1]". NULL when out of memory. */
char *hd_result_witness(const struct hd_result *result, const struct hd_fabric *fabric);

#endif
