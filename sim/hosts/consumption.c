// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts that take in packets slower than their links bring them: one packet after another, in the
 * order of arrival, from the time when its head is there. Until its tail is taken in, a packet
 * stays in the host's buffer and its credit is withheld.
 */
#include "sim/hosts/consumption.h"

#include <math.h>
#include <stdlib.h>

#include "support/error.h"

/* Of a host's port; times in ticks and 2^-32 of one. */
struct consumer {
	uint64_t free; /* when all packets that have come are taken in */
	uint32_t free_fraction;
	uint32_t unit_fraction;
	uint64_t unit; /* how long a unit takes; 0: as long as on the link */
};

static struct consumer *consumer_at(const struct hd_model *model, uint32_t port)
{
	return &model->injection.consumers[port - model->network.first_host_port];
}

/* Ticks of a unit on the link of the host's port @port; senders are not made yet. */
static uint32_t ticks_of(const struct hd_model *model, uint32_t port)
{
	const struct hd_model_options *o = &model->options;
	const uint32_t own = o->port_ticks ? o->port_ticks[model->network.fabric_port[port]] : 0;

	return own ? own : o->links[HD_LINK_TERMINAL].unit_ticks;
}

int hd_consumers_new(struct hd_model *model, struct hd_error *err)
{
	const struct hd_model_options *o = &model->options;
	const struct hd_host_range all = { 0, model->injection.n_hosts - 1 };
	const struct hd_host_range *ranges = o->n_slow_hosts ? o->slow_hosts : &all;
	size_t n = o->n_slow_hosts ? o->n_slow_hosts : 1;

	model->injection.consumers =
		calloc(model->network.n_ports - model->network.first_host_port + (size_t)1,
		       sizeof(*model->injection.consumers));
	if (!model->injection.consumers)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n && model->injection.n_hosts; i++) {
		if (ranges[i].last >= model->injection.n_hosts)
			return hd_error_set(err, HD_EINVAL, "there is no host %u: there are %u",
					    ranges[i].last, model->injection.n_hosts);
		for (uint32_t host = ranges[i].first; host <= ranges[i].last; host++) {
			struct consumer *consumer =
				consumer_at(model, model->injection.hosts[host].port);
			double unit =
				ticks_of(model, model->injection.hosts[host].port) / o->consumption;

			consumer->unit = (uint64_t)floor(unit);
			consumer->unit_fraction = (uint32_t)((unit - floor(unit)) * 0x1p32);
		}
	}
	return 0;
}

bool hd_consumer_takes_longer(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct consumer *c = consumer_at(model, port);
	uint64_t size = model->buffers.packets[index].message.size, now = model->events.now,
		 fraction;
	uint64_t head = now - size * unit_ticks(model, port);

	if (!c->unit)
		return false;
	if (c->free < head) {
		c->free = head;
		c->free_fraction = 0;
	}
	fraction = c->free_fraction + size * c->unit_fraction;
	c->free += size * c->unit + (fraction >> 32);
	c->free_fraction = (uint32_t)fraction;
	if (c->free <= now)
		return false;
	hd_events_post_any(&model->events, HD_EVENT_CONSUMED, c->free - now, port, index);
	return true;
}
