// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/dump_text.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/dumps.h"

#define BUFFER_SIZE ((size_t)1 << 20)

int hd_writer_begin(struct hd_writer *writer, FILE *stream, struct hd_error *err)
{
	writer->stream = stream;
	writer->error = 0;
	writer->buffer = malloc(BUFFER_SIZE);
	if (!writer->buffer)
		return hd_error_nomem(err);
	writer->at = writer->buffer;
	writer->limit = writer->buffer + BUFFER_SIZE;
	return 0;
}

void hd_writer_flush(struct hd_writer *writer)
{
	size_t size = (size_t)(writer->at - writer->buffer);

	if (size && !writer->error && fwrite(writer->buffer, 1, size, writer->stream) != size)
		writer->error = errno ? errno : EIO;
	writer->at = writer->buffer;
}

int hd_writer_end(struct hd_writer *writer, struct hd_error *err)
{
	hd_writer_flush(writer);
	free(writer->buffer);
	writer->buffer = NULL;
	if (!writer->error && fflush(writer->stream))
		writer->error = errno;
	if (!writer->error && ferror(writer->stream))
		writer->error = EIO; /* an error from before is none of this stream */
	return writer->error
		       ? hd_error_set(err, HD_EIO, "cannot write: %s", strerror(writer->error))
		       : 0;
}

void hd_writer_bytes(struct hd_writer *writer, const char *bytes, size_t size)
{
	while (size) {
		size_t part = size < HD_WRITER_ROOM ? size : HD_WRITER_ROOM;

		hd_writer_room(writer, part);
		memcpy(writer->at, bytes, part);
		writer->at += part;
		bytes += part;
		size -= part;
	}
}

void hd_writer_string(struct hd_writer *writer, const char *string)
{
	hd_writer_bytes(writer, string, strlen(string));
}

char *hd_put_hex(char *at, uint64_t value, unsigned digits)
{
	for (unsigned i = digits; i > 0; i--) {
		at[i - 1] = "0123456789abcdef"[value & 15];
		value >>= 4;
	}
	return at + digits;
}

char *hd_put_decimal(char *at, uint64_t value)
{
	char digits[20];
	unsigned n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	while (n)
		*at++ = digits[--n];
	return at;
}

char *hd_put_left(char *at, unsigned value, unsigned width)
{
	char *end = hd_put_decimal(at, value);

	while (end < at + width)
		*end++ = ' ';
	return end;
}

static const char *const type_names[] = {
	[HD_SWITCH] = "Switch",
	[HD_CA] = "Channel Adapter",
	[HD_ROUTER] = "Router",
};

const char *hd_dump_type_name(unsigned type)
{
	return type_names[type];
}

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : ' ';
}

void hd_writer_name(struct hd_writer *writer, const char *name)
{
	for (; *name; name++) {
		hd_writer_room(writer, 1);
		*writer->at++ = printable(*name);
	}
}

char *hd_put_name(char *at, const char *name)
{
	for (; *name; name++)
		*at++ = printable(*name);
	return at;
}

const uint8_t hd_digit_value[256] = {
	/* clang-format off */
	['0'] = 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
	['A'] = 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f,
	['a'] = 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f,
	/* clang-format on */
};

bool hd_scan_hex(const char **cursor, const char *end, uint64_t max, uint64_t *value)
{
	return hd_scan_word(cursor, end, "0x") && hd_scan_number(cursor, end, 16, max, value);
}

typedef uint8_t digits __attribute__((vector_size(16)));
typedef uint16_t pairs __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(8)));

bool hd_scan_hex_bytes(const unsigned char *text, uint8_t *values, size_t n)
{
	digits valid = ~(digits){ 0 };
	uint64_t half[2];

	for (size_t i = 0; i < n; i += sizeof(bytes), text += sizeof(digits)) {
		digits line, digit, letter, is_digit, is_letter;
		pairs pair;
		bytes value;

		memcpy(&line, text, sizeof(line));
		digit = line - '0';
		letter = (line | 0x20) - 'a';
		is_digit = (digits)(digit < 10);
		is_letter = (digits)(letter < 6);
		valid &= is_digit | is_letter;
		pair = (pairs)((digit & is_digit) | ((letter + 10) & is_letter));
		/* the first digit is the high one, and comes first in memory */
		pair = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? pair << 4 | pair >> 8
								 : pair >> 4 | pair;
		value = __builtin_convertvector(pair & 0xFF, bytes);
		memcpy(values + i, &value, sizeof(value));
	}
	memcpy(half, &valid, sizeof(half));
	return (half[0] & half[1]) == UINT64_MAX;
}

char *hd_put_hex_bytes(char *at, const uint8_t *values, size_t n)
{
	for (size_t i = 0; i < n; i += sizeof(bytes), at += sizeof(digits)) {
		bytes value;
		pairs pair;
		digits digit;

		memcpy(&value, values + i, sizeof(value));
		pair = __builtin_convertvector(value, pairs);
		/* the high digit comes first in memory */
		digit = (digits)(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
					 ? pair >> 4 | (pair & 15) << 8
					 : (pair & 0xF0) << 4 | (pair & 15));
		digit += '0' + ((digits)(digit > 9) & ('a' - '0' - 10));
		memcpy(at, &digit, sizeof(digit));
	}
	return at;
}

struct sort_key {
	uint64_t guid; /* as OpenSM compares it */
	uint32_t index;
};

static int compare_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;

	return x->guid < y->guid ? -1 : x->guid > y->guid;
}

