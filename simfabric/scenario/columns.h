/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Results as numbers in columns: what CSV files, tables and plots are made of. A result is one
 * line of text, so that one that was read from a file, sent by another process or just computed is
 * the same.
 */
#ifndef HD_SCENARIO_COLUMNS_H
#define HD_SCENARIO_COLUMNS_H

#include "simfabric/scenario/run.h"

struct hd_result_column {
	const char *name;
	const char *unit; /* "time": ns, or cycles where the clock is cycles; "": none */
	const char *help; /* one line */
	bool is_flag;     /* 0 or 1 */
	double (*get)(const struct hd_result *result); /* NaN: not measured, an empty cell */
};

/* Ended by an entry without name. */
extern const struct hd_result_column hd_result_columns[];

#define HD_RESULT_COLUMNS 54

/* Index of the column @name; HD_RESULT_COLUMNS: none. */
unsigned hd_result_column_find(const char *name);

/* "ns" or "cycles" for times, the unit otherwise. */
const char *hd_result_column_unit(const struct hd_result_column *column, enum hd_clock clock);

/* How many of a clock's unit of time @ticks are. */
double hd_result_time(enum hd_clock clock, double ticks);

/*
 * The cells of @result, divided by commas; @with_time false leaves out what two runs never have
 * alike. Free with free(); NULL when out of memory.
 */
char *hd_result_print(const struct hd_result *result, enum hd_clock clock, bool with_time);

/* The number in cell @column of @cells; NaN when it is empty or there is none. */
double hd_cell_number(const char *cells, unsigned column);

#endif
