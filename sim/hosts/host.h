/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hosts generate packets, and choose one of the destination's LIDs for each. */
#ifndef HD_HOSTS_HOST_H
#define HD_HOSTS_HOST_H

#include "sim/switches/bubble.h"
#include "sim/hosts/host_policy.h"
#include "sim/hosts/injection.h"

/* Asks the traffic for @host's next message. */
static inline void hd_model_schedule(struct hd_model *model, uint32_t host)
{
	struct hd_message message;
	uint32_t index;
	struct packet *packet;

	if (!model->user.next(model->user.context, host, &message))
		return;
	index = hd_model_new_packet(model);
	if (index == HD_NONE)
		return;
	packet = &model->buffers.packets[index];
	packet->message = message;
	hd_events_post_any(&model->events, HD_EVENT_GENERATE,
			   message.time > model->events.now ? message.time - model->events.now : 0,
			   host, index);
}

/* Gives @packet its LID and lane. */
static inline void hd_host_choose_lid(struct hd_model *model, struct packet *packet)
{
	uint32_t host = packet->message.from;
	uint8_t vls[HD_MAX_LIDS];
	unsigned i = 0;

	if (model->options.host_policy->choose)
		i = hd_model_choose_lid(
			model, &packet->message, vls,
			hd_model_vls_to(model, host, packet->message.to, packet->message.tag, vls));
	hd_model_take_lid(model, packet, i);
	if (hd_has_routing(model) && packet->out_vl != HD_VL_DROP)
		packet->out_vl = (uint8_t)hd_adaptive_injection_vc(model, packet);
}

/* Puts a message that is generated now into its host's queue. */
static inline void hd_model_admit(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];

	packet->next = HD_NONE;
	packet->hops = 0;
	model->census.generated++;
	model->census.queued++;
	if (hd_has_bound(model))
		model->injection.n_queued[packet->message.from]++;
	if (packet->message.size > model->buffers.smallest) {
		model->buffers.too_large = packet->message.size;
		model->pause = 0;
		return;
	}
	if (hd_has_bubble(model) && !hd_bubble_takes(model, packet->message.size)) {
		model->pause = 0;
		return;
	}
	hd_buffers_note_size(&model->buffers, packet->message.size);
	if (hd_has_routing(model) && packet->message.size > model->adaptive->packet)
		hd_adaptive_grow_packet(model, packet->message.size);
	if (hd_has_admittances(model)) {
		hd_observe_packet(model, HD_STEP_GENERATED,
				  model->injection.hosts[packet->message.from].port, index);
		hd_admittance_add(model, index);
		return;
	}
	hd_host_choose_lid(model, packet);
	hd_observe_packet(model, HD_STEP_GENERATED,
			  model->injection.hosts[packet->message.from].port, index);
	hd_model_enqueue(model, index);
}

/* Whether the message of packet @index belongs to traffic that is over; then frees the packet. */
static inline bool hd_host_is_stale(struct hd_model *model, uint32_t index)
{
	if (!model->user.stale ||
	    !model->user.stale(model->user.context, &model->buffers.packets[index].message))
		return false;
	hd_model_release(model, index);
	return true;
}

/* The message of packet @index is generated now, unless its host's queue is full. */
static inline void hd_host_generate(struct hd_model *model, uint32_t index)
{
	struct hd_message message = model->buffers.packets[index].message;

	if (!hd_has_bound(model) ||
	    model->injection.n_queued[message.from] < model->options.host_queue) {
		hd_model_admit(model, index);
		return;
	}
	hd_model_release(model, index);
	if (model->user.refused)
		model->user.refused(model->user.context, model->events.now, &message);
}

#endif
