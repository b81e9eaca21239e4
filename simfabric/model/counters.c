// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What ports count. Packets and units are counted as they leave; a wait costs nothing while it lasts:
 * when it began is noted, and what it took is added when the port takes its next packet.
 */
#include "simfabric/model/state.h"

#define VLS (HD_TRIED - 1) /* of a port's waits */

static void begin(struct waiting *waiting, uint64_t now)
{
	waiting->since = now;
}

static void end(struct waiting *waiting, uint64_t now)
{
	waiting->ticks += now - waiting->since;
}

void hd_model_begin_wait(struct hd_model *model, uint32_t out, unsigned vls)
{
	struct port *port = &model->ports[out];
	unsigned new = vls & ~port->waits;

	if (new && !(port->waits & VLS))
		begin(hd_waiting(model, out, model->n_vls), model->events.now);
	for (; new; new &= new - 1)
		begin(hd_waiting(model, out, __builtin_ctz(new)), model->events.now);
	port->waits |= HD_TRIED | vls;
}

void hd_model_stop_waiting(struct hd_model *model, uint32_t out)
{
	struct port *port = &model->ports[out];
	unsigned vls = port->waits & VLS;

	port->waits = 0;
	if (vls)
		end(hd_waiting(model, out, model->n_vls), model->events.now);
	for (; vls; vls &= vls - 1)
		end(hd_waiting(model, out, __builtin_ctz(vls)), model->events.now);
}

void hd_model_wait_for_turn(struct hd_model *model, uint32_t out)
{
	const struct port *port = &model->ports[out];
	const uint16_t *heads = hd_heads(model, out);
	unsigned vls = 0;

	/* what is on its way through the crossbar will be sent */
	if (model->options.model == &hd_switch_cioq &&
	    model->outputs[out].room < model->options.links[port->link_class].output) {
		hd_model_begin_wait(model, out, 0);
		return;
	}
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		vls |= (heads[vl] > 0u) << vl;
	hd_model_begin_wait(model, out, vls);
}

/* Ticks of waiting, with the wait that is under way. */
static uint64_t waited(const struct hd_model *model, uint32_t port, unsigned vl, bool waits)
{
	const struct waiting *waiting = hd_waiting(model, port, vl);

	return waiting->ticks + (waits ? model->events.now - waiting->since : 0);
}

struct hd_model_counters hd_model_counters(const struct hd_model *model, uint32_t fabric_port,
					   unsigned vl)
{
	uint32_t port = model->port_of[fabric_port];

	if (port == HD_NONE || vl >= model->n_vls)
		return (struct hd_model_counters){ 0 };
	return (struct hd_model_counters){
		.packets = hd_sent(model, port, vl)->packets,
		.units = hd_sent(model, port, vl)->units,
		.wait = waited(model, port, vl, model->ports[port].waits >> vl & 1),
	};
}

struct hd_model_counters hd_model_port_counters(const struct hd_model *model, uint32_t fabric_port)
{
	uint32_t port = model->port_of[fabric_port];
	struct hd_model_counters total = { 0 };

	if (port == HD_NONE)
		return total;
	total.wait = waited(model, port, model->n_vls, model->ports[port].waits & VLS);
	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		total.packets += hd_sent(model, port, vl)->packets;
		total.units += hd_sent(model, port, vl)->units;
	}
	return total;
}

uint64_t hd_model_busy(const struct hd_model *model, uint32_t fabric_port, unsigned vl)
{
	uint32_t port = model->port_of[fabric_port];

	if (port == HD_NONE || vl >= model->n_vls)
		return 0;
	return hd_sent(model, port, vl)->units *
	       model->options.links[model->ports[port].link_class].unit_ticks;
}
