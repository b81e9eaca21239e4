// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/report_page/doc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/printable.h"

/* A new item at the end; NULL: out of memory. */
static struct hd_doc_item *add(struct hd_doc *doc, enum hd_doc_kind kind)
{
	if (doc->n == doc->capacity) {
		size_t capacity = doc->capacity ? 2 * doc->capacity : 64;
		struct hd_doc_item *grown = realloc(doc->items, capacity * sizeof(*grown));

		if (!grown) {
			doc->failed = true;
			return NULL;
		}
		doc->items = grown;
		doc->capacity = capacity;
	}
	doc->items[doc->n] = (struct hd_doc_item){ .kind = kind };
	return &doc->items[doc->n++];
}

static void __attribute__((format(printf, 5, 0)))
add_text(struct hd_doc *doc, enum hd_doc_kind kind, enum hd_doc_level level, const char *label,
	 const char *format, va_list args)
{
	struct hd_doc_item *item = add(doc, kind);

	if (!item)
		return;
	item->level = level;
	item->label = label ? strdup(label) : NULL;
	if (vasprintf(&item->text, format, args) < 0)
		item->text = NULL;
	if (!item->text || (label && !item->label))
		doc->failed = true;
	else
		hd_make_printable(item->text);
}

void hd_doc_section(struct hd_doc *doc, const char *id, const char *title)
{
	struct hd_doc_item *item = add(doc, HD_DOC_SECTION);

	if (!item)
		return;
	item->label = strdup(id);
	item->text = strdup(title);
	doc->failed |= !item->label || !item->text;
}

void hd_doc_finding(struct hd_doc *doc, enum hd_doc_level level, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(doc, HD_DOC_FINDING, level, NULL, format, args);
	va_end(args);
}

void hd_doc_line(struct hd_doc *doc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(doc, HD_DOC_LINE, HD_DOC_NOTE, NULL, format, args);
	va_end(args);
}

void hd_doc_field(struct hd_doc *doc, const char *label, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(doc, HD_DOC_FIELD, HD_DOC_NOTE, label, format, args);
	va_end(args);
}

void hd_doc_fields(struct hd_doc *doc, struct hd_fields *fields)
{
	for (size_t i = 0; i < fields->n; i++)
		hd_doc_field(doc, fields->list[i].label, "%s", fields->list[i].text);
	doc->failed |= fields->failed;
	hd_fields_clear(fields);
}

void hd_doc_table(struct hd_doc *doc, struct hd_columns *columns)
{
	struct hd_doc_item *item = columns->failed ? NULL : add(doc, HD_DOC_TABLE);

	if (item) {
		item->columns = *columns;
		return;
	}
	doc->failed = true;
	hd_columns_clear(columns);
}

void hd_doc_clear(struct hd_doc *doc)
{
	for (size_t i = 0; i < doc->n; i++) {
		free(doc->items[i].label);
		free(doc->items[i].text);
		if (doc->items[i].kind == HD_DOC_TABLE)
			hd_columns_clear(&doc->items[i].columns);
	}
	free(doc->items);
	*doc = (struct hd_doc){ 0 };
}
