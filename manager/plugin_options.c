// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/plugin_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sl2vl/lanes.h"
#include "support/error.h"
#include "support/text.h"
#include "vlarb/vlarb.h"

#define MAX_THREADS 1024

/* The longest pause between rounds, and the default, in milliseconds. */
#define MAX_PAUSE_MS     60000
#define DEFAULT_PAUSE_MS 10

/* OpenSM shares its node with other programs: one thread unless the site wants more. */
#define DEFAULT_THREADS 1

/* The keys that every engine has, as a table for hd_params_bool(). */
static const struct hd_option common_options[] = {
	{ .key = "check", .default_value = "on", .unit = "", .help = "" },
	{ 0 },
};

static int set_text(char **field, const struct hd_engine *engine, const char *key,
		    const char *value, struct hd_error *err)
{
	if (*field)
		return hd_error_set(err, HD_EINVAL, "%s is given twice for engine %s", key,
				    engine->policy.name);
	*field = strdup(value);
	return *field ? 0 : hd_error_nomem(err);
}

static int set_check(struct hd_engine_settings *settings, const struct hd_engine *engine,
		     const char *value, struct hd_error *err)
{
	struct hd_params *params = hd_params_new(common_options);
	bool check = true;
	int ret;

	if (!params)
		return hd_error_nomem(err);
	ret = hd_params_set(params, "the plug-in", "check", value, err);
	if (!ret)
		ret = hd_params_bool(params, "check", &check, err);
	hd_params_free(params);
	if (!ret && settings->check_given)
		ret = hd_error_set(err, HD_EINVAL, "check is given twice for engine %s",
				   engine->policy.name);
	settings->check_given = true;
	settings->unchecked = !check;
	return ret;
}

static int set_max_vls(struct hd_engine_settings *settings, const struct hd_engine *engine,
		       const char *value, struct hd_error *err)
{
	uint64_t number;
	int ret = hd_parse_number(value, "max_vls", 1, HD_MAX_VLS, &number, err);

	if (ret)
		return ret;
	if (settings->max_vls)
		return hd_error_set(err, HD_EINVAL, "max_vls is given twice for engine %s",
				    engine->policy.name);
	settings->max_vls = (unsigned)number;
	return 0;
}

static bool has_layers(const struct hd_engine *engine, const char *name)
{
	for (const char *const *rule = engine->layer_rules; *rule; rule++)
		if (!strcmp(*rule, name))
			return true;
	return false;
}

static bool has_option(const struct hd_engine *engine, const char *key)
{
	for (const struct hd_option *option = engine->policy.options; option && option->key;
	     option++)
		if (!strcmp(option->key, key))
			return true;
	return false;
}

/* Sets @key where @engine knows it; @known then becomes true. */
static int set_engine(struct hd_engine_settings *settings, const struct hd_engine *engine,
		      const char *key, const char *value, bool *known, struct hd_error *err)
{
	enum hd_vlarb_policy vlarb;
	struct hd_queues queues;
	int ret;

	*known = true;
	if (!strcmp(key, "check"))
		return set_check(settings, engine, value, err);
	if (!strcmp(key, "max_vls"))
		return set_max_vls(settings, engine, value, err);
	if (!strcmp(key, "queues")) {
		ret = hd_queues_parse(value, &queues, err);
		return ret ? ret : set_text(&settings->queues, engine, key, value, err);
	}
	if (!strcmp(key, "vlarb")) {
		ret = hd_vlarb_parse(value, &vlarb, err);
		return ret ? ret : set_text(&settings->vlarb, engine, key, value, err);
	}
	if (!strcmp(key, "layers") && has_layers(engine, value))
		return set_text(&settings->layers, engine, key, value, err);
	if (has_option(engine, key))
		return hd_params_set(settings->params, engine->policy.name, key, value, err);
	*known = false;
	return 0;
}

/* "KEY=VALUE" or "ENGINE.KEY=VALUE" taken apart. */
struct word {
	const char *engine; /* NULL: for all */
	const char *key, *value;
};

static int unknown_word(const struct word *word, struct hd_error *err)
{
	const char *what = strcmp(word->key, "layers") ? "option" : "layer rule";
	const char *name = strcmp(word->key, "layers") ? word->key : word->value;

	if (word->engine && !hd_engine_find(word->engine))
		return hd_error_set(err, HD_EINVAL, "'%s.%s': there is no engine '%s'",
				    word->engine, word->key, word->engine);
	if (word->engine)
		return hd_error_set(err, HD_EINVAL, "engine %s has no %s '%s'", word->engine, what,
				    name);
	return hd_error_set(err, HD_EINVAL, "no engine has %s %s '%s'", *what == 'o' ? "an" : "a",
			    what, name);
}

