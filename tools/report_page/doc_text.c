// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A report as plain text of 80 columns, for terminals and mail. */
#include <stdlib.h>
#include <string.h>

#include "support/printable.h"
#include "tools/report_page/doc.h"

#define COLUMNS   80
#define MOST_ROWS 11 /* of a table, titles included */
#define LABEL     17

/* Columns that the first @length bytes take: characters, not bytes. */
static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t i = 0; i < length; i++)
		width += ((unsigned char)text[i] & 0xC0) != 0x80;
	return width;
}

/* How much of @text goes into @room columns: whole words, or a whole line of a long word. */
static size_t fitting(const char *text, size_t room)
{
	size_t at = 0, last = 0, width = 0;

	while (text[at] && width <= room) {
		size_t length = hd_character_length(text + at);

		if (text[at] == ' ')
			last = at;
		at += length ? length : 1;
		width++;
	}
	if (width <= room)
		return at;
	if (last)
		return last;
	/* no blank: as many characters as go */
	for (at = 0, width = 0; width < room; width++)
		at += hd_character_length(text + at) ? hd_character_length(text + at) : 1;
	return at;
}

/* @text after @first, in lines that begin @indent columns to the right. */
static void wrap(FILE *stream, const char *first, size_t indent, const char *text)
{
	size_t at = width_of(first, strlen(first));

	fputs(first, stream);
	if (at >= indent + 1 && at > LABEL) {
		fputc('\n', stream);
		at = 0;
	}
	do {
		size_t length = fitting(text, COLUMNS - indent);

		fprintf(stream, "%*s%.*s\n", (int)(at < indent ? indent - at : 0), "", (int)length,
			text);
		text += length;
		text += strspn(text, " ");
		at = 0;
	} while (*text);
}

static void put_section(const char *title, FILE *stream)
{
	fprintf(stream, "\n%s\n", title);
	for (size_t i = 0; i < width_of(title, strlen(title)); i++)
		fputc('-', stream);
	fputc('\n', stream);
}

/* A row of a table that is too wide: its cells with their titles. */
static void put_wide_row(const struct hd_columns *columns, size_t row, FILE *stream)
{
	size_t size;
	char *text;
	FILE *memory = open_memstream(&text, &size);
	bool any = false;

	if (!memory)
		return;
	for (unsigned c = 0; c < columns->n_columns; c++) {
		const char *cell = columns->cells[row * columns->n_columns + c];

		if (!*cell)
			continue;
		fprintf(memory, "%s%s: %s", any ? ", " : "", columns->cells[c], cell);
		any = true;
	}
	fclose(memory);
	wrap(stream, "  - ", 4, text);
	free(text);
}

static void put_table(const struct hd_columns *columns, FILE *stream)
{
	size_t n = hd_columns_rows(columns), shown = n < MOST_ROWS ? n : MOST_ROWS;

	if (hd_columns_width(columns) <= COLUMNS)
		hd_columns_write(columns, shown, stream);
	else
		for (size_t row = 1; row < shown; row++)
			put_wide_row(columns, row, stream);
	if (shown < n)
		fprintf(stream, "  ... and %zu more\n", n - shown);
}

void hd_doc_write_text(const struct hd_doc *doc, FILE *stream)
{
	static const char *const marks[] = { [HD_DOC_BAD] = "  !! ",
					     [HD_DOC_ODD] = "  !  ",
					     [HD_DOC_GOOD] = "  +  ",
					     [HD_DOC_NOTE] = "  -  " };

	for (size_t i = 0; i < doc->n; i++) {
		const struct hd_doc_item *item = &doc->items[i];

		switch (item->kind) {
		case HD_DOC_SECTION:
			put_section(item->text, stream);
			break;
		case HD_DOC_FINDING:
			wrap(stream, marks[item->level], 5, item->text);
			break;
		case HD_DOC_FIELD:
			wrap(stream, item->label, LABEL, item->text);
			break;
		case HD_DOC_LINE:
			wrap(stream, "", 0, item->text);
			break;
		case HD_DOC_TABLE:
			put_table(&item->columns, stream);
			break;
		}
	}
}
