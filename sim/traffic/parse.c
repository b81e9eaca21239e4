// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns and arrival processes by name. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/goal_pattern.h"
#include "support/error.h"

#define TRACE "trace:"

/*
 * The pattern whose name stands in place of "trace" in @spec, by its file's name; NULL: none does.
 */
static const struct hd_policy *replayer(const char *spec)
{
	const char *at, *end;
	char file[PATH_MAX]; /* a longer one cannot be opened */

	if (strncmp(spec, TRACE, strlen(TRACE)) != 0)
		return NULL;
	for (at = spec + strlen(TRACE);; at = end + 1) {
		size_t length;

		end = strchr(at, ',');
		length = end ? (size_t)(end - at) : strlen(at);
		if (strncmp(at, "file=", 5) == 0 || !memchr(at, '=', length))
			break;
		if (!end)
			return NULL;
	}
	snprintf(file, sizeof(file), "%.*s", (int)(end ? end - at : (ptrdiff_t)strlen(at)), at);
	if (hd_has_suffix(file, ".goal") || hd_has_suffix(file, ".bin"))
		return &hd_pattern_goal.policy;
	return hd_has_suffix(file, ".et") ? &hd_pattern_chakra.policy : NULL;
}

int hd_pattern_parse(const char *spec, const struct hd_pattern_kind **kind,
		     struct hd_params **params, struct hd_error *err)
{
	const struct hd_policy *policy = replayer(spec);
	char *own = NULL;
	int ret;

	if (policy && asprintf(&own, "%s:%s", policy->name, spec + strlen(TRACE)) < 0)
		return hd_error_nomem(err);
	ret = hd_policy_parse(&hd_patterns, own ? own : spec, &policy, params, err);
	*kind = (const struct hd_pattern_kind *)policy;
	free(own);
	return ret;
}

const struct hd_pattern_kind *hd_pattern_of_spec(const char *spec)
{
	const struct hd_policy *policy = replayer(spec);

	return (const struct hd_pattern_kind *)(policy ? policy
						       : hd_policy_of_spec(&hd_patterns, spec));
}

int hd_arrival_parse(const char *spec, const struct hd_arrival_kind **kind,
		     struct hd_params **params, struct hd_error *err)
{
	const struct hd_policy *policy;
	int ret = hd_policy_parse(&hd_arrivals, spec, &policy, params, err);

	*kind = (const struct hd_arrival_kind *)policy;
	return ret;
}

void hd_traffic_name_error(const struct hd_policy *policy, int ret, struct hd_error *err)
{
	char text[sizeof(err->text)];

	if (!err || !policy || (ret != HD_EINVAL && ret != HD_ERANGE) ||
	    strncmp(err->text, policy->name, strlen(policy->name)) == 0)
		return;
	memcpy(text, err->text, sizeof(text));
	hd_error_set(err, ret, "%s: %s", policy->name, text);
}
