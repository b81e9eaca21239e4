/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pieces of what subcommands print: labelled values, aligned tables, JSON. */
#ifndef HD_TOOLS_REPORT_H
#define HD_TOOLS_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "check/check.h"
#include "fabric/fabric.h"

struct hd_error;

/* "LABEL  VALUE" on stdout, values in one column and printable. */
void hd_report_field(const char *label, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Labelled values that are kept, to be shown elsewhere than on stdout. Zero: none yet. */
struct hd_fields {
	size_t n;
	struct hd_field {
		char *label, *text; /* printable */
		bool is_gap;        /* it says what is missing or odd */
	} * list;
	bool failed; /* out of memory: the rest is missing */
};

/* Adds a field to @fields; NULL: prints it as hd_report_field() does. */
void hd_fields_add(struct hd_fields *fields, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for a field that says what is missing or odd. */
void hd_fields_add_gap(struct hd_fields *fields, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void hd_fields_clear(struct hd_fields *fields);

/* An end port: its node, and its number too where the node has several; returns @buffer. */
const char *hd_report_endport(const struct hd_fabric *fabric, uint32_t port, char *buffer,
			      size_t size);

/*
 * The owner of @lid: an end port, with the offset of @lid above the base LID as "+1"; an MLID as
 * itself.
 */
const char *hd_report_lid(const struct hd_fabric *fabric, uint32_t lid, char *buffer, size_t size);

/* The set bits of @mask, "0, 1"; "none" for 0; returns @buffer. */
const char *hd_report_bits(unsigned mask, char *buffer, size_t size);

/* A table, printed when the widths of its columns are known. */
struct hd_columns {
	unsigned n_columns;
	unsigned right; /* bit c: column c is aligned to the right */
	size_t n_cells;
	size_t capacity;
	char **cells; /* [row * n_columns + column] */
	bool failed;  /* out of memory; hd_columns_print() returns that */
};

void hd_columns_init(struct hd_columns *columns, unsigned n_columns, unsigned right);

/* A row of titles. */
#define hd_columns_titles(columns, ...) \
	hd_columns_add_all((columns), (const char *const[]){ __VA_ARGS__, NULL })
void hd_columns_add_all(struct hd_columns *columns, const char *const *cells);

/* The next cell, row by row. */
void hd_columns_add(struct hd_columns *columns, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints every row after two blanks, and frees. HD_ENOMEM. */
int hd_columns_print(struct hd_columns *columns, struct hd_error *err);
void hd_columns_clear(struct hd_columns *columns);

/* The rows, titles included; the width of the widest; the first @n_rows of them as text. */
size_t hd_columns_rows(const struct hd_columns *columns);
int hd_columns_width(const struct hd_columns *columns);
void hd_columns_write(const struct hd_columns *columns, size_t n_rows, FILE *stream);

/*
 * JSON is made completely before it is printed. hd_json_begin() returns the outermost object; from
 * then on a lack of memory ends the program with a message, so that the functions of jansson and
 * those below do not fail.
 */
json_t *hd_json_begin(void);

/* A JSON string; bytes that are not UTF-8 become U+FFFD. */
json_t *hd_json_text(const char *text);

/* "0x..." of 16 digits. */
json_t *hd_json_guid(uint64_t guid);

/* The numbers of the set bits of @mask. */
json_t *hd_json_bits(unsigned mask);

/* {"name", "guid"} of @node. */
json_t *hd_json_node(const struct hd_fabric *fabric, uint32_t node);

/* {"source", "source_guid", "destination", "lid", "sl"} of @flow. */
json_t *hd_json_flow(const struct hd_fabric *fabric, const struct hd_flow *flow);

/* Prints @root and frees it. */
void hd_json_print(json_t *root);

#endif
