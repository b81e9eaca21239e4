// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/places/name_list.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 9

/* A name as a prefix and a number; digits 0: it has no number. */
struct parts {
	size_t prefix;
	size_t digits;
	uint32_t number;
};

static struct parts parts_of(const char *name)
{
	const size_t length = strlen(name);
	struct parts parts = { .prefix = length };

	while (parts.prefix && parts.digits < MOST_DIGITS && name[parts.prefix - 1] >= '0' &&
	       name[parts.prefix - 1] <= '9') {
		parts.prefix--;
		parts.digits++;
	}
	if (parts.digits)
		parts.number = (uint32_t)strtoul(name + parts.prefix, NULL, 10);
	return parts;
}

/* Whether both have the same prefix, and numbers of the same width. */
static int compare_prefixes(const char *a, struct parts x, const char *b, struct parts y)
{
	const size_t least = x.prefix < y.prefix ? x.prefix : y.prefix;
	const int order = memcmp(a, b, least);

	if (order)
		return order;
	if (x.prefix != y.prefix)
		return x.prefix < y.prefix ? -1 : 1;
	return x.digits < y.digits ? -1 : x.digits > y.digits;
}

static int compare(const void *a, const void *b)
{
	const char *name = *(const char *const *)a, *other = *(const char *const *)b;
	const struct parts x = parts_of(name), y = parts_of(other);
	const int order = compare_prefixes(name, x, other, y);

	return order ? order : x.number < y.number ? -1 : x.number > y.number;
}

/* How many of @names count up from the first. */
static size_t run_of(const char **names, size_t n, struct parts first)
{
	size_t run = 1;

	while (run < n) {
		const struct parts next = parts_of(names[run]);

		if (compare_prefixes(names[0], first, names[run], next) || !first.digits ||
		    next.number != first.number + run)
			break;
		run++;
	}
	return run;
}

/* How many of @names have the prefix of the first, and a number as wide. */
static size_t group_of(const char **names, size_t n, struct parts first)
{
	size_t group = 1;

	while (group < n && first.digits &&
	       !compare_prefixes(names[0], first, names[group], parts_of(names[group])))
		group++;
	return group;
}

void hd_name_list_print(FILE *stream, const char **names, size_t n)
{
	qsort(names, n, sizeof(*names), compare);
	for (size_t i = 0; i < n;) {
		const struct parts first = parts_of(names[i]);
		const size_t end = i + group_of(names + i, n - i, first);

		fputs(i ? "," : "", stream);
		if (end == i + 1) {
			fputs(names[i++], stream);
			continue;
		}
		fprintf(stream, "%.*s[", (int)first.prefix, names[i]);
		for (bool comma = false; i < end; comma = true) {
			const char *from = names[i] + first.prefix;
			const size_t run = run_of(names + i, end - i, parts_of(names[i]));

			fprintf(stream, "%s%s", comma ? "," : "", from);
			i += run;
			if (run > 1)
				fprintf(stream, "-%s", names[i - 1] + first.prefix);
		}
		fputc(']', stream);
	}
}
