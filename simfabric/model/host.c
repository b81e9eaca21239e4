// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Hosts: packets are generated, wait for credits, and enter the fabric. */
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

static void host_enqueue(struct hd_model *model, uint32_t host, uint32_t index)
{
	uint32_t port = model->host_ports[host];
	struct packet *packet = &model->packets[index];
	unsigned vl = model->options.admittance == HD_ADMITTANCE_FIFO ? 0 : packet->out_vl;
	struct queue *queue = &model->queues[model->ports[port].queues + vl];

	if (queue->head == HD_NONE) {
		queue->head = index;
		queue->size = packet->message.size;
		queue->out_vl = packet->out_vl;
	} else {
		model->packets[queue->tail].next = index;
	}
	queue->tail = index;
	hd_model_mark(model, port);
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

/* Puts a message that is generated now in its host's queue. */
void hd_model_admit(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	uint32_t host = packet->message.from;
	const struct port *port = &model->ports[model->host_ports[host]];
	uint32_t to = model->ports[model->host_ports[packet->message.to]].fabric_port;
	unsigned sl;

	packet->dlid = model->fabric->ports[to].lid;
	packet->next = HD_NONE;
	packet->hops = 0;
	sl = hd_path_sl(model->tables, port->fabric_port, packet->dlid);
	packet->sl = sl == HD_NO_SL ? 0 : sl;
	packet->out_vl = hd_row_vl(
		model->tables->sl2vl[hd_sl2vl_host_index(
			model->tables, port->node, model->fabric->ports[port->fabric_port].number)],
		packet->sl);
	model->census.generated++;
	if (packet->out_vl == HD_VL_DROP || sl == HD_NO_SL) {
		hd_model_drop(model, index);
	} else if (packet->message.size > model->smallest_buffer) {
		model->too_large = packet->message.size;
	} else {
		model->census.waiting++;
		host_enqueue(model, host, index);
	}
}

void hd_model_inject(struct hd_model *model, const struct hd_message *message)
{
	uint32_t index = new_packet(model);

	if (index == HD_NONE)
		return;
	model->packets[index].message = *message;
	hd_model_admit(model, index);
}

void hd_model_host_send(struct hd_model *model, uint32_t node)
{
	const struct node *n = &model->nodes[node];
	uint64_t *dirty = &model->dirty[node * (size_t)model->words];

	for (uint32_t i = 0; i < n->n_ports; i++) {
		uint32_t out = n->first_port + i;
		struct port *port = &model->ports[out];

		if (!has_bit(dirty, i) || port->sending != HD_NONE)
			continue;
		for (unsigned k = 0; k < model->n_vls; k++) {
			unsigned vl = (port->vl_turn + k) % model->n_vls;
			struct queue *queue = &model->queues[port->queues + vl];
			struct packet *packet;

			if (queue->head == HD_NONE ||
			    model->credits[out * (size_t)model->n_vls + queue->out_vl] <
				    queue->size)
				continue;
			packet = &model->packets[queue->head];
			packet->entered = model->events.now;
			model->census.waiting--;
			model->census.under_way++;
			port->vl_turn = vl + 1;
			hd_model_transmit(model, queue, out, HD_NONE);
			if (queue->head != HD_NONE) {
				packet = &model->packets[queue->head];
				queue->size = packet->message.size;
				queue->out_vl = packet->out_vl;
			}
			break;
		}
	}
	memset(dirty, 0, model->words * sizeof(*dirty));
}
