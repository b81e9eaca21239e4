// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define MOST_RUNS 10000000

struct hd_scenario *hd_scenario_new(void)
{
	return calloc(1, sizeof(struct hd_scenario));
}

void hd_scenario_free(struct hd_scenario *scenario)
{
	if (!scenario)
		return;
	for (unsigned i = 0; i < HD_N_KEYS; i++) {
		hd_list_clear(&scenario->keys[i].list);
		free(scenario->keys[i].quantities);
	}
	free(scenario->file);
	free(scenario);
}

int hd_scenario_blame(const struct hd_scenario *scenario, enum hd_key key, struct hd_error *err)
{
	const struct hd_values *values = &scenario->keys[key];
	const char *name = hd_scenario_keys[key].name;
	struct hd_error cause;

	if (!err)
		return HD_EINVAL;
	cause = *err;
	if (cause.code == HD_ENOMEM || cause.file[0])
		return cause.code;
	if (values->line && !values->is_override)
		return hd_error_at(err, cause.code, scenario->file, values->line, "%s: %s", name,
				   cause.text);
	return hd_error_set(err, cause.code, "%s: %s", name, cause.text);
}

int hd_scenario_set(struct hd_scenario *scenario, enum hd_key key, const char *value,
		    struct hd_error *err)
{
	struct hd_values *values = &scenario->keys[key];
	struct hd_list list;
	int ret = hd_list_parse(&hd_scenario_keys[key], value, &list, err);

	values->is_override = true;
	if (ret)
		return hd_scenario_blame(scenario, key, err);
	hd_list_clear(&values->list);
	values->list = list;
	values->is_set = true;
	return 0;
}

int hd_scenario_set_pair(struct hd_scenario *scenario, const char *pair, struct hd_error *err)
{
	const char *equals = strchr(pair, '='), *value;
	size_t length = equals ? (size_t)(equals - pair) : 0;
	enum hd_key key;
	char *name;

	if (!length)
		return hd_error_set(err, HD_EINVAL, "'%s' is not section.key=value", pair);
	while (length && (pair[length - 1] == ' ' || pair[length - 1] == '\t'))
		length--;
	name = strndup(pair, length);
	if (!name)
		return hd_error_nomem(err);
	key = hd_scenario_key_find(name);
	free(name);
	if (key == HD_N_KEYS)
		return hd_error_set(err, HD_EINVAL,
				    "scenarios have no key '%.*s' (see heddle list scenario)",
				    (int)length, pair);
	value = equals + 1;
	value += strspn(value, " \t");
	return hd_scenario_set(scenario, key, value, err);
}

static int set_default(struct hd_scenario *scenario, unsigned key, struct hd_error *err)
{
	const struct hd_scenario_key *k = &hd_scenario_keys[key];

	if (scenario->keys[key].is_set)
		return 0;
	return hd_list_parse(k, hd_scenario_option(k, scenario->clock)->default_value,
			     &scenario->keys[key].list, err);
}

static int read_values(struct hd_scenario *scenario, unsigned key, struct hd_error *err)
{
	struct hd_values *values = &scenario->keys[key];
	int ret = 0;

	values->quantities = calloc(values->list.n, sizeof(*values->quantities));
	if (!values->quantities)
		return hd_error_nomem(err);
	for (size_t i = 0; !ret && i < values->list.n; i++)
		ret = hd_quantity_parse(&hd_scenario_keys[key], scenario->clock,
					values->list.items[i], &values->quantities[i], err);
	return ret ? hd_scenario_blame(scenario, key, err) : 0;
}

/* Where tables are given, no key says which: those that would are the first ones. */
static int check_given(const struct hd_scenario *scenario, struct hd_error *err)
{
	for (unsigned key = 0; scenario->given && key <= HD_ROUTING_CLASSES; key++)
		if (scenario->keys[key].is_set) {
			hd_error_set(err, HD_EINVAL, "fabric and tables are given");
			return hd_scenario_blame(scenario, key, err);
		}
	return 0;
}

int hd_scenario_finish(struct hd_scenario *scenario, struct hd_error *err)
{
	int ret = check_given(scenario, err);

	if (!ret)
		ret = set_default(scenario, HD_RUN_CLOCK, err);
	/* defaults and units depend on the clock */
	if (!ret)
		ret = read_values(scenario, HD_RUN_CLOCK, err);
	if (ret)
		return ret;
	scenario->clock = (enum hd_clock)scenario->keys[HD_RUN_CLOCK].quantities[0].whole;
	scenario->n_points = 1;
	for (unsigned key = 0; key < HD_N_KEYS; key++) {
		if (key == HD_RUN_CLOCK)
			continue;
		ret = set_default(scenario, key, err);
		if (!ret)
			ret = read_values(scenario, key, err);
		if (ret)
			return ret;
		if (key >= HD_N_PARAMETERS)
			continue;
		if (scenario->keys[key].list.n > MOST_RUNS / scenario->n_points)
			return hd_error_set(err, HD_ERANGE, "more than %d points", MOST_RUNS);
		scenario->n_points *= scenario->keys[key].list.n;
	}
	if (scenario->keys[HD_RUN_SEEDS].list.n > MOST_RUNS / scenario->n_points)
		return hd_error_set(err, HD_ERANGE, "more than %d runs", MOST_RUNS);
	scenario->n_runs = scenario->n_points * scenario->keys[HD_RUN_SEEDS].list.n;
	return 0;
}

bool hd_scenario_is_swept(const struct hd_scenario *scenario, enum hd_key key)
{
	return key < HD_N_PARAMETERS && scenario->keys[key].list.n > 1;
}

size_t hd_scenario_index(const struct hd_scenario *scenario, size_t point, enum hd_key key)
{
	for (unsigned k = HD_N_PARAMETERS; k-- > (unsigned)key + 1;)
		point /= scenario->keys[k].list.n;
	return point % scenario->keys[key].list.n;
}

const char *hd_scenario_value(const struct hd_scenario *scenario, size_t point, enum hd_key key)
{
	return scenario->keys[key].list.items[hd_scenario_index(scenario, point, key)];
}

const struct hd_quantity *hd_scenario_quantity(const struct hd_scenario *scenario, size_t point,
					       enum hd_key key)
{
	return &scenario->keys[key].quantities[hd_scenario_index(scenario, point, key)];
}
