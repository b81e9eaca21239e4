// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The links of a model: their rates, and the buffers behind them. */
#include "sim/model/build.h"
#include "sim/model/model_network.h"

#include "support/error.h"
#include "support/memory.h"

#include <string.h>
/* VCs that share the buffer behind @link. */
static unsigned vcs_of(const struct hd_model *model, const struct hd_link_options *link)
{
	return link->vcs ? link->vcs : model->n_vls;
}

/* Units of the buffer behind @link, of all VCs. */
static uint32_t port_buffer_of(const struct hd_model *model, const struct hd_link_options *link)
{
	return link->port_buffer ? link->port_buffer : link->buffer * vcs_of(model, link);
}

/* Gives each VC its part of the buffer behind @link. */
static int divide_buffer(const struct hd_model *model, struct hd_link_options *link,
			 struct hd_error *err)
{
	const unsigned n = link->packet && !link->vcs ? model->used_vls : vcs_of(model, link);
	const uint32_t least = link->packet ? link->packet : model->options.damq_least;

	link->buffer = link->port_buffer / n;
	if (link->packet)
		link->buffer -= link->buffer % link->packet;
	if (link->buffer && link->buffer >= least)
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "a port's buffer of %u units has no room for a packet of %u on "
			    "each of %u VLs",
			    link->port_buffer, least, n);
}

int hd_model_divide_buffers(struct hd_model *model, struct hd_error *err)
{
	struct hd_model_options *options = &model->options;
	int ret = 0;

	for (unsigned i = 0; i < HD_LINK_CLASSES && !ret; i++)
		if (options->links[i].port_buffer)
			ret = divide_buffer(model, &options->links[i], err);
	if (ret || !options->port_injection)
		return ret;
	options->injection = options->port_injection / model->used_vls;
	if (!options->injection)
		return hd_error_set(err, HD_EINVAL,
				    "a host's %u packets have no room for one on each of %u VLs",
				    options->port_injection, model->used_vls);
	return 0;
}

void hd_model_set_shares(struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		const struct hd_link_options *link = &options->links[i];
		const uint32_t port = port_buffer_of(model, link);
		uint32_t own = (uint32_t)(link->buffer * options->damq_reserved), most;

		if (own < options->damq_least)
			own = options->damq_least < link->buffer ? options->damq_least
								 : link->buffer;
		most = vcs_of(model, link) > 1 ? (uint32_t)(port * options->damq_most) : port;
		model->sharing.total[i] = port;
		model->sharing.reserved[i] = own;
		model->sharing.most[i] = most > own ? most : own;
	}
}

/* The rate of links of @class with @unit_ticks, and what a header takes on them. */
static struct hd_rate make_rate(const struct hd_model *model, uint32_t unit_ticks, uint8_t class)
{
	const struct hd_model_options *options = &model->options;
	struct hd_rate rate = { .unit_ticks = unit_ticks, .link_class = class };

	if (options->header)
		rate.header_ticks =
			((uint64_t)options->header * unit_ticks + options->header_unit / 2) /
			options->header_unit;
	return rate;
}

void hd_model_begin_rates(struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;
	const struct hd_fabric *fabric = model->network.fabric;

	model->n_rates = HD_LINK_CLASSES;
	model->fastest = UINT32_MAX;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		const uint32_t ticks = options->links[i].unit_ticks;

		model->rates[i] = make_rate(model, ticks, (uint8_t)i);
		model->has_rates |= ticks != options->links[0].unit_ticks;
		model->fastest = ticks < model->fastest ? ticks : model->fastest;
	}
	for (uint32_t port = 0; options->port_ticks && port < fabric->n_ports; port++) {
		const uint32_t ticks = options->port_ticks[port];

		if (!ticks || fabric->ports[port].peer == HD_NONE)
			continue;
		model->has_rates = true;
		model->fastest = ticks < model->fastest ? ticks : model->fastest;
	}
}

/* The rate of the link at @port of the fabric. HD_ERANGE: there are too many. */
static int find_rate(struct hd_model *model, uint32_t port, struct sender *sender)
{
	const uint32_t *of_ports = model->options.port_ticks;
	unsigned i = HD_LINK_CLASSES;

	sender->rate = sender->link_class;
	if (!of_ports || !of_ports[port])
		return 0;
	while (i < model->n_rates && (model->rates[i].unit_ticks != of_ports[port] ||
				      model->rates[i].link_class != sender->link_class))
		i++;
	if (i == HD_MODEL_RATES)
		return HD_ERANGE;
	if (i == model->n_rates)
		model->rates[model->n_rates++] =
			make_rate(model, of_ports[port], sender->link_class);
	sender->rate = (uint8_t)i;
	return 0;
}

int hd_model_make_links(struct hd_model *model, struct hd_error *err)
{
	const struct hd_model_options *options = &model->options;
	size_t size =
		model->network.n_ports * model->layout.port.words * sizeof(*model->layout.ports);

	model->layout.ports = hd_alloc_large(size + 1);
	if (!model->layout.ports)
		return hd_error_nomem(err);
	memset(model->layout.ports, 0, size);
	model->buffers.smallest = UINT32_MAX;
	for (uint32_t i = 0; i < model->network.n_ports; i++) {
		struct sender *sender = hd_sender(model, i);
		uint32_t port = model->network.fabric_port[i], own, room;
		const struct hd_link_options *link;

		if (!hd_is_port(model, i))
			continue;
		sender->link_class = (uint8_t)hd_model_link_class(model, port);
		if (find_rate(model, port, sender))
			return hd_error_set(err, HD_ERANGE, "links of more than %d rates",
					    HD_MODEL_RATES);
		sender->peer = model->network.port_of[model->network.fabric->ports[port].peer];
		sender->to_host = !hd_is_switch_port(model, sender->peer);
		hd_receiver(model, i)->peer = sender->peer;
		link = &options->links[sender->link_class];
		own = room = link->buffer;
		if (model->sharing.left) {
			own = model->sharing.reserved[sender->link_class];
			model->sharing.left[i] = model->sharing.total[sender->link_class] -
						 own * vcs_of(model, link);
			room = own + model->sharing.left[i];
			if (model->sharing.most[sender->link_class] < room)
				room = model->sharing.most[sender->link_class];
		}
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			sender->credits[vl] = own;
		if (room < model->buffers.smallest)
			model->buffers.smallest = room;
	}
	return 0;
}
