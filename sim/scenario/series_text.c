// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/series_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/scenario/columns.h"

const struct hd_series_column hd_series_columns[HD_SERIES_COLUMNS] = {
	[HD_SERIES_TIME] = { "time", "time", false },
	[HD_SERIES_OFFERED] = { "offered", "share", false },
	[HD_SERIES_ACCEPTED] = { "accepted", "share", false },
	[HD_SERIES_PACKETS] = { "packets", "packets", true },
	[HD_SERIES_MISSING] = { "missing", "packets", true },
	[HD_SERIES_LATENCY] = { "latency_mean", "time", false },
	[HD_SERIES_NETWORK_LATENCY] = { "network_latency_mean", "time", false },
	[HD_SERIES_MISROUTED] = { "misrouted", "share", false },
};

static void print_step(const struct hd_result *result, enum hd_clock clock, size_t i, FILE *stream)
{
	const struct hd_series *series = result->series;
	const struct hd_series_step *step = &series->steps[i];
	double packets = (double)step->packets;
	const double numbers[HD_SERIES_COLUMNS] = {
		[HD_SERIES_TIME] = hd_result_time(clock, (double)hd_series_begin(series, i)),
		[HD_SERIES_OFFERED] = hd_series_load(series, i, step->offered),
		[HD_SERIES_ACCEPTED] = hd_series_load(series, i, step->accepted),
		[HD_SERIES_PACKETS] = packets,
		[HD_SERIES_MISSING] = (double)(step->generated - step->packets),
		[HD_SERIES_LATENCY] = hd_result_time(clock, (double)step->latency / packets),
		[HD_SERIES_NETWORK_LATENCY] =
			hd_result_time(clock, (double)step->network_latency / packets),
		[HD_SERIES_MISROUTED] =
			result->chooses_ways ? (double)step->misrouted / packets : NAN,
	};

	for (unsigned k = 0; k < HD_SERIES_COLUMNS; k++) {
		if (isnan(numbers[k]))
			fputs("nan", stream);
		else
			fprintf(stream, "%.17g", numbers[k]);
		fputc(k + 1 < HD_SERIES_COLUMNS ? ' ' : '\n', stream);
	}
}

char *hd_series_print(const struct hd_result *result, enum hd_clock clock)
{
	size_t size;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0; i < result->series->n; i++)
		print_step(result, clock, i, stream);
	if (fclose(stream)) {
		free(text);
		return NULL;
	}
	return text;
}

bool hd_series_read(const char **text, double numbers[HD_SERIES_COLUMNS])
{
	char *end;

	if (!**text)
		return false;
	for (unsigned k = 0; k < HD_SERIES_COLUMNS; k++) {
		numbers[k] = strtod(*text, &end);
		*text = end;
	}
	*text += **text == '\n';
	return true;
}
