// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/duration.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static const struct {
	const char *name;
	double ns;
} units[] = {
	{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 }, { "h", 3600e9 },
};

int hd_parse_duration(const char *text, const char *what, uint64_t *ns, struct hd_error *err)
{
	/* strtod() alone would take signs, blanks, hexadecimals, infinities */
	size_t digits = strspn(text, "0123456789."), n_points = 0;
	char number[64];
	double value;

	for (size_t i = 0; i < digits; i++)
		n_points += text[i] == '.';
	if (!digits || digits == n_points || n_points > 1 || digits >= sizeof(number))
		return hd_error_set(err, HD_EINVAL, "%s: '%s' is no time (as in 2.5s or 100us)",
				    what, text);
	memcpy(number, text, digits);
	number[digits] = '\0';
	value = strtod(number, NULL);
	*ns = 0;
	if (!text[digits] && value == 0)
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text + digits, units[i].name) != 0)
			continue;
		value = value * units[i].ns + 0.5;
		if (value > (double)HD_DURATION_MAX)
			return hd_error_set(err, HD_ERANGE, "%s: '%s' is too long", what, text);
		*ns = (uint64_t)value;
		return 0;
	}
	return hd_error_set(err, HD_EINVAL, "%s: '%s' needs a unit: ns, us, ms, s, min or h", what,
			    text);
}
