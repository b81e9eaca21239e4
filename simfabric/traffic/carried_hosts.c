// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts between the traffic and a model. The traffic numbers all hosts and has one time; a model
 * has only the hosts that are up, and its time begins at 0.
 */
#include <stdlib.h>

#include "simfabric/traffic/carried_private.h"
#include "support/error.h"

/*
 * After so many messages in a row to hosts that are down, a host is taken to send to no others, and
 * sends nothing until another model is made.
 */
#define VAIN_MESSAGES 256

int hd_carried_meet_hosts(struct hd_carried *carried, struct hd_error *err)
{
	uint32_t n = hd_model_hosts(carried->model);

	free(carried->host_of);
	carried->host_of = malloc((n + (size_t)1) * sizeof(*carried->host_of));
	if (!carried->host_of)
		return hd_error_nomem(err);
	/* both are in the order of ports */
	for (uint32_t host = 0, in_model = 0; host < carried->n_hosts; host++) {
		struct hd_carried_host *h = &carried->hosts[host];

		h->outstanding = 0;
		h->is_asked = h->is_idle = false;
		h->in_model = HD_NONE;
		while (in_model < n && hd_model_host_port(carried->model, in_model) < h->port)
			in_model++;
		if (in_model < n && hd_model_host_port(carried->model, in_model) == h->port) {
			h->in_model = in_model;
			carried->host_of[in_model] = host;
		}
	}
	return 0;
}

/* The next message of @host to a host that is up. */
static bool draw(struct hd_carried *carried, uint32_t host)
{
	struct hd_carried_host *h = &carried->hosts[host];

	for (unsigned i = 0; i < VAIN_MESSAGES; i++) {
		if (!h->has_next)
			h->has_next = hd_traffic_next(carried->traffic, host, &h->next);
		if (!h->has_next || h->next.time >= carried->options.end)
			return false;
		if (carried->hosts[h->next.to].is_up)
			return true;
		h->has_next = false;
	}
	return false;
}

void hd_carried_wake_hosts(struct hd_carried *carried)
{
	for (uint32_t host = 0; host < carried->n_hosts; host++) {
		struct hd_carried_host *h = &carried->hosts[host];

		if (!h->is_idle || !h->is_up)
			continue;
		/* what was drawn, and not taken, is offered now */
		h->is_asked = false;
		hd_model_ask(carried->model, h->in_model);
	}
}

/* How long a host that has the window's packets outstanding pauses before it offers one more. */
static uint64_t pause_of(const struct hd_carried *carried, const struct hd_carried_host *host)
{
	uint64_t packet = (uint64_t)host->next.size * carried->unit_ticks[HD_LINK_TERMINAL];
	unsigned above;

	if (host->outstanding < HD_CARRIED_WINDOW)
		return 0;
	above = host->outstanding - HD_CARRIED_WINDOW + 1;
	return packet << (above < 20 ? above : 20);
}

bool hd_carried_next(void *context, uint32_t from, struct hd_message *message)
{
	struct hd_carried *carried = context;
	uint32_t host = carried->host_of[from];
	struct hd_carried_host *h = &carried->hosts[host];
	uint64_t now = h->is_asked ? h->time : 0;

	/* the model asks for a message when the one before is generated */
	if (h->is_asked)
		h->has_next = false;
	h->is_asked = true;
	h->is_idle = carried->is_paused || !h->is_up || !draw(carried, host);
	if (h->is_idle)
		return false;
	h->time = h->next.time > carried->base ? h->next.time - carried->base : 0;
	if (h->time < now)
		h->time = now;
	h->time += pause_of(carried, h);
	h->outstanding++;
	*message = h->next;
	message->time = h->time;
	message->from = from;
	message->to = carried->hosts[h->next.to].in_model;
	return true;
}

static void reply_to(struct hd_carried *carried, uint64_t now, const struct hd_message *message)
{
	struct hd_message request = *message, reply;

	request.from = carried->host_of[message->from];
	request.to = carried->host_of[message->to];
	if (!hd_traffic_reply(carried->traffic, carried->base + now, &request, &reply))
		return;
	carried->hosts[reply.from].outstanding++;
	reply.time = now;
	reply.from = message->to;
	reply.to = message->from;
	hd_model_inject(carried->model, &reply);
}

void hd_carried_delivered(void *context, uint64_t now, const struct hd_message *message,
			  uint64_t entered, unsigned hops)
{
	struct hd_carried *carried = context;
	const uint32_t host = carried->host_of[message->from];
	struct hd_carried_tally *tally;

	(void)entered;
	(void)hops;
	tally = &carried->tallies[host * (size_t)carried->n_classes + message->tag];
	tally->delivered++;
	tally->latency += now - message->time;
	carried->hosts[host].outstanding--;
	reply_to(carried, now, message);
}

void hd_carried_dropped(void *context, uint64_t now, const struct hd_message *message)
{
	struct hd_carried *carried = context;
	const struct hd_carried_host *from = &carried->hosts[carried->host_of[message->from]];
	const struct hd_carried_host *to = &carried->hosts[carried->host_of[message->to]];

	const struct hd_model_loss loss = hd_model_last_loss(carried->model);

	(void)now;
	carried->hosts[carried->host_of[message->from]].outstanding--;
	if (loss.kind == HD_LOSS_ON_LINK)
		carried->n_broken++;
	if (loss.kind != HD_LOSS_AT_HOST)
		hd_carried_count_loss_at(carried->counters, carried->model, &loss);
	else if (!hd_carried_count_loss(carried->counters, from->port, to->port))
		carried->n_unsent++;
}
