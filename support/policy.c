// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/policy.h"

#include <ctype.h>
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
	return hd_error_set(err, HD_EINVAL, "there is no %s '%.64s' (known are %s)",
			    registry->singular, name, known);
}

/*
 * The end of the item that begins at @item: the next comma that no parenthesis encloses, or the end
 * of the text. NULL when parentheses do not match.
 */
static char *item_end(char *item)
{
	unsigned depth = 0;

	for (; *item; item++) {
		if (*item == '(')
			depth++;
		else if (*item == ')' && depth-- == 0)
			return NULL;
		else if (*item == ',' && depth == 0)
			break;
	}
	return depth ? NULL : item;
}

/* Sets what @items ("8x8,p=1") says; writes on @items. */
static int set_options(const struct hd_policy *policy, char *items, struct hd_params *params,
		       struct hd_error *err)
{
	char *item = items;

	if (policy->is_text) {
		size_t length = strlen(policy->options[0].key);

		if (strncmp(items, policy->options[0].key, length) == 0 && items[length] == '=')
			items += length + 1;
		return hd_params_set(params, policy->name, policy->options[0].key, items, err);
	}
	for (unsigned i = 0;; i++) {
		char *end = item_end(item);
		bool last;
		int ret;

		if (!end)
			return hd_error_set(err, HD_EINVAL, "%s: parentheses do not match in '%s'",
					    policy->name, item);
		last = *end == '\0';
		*end = '\0';
		if (!*item)
			return hd_error_set(err, HD_EINVAL, "%s: an option is empty", policy->name);
		if (i < policy->n_bare && !strchr(item, '='))
			ret = hd_params_set(params, policy->name, policy->options[i].key, item,
					    err);
		else
			ret = hd_params_set_pair(params, policy->name, item, err);
		if (ret || last)
			return ret;
		item = end + 1;
		item += strspn(item, " \t");
	}
}

/* Messages quote @spec, and are one line. */
static int check_characters(const struct hd_registry *registry, const char *spec,
			    struct hd_error *err)
{
	for (; *spec; spec++)
		if (iscntrl((unsigned char)*spec))
			return hd_error_set(err, HD_EINVAL, "a control character in %s",
					    registry->singular);
	return 0;
}

int hd_policy_parse(const struct hd_registry *registry, const char *spec,
		    const struct hd_policy **result, struct hd_params **params,
		    struct hd_error *err)
{
	static const struct hd_option no_options[] = { { 0 } };
	char *text = strdup(spec), *colon = text ? strchr(text, ':') : NULL;
	const struct hd_policy *policy = NULL;
	struct hd_params *set = NULL;
	int ret = text ? check_characters(registry, spec, err) : hd_error_nomem(err);

	if (params)
		*params = NULL;
	if (colon)
		*colon++ = '\0';
	if (!ret) {
		policy = hd_policy_find(registry, text);
		ret = policy ? 0 : refuse(registry, text, err);
	}
	*result = policy;
	if (policy) {
		set = hd_params_new(policy->options ? policy->options : no_options);
		ret = set ? 0 : hd_error_nomem(err);
	}
	if (!ret && colon && *colon)
		ret = set_options(policy, colon, set, err);
	free(text);
	if (!ret && params)
		*params = set;
	else
		hd_params_free(set);
	return ret;
}
