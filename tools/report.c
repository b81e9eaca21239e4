// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"
#include "tools/command.h"

#define LABEL_WIDTH 16

static void __attribute__((format(printf, 2, 0)))
print_field(const char *label, const char *format, va_list args)
{
	char few[4096], *text = few;
	va_list again;

	va_copy(again, args);
	if (vsnprintf(few, sizeof(few), format, args) >= (int)sizeof(few) &&
	    vasprintf(&text, format, again) < 0)
		text = few; /* as much of the text as there is room for */
	va_end(again);
	printf("%-*s %s\n", LABEL_WIDTH, label, hd_make_printable(text));
	if (text != few)
		free(text);
}

void hd_report_field(const char *label, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_field(label, format, args);
	va_end(args);
}

static void keep_field(struct hd_fields *fields, const char *label, char *text, bool is_gap)
{
	struct hd_field *grown = realloc(fields->list, (fields->n + 1) * sizeof(*grown));
	char *copy = strdup(label);

	if (grown)
		fields->list = grown;
	if (!grown || !copy) {
		fields->failed = true;
		free(copy);
		free(text);
		return;
	}
	grown[fields->n++] =
		(struct hd_field){ hd_make_printable(copy), hd_make_printable(text), is_gap };
}

static void add(struct hd_fields *fields, bool is_gap, const char *label, const char *format,
		va_list args)
{
	char *text;

	if (!fields)
		print_field(label, format, args);
	else if (vasprintf(&text, format, args) >= 0)
		keep_field(fields, label, text, is_gap);
	else
		fields->failed = true;
}

void hd_fields_add(struct hd_fields *fields, const char *label, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(fields, false, label, format, args);
	va_end(args);
}

void hd_fields_add_gap(struct hd_fields *fields, const char *label, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(fields, true, label, format, args);
	va_end(args);
}

void hd_fields_clear(struct hd_fields *fields)
{
	for (size_t i = 0; i < fields->n; i++) {
		free(fields->list[i].label);
		free(fields->list[i].text);
	}
	free(fields->list);
	*fields = (struct hd_fields){ 0 };
}

const char *hd_report_endport(const struct hd_fabric *fabric, uint32_t port, char *buffer,
			      size_t size)
{
	uint32_t node = fabric->ports[port].node;

	if (!hd_is_switch(fabric, node) && fabric->nodes[node].n_ports > 1)
		return hd_port_label(fabric, port, buffer, size);
	return hd_node_label(fabric, node, buffer, size);
}

const char *hd_report_lid(const struct hd_fabric *fabric, uint32_t lid, char *buffer, size_t size)
{
	uint32_t port = lid <= fabric->top_lid ? fabric->lids[lid].port : HD_NONE;
	char label[HD_LABEL_SIZE];

	if (port == HD_NONE)
		snprintf(buffer, size, "%s 0x%04x", lid > HD_MAX_LID ? "MLID" : "LID", lid);
	else if (lid == fabric->ports[port].lid)
		hd_report_endport(fabric, port, buffer, size);
	else
		snprintf(buffer, size, "%s +%u",
			 hd_report_endport(fabric, port, label, sizeof(label)),
			 lid - fabric->ports[port].lid);
	return buffer;
}

const char *hd_report_bits(unsigned mask, char *buffer, size_t size)
{
	size_t used = 0;

	snprintf(buffer, size, "none");
	for (unsigned bit = 0; mask >> bit; bit++)
		if (mask >> bit & 1 && used < size)
			used += (size_t)snprintf(buffer + used, size - used, "%s%u",
						 used ? ", " : "", bit);
	return buffer;
}

void hd_columns_init(struct hd_columns *columns, unsigned n_columns, unsigned right)
{
	*columns = (struct hd_columns){ .n_columns = n_columns, .right = right };
}

void hd_columns_add(struct hd_columns *columns, const char *format, ...)
{
	va_list args;
	char *cell;

	if (columns->n_cells == columns->capacity) {
		size_t capacity = columns->capacity ? 2 * columns->capacity : 64;
		char **grown = realloc(columns->cells, capacity * sizeof(*grown));

		if (!grown) {
			columns->failed = true;
			return;
		}
		columns->cells = grown;
		columns->capacity = capacity;
	}
	va_start(args, format);
	if (vasprintf(&cell, format, args) < 0)
		columns->failed = true;
	else
		columns->cells[columns->n_cells++] = hd_make_printable(cell);
	va_end(args);
}

void hd_columns_add_all(struct hd_columns *columns, const char *const *cells)
{
	for (; *cells; cells++)
		hd_columns_add(columns, "%s", *cells);
}

