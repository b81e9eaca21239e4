/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Results as numbers in columns, for CSV files, tables and plots. A result is one line of text, so
 * results from a file, from another process and from this one are the same. Columns for all packets
 * come first, then those for each flow class of the sweep.
 */
#ifndef HD_SCENARIO_COLUMNS_H
#define HD_SCENARIO_COLUMNS_H

#include "sim/scenario/flow_names.h"
#include "sim/scenario/run.h"

struct hd_result_column {
	const char *name;
	/*
	 * "time": ns, or cycles if the clock is cycles; "rate": per millisecond, or per 1000
	 * cycles; "bandwidth": GB/s, or bytes per cycle; "": none
	 */
	const char *unit;
	const char *help;                              /* one line */
	bool is_flag;                                  /* 0 or 1 */
	double (*get)(const struct hd_result *result); /* NaN: not measured, an empty cell */
};

/* Ended by an entry without name. */
extern const struct hd_result_column hd_result_columns[];

#define HD_RESULT_COLUMNS 67

/* Index of the column @name among those of all packets; HD_RESULT_COLUMNS: none. */
unsigned hd_result_column_find(const char *name);

/* The columns of each flow class: "accepted[CLASS]". Ended by an entry without name. */
struct hd_flow_column {
	const char *name, *unit, *help; /* units as above */
	double (*get)(const struct hd_result *result, const struct hd_measure_class *class);
};

extern const struct hd_flow_column hd_flow_columns[];

#define HD_FLOW_COLUMNS 12

/* A column of a sweep with @flows (NULL: none). */
struct hd_sweep_column {
	char name[HD_FLOW_NAME + 32];
	const char *unit, *help;
	bool is_flag;
};

static inline unsigned hd_sweep_columns(const struct hd_flow_names *flows)
{
	return HD_RESULT_COLUMNS + (flows ? flows->n * HD_FLOW_COLUMNS : 0);
}

struct hd_sweep_column hd_sweep_column(const struct hd_flow_names *flows, unsigned i);

/* Index of the column @name; hd_sweep_columns(): none. */
unsigned hd_sweep_column_find(const struct hd_flow_names *flows, const char *name);

/* "ns" or "cycles" for times, @unit otherwise. */
const char *hd_result_unit(const char *unit, enum hd_clock clock);

/* @ticks in the clock's unit of time. */
double hd_result_time(enum hd_clock clock, double ticks);

/*
 * The cells of @result in a sweep with @flows (NULL: none), separated by commas; @with_time false
 * leaves out times of the computer, which differ from run to run. Free with free(); NULL: out of
 * memory.
 */
char *hd_result_print(const struct hd_result *result, const struct hd_flow_names *flows,
		      enum hd_clock clock, bool with_time);

/* The number in cell @column of @cells; NaN when it is empty or there is none. */
double hd_cell_number(const char *cells, unsigned column);

#endif
