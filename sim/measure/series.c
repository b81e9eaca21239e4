// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/series.h"

#include <stdlib.h>

#include "support/error.h"

/* Ticks from the beginning of a whole step to @options->begin. */
static uint64_t lead_of(const struct hd_series_options *options)
{
	if (options->begin >= options->origin)
		return (options->begin - options->origin) % options->step;
	return (options->step - (options->origin - options->begin) % options->step) % options->step;
}

int hd_series_new(const struct hd_series_options *options, struct hd_series **result,
		  struct hd_error *err)
{
	struct hd_series *series;
	uint64_t lead, n;

	*result = NULL;
	if (!options->step || options->end <= options->begin)
		return hd_error_set(err, HD_EINVAL, "a series has no steps");
	lead = lead_of(options);
	n = (options->end - options->begin + lead - 1) / options->step + 1;
	if (n > HD_SERIES_STEPS)
		return hd_error_set(err, HD_ERANGE, "a series of %llu steps, more than %d",
				    (unsigned long long)n, HD_SERIES_STEPS);
	series = calloc(1, sizeof(*series) + n * sizeof(series->steps[0]));
	if (!series)
		return hd_error_nomem(err);
	series->options = *options;
	series->lead = lead;
	series->n = n;
	*result = series;
	return 0;
}

/* The step that @time is in; NULL: none. */
static struct hd_series_step *step_at(struct hd_series *series, uint64_t time)
{
	const struct hd_series_options *o = &series->options;

	if (time < o->begin || time >= o->end)
		return NULL;
	return &series->steps[(time - o->begin + series->lead) / o->step];
}

void hd_series_generated(struct hd_series *series, const struct hd_message *message)
{
	struct hd_series_step *step = step_at(series, message->time);

	if (!step)
		return;
	step->offered += message->size;
	step->generated++;
	series->pending++;
}

void hd_series_refused(struct hd_series *series, const struct hd_message *message)
{
	struct hd_series_step *step = step_at(series, message->time);

	if (!step)
		return;
	step->offered -= message->size;
	step->generated--;
	series->pending--;
}

void hd_series_dropped(struct hd_series *series, const struct hd_message *message)
{
	if (step_at(series, message->time))
		series->pending--;
}

void hd_series_delivered(struct hd_series *series, uint64_t now, const struct hd_message *message,
			 uint64_t entered, bool is_misrouted)
{
	struct hd_series_step *step = step_at(series, now);

	if (step)
		step->accepted += message->size;
	step = step_at(series, message->time);
	if (!step)
		return;
	step->packets++;
	step->latency += now - message->time;
	step->network_latency += now - entered;
	step->misrouted += is_misrouted;
	series->pending--;
}

int64_t hd_series_begin(const struct hd_series *series, size_t i)
{
	const struct hd_series_options *o = &series->options;

	if (!i)
		return (int64_t)(o->begin - o->origin);
	return (int64_t)(o->begin - series->lead + i * o->step - o->origin);
}

uint64_t hd_series_length(const struct hd_series *series, size_t i)
{
	const struct hd_series_options *o = &series->options;
	uint64_t next = o->end - o->origin;

	if (i + 1 < series->n)
		next = (uint64_t)hd_series_begin(series, i + 1);
	return next - (uint64_t)hd_series_begin(series, i);
}

double hd_series_load(const struct hd_series *series, size_t i, uint64_t units)
{
	const struct hd_series_options *o = &series->options;

	return o->n_hosts ? (double)units * o->unit_ticks / (double)hd_series_length(series, i) /
				    o->n_hosts
			  : 0;
}
