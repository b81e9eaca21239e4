// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A report as HTML. All text passes hd_draw_put_text(): names of nodes are others' text. */
#include <string.h>

#include "tools/draw/draw.h"
#include "tools/report_page/doc.h"

/* The element that holds several items of a kind. */
static const char *holder(enum hd_doc_kind kind)
{
	return kind == HD_DOC_FINDING ? "ul" : kind == HD_DOC_FIELD ? "dl" : NULL;
}

static void put_finding(const struct hd_doc_item *item, FILE *stream)
{
	static const char *const classes[] = { "bad", "odd", "good", "note" };
	static const char *const words[] = { "Wrong", "Look at", "Good", "Note" };

	fprintf(stream, "<li class=\"%s\"><strong>%s:</strong> ", classes[item->level],
		words[item->level]);
	hd_draw_put_text(stream, item->text);
	fputs("</li>\n", stream);
}

static void put_row(const struct hd_columns *columns, size_t row, FILE *stream)
{
	const char *element = row ? "td" : "th scope=\"col\"";

	fputs("<tr>", stream);
	for (unsigned c = 0; c < columns->n_columns; c++) {
		fprintf(stream, "<%s%s>", element, columns->right >> c & 1 ? " class=\"r\"" : "");
		hd_draw_put_text(stream, columns->cells[row * columns->n_columns + c]);
		fprintf(stream, "</%.2s>", element);
	}
	fputs("</tr>\n", stream);
}

/* @title is that of the section, for those who do not see where the table is. */
static void put_table(const struct hd_columns *columns, const char *title, size_t number,
		      FILE *stream)
{
	size_t n = hd_columns_rows(columns);

	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table: ", stream);
	hd_draw_put_text(stream, title);
	fprintf(stream, " %zu\"><table>\n<thead>\n", number);
	for (size_t row = 0; row < n; row++) {
		if (row == 1)
			fputs("</thead>\n<tbody>\n", stream);
		put_row(columns, row, stream);
	}
	fputs(n > 1 ? "</tbody></table></div>\n" : "</thead></table></div>\n", stream);
}

static void put_item(const struct hd_doc_item *item, const char *title, size_t number, FILE *stream)
{
	switch (item->kind) {
	case HD_DOC_SECTION:
		fprintf(stream, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">", item->label,
			item->label);
		hd_draw_put_text(stream, item->text);
		fputs("</h2>\n", stream);
		break;
	case HD_DOC_FINDING:
		put_finding(item, stream);
		break;
	case HD_DOC_FIELD:
		fputs("<div><dt>", stream);
		hd_draw_put_text(stream, item->label);
		fputs("</dt><dd>", stream);
		hd_draw_put_text(stream, item->text);
		fputs("</dd></div>\n", stream);
		break;
	case HD_DOC_LINE:
		fputs("<p>", stream);
		hd_draw_put_text(stream, item->text);
		fputs("</p>\n", stream);
		break;
	case HD_DOC_TABLE:
		put_table(&item->columns, title, number, stream);
		break;
	}
}

void hd_doc_write_html(const struct hd_doc *doc, size_t begin, size_t end, FILE *stream)
{
	const char *title = "", *open = NULL;

	for (size_t i = begin; i < end; i++) {
		const struct hd_doc_item *item = &doc->items[i];
		const char *wanted = holder(item->kind);

		if (open && (!wanted || strcmp(open, wanted))) {
			fprintf(stream, "</%s>\n", open);
			open = NULL;
		}
		if (item->kind == HD_DOC_SECTION) {
			fputs(i > begin ? "</section>\n" : "", stream);
			title = item->text;
		}
		if (wanted && !open)
			fprintf(stream, "<%s>\n", open = wanted);
		put_item(item, title, i, stream);
	}
	if (open)
		fprintf(stream, "</%s>\n", open);
	if (end > begin)
		fputs("</section>\n", stream);
}
