// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Scenario files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/scenario.h"
#include "support/error.h"
#include "support/ini.h"
#include "support/text.h"

/* A file that is read; sections [traffic NAME] and [job NAME] become traffic.classes. */
struct reader {
	struct hd_scenario *scenario;
	FILE *classes; /* writes that value; NULL: there is no such section yet */
	char *text;
	size_t size;
	unsigned line; /* of the first such section */
};

/* The name of [@kind NAME]; NULL: another section. */
static const char *name_after(const char *kind, const char *section)
{
	const size_t length = strlen(kind);

	if (strncmp(section, kind, length) != 0 ||
	    (section[length] != ' ' && section[length] != '\t'))
		return NULL;
	return section + length + strspn(section + length, " \t");
}

static const char *class_name(const char *section)
{
	const char *name = name_after("traffic", section);

	return name ? name : name_after("job", section);
}

static bool has_blank(const char *text)
{
	return text[strcspn(text, " \t")] != '\0';
}

/* The beginning of the section of class or job @name, or a key of it. */
static int take_class(struct reader *reader, const struct hd_ini_item *item, const char *name,
		      struct hd_error *err)
{
	if (!reader->classes) {
		reader->classes = open_memstream(&reader->text, &reader->size);
		reader->line = item->line;
		if (!reader->classes)
			return hd_error_nomem(err);
	}
	if (!item->key) {
		if (has_blank(name))
			return hd_error_at(err, HD_EPARSE, item->file, item->line,
					   "'[%s]': the name of a class has no blanks",
					   item->section);
		fprintf(reader->classes, "%s%s", ftell(reader->classes) > 0 ? " then " : "", name);
		return 0;
	}
	if (has_blank(item->value) || !*item->value)
		return hd_error_at(err, HD_EPARSE, item->file, item->line,
				   "%s: a class of traffic has one value, without blanks",
				   item->key);
	fprintf(reader->classes, " %s=%s", item->key, item->value);
	return 0;
}

/* Sets @key, which stands in @line. */
static int set_key(struct hd_scenario *scenario, const char *file, unsigned line, enum hd_key key,
		   const char *value, struct hd_error *err)
{
	struct hd_values *values = &scenario->keys[key];
	struct hd_error cause;
	int ret;

	if (values->is_set)
		return hd_error_at(err, HD_EPARSE, file, line, "a key that was set before");
	ret = hd_list_parse(&hd_scenario_keys[key], value, &values->list, &cause);
	values->is_set = true;
	values->line = line;
	if (ret)
		return hd_error_at(err, ret == HD_ENOMEM ? ret : HD_EPARSE, file, line, "%s: %s",
				   hd_scenario_keys[key].name, cause.text);
	return 0;
}

static int take(void *user, const struct hd_ini_item *item, struct hd_error *err)
{
	struct reader *reader = user;
	const char *name = class_name(item->section);
	char full[160];
	unsigned key = HD_N_KEYS;

	if (name)
		return take_class(reader, item, name, err);
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
	return set_key(reader->scenario, item->file, item->line, key, item->value, err);
}

int hd_scenario_read_text(struct hd_scenario *scenario, const char *name, const char *text,
			  size_t size, struct hd_error *err)
{
	struct reader reader = { .scenario = scenario };
	int ret;

	free(scenario->file);
	scenario->file = strdup(name);
	if (!scenario->file)
		return hd_error_nomem(err);
	ret = hd_ini_parse(scenario->file, text, size, take, &reader, err);
	if (!reader.classes)
		return ret;
	if (fclose(reader.classes) && !ret)
		ret = hd_error_nomem(err);
	if (!ret)
		ret = set_key(scenario, scenario->file, reader.line, HD_TRAFFIC_CLASSES,
			      reader.text, err);
	free(reader.text);
	return ret;
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
