// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/csv_sections.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "support/text_stream.h"

/* Lines of other text that may stand before the first section. */
#define MAX_FOREIGN 100

static const struct hd_span no_value = { "", "" };

void hd_csv_begin(struct hd_csv *csv, const char *file, const struct hd_reading *how)
{
	csv->lines.file = file;
	csv->oddities = (struct hd_oddities){ .how = how, .file = file };
}

/* Moves to the next value of a line; false: there is none. */
static bool next_value(const char **at, const char *end, struct hd_span *value)
{
	const char *begin = *at, *stop;

	if (!begin)
		return false;
	hd_scan_blanks(&begin, end);
	if (begin < end && *begin == '"') {
		/* names are others' text: a quote ends one only before a comma or the line's end */
		for (stop = ++begin; stop < end; stop++)
			if (*stop == '"' && (stop + 1 == end || stop[1] == ','))
				break;
		*value = (struct hd_span){ begin, stop };
		*at = stop + 1 < end ? stop + 2 : NULL;
		return true;
	}
	stop = begin < end ? memchr(begin, ',', (size_t)(end - begin)) : NULL;
	*at = stop ? stop + 1 : NULL;
	if (!stop)
		stop = end;
	while (stop > begin && (stop[-1] == ' ' || stop[-1] == '\t'))
		stop--;
	*value = (struct hd_span){ begin, stop };
	return true;
}

static bool is_word(const struct hd_span *value, const char *word)
{
	const size_t length = (size_t)(value->end - value->begin);

	return length == strlen(word) && strncasecmp(value->begin, word, length) == 0;
}

static int8_t find_column(const struct hd_csv_section *section, const struct hd_span *name)
{
	for (int8_t i = 0; section->columns[i]; i++)
		if (is_word(name, section->columns[i]))
			return i;
	return -1;
}

int hd_csv_differs(struct hd_csv *csv, struct hd_error *err, const char *format, ...)
{
	const struct hd_csv_section *section = csv->section;
	char what[256];
	va_list args;
	int ret;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (!section->may_differ)
		return hd_csv_error(csv, err, "%s", what);
	csv->section = NULL;
	csv->passed |= 1u << (section - csv->sections);
	ret = hd_odd(&csv->oddities, csv->lines.number, "the section is passed over", err, "%s",
		     what);
	return ret ? ret : HD_CSV_PASSED;
}

static int read_heading(struct hd_csv *csv, struct hd_error *err)
{
	const struct hd_csv_section *section = csv->section;
	const char *at = csv->lines.begin;
	unsigned found = 0;
	struct hd_span name;

	for (csv->n_columns = 0; next_value(&at, csv->lines.end, &name); csv->n_columns++) {
		int8_t wanted = find_column(section, &name);

		if (csv->n_columns == HD_CSV_COLUMNS)
			return hd_csv_differs(csv, err, "section %s has more than %u columns",
					      section->name, HD_CSV_COLUMNS);
		csv->wanted[csv->n_columns] = wanted;
		if (wanted < 0)
			continue;
		if (found >> wanted & 1)
			return hd_csv_differs(csv, err, "section %s has a second column %s",
					      section->name, section->columns[wanted]);
		found |= 1u << wanted;
	}
	for (unsigned i = 0; i < section->n_required; i++)
		if (!(found >> i & 1))
			return hd_csv_differs(csv, err, "section %s has no column %s",
					      section->name, section->columns[i]);
	return 0;
}

static int read_row(struct hd_csv *csv, struct hd_error *err)
{
	const struct hd_lines *lines = &csv->lines;
	struct hd_span values[HD_CSV_WANTED], value = no_value;
	const char *at = lines->begin;
	unsigned n = 0;

	/* names are C strings later on: a NUL would cut them short */
	if (memchr(lines->begin, '\0', (size_t)(lines->end - lines->begin)))
		return hd_csv_error(csv, err, "a NUL byte: not a text file");
	for (unsigned i = 0; i < HD_CSV_WANTED; i++)
		values[i] = no_value;
	for (; next_value(&at, lines->end, &value); n++)
		if (n < csv->n_columns && csv->wanted[n] >= 0 && !is_word(&value, "N/A"))
			values[csv->wanted[n]] = value;
	/* some writers end rows with a comma */
	if (n == csv->n_columns + 1 && value.begin == value.end)
		n--;
	if (n != csv->n_columns)
		return hd_csv_differs(csv, err,
				      "%u values in a row of section %s, which has %u columns", n,
				      csv->name, csv->n_columns);
	return csv->section->row(csv->reader, values, err);
}

