// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/ini.h"

#include <ctype.h>
#include <ini.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"

/* What libinih keeps of a section's or a key's name, without a word of what it cuts off. */
#define NAME_SIZE 50

struct reader {
	struct hd_lines lines;
	const char *rest; /* of the line, still to be handed over; NULL: take the next line */
	hd_ini_take_fn take;
	void *user;
	struct hd_error *err;
	int ret;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_key_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Whether "KEY =" stands at @text. */
static bool is_pair(const char *text, const char *end)
{
	const char *c = text;

	while (c < end && is_key_character(*c))
		c++;
	if (c == text)
		return false;
	while (c < end && is_blank(*c))
		c++;
	return c < end && *c == '=';
}

static bool is_comment(const char *text, const char *end)
{
	return text < end && (*text == '#' || *text == ';');
}

/* Where the section or pair at @text ends. */
static const char *part_end(const char *text, const char *end)
{
	if (*text == '[') {
		const char *close = memchr(text, ']', (size_t)(end - text));

		return close ? close + 1 : end;
	}
	for (const char *c = text; c + 2 < end; c++) {
		if (is_blank(c[0]) && c[1] == ';')
			return end; /* libinih knows what a comment is */
		if (!is_blank(c[0]) || !is_blank(c[1]))
			continue;
		while (c < end && is_blank(*c))
			c++;
		if (is_pair(c, end) || is_comment(c, end))
			return c;
		c--;
	}
	return end;
}

static void fail(struct reader *reader, const char *text)
{
	reader->ret = hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				  "%s", text);
}

/* Tells of the section whose "[...]" ends at @end. */
static bool begin_section(struct reader *reader, const char *end)
{
	struct hd_ini_item item = { .file = reader->lines.file, .line = reader->lines.number };
	const size_t length = (size_t)(end - reader->rest) - 2;
	char name[NAME_SIZE];

	if (length >= sizeof(name)) {
		fail(reader, "a section's name of more than 49 characters");
		return false;
	}
	memcpy(name, reader->rest + 1, length);
	name[length] = '\0';
	item.section = name;
	reader->ret = reader->take(reader->user, &item, reader->err);
	return !reader->ret;
}

/* libinih calls this for a line, as fgets(). */
static char *next_part(char *buffer, int size, void *stream)
{
	struct reader *reader = stream;
	const char *end;
	size_t length;

	if (reader->ret)
		return NULL;
	for (;;) {
		if (!reader->rest) {
			if (!hd_lines_next(&reader->lines))
				return NULL;
			reader->rest = reader->lines.begin;
			length = (size_t)(reader->lines.end - reader->lines.begin);
			if (memchr(reader->rest, '\0', length)) {
				fail(reader, "a NUL byte");
				return NULL;
			}
		}
		while (reader->rest < reader->lines.end && is_blank(*reader->rest))
			reader->rest++;
		if (reader->rest < reader->lines.end &&
		    !is_comment(reader->rest, reader->lines.end))
			break;
		reader->rest = NULL;
	}
	if (*reader->rest == '['
		    ? !memchr(reader->rest, ']', (size_t)(reader->lines.end - reader->rest))
		    : !is_pair(reader->rest, reader->lines.end)) {
		fail(reader, "neither [section] nor key = value");
		return NULL;
	}
	end = part_end(reader->rest, reader->lines.end);
	length = (size_t)(end - reader->rest);
	if (*reader->rest == '[' && !begin_section(reader, end))
		return NULL;
	if (length + 2 > (size_t)size) {
		fail(reader, "a line of more than 197 characters");
		return NULL;
	}
	memcpy(buffer, reader->rest, length);
	memcpy(buffer + length, "\n", 2);
	reader->rest = end < reader->lines.end ? end : NULL;
	return buffer;
}

static int take(void *user, const char *section, const char *name, const char *value)
{
	struct reader *reader = user;
	const struct hd_ini_item item = { .file = reader->lines.file,
					  .line = reader->lines.number,
					  .section = section,
					  .key = name,
					  .value = value };

	if (reader->ret)
		return 0;
	reader->ret = reader->take(reader->user, &item, reader->err);
	return !reader->ret;
}

int hd_ini_parse(const char *name, const char *text, size_t size, hd_ini_take_fn take_item,
		 void *user, struct hd_error *err)
{
	struct reader reader = { .take = take_item, .user = user, .err = err };
	int ret;

	if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
		text += 3;
		size -= 3;
	}
	hd_lines_begin(&reader.lines, name, text, size);
	ret = ini_parse_stream(next_part, &reader, take, &reader);
	if (!reader.ret && ret)
		reader.ret = hd_error_at(err, HD_EPARSE, name, 0, "not an INI file");
	return reader.ret;
}
