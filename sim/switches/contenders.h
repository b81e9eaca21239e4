/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Heads that out-ports may take: which may go, which goes first, and the move. */
#ifndef HD_SWITCHES_CONTENDERS_H
#define HD_SWITCHES_CONTENDERS_H

#include "sim/switches/bubble.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/switches/switch_iq.h"

/* A head that an out-port may take: in-port and VL. */
struct choice {
	uint32_t in;
	unsigned vl;
	struct queue *queue; /* NULL: there is none */
};

/* Whether the switch has room for a packet of @size to @out, beside that in the next buffer. */
static inline bool hd_contenders_have_room(struct hd_model *model, uint32_t out, uint32_t size)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);

	return !hooks || hooks->has_room(model, out, size);
}

/* Whether the head of @queue, of in-port @in, could go out of @out now. */
static inline bool can_go(struct hd_model *model, uint32_t in, uint32_t out,
			  const struct queue *queue)
{
	const struct packet *packet = hd_head(model, queue);

	return hd_contenders_have_room(model, out, packet->message.size) &&
	       hd_out_has_room(model, out, packet->out_vl, hd_room_needed(model, in, out, packet));
}

/*
 * The same for the out-VLs in @vls and in-VL @vl. With queues by destination, another head may
 * stand there afterwards. If all packets have one size, the queue is not read: on large fabrics it
 * is not in the caches, and most heads for a port that lacks credits cannot go.
 */
static inline bool can_go_on(struct hd_model *model, uint32_t in, unsigned vl, uint32_t out,
			     unsigned vls, struct queue *queue)
{
	if (hd_has_voqnet(model))
		return hd_voqnet_offer(model, in, vl, out, vls, queue);
	if (model->buffers.one_size && !hd_sender(model, out)->changes_vls)
		return vls >> vl & 1 &&
		       hd_contenders_have_room(model, out, model->buffers.one_size) &&
		       hd_out_has_room(model, out, vl,
				       hd_room_for(model, in, out, model->buffers.one_size, false));
	return vls >> hd_head(model, queue)->out_vl & 1 && can_go(model, in, out, queue);
}

/* Whether out-port @out prefers @b to @a, which comes before it in turn. */
static inline bool better(const struct hd_model *model, uint32_t out, const struct choice *a,
			  const struct choice *b)
{
	hd_arbiter_before before = hd_arbiter(model);
	struct hd_contender first, second;

	if (!before)
		return false;
	first = (struct hd_contender){ a->in, out, hd_head(model, a->queue) };
	second = (struct hd_contender){ b->in, out, hd_head(model, b->queue) };
	return before(model, &second, &first);
}

/* The distance of port @local after @first in turn: ports from @first on, then the others. */
static inline unsigned distance(unsigned local, unsigned first, unsigned n)
{
	return local >= first ? local - first : local + n - first;
}

/* @out takes a packet that came in by @in. */
static inline void hd_arbiter_served(struct hd_model *model, uint32_t out, uint32_t in)
{
	if (!HD_MACHINE_STATIC && model->options.arbiter->served)
		model->options.arbiter->served(model, out, in);
}

/* Takes the choice of out-port @out; with @turn, both ports begin after it the next time. */
static inline void take(struct hd_model *model, struct crossbar *crossbar, uint32_t out,
			const struct choice *choice, bool turn)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	const struct hd_scheduler *scheduler = hd_crossbar_scheduler(model);
	const struct packet *packet = hd_head(model, choice->queue);
	uint32_t size = packet->message.size, index;
	unsigned out_vl = packet->out_vl;

	if (turn) {
		struct sender *sender = hd_sender(model, out);
		unsigned n = crossbar->n_ports, in = hd_local(model, choice->in);
		unsigned local = hd_local(model, out);

		sender->turn = hd_next_turn(in, n);
		sender->vl_turn = hd_next_turn(choice->vl, hd_n_vls(model));
		hd_receiver(model, choice->in)->accept = hd_next_turn(local, n);
	}
	hd_arbiter_served(model, out, choice->in);
	hd_crossbar_forget(model, crossbar, out, choice->in, choice->vl, out_vl, true);
	if (!hd_has_link_queues(model)) /* there, the link ends it */
		hd_model_end_stall(model, out);
	hd_out_use(model, out, out_vl, size);
	if (hd_has_bubble(model))
		hd_bubble_go_on(model, choice->in, out, packet);
	if (scheduler)
		scheduler->sent(model, out, out_vl, size);
	index = hd_has_voqnet(model)
			? hd_voqnet_pop(model, choice->in, choice->vl, out, choice->queue)
			: hd_model_pop(model, choice->queue);
	if (hooks)
		hooks->take(model, index, out, lane_ref(choice->in, choice->vl));
	else
		hd_switch_iq_take(model, index, out, lane_ref(choice->in, choice->vl));
	if (choice->queue->head != HD_NONE)
		hd_crossbar_want(model, choice->in, choice->vl, choice->queue);
}

#endif