/* "START_LINKS" with @word "START_": the rest of the line goes to @name. */
static bool scan_mark(const struct hd_lines *lines, const char *word, struct hd_span *name)
{
	name->begin = lines->begin;
	name->end = lines->end;
	while (name->end > name->begin && (name->end[-1] == ' ' || name->end[-1] == '\t'))
		name->end--;
	return hd_scan_word(&name->begin, name->end, word) && name->begin < name->end;
}

static int begin_section(struct hd_csv *csv, const struct hd_span *name, struct hd_error *err)
{
	const size_t length = (size_t)(name->end - name->begin);

	if (length >= sizeof(csv->name))
		return hd_csv_error(csv, err, "the name of a section is too long");
	memcpy(csv->name, name->begin, length);
	csv->name[length] = '\0';
	csv->name_line = csv->lines.number;
	csv->section = NULL;
	csv->n_columns = 0;
	for (unsigned i = 0; i < csv->n_sections; i++) {
		if (strcmp(csv->sections[i].name, csv->name) != 0)
			continue;
		if (csv->seen[i])
			return hd_csv_error(csv, err,
					    "a second section %s: the first is on line %u",
					    csv->name, csv->seen[i]);
		csv->seen[i] = csv->lines.number;
		csv->section = &csv->sections[i];
	}
	return 0;
}

static int end_section(struct hd_csv *csv, struct hd_error *err)
{
	const struct hd_csv_section *section = csv->section;

	csv->name[0] = '\0';
	csv->section = NULL;
	if (section && !csv->n_columns && section->is_required)
		return hd_csv_error(csv, err, "section %s has no heading", section->name);
	return section && section->end ? section->end(csv->reader, err) : 0;
}

/* A line between sections, or one that begins or ends one. */
static int read_mark(struct hd_csv *csv, bool *is_mark, struct hd_error *err)
{
	const struct hd_lines *lines = &csv->lines;
	struct hd_span name;

	*is_mark = true;
	if (scan_mark(lines, "START_", &name)) {
		if (csv->name[0])
			return hd_csv_error(
				csv, err,
				"a section begins within section %s, whose END_%s is missing",
				csv->name, csv->name);
		return begin_section(csv, &name, err);
	}
	if (scan_mark(lines, "END_", &name)) {
		if (!csv->name[0] || (size_t)(name.end - name.begin) != strlen(csv->name) ||
		    memcmp(name.begin, csv->name, strlen(csv->name)) != 0)
			return hd_csv_error(csv, err, "END_%.*s without its START_%.*s",
					    (int)(name.end - name.begin), name.begin,
					    (int)(name.end - name.begin), name.begin);
		return end_section(csv, err);
	}
	*is_mark = false;
	return 0;
}

bool hd_csv_passed(const struct hd_csv *csv, const char *name)
{
	for (unsigned i = 0; i < csv->n_sections; i++)
		if (strcmp(csv->sections[i].name, name) == 0)
			return csv->passed >> i & 1;
	return false;
}

static bool is_passed_over(const struct hd_lines *lines)
{
	const char *at = lines->begin;

	hd_scan_blanks(&at, lines->end);
	return at == lines->end || *at == '#';
}

/* Whether another reader has told what is odd outside of the sections that this one knows. */
static bool is_again(const struct hd_csv *csv)
{
	return csv->oddities.how && csv->oddities.how->is_again;
}

