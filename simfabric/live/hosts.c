// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts between the traffic, which numbers all that there are and has one time, and a model, which
 * has those that are up and begins at 0.
 */
#include <stdlib.h>

#include "simfabric/live/state.h"
#include "support/error.h"

/*
 * Messages in a row to hosts that are down, after which a host is taken to send to no others, and
 * sends nothing until another model is made.
 */
#define VAIN_MESSAGES 256

int hd_live_meet_hosts(struct hd_live *live, struct hd_error *err)
{
	uint32_t n = hd_model_hosts(live->model);

	free(live->host_of);
	live->host_of = malloc((n + (size_t)1) * sizeof(*live->host_of));
	if (!live->host_of)
		return hd_error_nomem(err);
	/* both are ascending by port */
	for (uint32_t host = 0, in_model = 0; host < live->n_hosts; host++) {
		struct hd_live_host *h = &live->hosts[host];

		h->outstanding = 0;
		h->is_asked = false;
		h->in_model = HD_NONE;
		while (in_model < n && hd_model_host_port(live->model, in_model) < h->port)
			in_model++;
		if (in_model < n && hd_model_host_port(live->model, in_model) == h->port) {
			h->in_model = in_model;
			live->host_of[in_model] = host;
		}
	}
	return 0;
}

/* The next message of @host to a host that is up. */
static bool draw(struct hd_live *live, uint32_t host)
{
	struct hd_live_host *h = &live->hosts[host];

	for (unsigned i = 0; i < VAIN_MESSAGES; i++) {
		if (!h->has_next)
			h->has_next = hd_traffic_next(live->traffic, host, &h->next);
		if (!h->has_next || h->next.time >= live->options.end)
			return false;
		if (live->hosts[h->next.to].in_model != HD_NONE)
			return true;
		h->has_next = false;
	}
	return false;
}

/* What a host that has the window's packets outstanding waits before it offers one more. */
static uint64_t pause_of(const struct hd_live *live, const struct hd_live_host *host)
{
	uint64_t packet = (uint64_t)host->next.size * live->unit_ticks[HD_LINK_TERMINAL];
	unsigned above;

	if (host->outstanding < HD_LIVE_WINDOW)
		return 0;
	above = host->outstanding - HD_LIVE_WINDOW + 1;
	return packet << (above < 20 ? above : 20);
}

bool hd_live_next(void *context, uint32_t from, struct hd_message *message)
{
	struct hd_live *live = context;
	uint32_t host = live->host_of[from];
	struct hd_live_host *h = &live->hosts[host];
	uint64_t now = h->is_asked ? h->time : 0;

	/* the model asks when the one before is generated */
	if (h->is_asked)
		h->has_next = false;
	h->is_asked = true;
	if (live->is_paused || !draw(live, host))
		return false;
	h->time = h->next.time > live->base ? h->next.time - live->base : 0;
	if (h->time < now)
		h->time = now;
	h->time += pause_of(live, h);
	h->outstanding++;
	*message = h->next;
	message->time = h->time;
	message->from = from;
	message->to = live->hosts[h->next.to].in_model;
	return true;
}

static void reply_to(struct hd_live *live, uint64_t now, const struct hd_message *message)
{
	struct hd_message request = *message, reply;

	request.from = live->host_of[message->from];
	request.to = live->host_of[message->to];
	if (!hd_traffic_reply(live->traffic, live->base + now, &request, &reply))
		return;
	live->hosts[reply.from].outstanding++;
	reply.time = now;
	reply.from = message->to;
	reply.to = message->from;
	hd_model_inject(live->model, &reply);
}

void hd_live_delivered(void *context, uint64_t now, const struct hd_message *message,
		       uint64_t entered, unsigned hops)
{
	struct hd_live *live = context;

	(void)entered;
	(void)hops;
	live->hosts[live->host_of[message->from]].outstanding--;
	reply_to(live, now, message);
}

void hd_live_dropped(void *context, uint64_t now, const struct hd_message *message)
{
	struct hd_live *live = context;
	const struct hd_live_host *from = &live->hosts[live->host_of[message->from]];
	const struct hd_live_host *to = &live->hosts[live->host_of[message->to]];

	(void)now;
	live->hosts[live->host_of[message->from]].outstanding--;
	if (!hd_live_count_loss(live->counters, from->port, to->port))
		live->n_unsent++;
}
