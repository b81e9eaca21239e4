// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines and numbers of support/text.h, which need no files. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"

void hd_lines_begin(struct hd_lines *lines, const char *file, const char *data, size_t size)
{
	*lines = (struct hd_lines){ .next = data, .limit = data + size, .file = file };
}

bool hd_lines_next(struct hd_lines *lines)
{
	const char *newline;

	if (lines->next == lines->limit)
		return false;
	newline = memchr(lines->next, '\n', (size_t)(lines->limit - lines->next));
	lines->begin = lines->next;
	lines->end = newline ? newline : lines->limit;
	lines->next = newline ? newline + 1 : lines->limit;
	if (lines->end > lines->begin && lines->end[-1] == '\r')
		lines->end--;
	lines->number++;
	return true;
}

int hd_parse_number(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *value,
		    struct hd_error *err)
{
	int base = strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0 ? 16 : 10;
	unsigned long long number;
	char *end;

	if (text[0] == '-' && text[1] && strspn(text + 1, "0123456789") == strlen(text + 1))
		return hd_error_set(err, HD_EINVAL, "%s: %s is not in %llu..%llu", what, text,
				    (unsigned long long)min, (unsigned long long)max);
	if (!isalnum((unsigned char)text[0]))
		return hd_error_set(err, HD_EINVAL, "%s: '%s' is not a number", what, text);
	errno = 0;
	number = strtoull(text, &end, base);
	if (end == text || *end)
		return hd_error_set(err, HD_EINVAL, "%s: '%s' is not a number", what, text);
	if (errno == ERANGE || number < min || number > max)
		return hd_error_set(err, HD_ERANGE, "%s: %s is not in %llu..%llu", what, text,
				    (unsigned long long)min, (unsigned long long)max);
	*value = number;
	return 0;
}

bool hd_scan_number(const char **cursor, const char *end, unsigned base, uint64_t max,
		    uint64_t *value)
{
	const char *at = *cursor;
	uint64_t number = 0;

	for (; at < end; at++) {
		unsigned digit;

		if (*at >= '0' && *at <= '9')
			digit = (unsigned)(*at - '0');
		else if (base == 16 && *at >= 'a' && *at <= 'f')
			digit = (unsigned)(*at - 'a') + 10;
		else if (base == 16 && *at >= 'A' && *at <= 'F')
			digit = (unsigned)(*at - 'A') + 10;
		else
			break;
		if (__builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit, &number) || number > max)
			return false;
	}
	if (at == *cursor)
		return false;
	*cursor = at;
	*value = number;
	return true;
}

void hd_scan_blanks(const char **cursor, const char *end)
{
	while (*cursor < end && (**cursor == ' ' || **cursor == '\t'))
		++*cursor;
}
