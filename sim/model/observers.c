// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/observers.h"

void hd_tell_buffer(struct hd_model *model, uint32_t out, unsigned vl, int64_t units)
{
	uint32_t port = model->network.fabric_port[out];

	for (struct hd_model_observer *o = model->observers; o; o = o->next)
		if (o->buffer)
			o->buffer(o->context, model->events.now, port, vl, units);
}

void hd_tell_output(struct hd_model *model, uint32_t out, int64_t units)
{
	uint32_t port = model->network.fabric_port[out];

	for (struct hd_model_observer *o = model->observers; o; o = o->next)
		if (o->output)
			o->output(o->context, model->events.now, port, units);
}

void hd_tell_packet(struct hd_model *model, enum hd_packet_step step, uint32_t port,
		    const struct packet *packet)
{
	const struct hd_packet_sight sight = {
		.now = model->events.now,
		.step = step,
		.port = model->network.fabric_port[port],
		.vl = step == HD_STEP_GENERATED || step == HD_STEP_LEAVES ? packet->out_vl
									  : packet->vl,
		.sl = packet->sl,
		.dlid = packet->dlid,
		.hops = packet->hops,
		.packet = (uint32_t)(packet - model->buffers.packets),
		.message = &packet->message,
	};

	for (struct hd_model_observer *o = model->observers; o; o = o->next)
		if (o->packet)
			o->packet(o->context, &sight);
}
