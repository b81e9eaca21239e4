// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/value_list.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

void hd_list_clear(struct hd_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct hd_list){ 0 };
}

static int add(struct hd_list *list, const char *text, size_t length, struct hd_error *err)
{
	char **items;

	if (list->n == HD_LIST_MAX)
		return hd_error_set(err, HD_ERANGE, "more than %d values", HD_LIST_MAX);
	items = realloc(list->items, (list->n + 1) * sizeof(*items));
	if (!items)
		return hd_error_nomem(err);
	list->items = items;
	items[list->n] = strndup(text, length);
	if (!items[list->n])
		return hd_error_nomem(err);
	list->n++;
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Where the unit begins in a number; NULL when @text does not begin with one. */
static const char *after_number(const char *text)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return NULL;
	strtod(text, &end);
	while (is_blank(*end))
		end++;
	return end;
}

static int add_steps(struct hd_list *list, double first, double last, double step, const char *unit,
		     struct hd_error *err)
{
	char text[160];
	double n;

	if (!(step > 0) || !(last >= first))
		return hd_error_set(err, HD_EINVAL, "a range goes up: first:last:step");
	n = floor((last - first) / step * (1 + 1e-12) + 1e-9);
	if (!(n < HD_LIST_MAX))
		return hd_error_set(err, HD_ERANGE, "more than %d values", HD_LIST_MAX);
	for (unsigned i = 0; i <= (unsigned)n; i++) {
		int length = snprintf(text, sizeof(text), "%.12g%s%.100s", first + i * step,
				      *unit ? " " : "", unit);
		int ret = add(list, text, (size_t)length, err);

		if (ret)
			return ret;
	}
	return 0;
}

/* Adds the values of a range; *@is_range becomes false when @text is no range. */
static int add_range(struct hd_list *list, const char *text, bool *is_range, struct hd_error *err)
{
	const char *dots = strstr(text, ".."), *colon = strchr(text, ':'), *second;
	double first, last, step = 1;
	char *end;

	*is_range = false;
	if (!isdigit((unsigned char)*text) && *text != '.')
		return 0;
	/* "1..5": strtod() must not take the first dot for a decimal point */
	if (dots) {
		if (strspn(text, "0123456789") != (size_t)(dots - text))
			return 0;
		first = strtod(text, NULL);
		last = strtod(dots + 2, &end);
		if (end == dots + 2)
			return 0;
	} else {
		if (!colon)
			return 0;
		first = strtod(text, &end);
		last = strtod(colon + 1, &end);
		second = end;
		if (*second != ':')
			return hd_error_set(err, HD_EINVAL, "'%s' is no range first:last:step",
					    text);
		step = strtod(second + 1, &end);
		if (end == second + 1)
			return hd_error_set(err, HD_EINVAL, "'%s' is no range first:last:step",
					    text);
	}
	*is_range = true;
	while (is_blank(*end))
		end++;
	return add_steps(list, first, last, step, end, err);
}

/* Gives numbers without a unit the unit of the last one. */
static int spread_unit(struct hd_list *list, struct hd_error *err)
{
	const char *unit = list->n > 1 ? after_number(list->items[list->n - 1]) : NULL;

	if (!unit || !*unit)
		return 0;
	for (size_t i = 0; i + 1 < list->n; i++) {
		const char *own = after_number(list->items[i]);
		size_t size;
		char *whole;

		if (!own || *own)
			continue;
		size = strlen(list->items[i]) + strlen(unit) + 2;
		whole = malloc(size);
		if (!whole)
			return hd_error_nomem(err);
		snprintf(whole, size, "%s %s", list->items[i], unit);
		free(list->items[i]);
		list->items[i] = whole;
	}
	return 0;
}

/* Whether @text goes on with another option of a policy or an engine, "key=value". */
static bool is_option(const char *text)
{
	return text[strcspn(text, "=,: \t")] == '=';
}

/* The comma that ends an item of @text, or its end. */
static const char *item_end(const struct hd_scenario_key *key, const char *text)
{
	const bool is_text = key->kind == HD_VALUE_TEXT;
	const bool has_options = key->kind == HD_VALUE_POLICY || key->kind == HD_VALUE_NAME;

	for (; *text; text++) {
		if (*text != ',' || (has_options && is_option(text + 1)))
			continue;
		if (!is_text || is_blank(text[1]) || !text[1])
			break;
	}
	return text;
}

static int add_item(const struct hd_scenario_key *key, struct hd_list *list, const char *begin,
		    const char *end, struct hd_error *err)
{
	bool is_range = false;
	char *item;
	int ret = 0;

	while (begin < end && is_blank(*begin))
		begin++;
	while (end > begin && is_blank(end[-1]))
		end--;
	if (begin == end)
		return hd_error_set(err, HD_EINVAL, "an empty value in a list");
	item = strndup(begin, (size_t)(end - begin));
	if (!item)
		return hd_error_nomem(err);
	if (key->kind >= HD_VALUE_COUNT)
		ret = add_range(list, item, &is_range, err);
	if (!ret && !is_range)
		ret = add(list, item, strlen(item), err);
	free(item);
	return ret;
}

static int parse(const struct hd_scenario_key *key, const char *text, struct hd_list *list,
		 struct hd_error *err)
{
	int ret;

	if (key->single || !text[strspn(text, " \t")])
		return add(list, text, strlen(text), err);
	for (;;) {
		const char *end = item_end(key, text);

		ret = add_item(key, list, text, end, err);
		if (ret || !*end)
			break;
		text = end + 1;
	}
	if (!ret && key->kind >= HD_VALUE_COUNT)
		ret = spread_unit(list, err);
	return ret;
}

int hd_list_parse(const struct hd_scenario_key *key, const char *text, struct hd_list *list,
		  struct hd_error *err)
{
	int ret;

	*list = (struct hd_list){ 0 };
	for (const char *c = text; *c; c++)
		if (((unsigned char)*c < 0x20 && *c != '\t') || *c == 0x7F)
			return hd_error_set(err, HD_EINVAL, "a control character");
	ret = parse(key, text, list, err);
	if (ret)
		hd_list_clear(list);
	return ret;
}
