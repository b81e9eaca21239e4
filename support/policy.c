// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* The policy whose name is the first @length characters of @name, or NULL. */
static const struct hd_policy *find(const struct hd_registry *registry, const char *name,
				    size_t length)
{
	for (const struct hd_policy *const *policy = registry->policies; *policy; policy++)
		if (strncmp((*policy)->name, name, length) == 0 && (*policy)->name[length] == '\0')
			return *policy;
	return NULL;
}

const struct hd_policy *hd_policy_find(const struct hd_registry *registry, const char *name)
{
	return find(registry, name, strlen(name));
}

const struct hd_policy *hd_policy_of_spec(const struct hd_registry *registry, const char *spec)
{
	return find(registry, spec, strcspn(spec, ":"));
}

static int refuse(const struct hd_registry *registry, const char *name, struct hd_error *err)
{
	char known[256] = "";
	size_t used = 0;

	for (size_t i = 0; registry->policies[i] && used < sizeof(known); i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
					 registry->policies[i]->name);
	return hd_error_set(err, HD_EINVAL, "no %s '%s' (known are %s)", registry->singular, name,
			    known);
}

/* Sets the options in @text, "key=value,key=value", which is cut up. */
static int set_options(const struct hd_registry *registry, const struct hd_policy *policy,
		       char *text, struct hd_params *params, struct hd_error *err)
{
	char owner[96], *save = NULL;
	int ret = 0;

	snprintf(owner, sizeof(owner), "%s %s", registry->singular, policy->name);
	for (char *pair = strtok_r(text, ",", &save); pair && !ret;
	     pair = strtok_r(NULL, ",", &save))
		ret = hd_params_set_pair(params, owner, pair + strspn(pair, " \t"), err);
	return ret;
}

int hd_policy_parse(const struct hd_registry *registry, const char *spec,
		    const struct hd_policy **result, struct hd_params **params,
		    struct hd_error *err)
{
	static const struct hd_option no_options[] = { { 0 } };
	char *text = strdup(spec), *colon = text ? strchr(text, ':') : NULL;
	const struct hd_policy *policy;
	struct hd_params *set = NULL;
	int ret = text ? 0 : hd_error_nomem(err);

	if (params)
		*params = NULL;
	if (colon)
		*colon++ = '\0';
	policy = ret ? NULL : hd_policy_find(registry, text);
	if (!ret && !policy)
		ret = refuse(registry, text, err);
	if (!ret) {
		set = hd_params_new(policy->options ? policy->options : no_options);
		ret = set ? 0 : hd_error_nomem(err);
	}
	if (!ret && colon)
		ret = set_options(registry, policy, colon, set, err);
	free(text);
	if (!ret && params)
		*params = set;
	else
		hd_params_free(set);
	if (!ret)
		*result = policy;
	return ret;
}
