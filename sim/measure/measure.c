// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/bytes.h"
#include "support/error.h"

#define SATURATED_BELOW 0.95

/* For a window that is given, and for one that is extended until it is steady. */
static const struct hd_tolerance given_tolerance = { .load = 0.05, .latency = 0.20 };
static const struct hd_tolerance extended_tolerance = { .load = 0.02, .latency = 0.10 };

const uint64_t hd_message_sizes[HD_MESSAGE_SIZES] = { 4u << 10, 64u << 10, 1u << 20, UINT64_MAX };

int hd_measure_new(const struct hd_measure_options *options, struct hd_measure **result,
		   struct hd_error *err)
{
	struct hd_measure *measure;

	*result = NULL;
	if (options->end <= options->begin || options->slices < 2)
		return hd_error_set(err, HD_EINVAL, "the window of measurement is empty");
	measure = calloc(1, sizeof(*measure));
	if (!measure)
		return hd_error_nomem(err);
	measure->options = *options;
	measure->classes = calloc(options->n_classes + (size_t)1, sizeof(*measure->classes));
	measure->slices = calloc(options->slices, sizeof(*measure->slices));
	measure->sources = calloc(options->n_hosts + (size_t)1, sizeof(*measure->sources));
	if (!measure->classes || !measure->slices || !measure->sources) {
		hd_measure_free(measure);
		return hd_error_nomem(err);
	}
	*result = measure;
	return 0;
}

void hd_measure_free(struct hd_measure *measure)
{
	if (!measure)
		return;
	free(measure->classes);
	free(measure->slices);
	free(measure->sources);
	free(measure->later);
	free(measure->messages);
	free(measure);
}

/* Ticks of a batch. */
static double batch_ticks(const struct hd_measure *measure)
{
	return (double)(measure->options.end - measure->options.begin) / HD_BATCHES_MAX;
}

int hd_measure_extend(struct hd_measure *measure, struct hd_error *err)
{
	struct hd_measure_options *o = &measure->options;
	size_t n = measure->n_later;

	if (measure->out_of_memory)
		return hd_error_nomem(err);
	memcpy(measure->before, measure->batches, sizeof(measure->before));
	measure->before_ticks = batch_ticks(measure);
	o->begin = o->end;
	o->end *= 2;
	memset(measure->classes, 0, (o->n_classes + (size_t)1) * sizeof(*measure->classes));
	memset(measure->slices, 0, o->slices * sizeof(*measure->slices));
	memset(measure->batches, 0, sizeof(measure->batches));
	for (uint32_t host = 0; host < o->n_hosts; host++) {
		measure->sources[host].accepted = 0;
		measure->sources[host].sends = false;
	}
	measure->max_hops = 0;
	free(measure->messages);
	measure->messages = NULL;
	/* messages that are later still take the places of those that were read before */
	measure->n_later = 0;
	for (size_t i = 0; i < n; i++)
		hd_measure_generated(measure, &measure->later[i]);
	return 0;
}

static bool within(const struct hd_measure *measure, uint64_t time)
{
	return time >= measure->options.begin && time < measure->options.end;
}

/* The part of the window, of @n, that @time is in. */
static unsigned part_of(const struct hd_measure *measure, uint64_t time, unsigned n)
{
	const struct hd_measure_options *o = &measure->options;
	double share = (double)(time - o->begin) / (double)(o->end - o->begin);
	unsigned i = (unsigned)(share * n);

	return i < n ? i : n - 1;
}

static void keep_for_later(struct hd_measure *measure, const struct hd_message *message)
{
	if (measure->n_later == measure->size_later) {
		size_t size = 2 * measure->size_later + 16;
		struct hd_message *later =
			size > measure->size_later
				? realloc(measure->later, size * sizeof(*measure->later))
				: NULL;

		if (!later) {
			measure->out_of_memory = true;
			return;
		}
		measure->later = later;
		measure->size_later = size;
	}
	measure->later[measure->n_later++] = *message;
}

