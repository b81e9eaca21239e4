/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What ports counted of errors: sections PM_INFO and PM_DELTA of ibdiagnet2.db_csv. */
#ifndef HD_FABRIC_ERROR_COUNTERS_H
#define HD_FABRIC_ERROR_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;
struct hd_reading;

enum hd_error_counter {
	HD_SYMBOL_ERRORS,
	HD_LINK_RECOVERIES,
	HD_LINK_DOWNS,
	HD_RECEIVE_ERRORS,
	HD_REMOTE_ERRORS,
	HD_DISCARDS,
	HD_ERROR_COUNTERS,
};

/* "symbol errors", and the name that PortCounters has: "SymbolErrorCounter". */
extern const char *const hd_error_counter_words[HD_ERROR_COUNTERS];
extern const char *const hd_error_counter_names[HD_ERROR_COUNTERS];

struct hd_port_counts {
	uint64_t of[HD_ERROR_COUNTERS];
};

struct hd_error_counters {
	struct hd_port_counts
		*ports; /* [port]; NULL: the file has no counters, or none that count */
	bool is_delta;  /* what was counted while ibdiagnet ran, not since the last reset */
};

/* The sum of what a port counted. */
uint64_t hd_port_counts_sum(const struct hd_port_counts *counts);

/*
 * Reads the counters of the ports of @fabric from the file @path: PM_DELTA where it has rows, else
 * PM_INFO. Values that are no numbers count as 0. A section that is not as it is known is passed
 * over with a note, and one that is cut short is not counted. Clear with hd_error_counters_clear().
 * What hd_db_csv_read() returns of a file that is not as it is known; HD_ENOMEM.
 */
int hd_error_counters_read(const char *path, const struct hd_fabric *fabric,
			   const struct hd_reading *how, struct hd_error_counters *counters,
			   struct hd_error *err);
void hd_error_counters_clear(struct hd_error_counters *counters);

#endif
