// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/error.h"

/* Beyond this, sums of times could not be told apart from the end of time. */
#define MOST 0x1p60

struct unit {
	const char *name;
	double scale;
};

static const struct unit times[] = { { "ps", 1 },   { "ns", 1e3 }, { "us", 1e6 },
				     { "ms", 1e9 }, { "s", 1e12 }, { 0 } };
static const struct unit cycles[] = { { "", HD_TICKS_PER_CYCLE },
				      { "cycle", HD_TICKS_PER_CYCLE },
				      { "cycles", HD_TICKS_PER_CYCLE },
				      { 0 } };
static const struct unit sizes[] = { { "", 1 },         { "B", 1 },        { "bytes", 1 },
				     { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { 0 } };
static const struct unit flits[] = { { "", 1 }, { "flit", 1 }, { "flits", 1 }, { 0 } };
static const struct unit packets[] = { { "", 1 }, { "packet", 1 }, { "packets", 1 }, { 0 } };
static const struct unit rates[] = { { "bps", 1 },    { "kbps", 1e3 },  { "Mbps", 1e6 },
				     { "Gbps", 1e9 }, { "Tbps", 1e12 }, { 0 } };
static const struct unit none[] = { { "", 1 }, { 0 } };

static const struct unit *find_unit(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (strcmp(units->name, name) == 0)
			return units;
	return NULL;
}

/* "ps, ns, us, ms, s" */
static void name_units(const struct unit *units, char *buffer, size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (; units->name; units++) {
		size_t length = strlen(units->name);

		if (!length || used + length + 3 > size)
			continue;
		if (used) {
			memcpy(buffer + used, ", ", 3);
			used += 2;
		}
		memcpy(buffer + used, units->name, length + 1);
		used += length;
	}
}

/* The number that @text begins with; *@rest is what follows it, after blanks. False: none. */
static bool scan_number(const char *text, double *number, const char **rest)
{
	char *end;

	/* strtod() would take "inf", "nan" and hexadecimals too */
	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return false;
	*number = strtod(text, &end);
	if (end == text)
		return false;
	while (*end == ' ' || *end == '\t')
		end++;
	*rest = end;
	return true;
}

/* @text as a number with one of @units, in @value times its scale. */
static int parse_scaled(const char *text, const struct unit *units, double *value,
			struct hd_error *err)
{
	const struct unit *unit;
	const char *rest;
	char names[128];
	double number;

	if (!scan_number(text, &number, &rest))
		return hd_error_set(err, HD_EINVAL, "'%s' is not a number", text);
	unit = find_unit(units, rest);
	if (!unit && !*rest && number == 0)
		unit = units; /* 0 needs no unit */
	name_units(units, names, sizeof(names));
	if (!unit && !*rest)
		return hd_error_set(err, HD_EINVAL, "'%s' has no unit (%s)", text, names);
	if (!unit && !*names)
		return hd_error_set(err, HD_EINVAL, "'%s' is not a plain number", text);
	if (!unit)
		return hd_error_set(err, HD_EINVAL, "'%s' has an unknown unit (known are %s)", text,
				    names);
	*value = number * unit->scale;
	if (!(*value <= MOST))
		return hd_error_set(err, HD_ERANGE, "'%s' is too large", text);
	return 0;
}

static int parse_rate(const char *text, enum hd_clock clock, struct hd_quantity *q,
		      struct hd_error *err)
{
	double rate = 0, ticks;
	int ret = parse_scaled(text, clock == HD_CLOCK_TIME ? rates : none, &rate, err);

	if (ret)
		return ret;
	if (rate <= 0)
		return hd_error_set(err, HD_ERANGE, "'%s' carries nothing", text);
	ticks = clock == HD_CLOCK_TIME ? HD_UNIT_BYTES * 8 * 1e12 / rate
				       : HD_TICKS_PER_CYCLE / rate;
	if (ticks < 1 || ticks > UINT32_MAX)
		return hd_error_set(err, HD_ERANGE, "'%s' is out of range", text);
	q->whole = (uint64_t)llround(ticks);
	if (clock == HD_CLOCK_CYCLES && fabs(ticks - (double)q->whole) > 1e-6 * ticks)
		return hd_error_set(err, HD_EINVAL,
				    "'%s': a flit must take a whole number of twelfths of a cycle",
				    text);
	return 0;
}

static int parse_size(const char *text, enum hd_clock clock, struct hd_quantity *q,
		      struct hd_error *err)
{
	double size = 0;
	int ret = parse_scaled(text, clock == HD_CLOCK_TIME ? sizes : flits, &size, err);

	if (ret)
		return ret;
	if (clock == HD_CLOCK_TIME)
		size /= HD_UNIT_BYTES;
	if (!(size > 0 && ceil(size) <= INT32_MAX))
		return hd_error_set(err, HD_ERANGE, "'%s' is out of range", text);
	q->whole = (uint64_t)ceil(size);
	return 0;
}

/* Whether @text, up to @length, ends with " per port"; @length is then of what is before that. */
static bool is_of_port(const char *text, size_t *length)
{
	static const char *const words[] = { "port", "per" };
	size_t n = strlen(text);

	for (unsigned i = 0; i < 2; i++) {
		size_t m = strlen(words[i]);

		if (n <= m || strncmp(text + n - m, words[i], m) != 0 ||
		    (text[n - m - 1] != ' ' && text[n - m - 1] != '\t'))
			return false;
		for (n -= m; n && (text[n - 1] == ' ' || text[n - 1] == '\t');)
			n--;
	}
	*length = n;
	return true;
}

/* A number with a unit has no more characters. */
#define BUFFER_TEXT 64

static int parse_buffer(const struct hd_scenario_key *key, const char *text, enum hd_clock clock,
			struct hd_quantity *q, struct hd_error *err)
{
	char own[BUFFER_TEXT];
	size_t length;
	const char *rest;
	double number;

	q->is_of_port = key->may_be_of_port && is_of_port(text, &length);
	if (q->is_of_port) {
		if (length >= sizeof(own))
			return hd_error_set(err, HD_ERANGE, "'%s' is too long", text);
		memcpy(own, text, length);
		own[length] = '\0';
		text = own;
	}
	if (!scan_number(text, &number, &rest) || !find_unit(packets, rest))
		return parse_size(text, clock, q, err);
	if (number != floor(number) || number < 1 || number > INT32_MAX)
		return hd_error_set(err, HD_ERANGE, "'%s': whole packets, at least one", text);
	q->whole = (uint64_t)number;
	q->is_packets = true;
	return 0;
}

static int parse_bounded(const struct hd_scenario_key *key, const char *text, struct hd_quantity *q,
			 struct hd_error *err)
{
	int ret = parse_scaled(text, none, &q->real, err);

	if (ret)
		return ret;
	if (key->kind == HD_VALUE_COUNT && q->real != floor(q->real))
		return hd_error_set(err, HD_EINVAL, "'%s' is not a whole number", text);
	if (q->real < key->min || q->real > key->max)
		return hd_error_set(err, HD_ERANGE, "%s is out of range (%.16g to %.16g)", text,
				    key->min, key->max);
	q->whole = (uint64_t)q->real;
	return 0;
}

static int parse_word(const struct hd_scenario_key *key, const char *text, struct hd_quantity *q,
		      struct hd_error *err)
{
	char known[128] = "";
	int index = hd_word_index(key->words, text);

	for (int i = 0; index < 0 && key->words[i].name; i++) {
		size_t used = strlen(known);

		if (used + strlen(key->words[i].name) + 3 > sizeof(known))
			break;
		if (i)
			strcat(known, ", ");
		strcat(known, key->words[i].name);
	}
	if (index < 0)
		return hd_error_set(err, HD_EINVAL, "no '%s' (known are %s)", text, known);
	q->whole = (uint64_t)index;
	return 0;
}

static int parse_bool(const char *text, struct hd_quantity *q, struct hd_error *err)
{
	static const char *const words[] = { "no", "yes", "off", "on", "false", "true", "0", "1" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(text, words[i]) == 0) {
			q->whole = i & 1;
			return 0;
		}
	return hd_error_set(err, HD_EINVAL, "'%s' is neither yes nor no", text);
}

int hd_quantity_parse(const struct hd_scenario_key *key, enum hd_clock clock, const char *text,
		      struct hd_quantity *quantity, struct hd_error *err)
{
	int ret;

	*quantity = (struct hd_quantity){ .is_empty = !*text };
	if (!*text)
		return key->may_be_empty ? 0 : hd_error_set(err, HD_EINVAL, "no value");
	quantity->is_auto = key->may_be_auto && strcmp(text, "auto") == 0;
	if (quantity->is_auto)
		return 0;
	switch (key->kind) {
	case HD_VALUE_TEXT:
	case HD_VALUE_NAME:
		return 0;
	case HD_VALUE_WORD:
		return parse_word(key, text, quantity, err);
	case HD_VALUE_POLICY:
		return hd_policy_parse(key->registry, text, &quantity->policy, NULL, err);
	case HD_VALUE_BOOL:
		return parse_bool(text, quantity, err);
	case HD_VALUE_COUNT:
	case HD_VALUE_SHARE:
		return parse_bounded(key, text, quantity, err);
	case HD_VALUE_TIME:
		ret = parse_scaled(text, clock == HD_CLOCK_TIME ? times : cycles, &quantity->real,
				   err);
		quantity->whole = ret ? 0 : (uint64_t)llround(quantity->real);
		return ret;
	case HD_VALUE_BANDWIDTH:
		return parse_rate(text, clock, quantity, err);
	case HD_VALUE_SIZE:
		return parse_size(text, clock, quantity, err);
	case HD_VALUE_BUFFER:
		return parse_buffer(key, text, clock, quantity, err);
	}
	return 0;
}
