/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps of a result's time series as text, so that a series that another process computed is
 * the same: a line for each step, with a number for each column.
 */
#ifndef HD_SCENARIO_SERIES_TEXT_H
#define HD_SCENARIO_SERIES_TEXT_H

#include "sim/scenario/run.h"

enum {
	HD_SERIES_TIME,
	HD_SERIES_OFFERED,
	HD_SERIES_ACCEPTED,
	HD_SERIES_PACKETS,
	HD_SERIES_MISSING,
	HD_SERIES_LATENCY,
	HD_SERIES_NETWORK_LATENCY,
	HD_SERIES_MISROUTED,
	HD_SERIES_COLUMNS,
};

struct hd_series_column {
	const char *name;
	const char *unit; /* as in struct hd_result_column */
	bool is_count;    /* over several seeds, the sum; otherwise the mean, except for the time */
};

extern const struct hd_series_column hd_series_columns[HD_SERIES_COLUMNS];

/* Free with free(); NULL when out of memory. */
char *hd_series_print(const struct hd_result *result, enum hd_clock clock);

/*
 * Reads the numbers of the next line of @text, and moves @text on. NaN: no value, such as the
 * latency of no packet. False: there is no line.
 */
bool hd_series_read(const char **text, double numbers[HD_SERIES_COLUMNS]);

#endif
