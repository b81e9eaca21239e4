// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/phases.h"

#include <string.h>

#include "sim/scenario/setup.h"
#include "support/error.h"
#include "support/text.h"

/* @word's value when it is "@name=value". */
static const char *value_of(const char *word, const char *name)
{
	size_t length = strlen(name);

	return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static int set(const char *name, enum hd_key key, enum hd_clock clock, const char *value,
	       struct hd_quantity *quantity, struct hd_error *err)
{
	struct hd_scenario_key like = hd_scenario_keys[key];
	struct hd_error cause;
	int ret;

	like.may_be_empty = false;
	ret = hd_quantity_parse(&like, clock, value, quantity, &cause);
	return ret ? hd_error_set(err, ret, "%s=: %s", name, cause.text) : 0;
}

/* "10000" or "10000:hotspot" */
static int set_deliveries(const char *value, struct hd_traffic_phase *phase, struct hd_error *err)
{
	const char *class = value + strcspn(value, ":"), *at = value;

	if (!hd_scan_number(&at, class, 10, UINT32_MAX, &phase->deliveries) || at != class ||
	    !phase->deliveries)
		return hd_error_set(err, HD_EINVAL,
				    "until=delivered:N[:CLASS]: '%s' is no number of packets",
				    value);
	class += *class == ':';
	if (strlen(class) >= sizeof(phase->counted))
		return hd_error_set(err, HD_EINVAL, "until=: there is no class '%s'", class);
	strcpy(phase->counted, class);
	return 0;
}

static int parse_word(const char *word, enum hd_clock clock, bool is_first,
		      struct hd_traffic_phase *phase, struct hd_error *err)
{
	struct hd_quantity q;
	const char *value;
	int ret;

	if ((value = value_of(word, "load"))) {
		ret = set("load", HD_TRAFFIC_LOAD, clock, value, &q, err);
		phase->load = q.real;
	} else if ((value = value_of(word, "packet"))) {
		ret = set("packet", HD_TRAFFIC_PACKET, clock, value, &q, err);
		phase->size = (uint32_t)q.whole;
	} else if ((value = value_of(word, "until")) && strncmp(value, "delivered:", 10) == 0) {
		ret = set_deliveries(value + 10, phase, err);
	} else if (value) {
		ret = set("until", HD_RUN_WARMUP, clock, value, &q, err);
		phase->until = q.whole;
	} else if ((value = value_of(word, "arrival"))) {
		phase->arrival = value;
		ret = 0;
	} else if (is_first) {
		phase->pattern = word;
		ret = 0;
	} else {
		ret = hd_error_set(err, HD_EINVAL,
				   "'%s' is none of load=, packet=, arrival=, until=", word);
	}
	return ret;
}

/* The ends of all phases but the last are given; times rise, but behind ends that are not known. */
static int check_times(struct hd_traffic_phase *phases, size_t n, struct hd_error *err)
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (phases[i].deliveries)
			continue;
		if (phases[i].until == UINT64_MAX)
			return hd_error_set(err, HD_EINVAL, "phase %zu has no end (until=)", i + 1);
		if (i && !phases[i - 1].deliveries && phases[i].until <= phases[i - 1].until)
			return hd_error_set(err, HD_EINVAL, "phase %zu ends before it begins",
					    i + 1);
	}
	if (phases[n - 1].until != UINT64_MAX || phases[n - 1].deliveries)
		return hd_error_set(err, HD_EINVAL, "the last phase has no end: no until=");
	return 0;
}

int hd_phases_parse(char *text, enum hd_clock clock, const struct hd_traffic_phase *whole,
		    struct hd_traffic_phase *phases, size_t *n, struct hd_error *err)
{
	char *save = NULL;
	bool is_first = true;
	int ret;

	*n = 1;
	phases[0] = *whole;
	for (char *word = strtok_r(text, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		if (strcmp(word, "then") == 0) {
			if (*n == HD_PHASES_MAX)
				return hd_error_set(err, HD_ERANGE, "more than %d phases",
						    HD_PHASES_MAX);
			phases[(*n)++] = *whole;
			is_first = true;
			continue;
		}
		ret = parse_word(word, clock, is_first, &phases[*n - 1], err);
		if (ret)
			return ret;
		is_first = false;
	}
	return check_times(phases, *n, err);
}
