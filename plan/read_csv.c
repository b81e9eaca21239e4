// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/read_csv.h"

#include <ctype.h>
#include <string.h>

#include "plan/cable_list.h"
#include "support/error.h"
#include "support/text.h"

#define MOST_FIELDS 64

enum column { START_DEVICE, START_PORT, END_DEVICE, END_PORT, LINK_TYPE, STATE, N_COLUMNS };

/* Small letters alone; "#fields:" before a name does not count. */
static const char *const column_names[N_COLUMNS] = {
	"startdevice", "startport", "enddevice", "endport", "linktype", "state",
};

/* Where columns are; MOST_FIELDS: nowhere. */
struct columns {
	size_t at[N_COLUMNS];
	bool is_ndt;
	bool has_title; /* the first line is no cable */
};

static struct hd_span trim(struct hd_span text)
{
	while (text.begin < text.end && isspace((unsigned char)*text.begin))
		text.begin++;
	while (text.begin < text.end && isspace((unsigned char)text.end[-1]))
		text.end--;
	return text;
}

/* A field, without its quotes; a quote within quotes does not occur in names of nodes. */
static struct hd_span take_field(const char **at, const char *end)
{
	struct hd_span field = { *at, end };
	const char *comma, *quote;

	hd_scan_blanks(&field.begin, end);
	if (field.begin < end && *field.begin == '"') {
		quote = memchr(field.begin + 1, '"', (size_t)(end - field.begin - 1));
		if (quote) {
			field = (struct hd_span){ field.begin + 1, quote };
			comma = memchr(quote, ',', (size_t)(end - quote));
			*at = comma ? comma + 1 : end + 1;
			return trim(field);
		}
	}
	comma = memchr(field.begin, ',', (size_t)(end - field.begin));
	*at = comma ? comma + 1 : end + 1;
	field.end = comma ? comma : end;
	return trim(field);
}

static size_t split(const struct hd_lines *lines, struct hd_span fields[MOST_FIELDS])
{
	size_t n = 0;

	for (const char *at = lines->begin; at <= lines->end && n < MOST_FIELDS;)
		fields[n++] = take_field(&at, lines->end);
	return n;
}

static bool is_column(struct hd_span field, const char *name)
{
	const char *colon = memchr(field.begin, ':', (size_t)(field.end - field.begin));

	if (colon && *field.begin == '#')
		field.begin = colon + 1;
	for (const char *at = field.begin; at < field.end; at++) {
		if (*at == ' ' || *at == '_')
			continue;
		if (tolower((unsigned char)*at) != *name)
			return false;
		name++;
	}
	return !*name;
}

/* Whether a line names the columns of an NDT. */
static bool find_columns(const struct hd_span *fields, size_t n, struct columns *columns)
{
	for (size_t c = 0; c < N_COLUMNS; c++) {
		columns->at[c] = MOST_FIELDS;
		for (size_t i = n; i-- > 0;)
			if (is_column(fields[i], column_names[c]))
				columns->at[c] = i;
	}
	for (size_t c = START_DEVICE; c <= END_PORT; c++)
		if (columns->at[c] == MOST_FIELDS)
			return false;
	columns->is_ndt = columns->has_title = true;
	return true;
}

static const struct columns plain = { .at = { 0, 1, 2, 3, MOST_FIELDS, MOST_FIELDS } };

static struct hd_span get(const struct hd_span *fields, size_t n, size_t at)
{
	static const char nothing[] = "";

	return at < n ? fields[at] : (struct hd_span){ nothing, nothing };
}

static bool is_text(struct hd_span field, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(field.end - field.begin) == length &&
	       strncasecmp(field.begin, text, length) == 0;
}

static bool is_empty(struct hd_span field)
{
	return field.begin == field.end;
}

/* Whether a line has nothing but blanks. */
static bool is_blank(const struct hd_span *fields, size_t n)
{
	return n == 1 && is_empty(fields[0]);
}