static int read_line(struct hd_csv *csv, struct hd_error *err)
{
	bool is_mark;
	int ret = read_mark(csv, &is_mark, err);

	if (ret || is_mark || is_passed_over(&csv->lines))
		return ret;
	if (!csv->name[0])
		return is_again(csv) ? 0
				     : hd_odd(&csv->oddities, csv->lines.number, "passed over", err,
					      "a line between sections");
	if (!csv->section)
		return 0;
	ret = csv->n_columns ? read_row(csv, err) : read_heading(csv, err);
	return ret == HD_CSV_PASSED ? 0 : ret;
}

int hd_csv_feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct hd_csv *csv = of;
	int ret = 0;

	hd_lines_go_on(&csv->lines, data, size);
	if (!csv->lines.number)
		hd_scan_word(&csv->lines.next, csv->lines.limit, "\xEF\xBB\xBF");
	while (!ret && hd_lines_next(&csv->lines))
		ret = read_line(csv, err);
	return ret;
}

int hd_csv_end(struct hd_csv *csv, struct hd_error *err)
{
	int ret = 0;

	if (csv->section)
		return hd_csv_error(csv, err, "the file is cut short: END_%s of line %u is missing",
				    csv->name, csv->name_line);
	for (unsigned i = 0; i < csv->n_sections; i++)
		if (csv->sections[i].is_required && !csv->seen[i])
			return hd_csv_error(csv, err, "the file has no section %s",
					    csv->sections[i].name);
	if (csv->name[0] && !is_again(csv))
		ret = hd_odd(&csv->oddities, csv->lines.number, "passed over", err,
			     "the file is cut short: END_%s of line %u is missing", csv->name,
			     csv->name_line);
	if (!ret)
		hd_oddities_end(&csv->oddities);
	return ret;
}

bool hd_csv_is(const char *data, size_t size)
{
	struct hd_lines lines;
	struct hd_span name;

	hd_lines_begin(&lines, "", data, size);
	hd_scan_word(&lines.next, lines.limit, "\xEF\xBB\xBF");
	while (hd_lines_next(&lines) && lines.number <= MAX_FOREIGN)
		if (!is_passed_over(&lines))
			return scan_mark(&lines, "START_", &name);
	return false;
}

bool hd_csv_scan_number(const struct hd_span *text, uint64_t max, uint64_t *value)
{
	const char *at = text->begin;
	const unsigned base = hd_scan_word(&at, text->end, "0x") ? 16 : 10;
	uint64_t number;

	if (!hd_scan_number(&at, text->end, base, max, &number) || at != text->end)
		return false;
	*value = number;
	return true;
}

int hd_csv_number(struct hd_csv *csv, const struct hd_span *values, unsigned column, uint64_t max,
		  uint64_t *value, struct hd_error *err)
{
	const struct hd_span *text = &values[column];
	const struct hd_csv_section *section = csv->section;
	const ptrdiff_t length = text->end - text->begin;

	if (!length && column >= section->n_required)
		return 0;
	if (!length)
		return hd_csv_differs(csv, err, "a row of section %s without its %s", csv->name,
				      section->columns[column]);
	if (!hd_csv_scan_number(text, max, value))
		return hd_csv_differs(csv, err, "%s is no number of at most %" PRIu64 ": '%.*s'",
				      section->columns[column], max,
				      (int)(length < 40 ? length : 40), text->begin);
	return 0;
}

int hd_csv_find_port(struct hd_csv *csv, const struct hd_fabric *fabric,
		     const struct hd_span *values, uint32_t *port, struct hd_error *err)
{
	uint64_t guid = 0, number = 0;
	int ret = hd_csv_number(csv, values, 0, UINT64_MAX, &guid, err);
	uint32_t node;

	if (!ret)
		ret = hd_csv_number(csv, values, 1, UINT8_MAX, &number, err);
	*port = HD_NONE;
	if (ret)
		return ret;
	node = hd_fabric_find_node(fabric, guid);
	if (node != HD_NONE && number <= fabric->nodes[node].n_ports)
		*port = hd_port_index(fabric, node, (unsigned)number);
	return 0;
}