/* Cuts @text into pieces; false when it does not have this form. */
static bool split_word(char *text, struct word *word)
{
	char *equals = strchr(text, '='), *dot;

	if (!equals || equals == text || !equals[1])
		return false;
	*equals = '\0';
	*word = (struct word){ .key = text, .value = equals + 1 };
	dot = strchr(text, '.');
	if (dot) {
		*dot = '\0';
		word->engine = text;
		word->key = dot + 1;
	}
	return true;
}

/* A value that is the name of one of several ways. */
struct way {
	const char *key;
	const char *values; /* as a user should read them */
	const char *const *names;
};

static int set_way(const struct way *way, const char *value, bool *given, unsigned *number,
		   struct hd_error *err)
{
	unsigned i = 0;

	while (way->names[i] && strcmp(value, way->names[i]) != 0)
		i++;
	if (!way->names[i])
		return hd_error_set(err, HD_EINVAL, "%s is %s, not '%s'", way->key, way->values,
				    value);
	if (*given)
		return hd_error_set(err, HD_EINVAL, "%s is given twice", way->key);
	*given = true;
	*number = i;
	return 0;
}

static int set_transition(struct hd_plugin_options *options, const char *value,
			  struct hd_error *err)
{
	static const char *const names[] = { "rounds", "drop", "off", NULL };
	static const struct way way = { "transition", "rounds, drop or off", names };
	unsigned number;
	int ret = set_way(&way, value, &options->transition_given, &number, err);

	if (!ret)
		options->transition = (enum hd_transition_mode)number;
	return ret;
}

static int set_pause(struct hd_plugin_options *options, const char *value, struct hd_error *err)
{
	uint64_t number;
	int ret = hd_parse_number(value, "pause", 0, MAX_PAUSE_MS, &number, err);

	if (!ret && options->pause_given)
		ret = hd_error_set(err, HD_EINVAL, "pause is given twice");
	if (!ret)
		options->pause_ms = (unsigned)number;
	options->pause_given = true;
	return ret;
}

static int set_reroute(struct hd_plugin_options *options, const char *value, struct hd_error *err)
{
	static const char *const names[] = { "keep", "fresh", NULL };
	static const struct way way = { "reroute", "keep or fresh", names };
	unsigned number;
	int ret = set_way(&way, value, &options->reroute_given, &number, err);

	if (!ret)
		options->reroute_fresh = number;
	return ret;
}

static int set_strict(struct hd_plugin_options *options, const char *value, struct hd_error *err)
{
	static const char *const names[] = { "on", "off", NULL };
	static const struct way way = { "strict", "on or off", names };
	unsigned number;
	int ret = set_way(&way, value, &options->strict_given, &number, err);

	if (!ret)
		options->is_lenient = number;
	return ret;
}

bool hd_plugin_options_are_strict(const struct hd_plugin_options *options)
{
	return !options->is_lenient;
}

static int set_threads(struct hd_plugin_options *options, const char *value, struct hd_error *err)
{
	uint64_t number;
	int ret = hd_parse_number(value, "threads", 0, MAX_THREADS, &number, err);

	if (!ret && options->threads_given)
		ret = hd_error_set(err, HD_EINVAL, "threads is given twice");
	if (!ret)
		options->threads = (unsigned)number;
	options->threads_given = true;
	return ret;
}

static int set_file(char **path, const char *key, const char *value, struct hd_error *err)
{
	if (*path)
		return hd_error_set(err, HD_EINVAL, "%s is given twice", key);
	*path = strdup(value);
	return *path ? 0 : hd_error_nomem(err);
}

static int set_classes(struct hd_plugin_options *options, const char *value, struct hd_error *err)
{
	return set_file(&options->classes, "classes", value, err);
}

static int set_status(struct hd_plugin_options *options, const char *value, struct hd_error *err)
{
	return set_file(&options->status, "status", value, err);
}

/* The keys that are no engine's. */
static const struct {
	const char *key;
	int (*set)(struct hd_plugin_options *options, const char *value, struct hd_error *err);
} common_keys[] = {
	{ "threads", set_threads }, { "transition", set_transition }, { "pause", set_pause },
	{ "reroute", set_reroute }, { "strict", set_strict },         { "classes", set_classes },
	{ "status", set_status },
};

