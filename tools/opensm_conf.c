// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/opensm_conf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"

/*
 * What follows @key in the line, without blanks around it; NULL: the line has another key or none.
 */
static const char *value_in(const struct hd_lines *line, const char *key, size_t *size)
{
	const char *begin = line->begin, *end = line->end, *behind;

	hd_scan_blanks(&begin, end);
	if (!hd_scan_word(&begin, end, key))
		return NULL;
	behind = begin;
	hd_scan_blanks(&begin, end);
	if (begin == behind && begin < end) /* another key, which begins so */
		return NULL;
	while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*size = (size_t)(end - begin);
	return begin;
}

char *hd_conf_value(const char *text, size_t size, const char *key)
{
	struct hd_lines lines;
	char *last = NULL;

	hd_lines_begin(&lines, "", text, size);
	while (hd_lines_next(&lines)) {
		size_t length;
		const char *value = value_in(&lines, key, &length);

		if (!value)
			continue;
		free(last);
		last = strndup(value, length);
	}
	return last;
}

static void print_setting(FILE *stream, const struct hd_conf_setting *setting)
{
	const char *end;

	for (const char *line = setting->why; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		fprintf(stream, "# %.*s\n", (int)(end - line), line);
	}
	fprintf(stream, "%s %s\n", setting->key, setting->value);
}

void hd_conf_print(FILE *stream, const char *text, size_t size,
		   const struct hd_conf_setting *settings, size_t n)
{
	bool *is_printed = calloc(n + 1, sizeof(*is_printed));
	struct hd_lines lines;
	size_t i, length;

	hd_lines_begin(&lines, "", text, size);
	while (hd_lines_next(&lines)) {
		for (i = 0; i < n && !value_in(&lines, settings[i].key, &length); i++)
			;
		if (i == n) {
			fwrite(lines.begin, 1, (size_t)(lines.end - lines.begin), stream);
			fputc('\n', stream);
		} else if (is_printed && !is_printed[i]) {
			print_setting(stream, &settings[i]);
			is_printed[i] = true;
		}
	}
	for (i = 0; i < n; i++)
		if (!is_printed || !is_printed[i])
			print_setting(stream, &settings[i]);
	free(is_printed);
}
