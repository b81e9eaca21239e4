// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/status_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

/* Longer values are cut: the keys that are read here have short ones. */
#define VALUE_SIZE 128

/* The value in @text; false: the line has another key. */
static bool take(const struct hd_lines *lines, const char *key, char *text)
{
	const char *cursor = lines->begin;
	size_t length;

	if (!hd_scan_word(&cursor, lines->end, key) || cursor == lines->end || *cursor != ' ')
		return false;
	hd_scan_blanks(&cursor, lines->end);
	length = (size_t)(lines->end - cursor);
	if (length >= VALUE_SIZE)
		length = VALUE_SIZE - 1;
	memcpy(text, cursor, length);
	text[length] = '\0';
	hd_make_printable(text);
	return true;
}

/* "2026-11-26T02:40:11Z"; 0: no such time. */
static time_t time_of(const char *text)
{
	struct tm parts = { 0 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);

	return end && !*end ? timegm(&parts) : 0;
}

static void read_line(const struct hd_lines *lines, struct hd_status_seen *seen)
{
	char text[VALUE_SIZE];

	if (take(lines, "engine", text))
		snprintf(seen->engine, sizeof(seen->engine), "%.63s", text);
	else if (take(lines, "routes", text))
		snprintf(seen->routes, sizeof(seen->routes), "%.63s", text);
	else if (take(lines, "confirmed", text))
		seen->is_confirmed = strcmp(text, "yes") == 0;
	else if (take(lines, "change", text))
		snprintf(seen->change, sizeof(seen->change), "%.15s", text);
	else if (take(lines, "since", text))
		seen->since = time_of(text);
	else if (take(lines, "round", text)) {
		if (sscanf(text, "%u of %u", &seen->round, &seen->of) != 2)
			seen->round = seen->of = 0;
	} else if (take(lines, "failures", text))
		sscanf(text, "%u", &seen->n_failures);
	else if (take(lines, "losing", text))
		sscanf(text, "%" SCNu64, &seen->pairs_lost);
}

int hd_status_read(const char *path, struct hd_status_seen *seen, struct hd_error *err)
{
	struct hd_lines lines;
	struct hd_text text;
	int ret = hd_text_read_file(path, HD_TEXT_FILE_MAX, &text, err);

	*seen = (struct hd_status_seen){ 0 };
	if (ret)
		return ret;
	hd_lines_begin(&lines, path, text.data, text.size);
	while (hd_lines_next(&lines))
		read_line(&lines, seen);
	hd_text_free(&text);
	if (!seen->engine[0])
		return hd_error_at(err, HD_EPARSE, path, 0, "not a status file: it has no engine");
	return 0;
}
