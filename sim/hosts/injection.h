/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets at hosts before they enter the fabric: a queue for each VL, or a single queue. The first
 * packet of a queue is one of the model's packets; the others are in a backlog.
 */
#ifndef HD_HOSTS_INJECTION_H
#define HD_HOSTS_INJECTION_H

#include "sim/hosts/replies.h"
#include "sim/hosts/admittance.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/hosts/host_policy.h"
#include "sim/model/packets.h"

/* A packet that waited at @host waits no more. */
static inline void hd_injection_is_gone(struct hd_model *model, uint32_t host)
{
	if (hd_has_bound(model))
		model->injection.n_queued[host]--;
}

/* Packet @index is now the first of @queue, which is that of VL @vl of its host. */
static inline void hd_injection_make_head(struct hd_model *model, struct sender *sender,
					  struct host_queue *queue, unsigned vl, uint32_t index)
{
	const struct packet *packet = &model->buffers.packets[index];

	queue->queue.head = index;
	queue->size = packet->message.size;
	queue->out_vl = packet->out_vl;
	*hd_requests(model, sender) |= bit_of(vl);
}

/*
 * Puts a packet whose LID is chosen into its host's queue; afterwards @index may be no packet any
 * more.
 */
static inline void hd_model_enqueue(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	uint32_t port = model->injection.hosts[packet->message.from].port;
	struct sender *sender = hd_sender(model, port);
	unsigned vl = !HD_MACHINE_STATIC && model->options.admittance->single ? 0 : packet->out_vl;
	struct host_queue *queue = hd_host_queues(model, port) + vl;

	if (packet->out_vl == HD_VL_DROP) {
		hd_observe_packet(model, HD_STEP_DROPPED, port, index);
		model->census.queued--;
		hd_injection_is_gone(model, packet->message.from);
		hd_model_drop(model, index);
		return;
	}
	if (hd_counts_backlogs(model))
		model->injection.backlog_units[port * (size_t)hd_n_vls(model) + packet->out_vl] +=
			packet->message.size;
	if (queue->queue.head == HD_NONE) {
		hd_injection_make_head(model, sender, queue, vl, index);
	} else {
		if (!hd_backlog_push(&model->injection.backlogs, &queue->behind, packet))
			model->events.out_of_memory = true;
		hd_model_release(model, index);
	}
	if (!sender->sending)
		hd_model_mark_host(model, port);
	if (hd_watches_hosts(model))
		hd_host_changed(model, port, NULL);
}

/* With queues by destination: the same if admittance has not taken credits. */
static inline bool hd_injection_has_room(struct hd_model *model, uint32_t out,
					 const struct host_queue *queue)
{
	return hd_has_admittances(model) ||
	       hd_voqnet_host_may_send(model, out, queue->out_vl,
				       hd_head(model, &queue->queue)->dlid, queue->size);
}

/* The VL whose queue sends next: round robin among those with credits. */
static inline unsigned hd_injection_next_vl(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	const uint64_t *backlog = hd_requests(model, sender);
	const struct host_queue *queues = hd_host_queues(model, out);
	unsigned vls = 0, queue_of[HD_MAX_VCS];

	for (unsigned k = 0; k < hd_n_vls(model); k++) {
		unsigned i = (sender->vl_turn + k) % hd_n_vls(model);
		const struct host_queue *queue = &queues[i];

		if (!(*backlog & bit_of(i)) ||
		    !hd_model_has_room(model, out, queue->out_vl, queue->size) ||
		    (hd_has_voqnet(model) && !hd_injection_has_room(model, out, queue)))
			continue;
		if (!hd_scheduler(model))
			return i;
		vls |= 1u << queue->out_vl;
		queue_of[queue->out_vl] = i;
	}
	if (vls) {
		unsigned vl = hd_scheduler(model)->next(model, out, vls, sender->vl_turn);

		if (vl != HD_VL_DROP)
			return queue_of[vl];
	}
	return hd_n_vls(model);
}

