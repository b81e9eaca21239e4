// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a library that posts packets knows: what it posted to each network, which is each offset to
 * a base LID, and what of that was completed. A completion comes some time after the packet was
 * taken in, or dropped.
 */
#include <stdlib.h>

#include "sim/hosts/admittance.h"
#include "support/error.h"

struct outstanding {
	unsigned n;      /* networks: the most LIDs of a host */
	unsigned line;   /* delay line of completions */
	bool is_late;    /* they take time */
	uint64_t *units; /* [host * n + offset] posted, and not yet completed */
};

static int make(struct hd_model *model, struct hd_error *err)
{
	const uint64_t delay = model->options.host.delay;
	struct outstanding *own = calloc(1, sizeof(*own));

	model->injection.choosing = own;
	if (!own)
		return hd_error_nomem(err);
	own->n = 1;
	for (uint32_t host = 0; host < model->injection.n_hosts; host++)
		while (own->n < 1u << model->injection.destinations[host].lmc)
			own->n *= 2;
	own->units = calloc((size_t)model->injection.n_hosts * own->n + 1, sizeof(*own->units));
	if (!own->units)
		return hd_error_nomem(err);
	own->is_late = delay > 0;
	if (own->is_late)
		own->line = hd_events_line(&model->events, HD_EVENT_POLICY, delay);
	return 0;
}

static void release(struct hd_model *model)
{
	struct outstanding *own = model->injection.choosing;

	free(own->units);
}

/* The LID with least outstanding, of those with room; of equals the next in turn. */
static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct outstanding *own = model->injection.choosing;
	const uint32_t host = message->from;
	const struct host *from = &model->injection.hosts[host];
	const uint64_t *units = own->units + (size_t)host * own->n;
	unsigned best = n, dropped = 0;

	for (unsigned k = 0; k < n; k++) {
		unsigned i = (from->turn + k) % n;

		if (vls[i] == HD_VL_DROP)
			dropped++;
		else if (hd_admittance_has_room(model, from->port, vls[i]) &&
			 (best == n || units[i] < units[best]))
			best = i;
	}
	return dropped == n ? 0 : best;
}

/* The index of what @packet is counted in. */
static size_t place_of(const struct hd_model *model, const struct packet *packet)
{
	const struct outstanding *own = model->injection.choosing;

	return (size_t)packet->message.from * own->n + packet->dlid -
	       model->injection.destinations[packet->message.to].lid;
}

static void taken(struct hd_model *model, const struct packet *packet)
{
	const struct outstanding *own = model->injection.choosing;

	own->units[place_of(model, packet)] += packet->message.size;
}

static void ended(struct hd_model *model, const struct packet *packet)
{
	const struct outstanding *own = model->injection.choosing;
	const size_t place = place_of(model, packet);

	if (own->is_late)
		hd_events_post(&model->events, own->line, (uint32_t)place, packet->message.size);
	else
		own->units[place] -= packet->message.size;
}

/* A packet of @size that was counted at @place is completed. */
static void event(struct hd_model *model, uint32_t place, uint32_t size)
{
	const struct outstanding *own = model->injection.choosing;

	own->units[place] -= size;
}

static const struct hd_option options[] = {
	{ "delay", NULL, "time",
	  "from when a packet was taken in until its host knows; 1us unless given, with cycles "
	  "100" },
	{ 0 },
};

const struct hd_host_policy hd_host_outstanding = {
	.policy.name = "outstanding",
	.policy.summary = "the one that has least posted and not yet completed",
	.policy.options = options,
	.make = make,
	.free = release,
	.choose = choose,
	.taken = taken,
	.ended = ended,
	.event = event,
};
