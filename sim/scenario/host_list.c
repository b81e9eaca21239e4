// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/host_list.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"

static bool scan_range(const char **at, const char *end, struct hd_host_range *range)
{
	uint64_t first, last;

	if (!hd_scan_number(at, end, 10, UINT32_MAX, &first))
		return false;
	last = first;
	if (hd_scan_word(at, end, "..") && !hd_scan_number(at, end, 10, UINT32_MAX, &last))
		return false;
	*range = (struct hd_host_range){ (uint32_t)first, (uint32_t)last };
	return last >= first;
}

int hd_hosts_parse(const char *text, struct hd_host_range **ranges, size_t *n, struct hd_error *err)
{
	const char *end = text + strlen(text);
	size_t most = 1;

	*ranges = NULL;
	*n = 0;
	if (!*text)
		return 0;
	for (const char *c = text; *c; c++)
		most += *c == ',';
	*ranges = malloc(most * sizeof(**ranges));
	if (!*ranges)
		return hd_error_nomem(err);
	for (const char *at = text;;) {
		bool is_range = scan_range(&at, end, &(*ranges)[(*n)++]);

		if (is_range && at == end)
			return 0;
		if (is_range && hd_scan_word(&at, end, ","))
			continue;
		free(*ranges);
		*ranges = NULL;
		*n = 0;
		return hd_error_set(err, HD_EINVAL, "'%s' is no list of hosts (0,5,8..12)", text);
	}
}
