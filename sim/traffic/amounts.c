// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"

struct unit {
	const char *name;
	double scale;
};

static const struct unit times[] = { { "ps", 1 },   { "ns", 1e3 }, { "us", 1e6 },
				     { "ms", 1e9 }, { "s", 1e12 }, { 0 } };
static const struct unit sizes[] = {
	{ "", 1 },         { "B", 1 }, { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 },
	{ "TiB", 0x1p40 }, { 0 }
};

/* @text as a decimal number, and a unit of it. */
static bool scan(const char *text, const struct unit *units, double *value)
{
	char *end;

	/* strtod() would take "inf", "nan" and hexadecimals, too */
	if ((!isdigit((unsigned char)*text) && *text != '.') || strpbrk(text, "xX"))
		return false;
	*value = strtod(text, &end);
	if (end == text)
		return false;
	if (!*end && *value == 0)
		return true;
	for (; units->name; units++)
		if (strcmp(end, units->name) == 0) {
			*value *= units->scale;
			return true;
		}
	return false;
}

int hd_amount_time(const struct hd_params *params, const char *key, uint32_t cycle_ticks,
		   double min, double max, double *ticks, struct hd_error *err)
{
	const struct unit cycles[] = { { "", cycle_ticks }, { 0 } };
	const char *text = hd_params_get(params, key);
	double value;

	if (!scan(text, cycle_ticks ? cycles : times, &value))
		return hd_error_set(err, HD_EINVAL, "%s: '%s' is no %s", key, text,
				    cycle_ticks ? "number of cycles" : "time, such as 1.5ns");
	if (!(value >= min && value <= max))
		return hd_error_set(err, HD_ERANGE, "%s: %s is %s", key, text,
				    value > 0 || min <= 0 ? "out of range" : "not above 0");
	*ticks = value;
	return 0;
}

int hd_amount_bytes(const struct hd_params *params, const char *key, uint64_t max, uint64_t *bytes,
		    struct hd_error *err)
{
	const char *text = hd_params_get(params, key);
	double value;

	if (!scan(text, sizes, &value))
		return hd_error_set(err, HD_EINVAL,
				    "%s: '%s' is no amount of data, such as 64MiB (B, KiB, MiB, "
				    "GiB, TiB)",
				    key, text);
	if (!(value <= (double)max))
		return hd_error_set(err, HD_ERANGE, "%s: %s is out of range", key, text);
	if (value != floor(value))
		return hd_error_set(err, HD_EINVAL, "%s: %s is not whole bytes", key, text);
	*bytes = (uint64_t)value;
	return 0;
}