void hd_measure_generated(struct hd_measure *measure, const struct hd_message *message)
{
	struct hd_measure_source *source = &measure->sources[message->from];

	if (message->time >= measure->options.end) {
		keep_for_later(measure, message);
		return;
	}
	source->pending++;
	if (!within(measure, message->time))
		return;
	source->sends = true;
	measure->classes[message->tag].offered += message->size;
	measure->classes[measure->options.n_classes].offered += message->size;
	measure->slices[part_of(measure, message->time, measure->options.slices)].offered +=
		message->size;
}

/* False: out of memory. */
static bool has_messages(struct hd_measure *measure)
{
	if (!measure->messages)
		measure->messages = calloc(HD_MESSAGE_SIZES + 1, sizeof(*measure->messages));
	if (!measure->messages)
		measure->out_of_memory = true;
	return measure->messages;
}

void hd_measure_message(struct hd_measure *measure, uint64_t now, uint64_t time, uint64_t bytes)
{
	unsigned i = 0;

	if (!within(measure, now) || !has_messages(measure))
		return;
	while (bytes > hd_message_sizes[i])
		i++;
	hd_histogram_add(&measure->messages[i], now - time);
	hd_histogram_add(&measure->messages[HD_MESSAGE_SIZES], now - time);
}

void hd_measure_refused(struct hd_measure *measure, const struct hd_message *message)
{
	measure->sources[message->from].pending--;
	if (!within(measure, message->time))
		return;
	measure->classes[message->tag].offered -= message->size;
	measure->classes[measure->options.n_classes].offered -= message->size;
	measure->slices[part_of(measure, message->time, measure->options.slices)].offered -=
		message->size;
}

static void count(struct hd_measure_class *class, const struct hd_message *message, uint64_t now,
		  uint64_t entered, unsigned hops)
{
	class->accepted += message->size;
	class->last = now > class->last ? now : class->last;
	class->packets++;
	class->hops += hops;
	hd_histogram_add(&class->latency, now - message->time);
	hd_histogram_add(&class->network_latency, now - entered);
}

void hd_measure_delivered(struct hd_measure *measure, uint64_t now,
			  const struct hd_message *message, uint64_t entered, unsigned hops)
{
	uint64_t latency = now - message->time, network_latency = now - entered;
	struct hd_measure_source *source = &measure->sources[message->from];
	struct hd_measure_slice *slice;
	struct hd_batch *batch;

	source->pending--;
	if (!within(measure, now))
		return;
	count(&measure->classes[message->tag], message, now, entered, hops);
	count(&measure->classes[measure->options.n_classes], message, now, entered, hops);
	source->sends = true;
	source->accepted += message->size;
	if (hops > measure->max_hops)
		measure->max_hops = hops;
	slice = &measure->slices[part_of(measure, now, measure->options.slices)];
	slice->accepted += message->size;
	slice->packets++;
	slice->latency += latency;
	batch = &measure->batches[part_of(measure, now, HD_BATCHES_MAX)];
	batch->accepted += message->size;
	batch->packets++;
	batch->latency += latency;
	batch->network_latency += network_latency;
}

void hd_measure_dropped(struct hd_measure *measure, uint64_t now, const struct hd_message *message)
{
	struct hd_measure_source *source = &measure->sources[message->from];

	source->pending--;
	if (!within(measure, now))
		return;
	source->sends = true;
	measure->classes[message->tag].dropped++;
	measure->classes[measure->options.n_classes].dropped++;
}

static void join_class(struct hd_measure_class *class, const struct hd_measure_class *part)
{
	class->offered += part->offered;
	class->accepted += part->accepted;
	class->packets += part->packets;
	class->hops += part->hops;
	class->dropped += part->dropped;
	class->last = part->last > class->last ? part->last : class->last;
	hd_histogram_join(&class->latency, &part->latency);
	hd_histogram_join(&class->network_latency, &part->network_latency);
}

