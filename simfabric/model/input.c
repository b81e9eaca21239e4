// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets that came into a switch: they get their out-port and wait in its buffers. */
#include "simfabric/model/state.h"

void hd_model_request(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue)
{
	const struct packet *packet = &model->packets[queue->head];
	const struct port *in_port = &model->ports[in];
	uint32_t out = packet->out;
	size_t words = model->words;

	queue->size = packet->message.size;
	queue->out_vl = packet->out_vl;
	set_bit(&model->requests[(out * (size_t)model->n_vls + vl) * words], in_port->local);
	set_bit(&model->wants[(in * (size_t)model->n_vls + vl) * words], model->ports[out].local);
	if (has_bit(&model->out_free[in_port->node * words], model->ports[out].local) &&
	    has_bit(&model->in_free[in_port->node * words], in_port->local))
		hd_model_mark(model, out);
}

void hd_model_input_prefetch_route(const struct hd_model *model, uint32_t port, uint32_t index)
{
	const struct packet *packet = &model->packets[index];

	__builtin_prefetch(&hd_lft(model->tables, model->ports[port].node)[packet->dlid]);
	__builtin_prefetch(&model->requests[port * (size_t)model->n_vls * model->words]);
}

void hd_model_input_prefetch_queue(const struct hd_model *model, uint32_t port, uint32_t index)
{
	const struct packet *packet = &model->packets[index];
	const struct hd_fabric *fabric = model->fabric;
	uint32_t node = model->ports[port].node, out;
	unsigned number = hd_lft(model->tables, node)[packet->dlid];
	unsigned in = fabric->ports[model->ports[port].fabric_port].number;

	if (!number || number > fabric->nodes[node].n_ports)
		return;
	out = model->port_of[hd_port_index(fabric, node, number)];
	if (out == HD_NONE)
		return;
	__builtin_prefetch(&model->tables->sl2vl[hd_sl2vl_index(model->tables, node, in, number)]);
	__builtin_prefetch(&model->queues[queue_index(model, port, packet->vl, out)]);
	__builtin_prefetch(&model->requests[out * (size_t)model->n_vls * model->words]);
}

void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	const struct hd_fabric *fabric = model->fabric;
	uint32_t node = model->ports[port].node;
	unsigned number = hd_lft(model->tables, node)[packet->dlid], in;
	struct queue *queue;

	packet->arrived = model->events.now;
	packet->next = HD_NONE;
	packet->out = HD_NONE;
	if (number && number <= fabric->nodes[node].n_ports)
		packet->out = model->port_of[hd_port_index(fabric, node, number)];
	if (packet->out != HD_NONE) {
		in = fabric->ports[model->ports[port].fabric_port].number;
		packet->out_vl = hd_row_vl(
			model->tables->sl2vl[hd_sl2vl_index(model->tables, node, in, number)],
			packet->sl);
	}
	if (packet->out == HD_NONE || packet->out_vl == HD_VL_DROP) {
		/* the buffer is free again once the tail is in: as if it had been sent at once */

		model->census.under_way--;
		hd_model_return_credit(model, lane_ref(port, packet->vl), packet->message.size);
		hd_model_drop(model, index);
		return;
	}
	queue = &model->queues[queue_index(model, port, packet->vl, packet->out)];
	if (queue->head == HD_NONE) {
		queue->head = index;
		queue->tail = index;
		hd_model_request(model, port, packet->vl, queue);
	} else {
		model->packets[queue->tail].next = index;
		queue->tail = index;
	}
}

/* A transmission from port @in ended: it can send again. */
void hd_model_switch_done(struct hd_model *model, uint32_t in)
{
	const struct port *port = &model->ports[in];
	size_t words = model->words;
	const uint64_t *wants = &model->wants[in * (size_t)model->n_vls * words];

	set_bit(&model->in_free[port->node * words], port->local);
	for (size_t w = 0; w < words; w++) {
		uint64_t outs = 0;

		for (unsigned vl = 0; vl < model->n_vls; vl++)
			outs |= wants[vl * words + w];
		outs &= model->out_free[port->node * words + w];
		for (; outs; outs &= outs - 1)
			hd_model_mark(model, model->nodes[port->node].first_port + w * 64 +
						     __builtin_ctzll(outs));
	}
}
