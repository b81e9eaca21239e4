// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns and arrival processes by name. */
#include <string.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"

int hd_pattern_parse(const char *spec, const struct hd_pattern_kind **kind,
		     struct hd_params **params, struct hd_error *err)
{
	const struct hd_policy *policy;
	int ret = hd_policy_parse(&hd_patterns, spec, &policy, params, err);

	*kind = (const struct hd_pattern_kind *)policy;
	return ret;
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
