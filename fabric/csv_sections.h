/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sections of comma-separated values, as ibdiagnet2.db_csv has them:
 *
 *	START_LINKS
 *	NodeGuid1,PortNum1,NodeGuid2,PortNum2
 *	0x0000000000100000,1,0x0000000000200000,3
 *	END_LINKS
 *
 * Columns are known by their names, in any order; releases add columns and sections. Values may
 * stand between quotes, "N/A" stands for none. Lines that begin with '#' are comments.
 */
#ifndef HD_FABRIC_CSV_SECTIONS_H
#define HD_FABRIC_CSV_SECTIONS_H

#include "fabric/reading.h"
#include "support/text.h"

struct hd_fabric;

#define HD_CSV_SECTIONS 8    /* that one reader may know */
#define HD_CSV_WANTED   16   /* columns that it may know of one */
#define HD_CSV_COLUMNS  1024 /* that a section may have */

struct hd_csv_section {
	const char *name; /* "LINKS" */
	bool is_required;
	bool may_differ; /* where it is not as it is known, it is passed over, with a note */
	/* The columns that rows need come first; NULL after the last. */
	const char *columns[HD_CSV_WANTED + 1];
	unsigned n_required;
	/*
	 * A row: values in the order of columns[]; one that is not there, or is "N/A", is empty.
	 * Returns an error, or HD_CSV_PASSED of hd_csv_differs().
	 */
	int (*row)(void *reader, const struct hd_span *values, struct hd_error *err);
	/* After the last row, unless the section is passed over; NULL: nothing is to be done. */
	int (*end)(void *reader, struct hd_error *err);
};

struct hd_csv {
	struct hd_lines lines;
	struct hd_oddities oddities;
	const struct hd_csv_section *sections; /* that the reader knows */
	unsigned n_sections;
	unsigned passed; /* bit i: sections[i] is passed over */
	void *reader;

	const struct hd_csv_section *section; /* of the current line; NULL: none of them */
	char name[64]; /* of the section, known or not; "": between sections */
	unsigned name_line;
	unsigned n_columns;            /* of the heading; 0: it has not come */
	int8_t wanted[HD_CSV_COLUMNS]; /* which of columns[] each is, -1: none */
	unsigned seen
		[HD_CSV_SECTIONS]; /* the line where each of sections[] begins; 0: nowhere yet */
};

/* Begins to read @file; the caller has set sections, n_sections and reader. */
void hd_csv_begin(struct hd_csv *csv, const char *file, const struct hd_reading *how);

/* Reads whole lines, as hd_text_stream() feeds them. @csv is a struct hd_csv. */
int hd_csv_feed(void *csv, const char *data, size_t size, struct hd_error *err);

/* The end of the file. HD_EPARSE: a section is cut short, or one that is required is missing. */
int hd_csv_end(struct hd_csv *csv, struct hd_error *err);

/* Whether @data is the beginning of such a file. */
bool hd_csv_is(const char *data, size_t size);

/* What hd_csv_differs() returns where the section is passed over. */
#define HD_CSV_PASSED 1

/*
 * The section of the current line is not as it is known, which @format describes. HD_EPARSE; where
 * the section may differ and reading is not strict, it is passed over with a note: HD_CSV_PASSED.
 * What the reader has of its earlier rows does not count then.
 */
int hd_csv_differs(struct hd_csv *csv, struct hd_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether the known section @name is passed over. */
bool hd_csv_passed(const struct hd_csv *csv, const char *name);

/* The number that @text is, decimal or hexadecimal with 0x; false: it is none, or above @max. */
bool hd_csv_scan_number(const struct hd_span *text, uint64_t max, uint64_t *value);

/*
 * The number of the value in columns[@column] of the current row: at most @max. *@value stays as
 * it is where there is none. What hd_csv_differs() returns where it is no such number.
 */
int hd_csv_number(struct hd_csv *csv, const struct hd_span *values, unsigned column, uint64_t max,
		  uint64_t *value, struct hd_error *err);

/*
 * The port that a row names in its first two columns, by its node's GUID and its number: @port gets
 * its index in ports[]; HD_NONE: the fabric lacks it. What hd_csv_number() returns.
 */
int hd_csv_find_port(struct hd_csv *csv, const struct hd_fabric *fabric,
		     const struct hd_span *values, uint32_t *port, struct hd_error *err);

/* An error at the current line: "FILE:LINE: ...". */
#define hd_csv_error(csv, err, ...) hd_lines_error(&(csv)->lines, (err), __VA_ARGS__)

#endif
