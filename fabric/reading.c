// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/reading.h"

#include <stdarg.h>

#include "support/error.h"

/* A file that was cut short has thousands of links that lead nowhere: the first few tell enough. */
#define N_TOLD 5

bool hd_oddities_refused(const struct hd_oddities *oddities)
{
	return !oddities->how || oddities->how->strict;
}

int hd_odd(struct hd_oddities *oddities, unsigned line, const char *instead, struct hd_error *err,
	   const char *format, ...)
{
	struct hd_error oddity;
	char what[512], text[1100];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (hd_oddities_refused(oddities))
		return hd_error_at(err, HD_EPARSE, oddities->file, line, "%s", what);
	if (++oddities->n > N_TOLD || !oddities->how->notes)
		return 0;
	hd_error_at(&oddity, HD_EPARSE, oddities->file, line, "%s: %s", what, instead);
	fprintf(oddities->how->notes, "%s\n", hd_error_format(&oddity, text, sizeof(text)));
	return 0;
}

void hd_oddities_end(const struct hd_oddities *oddities)
{
	if (oddities->n > N_TOLD && oddities->how->notes)
		fprintf(oddities->how->notes, "%s: %u more of such lines\n", oddities->file,
			oddities->n - N_TOLD);
}