static void join_slices(struct hd_measure *measure, const struct hd_measure *part)
{
	for (unsigned i = 0; i < measure->options.slices; i++) {
		struct hd_measure_slice *slice = &measure->slices[i];

		slice->offered += part->slices[i].offered;
		slice->accepted += part->slices[i].accepted;
		slice->packets += part->slices[i].packets;
		slice->latency += part->slices[i].latency;
	}
	for (unsigned i = 0; i < HD_BATCHES_MAX; i++) {
		struct hd_batch *batch = &measure->batches[i];

		batch->accepted += part->batches[i].accepted;
		batch->packets += part->batches[i].packets;
		batch->latency += part->batches[i].latency;
		batch->network_latency += part->batches[i].network_latency;
	}
}

/* A packet is generated in one part and arrives in another: their counts of it may be negative. */
static void join_sources(struct hd_measure *measure, const struct hd_measure *part)
{
	for (uint32_t host = 0; host < measure->options.n_hosts; host++) {
		struct hd_measure_source *source = &measure->sources[host];

		source->accepted += part->sources[host].accepted;
		source->pending += part->sources[host].pending;
		source->sends |= part->sources[host].sends;
	}
}

void hd_measure_join(struct hd_measure *measure, struct hd_measure *part)
{
	const struct hd_measure_options *o = &measure->options;

	for (unsigned i = 0; i <= o->n_classes; i++)
		join_class(&measure->classes[i], &part->classes[i]);
	join_slices(measure, part);
	join_sources(measure, part);
	if (part->max_hops > measure->max_hops)
		measure->max_hops = part->max_hops;
	for (size_t i = 0; i < part->n_later; i++)
		keep_for_later(measure, &part->later[i]);
	measure->out_of_memory |= part->out_of_memory;
	for (unsigned i = 0; part->messages && i <= HD_MESSAGE_SIZES && has_messages(measure); i++)
		hd_histogram_join(&measure->messages[i], &part->messages[i]);
	free(part->messages);
	part->messages = NULL;
	memset(part->classes, 0, (o->n_classes + (size_t)1) * sizeof(*part->classes));
	memset(part->slices, 0, o->slices * sizeof(*part->slices));
	memset(part->batches, 0, sizeof(part->batches));
	memset(part->sources, 0, o->n_hosts * sizeof(*part->sources));
	part->max_hops = 0;
	part->n_later = 0;
}

void hd_measure_write(const struct hd_measure *part, struct hd_bytes *bytes)
{
	const struct hd_measure_options *o = &part->options;

	hd_bytes_put(bytes, part->classes, (o->n_classes + (size_t)1) * sizeof(*part->classes));
	hd_bytes_put(bytes, part->slices, o->slices * sizeof(*part->slices));
	hd_bytes_put(bytes, part->sources, o->n_hosts * sizeof(*part->sources));
	hd_bytes_put(bytes, part->batches, sizeof(part->batches));
	hd_bytes_put(bytes, &part->max_hops, sizeof(part->max_hops));
	hd_bytes_put(bytes, &part->out_of_memory, sizeof(part->out_of_memory));
	hd_bytes_put(bytes, &part->n_later, sizeof(part->n_later));
	hd_bytes_put(bytes, part->later, part->n_later * sizeof(*part->later));
}

void hd_measure_read(struct hd_measure *part, struct hd_bytes *bytes)
{
	const struct hd_measure_options *o = &part->options;
	struct hd_message message;
	size_t n;

	hd_bytes_get(bytes, part->classes, (o->n_classes + (size_t)1) * sizeof(*part->classes));
	hd_bytes_get(bytes, part->slices, o->slices * sizeof(*part->slices));
	hd_bytes_get(bytes, part->sources, o->n_hosts * sizeof(*part->sources));
	hd_bytes_get(bytes, part->batches, sizeof(part->batches));
	hd_bytes_get(bytes, &part->max_hops, sizeof(part->max_hops));
	hd_bytes_get(bytes, &part->out_of_memory, sizeof(part->out_of_memory));
	hd_bytes_get(bytes, &n, sizeof(n));
	part->n_later = 0;
	for (; n && hd_bytes_get(bytes, &message, sizeof(message)); n--)
		keep_for_later(part, &message);
	part->out_of_memory |= bytes->failed;
}

