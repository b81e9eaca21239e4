// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/traffic_classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/scenario/setup.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"
#include "tables/snapshot_files.h"

/* How far from 1 the sum of shares may be: thirds are 33.3%. */
#define ROUNDING 0.0015

static bool is_name(const char *text)
{
	return *text && strlen(text) < HD_CLASS_NAME &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				 "-_.")] == '\0';
}

static int begin_class(const char *name, struct hd_traffic_class *classes, unsigned *n,
		       struct hd_error *err)
{
	if (!is_name(name))
		return hd_error_set(err, HD_EINVAL,
				    "'%s': the name of a class has 1 to %d letters, digits, '-', "
				    "'_' and '.'",
				    name, HD_CLASS_NAME - 1);
	if (strcmp(name, "all") == 0)
		return hd_error_set(err, HD_EINVAL, "'all' is all classes together");
	for (unsigned c = 0; c < *n; c++)
		if (strcmp(classes[c].name, name) == 0)
			return hd_error_set(err, HD_EINVAL, "class %s once more", name);
	if (*n == HD_TRAFFIC_CLASSES_MAX)
		return hd_error_set(err, HD_EINVAL, "more than %d classes", HD_TRAFFIC_CLASSES_MAX);
	classes[(*n)++] = (struct hd_traffic_class){ .name = name, .share = NAN };
	return 0;
}

/* "10%", "0.1" or "1/3". */
static bool scan_share(const char *text, double *share)
{
	char *end;

	*share = strtod(text, &end);
	if (end != text && *end == '%') {
		*share /= 100;
		end++;
	} else if (end != text && *end == '/') {
		const char *of = end + 1;

		*share /= strtod(of, &end);
		if (end == of)
			return false;
	}
	return end != text && !*end && *share > 0 && *share <= 1;
}

static int parse_pair(char *word, enum hd_clock clock, struct hd_traffic_class *class,
		      struct hd_error *err)
{
	struct hd_scenario_key like = { 0 };
	char *value = strchr(word, '=');
	struct hd_quantity quantity;
	struct hd_error cause;
	int ret = 0;

	if (!value)
		return hd_error_set(err, HD_EINVAL, "class %s: '%s' is not KEY=VALUE", class->name,
				    word);
	*value++ = '\0';
	if (strcmp(word, "share") == 0) {
		if (!scan_share(value, &class->share))
			return hd_error_set(err, HD_EINVAL,
					    "class %s: '%s' is no part of the load: 10%%, 0.1 or "
					    "1/10",
					    class->name, value);
	} else if (strcmp(word, "load") == 0) {
		like = hd_scenario_keys[HD_TRAFFIC_LOAD];
		ret = hd_quantity_parse(&like, clock, value, &quantity, &cause);
		class->has_load = true;
		class->load = ret ? 0 : quantity.real;
	} else if (strcmp(word, "packet") == 0) {
		like = hd_scenario_keys[HD_TRAFFIC_PACKET];
		ret = hd_quantity_parse(&like, clock, value, &quantity, &cause);
		class->size = ret ? 0 : (uint32_t)quantity.whole;
		if (!ret && !class->size)
			return hd_error_set(err, HD_EINVAL, "class %s: packets of no length",
					    class->name);
	} else if (strcmp(word, "pattern") == 0) {
		class->pattern = value;
	} else if (strcmp(word, "arrival") == 0) {
		class->arrival = value;
	} else if (strcmp(word, "class") == 0) {
		class->service = value;
	} else if (strcmp(word, "hosts") == 0) {
		class->hosts = value;
	} else if (strcmp(word, "place") == 0) {
		class->place = value;
	} else if (strcmp(word, "start") == 0) {
		class->start = value;
	} else if (strcmp(word, "ratio") == 0) {
		class->ratio = value;
	} else {
		return hd_error_set(err, HD_EINVAL,
				    "class %s: '%s' is none of share, load, pattern, packet, "
				    "arrival, class, hosts, place, start, ratio",
				    class->name, word);
	}
	return ret ? hd_error_set(err, ret, "class %s: %s: %s", class->name, word, cause.text) : 0;
}

/* Gives shares to the classes that lack one. */
static int share_load(struct hd_traffic_class *classes, unsigned n, struct hd_error *err)
{
	unsigned n_open = 0, n_shares = 0;
	double sum = 0;

	for (unsigned c = 0; c < n; c++) {
		if (classes[c].has_load && !isnan(classes[c].share))
			return hd_error_set(err, HD_EINVAL,
					    "class %s has a share of the load, and a load",
					    classes[c].name);
		n_shares += !classes[c].has_load;
		if (classes[c].has_load)
			classes[c].share = 0;
		else if (isnan(classes[c].share))
			n_open++;
		else
			sum += classes[c].share;
	}
	if (n_shares && (n_open ? sum >= 1 : fabs(sum - 1) > ROUNDING))
		return hd_error_set(err, HD_EINVAL, "the shares of %u classes sum to %g%%%s",
				    n_shares - n_open, 100 * sum,
				    n_open ? ", which leaves nothing to others" : ", not to 100%");
	for (unsigned c = 0; c < n; c++)
		if (isnan(classes[c].share))
			classes[c].share = (1 - sum) / n_open;
	return 0;
}