static bool read_ends(const struct hd_span *fields, size_t n, const struct columns *columns,
		      struct hd_device_port ends[2])
{
	for (int end = 0; end < 2; end++)
		if (!hd_device_port(get(fields, n, columns->at[2 * end]),
				    get(fields, n, columns->at[2 * end + 1]), &ends[end]))
			return false;
	return true;
}

/* "switch,port,switch,port", the words themselves. */
static bool is_plain_title(const struct hd_span *fields, size_t n)
{
	return n >= 4 && is_text(fields[1], "port") && is_text(fields[3], "port");
}

/* The first line that is neither empty nor, unless it names columns, a comment. */
static bool first_line(struct hd_lines *lines, struct hd_span fields[MOST_FIELDS], size_t *n,
		       struct columns *columns)
{
	hd_scan_word(&lines->next, lines->limit, "\xEF\xBB\xBF");
	while (hd_lines_next(lines)) {
		*n = split(lines, fields);
		if (find_columns(fields, *n, columns))
			return true;
		if (is_blank(fields, *n) || *lines->begin == '#')
			continue;
		*columns = plain;
		columns->has_title = is_plain_title(fields, *n);
		return true;
	}
	return false;
}

bool hd_cable_csv_is(const char *data, size_t size)
{
	struct hd_span fields[MOST_FIELDS];
	struct hd_device_port ends[2];
	struct columns columns;
	struct hd_lines lines;
	size_t n;

	hd_lines_begin(&lines, "", data, size);
	if (!first_line(&lines, fields, &n, &columns))
		return false;
	return columns.has_title || (n >= 4 && read_ends(fields, n, &plain, ends));
}

static bool is_passed_over(const struct hd_span *fields, size_t n, const struct columns *columns)
{
	struct hd_span type = get(fields, n, columns->at[LINK_TYPE]);

	if (!columns->is_ndt)
		return false;
	return (!is_empty(type) && !is_text(type, "data")) ||
	       is_text(get(fields, n, columns->at[STATE]), "disabled") ||
	       is_empty(get(fields, n, columns->at[END_DEVICE]));
}

static int read_row(struct hd_cable_list *list, const struct hd_lines *lines,
		    const struct columns *columns, struct hd_error *err)
{
	struct hd_span fields[MOST_FIELDS];
	struct hd_device_port ends[2];
	size_t n = split(lines, fields);

	if (is_blank(fields, n) || *lines->begin == '#' || is_passed_over(fields, n, columns))
		return 0;
	if (n < 4)
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "no cable, 'device,port,device,port'");
	for (int end = 0; end < 2; end++) {
		struct hd_span device = get(fields, n, columns->at[2 * end]);
		struct hd_span port = get(fields, n, columns->at[2 * end + 1]);

		if (!hd_device_port(device, port, &ends[end]))
			return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
					   "'%.*s' is no port of '%.*s', such as 7, 'Port 7', "
					   "1/4/1, 'Blade 2_Port 1/7' or mlx5_0/P1",
					   (int)(port.end - port.begin), port.begin,
					   (int)(device.end - device.begin), device.begin);
	}
	return hd_cable_list_add(list, lines->number, ends, 0, 0, err);
}

int hd_csv_parse(const char *name, const char *data, size_t size, struct hd_fabric **fabric,
		 struct hd_error *err)
{
	struct hd_cable_list list = { .file = name };
	struct hd_span fields[MOST_FIELDS];
	struct columns columns;
	struct hd_lines lines;
	size_t n = 0;
	int ret = 0;

	hd_lines_begin(&lines, name, data, size);
	if (first_line(&lines, fields, &n, &columns) && !columns.has_title)
		ret = read_row(&list, &lines, &columns, err);
	while (!ret && hd_lines_next(&lines))
		ret = read_row(&list, &lines, &columns, err);
	return hd_cable_list_finish(&list, ret, fabric, err);
}