double hd_measure_share(const struct hd_measure *measure, uint64_t units, uint64_t ticks)
{
	return measure->options.n_hosts ? (double)units * measure->options.unit_ticks /
						  (double)ticks / measure->options.n_hosts
					: 0;
}

double hd_measure_load(const struct hd_measure *measure, uint64_t units)
{
	return hd_measure_share(measure, units, measure->options.end - measure->options.begin);
}

int hd_measure_shares(const struct hd_measure *measure, const uint32_t *group, uint32_t n_groups,
		      double *shares, struct hd_error *err)
{
	const struct hd_measure_options *o = &measure->options;
	double window = (double)(o->end - o->begin);
	uint32_t *sources = calloc(n_groups + (size_t)1, sizeof(*sources));

	if (!sources)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n_groups; i++)
		shares[i] = 0;
	for (uint32_t host = 0; host < o->n_hosts; host++) {
		const struct hd_measure_source *source = &measure->sources[host];
		uint32_t i = group ? group[host] : host;

		if (!source->sends && !source->pending)
			continue;
		sources[i]++;
		shares[i] += (double)source->accepted * o->unit_ticks / window;
	}
	for (uint32_t i = 0; i < n_groups; i++)
		shares[i] = sources[i] ? shares[i] / sources[i] : NAN;
	free(sources);
	return 0;
}

int hd_measure_fairness(const struct hd_measure *measure, const uint32_t *group, uint32_t n_groups,
			struct hd_fairness *fairness, struct hd_error *err)
{
	double *shares = malloc((n_groups + (size_t)1) * sizeof(*shares));
	size_t n = 0;
	int ret;

	if (!shares)
		return hd_error_nomem(err);
	ret = hd_measure_shares(measure, group, n_groups, shares, err);
	for (uint32_t i = 0; i < n_groups && !ret; i++)
		if (!isnan(shares[i]))
			shares[n++] = shares[i];
	if (!ret)
		*fairness = hd_fairness_of(shares, n);
	free(shares);
	return ret;
}

bool hd_measure_is_saturated(const struct hd_measure *measure)
{
	const struct hd_measure_class *all = hd_measure_all(measure);
	double dropped = 0;

	/* with the mean size, since the size of dropped packets is not known */
	if (all->packets)
		dropped = (double)all->dropped * (double)all->accepted / (double)all->packets;
	return (double)all->accepted + dropped < SATURATED_BELOW * (double)all->offered;
}

/* Whether nothing is to arrive, and nothing is generated. */
static bool is_idle(const struct hd_measure *measure)
{
	for (uint32_t host = 0; host < measure->options.n_hosts; host++)
		if (measure->sources[host].sends || measure->sources[host].pending)
			return false;
	return true;
}

bool hd_measure_is_steady(const struct hd_measure *measure)
{
	const double ticks = batch_ticks(measure);
	const struct hd_stretch halves[2] = {
		{ measure->batches, HD_BATCHES_MAX / 2, ticks },
		{ measure->batches + HD_BATCHES_MAX / 2, HD_BATCHES_MAX / 2, ticks },
	};
	const struct hd_stretch before = { measure->before, HD_BATCHES_MAX, measure->before_ticks };
	bool is_saturated = hd_measure_is_saturated(measure);

	if (is_idle(measure))
		return true;
	if (measure->before_ticks == 0)
		return hd_stretches_agree(&halves[0], &halves[1], is_saturated, &given_tolerance);
	return hd_stretches_agree(&halves[0], &halves[1], is_saturated, &extended_tolerance) &&
	       hd_stretches_agree(&before, &halves[0], is_saturated, &extended_tolerance) &&
	       hd_stretches_agree(&before, &halves[1], is_saturated, &extended_tolerance);
}