/* Sets a key of every engine that it is for. */
static int set_engines(struct hd_plugin_options *options, const struct word *word, bool *known,
		       struct hd_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < options->n_engines; i++) {
		struct hd_error other;
		bool knows;
		int one;

		if (word->engine && strcmp(word->engine, hd_engine_at(i)->policy.name) != 0)
			continue;
		one = set_engine(&options->engines[i], hd_engine_at(i), word->key, word->value,
				 &knows, ret ? &other : err);
		*known |= knows;
		ret = ret ? ret : one;
	}
	return ret;
}

static int set_word(struct hd_plugin_options *options, const struct word *word, bool *known,
		    struct hd_error *err)
{
	for (size_t i = 0; !word->engine && i < sizeof(common_keys) / sizeof(common_keys[0]); i++)
		if (!strcmp(word->key, common_keys[i].key)) {
			*known = true;
			return common_keys[i].set(options, word->value, err);
		}
	*known = false;
	return set_engines(options, word, known, err);
}

/* Whether @text, a word as it stands, says something of lanes or shares. */
static bool is_about_lanes(const char *text)
{
	static const char *const keys[] = { "classes", "queues", "layers", "vlarb", "max_vls" };
	const size_t length = strcspn(text, "=");
	const char *dot = memchr(text, '.', length);
	const char *key = dot ? dot + 1 : text;
	const size_t n = length - (size_t)(key - text);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (n == strlen(keys[i]) && !strncmp(key, keys[i], n))
			return true;
	return false;
}

/* Takes one word. @strict: HD_EINVAL for a word that no engine knows. */
static int take_word(char *text, bool strict, struct hd_plugin_options *options,
		     struct hd_error *err)
{
	const bool is_lanes = is_about_lanes(text);
	char whole[128];
	struct word word;
	bool known;
	int ret;

	snprintf(whole, sizeof(whole), "%s", text);
	if (split_word(text, &word)) {
		ret = set_word(options, &word, &known, err);
		if (!ret && !known && (strict || is_lanes))
			ret = unknown_word(&word, err);
	} else {
		ret = strict || is_lanes
			      ? hd_error_set(err, HD_EINVAL, "'%s' is not key=value", whole)
			      : 0;
	}
	if (ret == HD_EINVAL || ret == HD_ERANGE)
		if (is_lanes && !options->misread[0])
			snprintf(options->misread, sizeof(options->misread), "%.255s", err->text);
	return ret;
}

static int parse_words(char *text, bool strict, struct hd_plugin_options *options,
		       hd_options_complain_fn complain, void *context, struct hd_error *err)
{
	char *part;

	while ((part = strsep(&text, " \t\r\n")) != NULL) {
		int ret = *part ? take_word(part, strict, options, err) : 0;

		if (ret == HD_ENOMEM)
			return ret;
		if (ret)
			complain(context, err->text);
	}
	return 0;
}

int hd_plugin_options_parse(const char *text, bool strict, struct hd_plugin_options *options,
			    hd_options_complain_fn complain, void *context, struct hd_error *err)
{
	char *copy = strdup(text ? text : "");
	int ret = 0;

	*options = (struct hd_plugin_options){ .threads = DEFAULT_THREADS,
					       .pause_ms = DEFAULT_PAUSE_MS };
	while (hd_engine_at(options->n_engines))
		options->n_engines++;
	options->engines = calloc(options->n_engines + 1, sizeof(*options->engines));
	if (!copy || !options->engines) {
		options->n_engines = options->engines ? options->n_engines : 0;
		ret = hd_error_nomem(err);
	}
	for (size_t i = 0; i < options->n_engines && !ret; i++) {
		if (!hd_engine_at(i)->policy.options)
			continue;
		options->engines[i].params = hd_params_new(hd_engine_at(i)->policy.options);
		if (!options->engines[i].params)
			ret = hd_error_nomem(err);
	}
	if (!ret)
		ret = parse_words(copy, strict, options, complain, context, err);
	free(copy);
	return ret;
}

bool hd_engine_is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	while (list && *list) {
		const size_t n = strcspn(list, ", \t\n");

		if (n == length && strncmp(list, name, n) == 0)
			return true;
		list += n + (list[n] != '\0');
	}
	return false;
}

void hd_plugin_options_clear(struct hd_plugin_options *options)
{
	for (size_t i = 0; i < options->n_engines; i++) {
		free(options->engines[i].layers);
		free(options->engines[i].queues);
		free(options->engines[i].vlarb);
		hd_params_free(options->engines[i].params);
	}
	free(options->engines);
	free(options->classes);
	free(options->status);
	*options = (struct hd_plugin_options){ 0 };
}

bool hd_plugin_is_alone(const char *names)
{
	return !names || !names[strcspn(names, " \t")];
}
