// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Scenario files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/scenario/scenario.h"
#include "support/error.h"
#include "support/ini.h"
#include "support/text.h"

static int take(void *user, const struct hd_ini_item *item, struct hd_error *err)
{
	struct hd_scenario *scenario = user;
	char full[160];
	unsigned key = HD_N_KEYS;
	struct hd_values *values;
	struct hd_error cause;
	int ret;

	if (!item->key)
		return 0;
	snprintf(full, sizeof(full), "%s.%s", item->section, item->key);
	for (unsigned i = 0; i < HD_N_KEYS; i++)
		if (strcmp(hd_scenario_keys[i].name, full) == 0)
			key = i;
	if (key == HD_N_KEYS)
		return hd_error_at(
			err, HD_EPARSE, item->file, item->line,
			"scenarios have no key '%s' in section '%s' (see heddle list scenario)",
			item->key, item->section);
	values = &scenario->keys[key];
	if (values->is_set)
		return hd_error_at(err, HD_EPARSE, item->file, item->line,
				   "a key that was set before");
	ret = hd_list_parse(&hd_scenario_keys[key], item->value, &values->list, &cause);
	values->is_set = true;
	values->line = item->line;
	if (ret)
		return hd_error_at(err, ret == HD_ENOMEM ? ret : HD_EPARSE, item->file, item->line,
				   "%s: %s", full, cause.text);
	return 0;
}

int hd_scenario_read_text(struct hd_scenario *scenario, const char *name, const char *text,
			  size_t size, struct hd_error *err)
{
	free(scenario->file);
	scenario->file = strdup(name);
	if (!scenario->file)
		return hd_error_nomem(err);
	return hd_ini_parse(scenario->file, text, size, take, scenario, err);
}

int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read(path, &text, err);

	if (ret)
		return ret;
	ret = hd_scenario_read_text(scenario, path, text.data, text.size, err);
	hd_text_free(&text);
	return ret;
}
