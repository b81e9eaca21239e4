// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Hosts: packets are generated, wait for credits, and enter the fabric. */
#include "simfabric/model/credits.h"
#include "simfabric/model/crossbar.h"
#include "simfabric/model/state.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t new_packet(struct hd_model *model)
{
	uint32_t index = model->free_packet;

	if (index != HD_NONE) {
		model->free_packet = model->packets[index].next;
		return index;
	}
	if (model->n_packets == model->size_packets) {
		uint32_t size = model->size_packets ? 2 * model->size_packets : 4096;
		struct packet *packets = hd_alloc_large(size * sizeof(*packets));

		if (!packets) {
			model->events.out_of_memory = true;
			return HD_NONE;
		}
		if (model->n_packets)
			memcpy(packets, model->packets, model->n_packets * sizeof(*packets));
		free(model->packets);
		model->packets = packets;
		model->size_packets = size;
	}
	return model->n_packets++;
}

void hd_model_release(struct hd_model *model, uint32_t index)
{
	model->packets[index].next = model->free_packet;
	model->free_packet = index;
}

void hd_model_drop(struct hd_model *model, uint32_t index)
{
	struct hd_message message = model->packets[index].message;

	model->census.dropped++;
	hd_model_release(model, index);
	if (model->user.dropped)
		model->user.dropped(model->user.context, model->events.now, &message);
}

/* Packet @index is the first of @queue, the one of VL @vl of its host. */
static void make_head(struct hd_model *model, struct sender *sender, struct host_queue *queue,
		      unsigned vl, uint32_t index)
{
	const struct packet *packet = &model->packets[index];

	queue->queue.head = index;
	queue->size = packet->message.size;
	queue->out_vl = packet->out_vl;
	*hd_requests(model, sender) |= bit_of(vl);
}

/* Puts a packet whose LID is chosen in the queue that it leaves its host from; it may be no more then. */
void hd_model_enqueue(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	uint32_t port = model->hosts[packet->message.from].port;
	struct sender *sender = hd_sender(model, port);
	unsigned vl = model->options.admittance == HD_ADMITTANCE_FIFO ? 0 : packet->out_vl;
	struct host_queue *queue = hd_host_queues(model, port) + vl;

	if (packet->out_vl == HD_VL_DROP) {
		model->census.waiting--;
		hd_model_drop(model, index);
		return;
	}
	if (model->waiting)
		model->waiting[port * (size_t)model->n_vls + packet->out_vl] +=
			packet->message.size;
	if (queue->queue.head == HD_NONE) {
		make_head(model, sender, queue, vl, index);
	} else {
		if (!hd_backlog_push(&model->backlogs, &queue->behind, packet))
			model->events.out_of_memory = true;
		hd_model_release(model, index);
	}
	if (!sender->sending)
		hd_model_mark_host(model, port);
}

/* Asks the traffic for what @host generates next. */
void hd_model_schedule(struct hd_model *model, uint32_t host)
{
	struct hd_message message;
	uint32_t index;
	struct packet *packet;

	if (!model->user.next(model->user.context, host, &message))
		return;
	index = new_packet(model);
	if (index == HD_NONE)
		return;
	packet = &model->packets[index];
	packet->message = message;
	hd_events_post_late(&model->events, HD_EVENT_GENERATE,
			    message.time > model->events.now ? message.time - model->events.now : 0,
			    host, index);
}

static void choose_lid(struct hd_model *model, struct packet *packet)
{
	uint32_t host = packet->message.from;
	uint8_t vls[HD_MAX_LIDS];
	unsigned i = 0;

	if (model->options.host_policy != HD_HOST_FIRST)
		i = hd_model_choose_lid(model, host, vls,
					hd_model_vls_to(model, host, packet->message.to, vls));
	hd_model_take_lid(model, packet, i);
}

/* Puts a message that is generated now in its host's queue. */
void hd_model_admit(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->packets[index];

	packet->next = HD_NONE;
	packet->hops = 0;
	model->census.generated++;
	model->census.waiting++;
	if (packet->message.size > model->smallest_buffer) {
		model->too_large = packet->message.size;
		model->pause = 0;
		return;
	}
	if (packet->message.size > model->largest_packet)
		model->largest_packet = packet->message.size;
	if (model->admittance) {
		hd_admittance_add(model, index);
		return;
	}
	choose_lid(model, packet);
	hd_model_enqueue(model, index);
}

