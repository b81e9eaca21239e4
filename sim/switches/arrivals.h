/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Packets that came into a switch get their out-port, and wait in the switch's buffers. */
#ifndef HD_SWITCHES_ARRIVALS_H
#define HD_SWITCHES_ARRIVALS_H

#include "sim/switches/bubble.h"
#include "sim/switches/credits.h"
#include "sim/model/table_changes.h"
#include "sim/model/packets.h"
#include "sim/switches/route_table.h"

/* Packet @index, whose out-port is known, joins a queue of in-port @port. */
static inline void hd_model_switch_enqueue(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	struct queue *queue = hd_queue(model, port, packet->vl, packet->out);

	if (hd_has_voqnet(model)) {
		hd_voqnet_enqueue(model, port, index);
		return;
	}
	if (hd_has_own_matching(model)) {
		hd_switch_hooks(model)->enqueue(model, port, index);
		return;
	}
	packet->arrived = model->events.now;
	packet->next = HD_NONE;
	if (queue->head == HD_NONE) {
		queue->head = index;
		queue->tail = index;
		hd_crossbar_want(model, port, packet->vl, queue);
	} else {
		model->buffers.packets[queue->tail].next = index;
		queue->tail = index;
	}
}

/*
 * The tables drop packet @index: its room in the buffer becomes free as if the packet left at once.
 */
static inline void hd_input_drop(struct hd_model *model, uint32_t port, uint32_t index)
{
	const struct packet *packet = &model->buffers.packets[index];

	hd_observe_packet(model, HD_STEP_DROPPED, port, index);
	model->census.under_way--;
	if (hd_has_bubble(model))
		hd_bubble_leave(model, port, packet);
	hd_model_return_out_of_turn(model, port, packet->vl, packet->message.size,
				    hd_has_voqnet(model) ? hd_voqnet_destination(model, packet)
							 : 0);
	hd_model_drop(model, index);
}

/* With tables that change: packet @index is lost, as @kind says. */
static inline void hd_input_lose(struct hd_model *model, uint32_t port, uint32_t index,
				 enum hd_loss_kind kind)
{
	const struct packet *packet = &model->buffers.packets[index];

	model->live->loss = (struct hd_model_loss){
		.kind = kind,
		.port = model->network.fabric_port[port],
		.lid = packet->dlid,
		.vl = packet->vl,
		.units = packet->message.size,
	};
	hd_input_drop(model, port, index);
	model->live->loss = (struct hd_model_loss){ .kind = HD_LOSS_AT_HOST };
}

/* The same: whether packet @index came over an active link, and goes on. */
static inline bool hd_input_is_kept(struct hd_model *model, uint32_t port, uint32_t index)
{
	if (model->live->dead[port])
		hd_input_lose(model, port, index, HD_LOSS_ON_LINK);
	else if (!hd_live_visit(model, hd_switch_of(model, port), index))
		hd_input_lose(model, port, index, HD_LOSS_IN_CIRCLE);
	else
		return true;
	return false;
}

/* The head of packet @index is far enough into the switch to be routed. */
static inline void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	unsigned vl = 0;

	if (hd_is_live(model) && !hd_input_is_kept(model, port, index))
		return;
	if (hd_may_choose(model) && model->choice->routed)
		packet->out = hd_arrival_choose(model, port, packet, &vl);
	else
		packet->out = hd_route_table_look_up(model, port, packet->dlid, packet->sl, &vl);
	packet->out_vl = (uint8_t)vl;
	/* where the tables lead to a link that is not active, they lead nowhere */
	if (hd_is_live(model) && packet->out != HD_NONE && model->live->dead[packet->out])
		packet->out = HD_NONE;
	if (packet->out == HD_NONE) {
		if (hd_is_live(model))
			hd_input_lose(model, port, index, HD_LOSS_AT_SWITCH);
		else
			hd_input_drop(model, port, index);
		return;
	}
	hd_observe_packet(model, HD_STEP_ARRIVED, port, index);
	if (hd_may_choose(model))
		model->choice->waiting[packet->out * (size_t)hd_n_vls(model) + vl] +=
			packet->message.size;
	if (hd_has_rates(model) && unit_ticks(model, port) > unit_ticks(model, packet->out)) {
		/* the faster out-link must not run out of the packet, which comes more slowly */
		hd_events_post_any(&model->events, HD_EVENT_ENQUEUE,
				   (unit_ticks(model, port) - unit_ticks(model, packet->out)) *
					   (uint64_t)packet->message.size,
				   port, index);
		return;
	}
	hd_model_switch_enqueue(model, port, index);
}

#endif
