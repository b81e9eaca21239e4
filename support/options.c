// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/options.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/error.h"
#include "support/text.h"

struct hd_params {
	const struct hd_option *table;
	size_t n_options;
	char *values[]; /* NULL: not set */
};

struct hd_params *hd_params_new(const struct hd_option *table)
{
	size_t n = 0;
	struct hd_params *params;

	while (table[n].key)
		n++;
	params = calloc(1, sizeof(*params) + n * sizeof(params->values[0]));
	if (!params)
		return NULL;
	params->table = table;
	params->n_options = n;
	return params;
}

void hd_params_free(struct hd_params *params)
{
	if (!params)
		return;
	for (size_t i = 0; i < params->n_options; i++)
		free(params->values[i]);
	free(params);
}

/* The index of the key of @length characters, or n_options. */
static size_t find(const struct hd_params *params, const char *key, size_t length)
{
	size_t i;

	for (i = 0; i < params->n_options; i++) {
		const char *known = params->table[i].key;

		if (strncmp(known, key, length) == 0 && known[length] == '\0')
			break;
	}
	return i;
}

static int set(struct hd_params *params, const char *owner, const char *key, size_t length,
	       const char *value, struct hd_error *err)
{
	size_t i = find(params, key, length);

	if (i == params->n_options)
		return hd_error_set(err, HD_EINVAL, "%s has no option '%.*s'", owner, (int)length,
				    key);
	if (params->values[i])
		return hd_error_set(err, HD_EINVAL, "%s: option '%s' is given twice", owner,
				    params->table[i].key);
	params->values[i] = strdup(value);
	return params->values[i] ? 0 : hd_error_nomem(err);
}

int hd_params_set(struct hd_params *params, const char *owner, const char *key, const char *value,
		  struct hd_error *err)
{
	return set(params, owner, key, strlen(key), value, err);
}

int hd_params_set_pair(struct hd_params *params, const char *owner, const char *pair,
		       struct hd_error *err)
{
	const char *equals = strchr(pair, '=');

	if (!equals || equals == pair)
		return hd_error_set(err, HD_EINVAL, "%s: '%s' is not key=value", owner, pair);
	return set(params, owner, pair, (size_t)(equals - pair), equals + 1, err);
}

static size_t must_find(const struct hd_params *params, const char *key)
{
	size_t i = find(params, key, strlen(key));

	assert(i < params->n_options);
	return i;
}

bool hd_params_is_set(const struct hd_params *params, const char *key)
{
	return params->values[must_find(params, key)] != NULL;
}

const char *hd_params_get(const struct hd_params *params, const char *key)
{
	size_t i = must_find(params, key);

	return params->values[i] ? params->values[i] : params->table[i].default_value;
}

int hd_params_number(const struct hd_params *params, const char *key, uint64_t min, uint64_t max,
		     uint64_t *value, struct hd_error *err)
{
	const char *text = hd_params_get(params, key);

	if (!text)
		return hd_error_set(err, HD_EINVAL, "option '%s' must be given", key);
	return hd_parse_number(text, key, min, max, value, err);
}

int hd_params_bool(const struct hd_params *params, const char *key, bool *value,
		   struct hd_error *err)
{
	static const char *const words[][2] = {
		{ "off", "on" }, { "no", "yes" }, { "false", "true" }, { "0", "1" }
	};
	const char *text = hd_params_get(params, key);

	for (size_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++)
		for (int is = 0; is < 2; is++)
			if (strcasecmp(text, words[i][is]) == 0) {
				*value = is;
				return 0;
			}
	return hd_error_set(err, HD_EINVAL, "%s: '%s' is neither on nor off", key,
			    text ? text : "");
}

int hd_params_decimal(const struct hd_params *params, const char *key, double min, double max,
		      double *value, struct hd_error *err)
{
	const char *text = hd_params_get(params, key);
	double number;
	char *end;

	if (!text)
		return hd_error_set(err, HD_EINVAL, "option '%s' must be given", key);
	number = strtod(text, &end);
	if (end != text && *end == '%') {
		number /= 100;
		end++;
	}
	if (end == text || *end || !isfinite(number))
		return hd_error_set(err, HD_EINVAL, "%s: '%s' is not a number", key, text);
	if (number < min || number > max)
		return hd_error_set(err, HD_ERANGE, "%s: %s is not in %g .. %g", key, text, min,
				    max);
	*value = number;
	return 0;
}

int hd_params_word(const struct hd_params *params, const char *key, const char *const *words,
		   unsigned *index, struct hd_error *err)
{
	const char *text = hd_params_get(params, key);
	char known[128] = "";

	for (*index = 0; words[*index]; ++*index) {
		if (strcmp(words[*index], text) == 0)
			return 0;
		strncat(known, *index ? ", " : "", sizeof(known) - strlen(known) - 1);
		strncat(known, words[*index], sizeof(known) - strlen(known) - 1);
	}
	return hd_error_set(err, HD_EINVAL, "%s: '%s' is none of %s", key, text, known);
}