void hd_model_inject(struct hd_model *model, const struct hd_message *message)
{
	uint32_t index = new_packet(model);

	if (index == HD_NONE)
		return;
	model->packets[index].message = *message;
	if (message->time > model->events.now)
		hd_events_post_late(&model->events, HD_EVENT_INJECT,
				    message->time - model->events.now, 0, index);
	else
		hd_model_admit(model, index);
}

/* The VL whose queue goes next: of those that have credits, the one whose turn it is. */
static unsigned next_vl(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	const uint64_t *backlog = hd_requests(model, sender);
	const struct host_queue *queues = hd_host_queues(model, out);
	unsigned vls = 0, queue_of[HD_MAX_VLS + 1];

	for (unsigned k = 0; k < model->n_vls; k++) {
		unsigned i = (sender->vl_turn + k) % model->n_vls;
		const struct host_queue *queue = &queues[i];

		if (!(*backlog & bit_of(i)) ||
		    !hd_model_has_room(model, out, queue->out_vl, queue->size))
			continue;
		if (!model->vl_arbitration)
			return i;
		vls |= 1u << queue->out_vl;
		queue_of[queue->out_vl] = i;
	}
	if (vls) {
		unsigned vl = hd_model_vl_next(model, out, vls);

		if (vl != HD_VL_DROP)
			return queue_of[vl];
	}
	return model->n_vls;
}

/* VLs of the queues' heads. */
static unsigned vls_waiting(const struct hd_model *model, uint32_t out)
{
	const struct host_queue *queues = hd_host_queues(model, out);
	uint64_t backlog = *hd_requests(model, hd_sender(model, out));
	unsigned vls = 0;

	for (; backlog; backlog &= backlog - 1)
		vls |= 1u << queues[__builtin_ctzll(backlog)].out_vl;
	return vls;
}

/* What @queue had first, of host @from, is gone. */
static void advance(struct hd_model *model, struct sender *sender, struct host_queue *queue,
		    unsigned vl, uint32_t from)
{
	uint32_t index;

	queue->queue.head = HD_NONE;
	*hd_requests(model, sender) &= ~bit_of(vl);
	if (queue->behind.first == HD_NONE)
		return;
	index = new_packet(model);
	if (index == HD_NONE)
		return;
	hd_backlog_pop(&model->backlogs, &queue->behind, from, &model->packets[index]);
	make_head(model, sender, queue, vl, index);
}

static void send_from(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	unsigned i = next_vl(model, out);
	struct host_queue *queue;
	struct packet *packet;
	uint32_t index;

	if (i == model->n_vls) {
		hd_model_begin_wait(model, out, vls_waiting(model, out));
		return;
	}
	hd_model_end_wait(model, out);
	queue = hd_host_queues(model, out) + i;
	index = queue->queue.head;
	packet = &model->packets[index];
	packet->entered = model->events.now;
	model->census.waiting--;
	model->census.under_way++;
	sender->vl_turn = i + 1 == model->n_vls ? 0 : i + 1;
	sender->sending = packet->message.size;
	hd_model_use(model, out, packet->out_vl, packet->message.size);
	if (model->vl_arbitration)
		hd_model_vl_sent(model, out, packet->out_vl, packet->message.size);
	if (model->waiting)
		model->waiting[out * (size_t)model->n_vls + packet->out_vl] -= packet->message.size;
	hd_model_transmit(model, index, out, HD_NONE);
	advance(model, sender, queue, i, packet->message.from);
	if (model->admittance)
		hd_admittance_sent(model, index);
}

void hd_model_host_send(struct hd_model *model, uint32_t port)
{
	struct sender *sender = hd_sender(model, port);

	sender->is_dirty = false;
	if (!sender->sending)
		send_from(model, port);
}

void hd_model_host_done(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	sender->sending = 0;
	if (*hd_requests(model, sender))
		hd_model_mark_host(model, out);
}
