// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets that came into a switch: they get their out-port and wait in its buffers. */
#include "simfabric/model/state.h"

void hd_model_request(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue)
{
	const struct packet *packet = &model->packets[queue->head];
	const struct block *in_block = hd_block(model, in),
			   *out_block = hd_block(model, packet->out);
	uint32_t out = packet->out;
	size_t words = model->words;

	queue->size = packet->message.size;
	queue->out_vl = packet->out_vl;
	hd_heads(model, out)[packet->out_vl]++;
	set_bit(hd_requests(model, out) + vl * words, in_block->local);
	set_bit(hd_wants(model, in) + vl * words, out_block->local);
	if (!has_bit(hd_out_free(model, in_block->node), out_block->local))
		return;
	if (has_bit(hd_in_free(model, in_block->node), in_block->local))
		hd_model_mark_any(model, out);
	else
		hd_model_wait_for_turn(model, out);
}

/* Where the tables send @packet, which is at @node: the out-port's number in the fabric, 0: none. */
static inline unsigned route(const struct hd_model *model, uint32_t node,
			     const struct packet *packet, uint32_t *out)
{
	unsigned number = hd_lft(model->tables, node)[packet->dlid];
	const struct node *at = hd_node(model, node);

	*out = HD_NONE;
	if (number && number <= at->top && model->locals[at->locals + number] != HD_NO_LOCAL)
		*out = at->first_port + model->locals[at->locals + number];
	return number;
}

static inline const hd_sl2vl_row *row_of(const struct hd_model *model, const struct block *in,
					 unsigned number)
{
	const struct node *node = hd_node(model, in->node);

	return &model->tables->sl2vl[node->rows + number * (node->top + (size_t)1) + in->number];
}

void hd_model_fetch_route(const struct hd_model *model, uint32_t in, uint32_t index)
{
	const struct packet *packet = &model->packets[index];
	uint32_t node = hd_block(model, in)->node;

	__builtin_prefetch(&hd_lft(model->tables, node)[packet->dlid]);
	__builtin_prefetch(hd_node(model, node));
}

void hd_model_fetch_out(const struct hd_model *model, uint32_t in, uint32_t index)
{
	const struct block *block = hd_block(model, in);
	uint32_t out;
	unsigned number = route(model, block->node, &model->packets[index], &out);

	if (out == HD_NONE)
		return;
	__builtin_prefetch(row_of(model, block, number));
	__builtin_prefetch(&model->ports[out]);
	__builtin_prefetch(hd_block(model, out));
	__builtin_prefetch(hd_sent(model, out, 0));
}

void hd_model_fetch_queue(const struct hd_model *model, uint32_t in, uint32_t index)
{
	const struct packet *packet = &model->packets[index];
	uint32_t out;

	route(model, hd_block(model, in)->node, packet, &out);
	if (out != HD_NONE)
		__builtin_prefetch(&model->queues[queue_index(model, in, packet->vl, out)]);
}

void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	const struct block *in = hd_block(model, port);
	unsigned number = route(model, in->node, packet, &packet->out);

	if (packet->out != HD_NONE)
		packet->out_vl = hd_row_vl(*row_of(model, in, number), packet->sl);
	if (packet->out == HD_NONE || packet->out_vl == HD_VL_DROP) {
		/* its buffer is free as if it had been sent at once */
		model->census.under_way--;
		hd_model_return_credit(model, lane_ref(port, packet->vl), packet->message.size);
		hd_model_drop(model, index);
		return;
	}
	if (model->has_rates && unit_ticks(model, port) > unit_ticks(model, packet->out)) {
		/* its tail must be there when the faster link has sent what came before it */
		hd_events_post_late(&model->events, HD_EVENT_ENQUEUE,
				    (unit_ticks(model, port) - unit_ticks(model, packet->out)) *
					    (uint64_t)packet->message.size,
				    port, index);
		return;
	}
	hd_model_switch_enqueue(model, port, index);
}

void hd_model_switch_enqueue(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	struct queue *queue = &model->queues[queue_index(model, port, packet->vl, packet->out)];

	packet->arrived = model->events.now;
	packet->next = HD_NONE;
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
	const struct block *block = hd_block(model, in);
	const uint64_t *wants = hd_wants(model, in), *out_free = hd_out_free(model, block->node);
	uint64_t *dirty = hd_dirty(model, block->node), any = 0;
	size_t words = model->words;

	set_bit(hd_in_free(model, block->node), block->local);
	for (size_t w = 0; w < words; w++) {
		uint64_t outs = 0;

		for (unsigned vl = 0; vl < model->n_vls; vl++)
			outs |= wants[vl * words + w];
		outs &= out_free[w];
		dirty[w] |= outs;
		any |= outs;
	}
	if (any)
		hd_model_mark_node(model, block->node);
}