/* The columns that @cell takes on a terminal, roughly: bytes that begin a character. */
static int cell_width(const char *cell)
{
	int width = 0;

	for (; *cell; cell++)
		width += ((unsigned char)*cell & 0xC0) != 0x80;
	return width;
}

static void write_row(const struct hd_columns *columns, char *const *row, const int *widths,
		      FILE *stream)
{
	for (unsigned c = 0; c < columns->n_columns; c++) {
		int pad = widths[c] - cell_width(row[c]);
		bool last = c + 1 == columns->n_columns;

		if (columns->right >> c & 1)
			fprintf(stream, "  %*s%s", pad, "", row[c]);
		else
			fprintf(stream, "  %s%*s", row[c], last ? 0 : pad, "");
	}
	fputc('\n', stream);
}

/* The widths of the columns; returns that of a row. */
static int find_widths(const struct hd_columns *columns, int *widths)
{
	int all = 0;

	for (size_t i = 0; i < columns->n_cells; i++) {
		int width = cell_width(columns->cells[i]);

		if (width > widths[i % columns->n_columns])
			widths[i % columns->n_columns] = width;
	}
	for (unsigned c = 0; c < columns->n_columns; c++)
		all += widths[c] + 2;
	return all;
}

int hd_columns_width(const struct hd_columns *columns)
{
	int widths[32] = { 0 };

	return find_widths(columns, widths);
}

size_t hd_columns_rows(const struct hd_columns *columns)
{
	return columns->n_cells / columns->n_columns;
}

void hd_columns_write(const struct hd_columns *columns, size_t n_rows, FILE *stream)
{
	int widths[32] = { 0 };

	find_widths(columns, widths);
	for (size_t row = 0; row < n_rows; row++)
		write_row(columns, columns->cells + row * columns->n_columns, widths, stream);
}

void hd_columns_clear(struct hd_columns *columns)
{
	for (size_t i = 0; i < columns->n_cells; i++)
		free(columns->cells[i]);
	free(columns->cells);
	columns->cells = NULL;
	columns->n_cells = 0;
}

int hd_columns_print(struct hd_columns *columns, struct hd_error *err)
{
	if (!columns->failed)
		hd_columns_write(columns, hd_columns_rows(columns), stdout);
	hd_columns_clear(columns);
	return columns->failed ? hd_error_nomem(err) : 0;
}

static void *allocate_or_exit(size_t size)
{
	void *memory = malloc(size);

	if (!memory) {
		struct hd_error err;

		hd_error_nomem(&err);
		exit(hd_command_fail(&err));
	}
	return memory;
}

json_t *hd_json_begin(void)
{
	json_set_alloc_funcs(allocate_or_exit, free);
	return json_object();
}

json_t *hd_json_text(const char *text)
{
	static const char replacement[] = "\xEF\xBF\xBD";
	json_t *json = json_string(text);
	char *clean, *end;

	if (json)
		return json;
	clean = end = allocate_or_exit(3 * strlen(text) + 1);
	while (*text) {
		size_t length = hd_character_length(text);

		if (length) {
			end = mempcpy(end, text, length);
			text += length;
		} else {
			end = mempcpy(end, replacement, sizeof(replacement) - 1);
			text++;
		}
	}
	*end = '\0';
	json = json_string(clean);
	free(clean);
	return json;
}

json_t *hd_json_guid(uint64_t guid)
{
	return json_sprintf("0x%016" PRIx64, guid);
}

json_t *hd_json_bits(unsigned mask)
{
	json_t *array = json_array();

	for (unsigned bit = 0; mask >> bit; bit++)
		if (mask >> bit & 1)
			json_array_append_new(array, json_integer(bit));
	return array;
}

json_t *hd_json_node(const struct hd_fabric *fabric, uint32_t node)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", hd_json_text(hd_node_name(fabric, node)));
	json_object_set_new(object, "guid", hd_json_guid(fabric->nodes[node].guid));
	return object;
}

json_t *hd_json_flow(const struct hd_fabric *fabric, const struct hd_flow *flow)
{
	const struct hd_port *source = &fabric->ports[flow->source];
	char label[HD_LABEL_SIZE];
	json_t *object = json_object();

	hd_report_endport(fabric, flow->source, label, sizeof(label));
	json_object_set_new(object, "source", hd_json_text(label));
	json_object_set_new(object, "source_guid", hd_json_guid(source->guid));
	hd_report_lid(fabric, flow->lid, label, sizeof(label));
	json_object_set_new(object, "destination", hd_json_text(label));
	json_object_set_new(object, "lid", json_integer(flow->lid));
	json_object_set_new(object, "sl", json_integer(flow->sl));
	return object;
}

void hd_json_print(json_t *root)
{
	/* a failure of stdout is found when it is closed */
	json_dumpf(root, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(root);
}
