// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Scenario files, by libinih. Each pair is handed to libinih as a line of its own, so that a
 * section and several pairs may share a line ("[link] bandwidth = 32Gbps   propagation = 6ns", with
 * at least two blanks between pairs), and every message has the line's number.
 */
#include <ctype.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/scenario/scenario.h"
#include "support/error.h"
#include "support/text.h"

struct reader {
	struct hd_scenario *scenario;
	struct hd_lines lines;
	const char *rest; /* of the line, still to be handed over; NULL: take the next line */
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

static int fail(struct reader *reader, const char *text)
{
	reader->ret = hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				  "%s", text);
	return 0;
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
	char full[160];
	unsigned key = HD_N_KEYS;
	struct hd_values *values;
	struct hd_error cause;
	int ret;

	if (reader->ret)
		return 0;
	snprintf(full, sizeof(full), "%s.%s", section, name);
	for (unsigned i = 0; i < HD_N_KEYS; i++)
		if (strcmp(hd_scenario_keys[i].name, full) == 0)
			key = i;
	if (key == HD_N_KEYS) {
		reader->ret = hd_error_at(
			reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
			"scenarios have no key '%s' in section '%s' (see heddle list scenario)",
			name, section);
		return 0;
	}
	values = &reader->scenario->keys[key];
	if (values->is_set)
		return fail(reader, "a key that was set before");
	ret = hd_list_parse(&hd_scenario_keys[key], value, &values->list, &cause);
	values->is_set = true;
	values->line = reader->lines.number;
	if (ret)
		reader->ret = hd_error_at(reader->err, ret == HD_ENOMEM ? ret : HD_EPARSE,
					  reader->lines.file, reader->lines.number, "%s: %s", full,
					  cause.text);
	return !ret;
}

int hd_scenario_read_text(struct hd_scenario *scenario, const char *name, const char *text,
			  size_t size, struct hd_error *err)
{
	struct reader reader = { .scenario = scenario, .err = err };
	int ret;

	free(scenario->file);
	scenario->file = strdup(name);
	if (!scenario->file)
		return hd_error_nomem(err);
	if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* byte order mark */
		text += 3;
		size -= 3;
	}
	hd_lines_begin(&reader.lines, scenario->file, text, size);
	ret = ini_parse_stream(next_part, &reader, take, &reader);
	if (!reader.ret && ret)
		reader.ret = hd_error_at(err, HD_EPARSE, scenario->file, 0, "not an INI file");
	return reader.ret;
}

int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read(path, &text, err);

	if (ret)
		return ret;
	ret = hd_scenario_read_text(scenario, path, text.data, text.size, err);
	hd_text_free(&text);
	return ret;
}
