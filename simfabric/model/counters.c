// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What ports count. Packets and units are counted as they leave; a wait costs nothing while it lasts:
 * when it began is noted, and what it took is added when the port takes its next packet.
 */
#include "simfabric/model/state.h"

static void begin(struct counter *counter, uint64_t now)
{
	counter->since = now;
}

static void end(struct counter *counter, uint64_t now)
{
	counter->wait += now - counter->since;
}

void hd_model_begin_wait(struct hd_model *model, uint32_t out, unsigned vls)
{
	struct port *port = &model->ports[out];
	unsigned new = vls & ~port->waits;

	if (new && !port->waits)
		begin(hd_counter(model, out, model->n_vls), model->events.now);
	for (; new; new &= new - 1)
		begin(hd_counter(model, out, __builtin_ctz(new)), model->events.now);
	port->waits |= vls;
}

void hd_model_end_wait(struct hd_model *model, uint32_t out)
{
	struct port *port = &model->ports[out];

	if (!port->waits)
		return;
	end(hd_counter(model, out, model->n_vls), model->events.now);
	for (unsigned vls = port->waits; vls; vls &= vls - 1)
		end(hd_counter(model, out, __builtin_ctz(vls)), model->events.now);
	port->waits = 0;
}

void hd_model_wait_for_turn(struct hd_model *model, uint32_t out)
{
	const struct port *port = &model->ports[out];
	const uint16_t *heads = hd_heads(model, out);
	unsigned vls = 0;

	/* what is on its way through the crossbar will be sent */
	if (model->options.model == &hd_switch_cioq &&
	    port->room < model->options.links[port->link_class].output)
		return;
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		vls |= (heads[vl] > 0u) << vl;
	hd_model_begin_wait(model, out, vls);
}

/* @counter, with the wait that is under way. */
static struct hd_model_counters counted(const struct hd_model *model, const struct counter *counter,
					bool waits)
{
	return (struct hd_model_counters){
		.packets = counter->packets,
		.units = counter->units,
		.wait = counter->wait + (waits ? model->events.now - counter->since : 0),
	};
}

struct hd_model_counters hd_model_counters(const struct hd_model *model, uint32_t fabric_port,
					   unsigned vl)
{
	uint32_t port = model->port_of[fabric_port];

	if (port == HD_NONE || vl >= model->n_vls)
		return (struct hd_model_counters){ 0 };
	return counted(model, hd_counter(model, port, vl), model->ports[port].waits >> vl & 1);
}

struct hd_model_counters hd_model_port_counters(const struct hd_model *model, uint32_t fabric_port)
{
	uint32_t port = model->port_of[fabric_port];
	struct hd_model_counters total;

	if (port == HD_NONE)
		return (struct hd_model_counters){ 0 };
	total = counted(model, hd_counter(model, port, model->n_vls), model->ports[port].waits);
	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		total.packets += hd_counter(model, port, vl)->packets;
		total.units += hd_counter(model, port, vl)->units;
	}
	return total;
}

uint64_t hd_model_busy(const struct hd_model *model, uint32_t fabric_port, unsigned vl)
{
	uint32_t port = model->port_of[fabric_port];

	if (port == HD_NONE || vl >= model->n_vls)
		return 0;
	return hd_counter(model, port, vl)->units *
	       model->options.links[model->ports[port].link_class].unit_ticks;
}
