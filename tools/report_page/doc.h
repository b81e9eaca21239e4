/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a report says, in order, before it is a page or a text: sections of findings, fields, notes
 * and tables. */
#ifndef HD_REPORT_DOC_H
#define HD_REPORT_DOC_H

#include <stdio.h>

#include "tools/report.h"

struct hd_error;

enum hd_doc_level {
	HD_DOC_BAD, /* packets are lost, or may wait for ever */
	HD_DOC_ODD, /* works, but somebody should look */
	HD_DOC_GOOD,
	HD_DOC_NOTE,
};

enum hd_doc_kind {
	HD_DOC_SECTION, /* label: its id; text: its title */
	HD_DOC_FINDING, /* level, text */
	HD_DOC_FIELD,   /* label, text */
	HD_DOC_LINE,    /* text */
	HD_DOC_TABLE,   /* columns, the first row has the titles */
};

struct hd_doc_item {
	enum hd_doc_kind kind;
	enum hd_doc_level level;
	char *label, *text; /* printable */
	struct hd_columns columns;
};

/* Zero: empty. */
struct hd_doc {
	size_t n, capacity;
	struct hd_doc_item *items;
	bool failed; /* out of memory */
};

void hd_doc_clear(struct hd_doc *doc);
void hd_doc_section(struct hd_doc *doc, const char *id, const char *title);
void hd_doc_finding(struct hd_doc *doc, enum hd_doc_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void hd_doc_line(struct hd_doc *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hd_doc_field(struct hd_doc *doc, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Moves @fields, or @columns, to the end of @doc. */
void hd_doc_fields(struct hd_doc *doc, struct hd_fields *fields);
void hd_doc_table(struct hd_doc *doc, struct hd_columns *columns);

/* Plain text of 80 columns. */
void hd_doc_write_text(const struct hd_doc *doc, FILE *stream);

/* The sections from @begin up to @end (numbers of items) as HTML. */
void hd_doc_write_html(const struct hd_doc *doc, size_t begin, size_t end, FILE *stream);

#endif