int hd_traffic_classes_parse(char *text, enum hd_clock clock, struct hd_traffic_class *classes,
			     unsigned *n, struct hd_error *err)
{
	char *save = NULL;
	bool is_name_next = true;
	int ret = 0;

	*n = 0;
	for (char *word = strtok_r(text, " \t", &save); !ret && word;
	     word = strtok_r(NULL, " \t", &save)) {
		if (is_name_next) {
			ret = begin_class(word, classes, n, err);
			is_name_next = false;
		} else if (strcmp(word, "then") == 0) {
			is_name_next = true;
		} else {
			ret = parse_pair(word, clock, &classes[*n - 1], err);
		}
	}
	if (!ret && is_name_next)
		ret = hd_error_set(err, HD_EINVAL, "the name of a class is missing");
	return ret ? ret : share_load(classes, *n, err);
}

/* The text for @classes. */
static int write_text(const struct hd_classes *classes, enum hd_clock clock, char **text,
		      struct hd_error *err)
{
	const bool in_time = clock == HD_CLOCK_TIME;
	size_t size;
	FILE *stream = open_memstream(text, &size);

	if (!stream)
		return hd_error_nomem(err);
	for (unsigned c = 0; c < classes->n; c++)
		fprintf(stream, "%s%s share=%u/%u packet=%u%s class=%s", c ? " then " : "",
			classes->list[c].name, classes->list[c].share, classes->list[c].of,
			classes->list[c].packet * (in_time ? HD_UNIT_BYTES : 1u),
			in_time ? "B" : "", classes->list[c].name);
	return fclose(stream) ? hd_error_nomem(err) : 0;
}

/* The text for the classes of class file @path. */
static int read_file(const char *path, enum hd_clock clock, char **text, struct hd_error *err)
{
	struct hd_classes classes;
	int ret = hd_classes_read(path, &classes, err);

	return ret ? ret : write_text(&classes, clock, text, err);
}

/* The class file that traffic is as, where nothing else is said: @key gives it. NULL: none. */
static int find_file(const struct hd_scenario *scenario, size_t point, char **path,
		     enum hd_key *key, struct hd_error *err)
{
	const char *file = hd_scenario_value(scenario, point, HD_ROUTING_CLASSES);
	const char *snapshot = hd_scenario_value(scenario, point, HD_ROUTING_SNAPSHOT);

	*path = NULL;
	*key = *file ? HD_ROUTING_CLASSES : HD_ROUTING_SNAPSHOT;
	if (!*file && !*snapshot)
		return 0;
	*path = *file ? strdup(file) : hd_snapshot_find(snapshot, hd_dump_classes.file);
	if (!*path)
		return hd_error_nomem(err);
	if (!*file && access(*path, F_OK) != 0) {
		free(*path);
		*path = NULL;
	}
	return 0;
}

/* Sets @text, which is of @key; NULL: there are no classes. */
static int find_text(const struct hd_scenario *scenario, size_t point, char **text,
		     enum hd_key *key, struct hd_error *err)
{
	const char *given = hd_scenario_value(scenario, point, HD_TRAFFIC_CLASSES);
	char *path;
	int ret;

	*text = NULL;
	*key = HD_TRAFFIC_CLASSES;
	if (strcmp(given, "none") == 0)
		return 0;
	if (*given) {
		*text = strdup(given);
		return *text ? 0 : hd_error_nomem(err);
	}
	if (scenario->given)
		return scenario->given->tables->classes
			       ? write_text(scenario->given->tables->classes, scenario->clock, text,
					    err)
			       : 0;
	ret = find_file(scenario, point, &path, key, err);
	if (!ret && path)
		ret = read_file(path, scenario->clock, text, err);
	free(path);
	return ret;
}

int hd_traffic_classes_make(const struct hd_scenario *scenario, size_t point,
			    struct hd_setup *setup, struct hd_error *err)
{
	enum hd_key key;
	int ret = find_text(scenario, point, &setup->class_text, &key, err);

	if (ret)
		return hd_scenario_blame(scenario, key, err);
	if (!setup->class_text)
		return 0;
	setup->classes = calloc(HD_TRAFFIC_CLASSES_MAX, sizeof(*setup->classes));
	if (!setup->classes)
		return hd_error_nomem(err);
	ret = hd_traffic_classes_parse(setup->class_text, scenario->clock, setup->classes,
				       &setup->n_classes, err);
	for (size_t i = 0; !ret && setup->n_classes > 1 && i < setup->n_phases; i++)
		if (setup->phases[i].deliveries)
			ret = hd_error_set(err, HD_EINVAL,
					   "phases with until=delivered do not go with several "
					   "classes");
	return ret ? hd_scenario_blame(scenario, key, err) : 0;
}

void hd_traffic_class_phases(const struct hd_setup *setup, unsigned class,
			     struct hd_traffic_phase *phases)
{
	const struct hd_traffic_class *own = &setup->classes[class];

	for (size_t i = 0; i < setup->n_phases; i++) {
		phases[i] = setup->phases[i];
		phases[i].load = own->has_load ? own->load : own->share * phases[i].load;
		if (own->pattern)
			phases[i].pattern = own->pattern;
		if (own->arrival)
			phases[i].arrival = own->arrival;
		if (own->size)
			phases[i].size = own->size;
	}
}

void hd_traffic_sizes(const struct hd_setup *setup, uint32_t *shortest, uint32_t *longest)
{
	*shortest = UINT32_MAX;
	*longest = 0;
	for (size_t i = 0; i < setup->n_phases; i++) {
		unsigned c = 0;

		do {
			uint32_t size = setup->phases[i].size;

			if (c < setup->n_classes && setup->classes[c].size)
				size = setup->classes[c].size;
			*shortest = size < *shortest ? size : *shortest;
			*longest = size > *longest ? size : *longest;
		} while (++c < setup->n_classes);
	}
}
