// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/measure/measure.h"

#include <math.h>
#include <stdlib.h>

#include "support/error.h"

#define SATURATED_BELOW 0.95
#define STEADY_LOAD     0.05
#define STEADY_LATENCY  0.20

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
	measure->offered = calloc(options->n_hosts + (size_t)1, sizeof(*measure->offered));
	measure->accepted = calloc(options->n_hosts + (size_t)1, sizeof(*measure->accepted));
	if (!measure->classes || !measure->slices || !measure->offered || !measure->accepted) {
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
	free(measure->offered);
	free(measure->accepted);
	free(measure);
}

static bool within(const struct hd_measure *measure, uint64_t time)
{
	return time >= measure->options.begin && time < measure->options.end;
}

static struct hd_measure_slice *slice_of(struct hd_measure *measure, uint64_t time)
{
	const struct hd_measure_options *o = &measure->options;
	double share = (double)(time - o->begin) / (double)(o->end - o->begin);
	unsigned i = (unsigned)(share * o->slices);

	return &measure->slices[i < o->slices ? i : o->slices - 1];
}

void hd_measure_generated(struct hd_measure *measure, const struct hd_message *message)
{
	if (!within(measure, message->time))
		return;
	measure->classes[message->tag].offered += message->size;
	measure->classes[measure->options.n_classes].offered += message->size;
	measure->offered[message->from] += message->size;
	slice_of(measure, message->time)->offered += message->size;
}

static void count(struct hd_measure_class *class, const struct hd_message *message,
		  uint64_t latency, uint64_t network_latency, unsigned hops)
{
	class->accepted += message->size;
	class->packets++;
	class->hops += hops;
	hd_histogram_add(&class->latency, latency);
	hd_histogram_add(&class->network_latency, network_latency);
}

void hd_measure_delivered(struct hd_measure *measure, uint64_t now,
			  const struct hd_message *message, uint64_t entered, unsigned hops)
{
	uint64_t latency = now - message->time, network_latency = now - entered;
	struct hd_measure_slice *slice;

	if (!within(measure, now))
		return;
	count(&measure->classes[message->tag], message, latency, network_latency, hops);
	count(&measure->classes[measure->options.n_classes], message, latency, network_latency,
	      hops);
	measure->accepted[message->from] += message->size;
	if (hops > measure->max_hops)
		measure->max_hops = hops;
	slice = slice_of(measure, now);
	slice->accepted += message->size;
	slice->packets++;
	slice->latency += latency;
}

void hd_measure_dropped(struct hd_measure *measure, uint64_t now, const struct hd_message *message)
{
	if (!within(measure, now))
		return;
	measure->classes[message->tag].dropped++;
	measure->classes[measure->options.n_classes].dropped++;
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
		uint32_t i = group ? group[host] : host;

		if (!measure->offered[host])
			continue;
		sources[i]++;
		shares[i] += (double)measure->accepted[host] * o->unit_ticks / window;
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

	/* of the mean size: what is dropped is not told */
	if (all->packets)
		dropped = (double)all->dropped * (double)all->accepted / (double)all->packets;
	return (double)all->accepted + dropped < SATURATED_BELOW * (double)all->offered;
}

static bool agree(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * (a + b) / 2;
}

bool hd_measure_is_steady(const struct hd_measure *measure)
{
	unsigned half = measure->options.slices / 2;
	struct hd_measure_slice halves[2] = { { 0 } };

	for (unsigned i = 0; i < 2 * half; i++) {
		/* an odd slice in the middle belongs to neither */
		const struct hd_measure_slice *slice =
			&measure->slices[i < half ? i : measure->options.slices - 2 * half + i];
		struct hd_measure_slice *into = &halves[i >= half];

		into->accepted += slice->accepted;
		into->packets += slice->packets;
		into->latency += slice->latency;
	}
	if (!agree((double)halves[0].accepted, (double)halves[1].accepted, STEADY_LOAD))
		return false;
	if (hd_measure_is_saturated(measure) || !halves[0].packets || !halves[1].packets)
		return true;
	return agree((double)halves[0].latency / (double)halves[0].packets,
		     (double)halves[1].latency / (double)halves[1].packets, STEADY_LATENCY);
}
