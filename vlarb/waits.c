// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/waits.h"

#include <math.h>
#include <stdlib.h>

#include "support/error.h"

/* Rates that differ by less are the same: sums of doubles. */
#define SAME_RATE 1e-9

/* What may come at once, when packets have waited before. */
static double arriving_burst(const struct hd_wait_channel *channel, double waited)
{
	return channel->n_senders * channel->burst + channel->need * waited;
}

static double wait_at(const struct hd_wait_channel *channel, bool any_order)
{
	const double burst = arriving_burst(channel, channel->before);
	const double left = channel->rate - channel->need;

	if (channel->rate <= 0 || left < -channel->rate * SAME_RATE || isinf(channel->before))
		return INFINITY;
	if (!any_order)
		return channel->latency + burst / channel->rate;
	/* a packet may be the last of all that come while there is one to send */
	if (left < channel->rate * SAME_RATE)
		return INFINITY;
	return (burst + channel->rate * channel->latency) / left;
}

/* Hands on what is known of @channel, all of whose predecessors have been done. */
static void finish(const struct hd_digraph *graph, struct hd_wait_channel *channels, uint32_t v,
		   bool any_order, uint32_t *missing, uint32_t *queue, uint32_t *n_queued)
{
	struct hd_wait_channel *channel = &channels[v];

	if (channel->n_senders > channel->n_flows)
		channel->n_senders = channel->n_flows;
	if (channel->n_flows)
		channel->wait = wait_at(channel, any_order);
	for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
		struct hd_wait_channel *next = &channels[graph->targets[e]];

		if (channel->before + channel->wait > next->before)
			next->before = channel->before + channel->wait;
		/* senders by several ways count several times, flows bound them */
		if (next->n_senders < next->n_flows)
			next->n_senders += channel->n_senders;
		if (!--missing[graph->targets[e]])
			queue[(*n_queued)++] = graph->targets[e];
	}
}

int hd_waits_find(const struct hd_digraph *graph, bool any_order, struct hd_wait_channel *channels,
		  struct hd_error *err)
{
	uint32_t *missing = calloc(graph->n + (size_t)1, sizeof(*missing));
	uint32_t *queue = malloc((graph->n + (size_t)1) * sizeof(*queue)), n_queued = 0, done = 0;

	if (!missing || !queue) {
		free(missing);
		free(queue);
		return hd_error_nomem(err);
	}
	for (size_t e = 0; e < graph->n_edges; e++)
		missing[graph->targets[e]]++;
	for (uint32_t v = 0; v < graph->n; v++) {
		channels[v].before = channels[v].wait = 0;
		if (!missing[v])
			queue[n_queued++] = v;
	}
	for (; done < n_queued; done++)
		finish(graph, channels, queue[done], any_order, missing, queue, &n_queued);
	free(missing);
	free(queue);
	return done == graph->n ? 0
				: hd_error_set(err, HD_EREFUSED,
					       "packets may wait for one another in a circle");
}

double hd_waits_buffer(const struct hd_wait_channel *channel, double wait, double link_rate)
{
	const double come =
		arriving_burst(channel, channel->before + channel->wait) + channel->need * wait;
	const double carried = link_rate * wait + channel->burst;

	return come < carried ? come : carried;
}