/* Sorts @keys, frees them, and returns the indices. */
static uint32_t *sort_indices(struct sort_key *keys, uint32_t n)
{
	uint32_t *indices = malloc((n + (size_t)1) * sizeof(*indices));

	if (indices) {
		qsort(keys, n, sizeof(*keys), compare_keys);
		for (uint32_t i = 0; i < n; i++)
			indices[i] = keys[i].index;
	}
	free(keys);
	return indices;
}

uint32_t *hd_dump_switches(const struct hd_fabric *fabric)
{
	struct sort_key *keys = malloc((fabric->n_switches + (size_t)1) * sizeof(*keys));

	if (!keys)
		return NULL;
	hd_for_each_switch(s, fabric)
		keys[s] = (struct sort_key){ htobe64(fabric->nodes[s].guid), s };
	return sort_indices(keys, fabric->n_switches);
}

uint32_t *hd_dump_endports(const struct hd_fabric *fabric)
{
	struct sort_key *keys = malloc((fabric->n_endports + (size_t)1) * sizeof(*keys));

	if (!keys)
		return NULL;
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		uint32_t port = fabric->endports[i];

		keys[i] = (struct sort_key){ htobe64(fabric->ports[port].guid), port };
	}
	return sort_indices(keys, fabric->n_endports);
}

void hd_dump_put_section(struct hd_writer *writer, const struct hd_fabric *fabric, uint32_t p)
{
	const struct hd_port *port = &fabric->ports[p];

	hd_writer_string(writer, hd_dump_type_name(fabric->nodes[port->node].type));
	hd_writer_room(writer, 64);
	memcpy(writer->at, " 0x", 3);
	writer->at = hd_put_hex(writer->at + 3, port->guid, 16);
	memcpy(writer->at, ", base LID ", 11);
	writer->at = hd_put_decimal(writer->at + 11, port->lid);
	memcpy(writer->at, ", \"", 3);
	writer->at += 3;
	hd_writer_name(writer, hd_node_name(fabric, port->node));
	hd_writer_string(writer, "\"\n");
}

/* The node type that the line begins with, and the cursor past it; -1: none. */
static int scan_type(const struct hd_lines *lines, const char **cursor)
{
	for (int type = HD_SWITCH; type <= HD_ROUTER; type++) {
		*cursor = lines->begin;
		if (hd_scan_word(cursor, lines->end, type_names[type]) &&
		    hd_scan_word(cursor, lines->end, " 0x"))
			return type;
	}
	return -1;
}

bool hd_dump_at_section(const struct hd_lines *lines)
{
	const char *cursor;

	return scan_type(lines, &cursor) >= 0;
}

int hd_dump_scan_section(const struct hd_lines *lines, const struct hd_fabric *fabric,
			 uint32_t *port, struct hd_error *err)
{
	uint64_t guid, lid;
	const char *cursor;
	int type = scan_type(lines, &cursor);
	uint32_t node;

	if (type < 0 || !hd_scan_number(&cursor, lines->end, 16, UINT64_MAX, &guid) ||
	    !hd_scan_word(&cursor, lines->end, ", base LID ") ||
	    !hd_scan_number(&cursor, lines->end, 10, UINT16_MAX, &lid) ||
	    !hd_scan_word(&cursor, lines->end, ", \"") || lines->end == cursor ||
	    lines->end[-1] != '"')
		return hd_lines_error(lines, err,
				      "expected 'Switch 0xGUID, base LID N, \"NAME\"' or the like");
	*port = hd_fabric_find_port(fabric, guid);
	if (*port == HD_NONE)
		return hd_lines_error(lines, err, "the fabric has no port 0x%016" PRIx64, guid);
	node = fabric->ports[*port].node;
	if (fabric->nodes[node].type != type)
		return hd_lines_error(lines, err, "0x%016" PRIx64 " is a %s in the fabric", guid,
				      type_names[fabric->nodes[node].type]);
	return 0;
}

int hd_dump_take_switch(const struct hd_lines *lines, const struct hd_fabric *fabric, uint64_t guid,
			bool *seen, uint32_t *s, struct hd_error *err)
{
	*s = hd_fabric_find_node(fabric, guid);
	if (*s == HD_NONE || !hd_is_switch(fabric, *s))
		return hd_lines_error(lines, err,
				      "the fabric has no switch 0x%016" PRIx64
				      ": the dump is of another fabric, or of another time",
				      guid);
	if (seen[*s])
		return hd_lines_error(lines, err, "switch 0x%016" PRIx64 " has a second table",
				      guid);
	seen[*s] = true;
	return 0;
}

int hd_dump_scan_lid(const struct hd_lines *lines, const char **cursor,
		     const struct hd_fabric *fabric, uint32_t *port, struct hd_error *err)
{
	uint64_t lid;

	if (!hd_scan_word(cursor, lines->end, "Lid ") ||
	    !hd_scan_number(cursor, lines->end, 10, UINT16_MAX, &lid))
		return hd_lines_error(lines, err, "expected 'Lid N': nodes are known by their LID");
	if (lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE)
		return hd_lines_error(lines, err, "no port of the fabric has LID %" PRIu64, lid);
	*port = fabric->lids[lid].port;
	return 0;
}

int hd_dump_read(const struct hd_dump_format *format, struct hd_tables *tables, const char *path,
		 struct hd_error *err)
{
	struct hd_text text;
	int ret;

	if (format->read)
		return format->read(tables, path, err);
	ret = hd_text_read(path, &text, err);
	if (ret)
		return ret;
	ret = format->parse(tables, path, text.data, text.size, err);
	hd_text_free(&text);
	return ret;
}
