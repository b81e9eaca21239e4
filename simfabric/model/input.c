// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets that came into a switch: they get their out-port and wait in its buffers. */
#include "simfabric/model/credits.h"
#include "simfabric/model/crossbar.h"
#include "simfabric/model/state.h"

/* The head of @queue is a new one. */
HD_FOR_WIDTH void request(struct hd_model *model, size_t words, uint32_t in, unsigned vl,
			  struct queue *queue)
{
	const struct packet *packet = hd_head(model, queue);
	uint32_t out = packet->out;
	unsigned out_local = hd_local(model, out), in_local = hd_local(model, in);
	struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, in));
	struct sender *sender = hd_sender(model, out);

	hd_heads(model, sender)[packet->out_vl]++;
	set_bit(hd_requests(model, sender) + vl * words, words, in_local);
	set_bit(hd_wants(model, hd_receiver(model, in)) + vl * words, words, out_local);
	set_bit(hd_wanted(crossbar, words), words, out_local);
	set_bit(hd_has_heads(crossbar, words), words, in_local);
	if (!has_bit(hd_out_free(crossbar, words), words, out_local))
		return;
	if (has_bit(hd_in_free(crossbar), words, in_local))
		hd_model_mark_out(model, out);
	else
		hd_model_wait_for_turn(model, out);
}

void hd_model_request(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue)
{
	if (model->words == 1)
		request(model, 1, in, vl, queue);
	else
		request(model, model->words, in, vl, queue);
}

void hd_model_route(const struct hd_model *model, uint32_t port, struct packet *packet)
{
	uint32_t at = hd_switch_of(model, port);
	unsigned out = hd_forwarding_hop(&model->forwarding, at, packet->dlid), vl;

	if (out == HD_HOP_NONE)
		return;
	vl = hd_row_vl(hd_forwarding_row(&model->forwarding, at, hd_crossbar(model, at)->n_ports,
					 hd_local(model, port), out),
		       packet->sl);
	if (vl == HD_VL_DROP)
		return;
	packet->out = hd_first_port(model, at) + out;
	packet->out_vl = vl;
}

void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];

	if (packet->out == HD_NONE)
		hd_model_route(model, port, packet);
	if (packet->out == HD_NONE) {
		/* its buffer is free as if it had been sent at once */
		model->census.under_way--;
		hd_model_return_out_of_turn(model, port, packet->vl, packet->message.size);
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
	struct queue *queue = hd_queue(model, port, packet->vl, packet->out);

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

/* Local out-port @out of switch @at can take something again. */
HD_FOR_WIDTH void free_out(struct hd_model *model, size_t words, uint32_t at,
			   struct crossbar *crossbar, unsigned out)
{
	set_bit(hd_out_free(crossbar, words), words, out);
	if (!has_bit(hd_wanted(crossbar, words), words, out))
		return;
	set_bit(hd_dirty(crossbar, words), words, out);
	hd_model_mark_switch(model, at);
}

/* In-port @in of it can send something again. */
HD_FOR_WIDTH void free_in(struct hd_model *model, size_t words, uint32_t at,
			  struct crossbar *crossbar, uint32_t in)
{
	unsigned local = hd_local(model, in);
	const uint64_t *wants, *out_free = hd_out_free(crossbar, words);
	uint64_t *dirty = hd_dirty(crossbar, words), any = 0;

	set_bit(hd_in_free(crossbar), words, local);
	if (!has_bit(hd_has_heads(crossbar, words), words, local))
		return;
	wants = hd_wants(model, hd_receiver(model, in));
	for (size_t w = 0; w < words; w++) {
		uint64_t outs = 0;

		for (unsigned vl = 0; vl < model->n_vls; vl++)
			outs |= wants[vl * words + w];
		outs &= out_free[w];
		dirty[w] |= outs;
		any |= outs;
	}
	if (any)
		hd_model_mark_switch(model, at);
}

void hd_model_out_done(struct hd_model *model, uint32_t out)
{
	uint32_t at = hd_switch_of(model, out);

	free_out(model, model->words, at, hd_crossbar(model, at), hd_local(model, out));
}

void hd_model_in_done(struct hd_model *model, uint32_t in)
{
	uint32_t at = hd_switch_of(model, in);

	free_in(model, model->words, at, hd_crossbar(model, at), in);
}

void hd_model_both_done(struct hd_model *model, uint32_t out, uint32_t in)
{
	uint32_t at = hd_switch_of(model, out);
	struct crossbar *crossbar = hd_crossbar(model, at);

	if (model->words == 1) {
		free_out(model, 1, at, crossbar, hd_local(model, out));
		free_in(model, 1, at, crossbar, in);
	} else {
		free_out(model, model->words, at, crossbar, hd_local(model, out));
		free_in(model, model->words, at, crossbar, in);
	}
}
