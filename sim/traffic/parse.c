// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns and arrival processes by name. */
#include <string.h>

#include "sim/traffic/goal_pattern.h"
#include "support/error.h"

/* What replays @file, of pattern "trace"; their options have the same names. */
static const struct hd_pattern_kind *kind_of_file(const char *file)
{
	if (file && (hd_has_suffix(file, ".goal") || hd_has_suffix(file, ".bin")))
		return &hd_pattern_goal;
	return &hd_pattern_trace;
}

int hd_pattern_parse(const char *spec, const struct hd_pattern_kind **kind,
		     struct hd_params **params, struct hd_error *err)
{
	const struct hd_policy *policy;
	int ret = hd_policy_parse(&hd_patterns, spec, &policy, params, err);

	*kind = (const struct hd_pattern_kind *)policy;
	if (!ret && *kind == &hd_pattern_trace)
		*kind = kind_of_file(hd_params_get(*params, "file"));
	return ret;
}

const struct hd_pattern_kind *hd_pattern_of_spec(const char *spec)
{
	const struct hd_pattern_kind *kind;
	struct hd_params *params;

	if (hd_pattern_parse(spec, &kind, &params, NULL))
		return (const struct hd_pattern_kind *)hd_policy_of_spec(&hd_patterns, spec);
	hd_params_free(params);
	return kind;
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