/* A bit for the VL of each queue's head. */
static inline unsigned hd_injection_vls(const struct hd_model *model, uint32_t out)
{
	const struct host_queue *queues = hd_host_queues(model, out);
	uint64_t backlog = *hd_requests(model, hd_sender(model, out));
	unsigned vls = 0;

	for (; backlog; backlog &= backlog - 1)
		vls |= 1u << queues[__builtin_ctzll(backlog)].out_vl;
	return vls;
}

/* The first packet of @queue, of host @from, is gone: the next one takes its place. */
static inline void hd_injection_advance(struct hd_model *model, struct sender *sender,
					struct host_queue *queue, unsigned vl, uint32_t from)
{
	uint32_t index;

	queue->queue.head = HD_NONE;
	*hd_requests(model, sender) &= ~bit_of(vl);
	if (queue->behind.first == HD_NONE)
		return;
	index = hd_model_new_packet(model);
	if (index == HD_NONE)
		return;
	hd_backlog_pop(&model->injection.backlogs, &queue->behind, from,
		       &model->buffers.packets[index]);
	hd_injection_make_head(model, sender, queue, vl, index);
}

/* Host port @out, which is idle, sends a packet if it can. */
static inline void hd_injection_send(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	unsigned i = hd_injection_next_vl(model, out);
	struct host_queue *queue;
	struct packet *packet;
	struct hd_message message;
	uint32_t index, from;
	bool is_reply;

	if (i == hd_n_vls(model)) {
		hd_model_stall(model, out, hd_injection_vls(model, out));
		return;
	}
	hd_model_end_stall(model, out);
	queue = hd_host_queues(model, out) + i;
	index = queue->queue.head;
	packet = &model->buffers.packets[index];
	packet->entered = model->events.now;
	from = packet->message.from;
	if (hd_tells_entries(model))
		message = packet->message;
	is_reply = packet->message.id == HD_REPLY_ID;
	model->census.queued--;
	hd_injection_is_gone(model, packet->message.from);
	model->census.under_way++;
	sender->vl_turn = hd_next_turn(i, hd_n_vls(model));
	sender->sending = packet->message.size;
	if (hd_has_routing(model))
		model->adaptive->headers[index] =
			hd_routed_begin(model->adaptive->routed, packet->message.id == HD_REPLY_ID);
	if (hd_has_routing(model) && model->adaptive->order.sent)
		hd_adaptive_number(model, index);
	hd_model_use(model, out, packet->out_vl, packet->message.size);
	if (hd_has_voqnet(model) && !hd_has_admittances(model))
		hd_voqnet_use(model, out, packet->out_vl, hd_voqnet_destination(model, packet),
			      packet->message.size);
	if (hd_scheduler(model))
		hd_scheduler(model)->sent(model, out, packet->out_vl, packet->message.size);
	if (hd_counts_backlogs(model))
		model->injection.backlog_units[out * (size_t)hd_n_vls(model) + packet->out_vl] -=
			packet->message.size;
	hd_model_transmit(model, index, out, HD_NONE);
	hd_injection_advance(model, sender, queue, i, packet->message.from);
	if (hd_watches_hosts(model))
		hd_host_changed(model, out, &model->buffers.packets[index]);
	if (hd_has_admittances(model))
		hd_admittance_sent(model, index);
	if (is_reply && hd_has_replies(model))
		hd_replies_sent(model, from);
	/* the user may inject packets, and the array of packets may move then */
	if (hd_tells_entries(model))
		model->user.entered(model->user.context, model->events.now, &message);
}

/* Host port @port was marked. */
static inline void hd_model_host_send(struct hd_model *model, uint32_t port)
{
	struct sender *sender = hd_sender(model, port);

	sender->is_dirty = false;
	if (!sender->sending)
		hd_injection_send(model, port);
}

/* The link of host port @out is idle again. */
static inline void hd_model_host_done(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	sender->sending = 0;
	if (*hd_requests(model, sender))
		hd_model_mark_host(model, out);
}

#endif
