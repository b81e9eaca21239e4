/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets within a hierarchical switch. A packet goes through a crossbar as fast as that is, but
 * not before it is there: its tail leaves a buffer when the crossbar has had time for all of it and
 * the tail is in the buffer. Until then crossbar and buffers are as occupied as by the whole
 * packet, as with virtual cut-through at links. `arrived` of a packet is when its tail is in the
 * buffer that it is in, or goes to; at an in-port, when its head could leave.
 *
 * Ends that come in one tick are one event: a packet that goes straight through the central buffer
 * leaves it when it leaves the in-port, and one that is cut through leaves the link then, too.
 */
#ifndef HD_SWITCHES_HIERARCHICAL_MOVES_H
#define HD_SWITCHES_HIERARCHICAL_MOVES_H

#include "sim/switches/hierarchical.h"

/* Whom to look at when the switch is arbitrated next */

/* Of those in @ins, a mask of word @w of the in-ports of switch @at. */
static inline void hd_hierarchical_try(struct hd_model *model, uint32_t at, size_t w, uint64_t ins)
{
	if (!ins)
		return;
	hd_tries(model, at)[w] |= ins;
	hd_model_mark_switch(model, at);
}

static inline void hd_hierarchical_try_central(struct hd_model *model, uint32_t mport)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	uint32_t at = mport / own->n_mports;

	set_bit(hd_central_tries(model, at), hd_mport_words(own), mport % own->n_mports);
	hd_model_mark_switch(model, at);
}

/* @in, if it has a head. */
static inline void hd_hierarchical_try_in(struct hd_model *model, uint32_t in)
{
	const size_t words = hd_words(model), w = word_of(words, hd_local(model, in));
	uint32_t at = hd_switch_of(model, in);

	hd_hierarchical_try(model, at, w,
			    hd_has_heads(hd_crossbar(model, at), words)[w] &
				    bit_of(hd_local(model, in)));
}

/* In-ports of @mport that have a head. */
static inline void hd_hierarchical_try_ins(struct hd_model *model, const struct hd_mport *mport)
{
	uint32_t at = hd_switch_of(model, mport->first);
	size_t words = hd_words(model);
	const uint64_t *heads = hd_has_heads(hd_crossbar(model, at), words);

	for (size_t w = 0; w < words; w++)
		hd_hierarchical_try(model, at, w, heads[w] & hd_mport_ins(model, mport, w));
}

/* Central buffers of switch @at whose queues of in-ports in @ins, of word @w, have heads. */
static inline void hd_hierarchical_try_behind(struct hd_model *model, uint32_t at, size_t w,
					      uint64_t ins)
{
	uint32_t first = hd_first_port(model, at) + (uint32_t)(w * 64);

	for (; ins; ins &= ins - 1)
		hd_hierarchical_try_central(
			model,
			hd_hierarchical_in(model, first + (uint32_t)__builtin_ctzll(ins))->mport);
}

/* The same for those in-ports, and central buffers, that have a head for @out, if there are any. */
static __attribute__((noinline)) void hd_hierarchical_try_wanting(struct hd_model *model,
								  uint32_t out)
{
	const size_t words = hd_words(model);
	const uint64_t *requests = hd_requests(model, hd_sender(model, out));
	const uint64_t *behind = hd_central_requests(model, out, 0);
	const struct hd_mport *mport = hd_mport_of_out(model, out);
	uint32_t at = hd_switch_of(model, out);

	for (size_t w = 0; w < words; w++) {
		hd_hierarchical_try(model, at, w,
				    hd_of_each_vl(model, requests + w) &
					    hd_mport_ins(model, mport, w));
		hd_hierarchical_try_behind(model, at, w, hd_of_each_vl(model, behind + w));
	}
}

/* @out can take something again. */
static inline void hd_hierarchical_try_for(struct hd_model *model, uint32_t out)
{
	const size_t words = hd_words(model);
	uint32_t at = hd_switch_of(model, out);
	const size_t w = word_of(words, hd_local(model, out));

	if ((hd_wanted(hd_crossbar(model, at), words)[w] | hd_wanted_behind(model, at)[w]) &
	    bit_of(hd_local(model, out)))
		hd_hierarchical_try_wanting(model, out);
}

/* Heads that come */

/* Packet @index is the head of the queue of @in and @vl in the central buffer. */
static inline void hd_central_note(struct hd_model *model, uint32_t in, unsigned vl, uint32_t index)
{
	const size_t words = hd_words(model);
	uint32_t out = model->buffers.packets[index].out;
	struct hd_mport *mport = hd_mport_of_in(model, in);

	set_bit(hd_central_requests(model, out, vl), words, hd_local(model, in));
	set_bit(hd_wanted_behind(model, hd_switch_of(model, in)), words, hd_local(model, out));
	mport->heads[vl] |= bit_of(in - mport->first);
	mport->queued |= UINT32_C(1) << vl;
}

/* It is no more: its queue is empty, or has another one. */
static inline void hd_central_forget(struct hd_model *model, uint32_t in, unsigned vl,
				     uint32_t index)
{
	const size_t words = hd_words(model);
	uint32_t out = model->buffers.packets[index].out;
	struct hd_mport *mport = hd_mport_of_in(model, in);

	clear_bit(hd_central_requests(model, out, vl), words, hd_local(model, in));
	if (!hd_any_bit(hd_central_requests(model, out, 0), words * hd_n_vls(model)))
		clear_bit(hd_wanted_behind(model, hd_switch_of(model, in)), words,
			  hd_local(model, out));
	mport->heads[vl] &= ~bit_of(in - mport->first);
	if (!mport->heads[vl])
		mport->queued &= ~(UINT32_C(1) << vl);
}

/* The head of packet @index, of @in and @vl, is in the central buffer; true: of its queue, too. */
static inline bool hd_central_append(struct hd_model *model, uint32_t in, unsigned vl,
				     uint32_t index)
{
	if (!hd_queue_append(model, &hd_central_queue(model, in, vl)->queue, index))
		return false;
	hd_central_note(model, in, vl, index);
	return true;
}

/* The same of the output buffer of @out, which is looked at if its link is idle. */
static inline void hd_output_append(struct hd_model *model, uint32_t out, uint32_t index)
{
	unsigned vl = model->buffers.packets[index].out_vl;

	hd_queue_append(model, &hd_output_queue(model, out, vl)->queue, index);
	hd_hierarchical_out(model, out)->queued |= UINT32_C(1) << vl;
	if (!hd_hierarchical_out(model, out)->sending)
		hd_model_mark_out(model, out);
}

/* The head of in-port @in and @vl wants its out-port. */
static inline void hd_input_note(struct hd_model *model, uint32_t in, unsigned vl)
{
	const struct packet *head = hd_head(model, hd_input_queue(model, in, vl));

	hd_crossbar_note(model, hd_crossbar(model, hd_switch_of(model, in)), in, vl, head->out,
			 head->out_vl);
}

/* As enqueue() of struct hd_switch_model. A head that is new is looked at in any case. */
static inline void hd_hierarchical_enqueue(struct hd_model *model, uint32_t in, uint32_t index)
{
	const size_t words = hd_words(model);
	struct packet *packet = &model->buffers.packets[index];
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	uint32_t at = hd_switch_of(model, in);
	const bool is_fresh = has_bit(hd_fresh(model, at), words, hd_local(model, in));

	packet->arrived = model->events.now;
	if (!hd_queue_append(model, hd_input_queue(model, in, packet->vl), index))
		return;
	if (is_fresh)
		hd_input_note(model, in, packet->vl);
	set_bit(hd_fresh(model, at), words, hd_local(model, in));
	port->fresh_vl = packet->vl;
	hd_hierarchical_try(model, at, word_of(words, hd_local(model, in)),
			    bit_of(hd_local(model, in)));
}

/* Notes the fresh head of @in, which did not go at once. */
static inline void hd_settle_fresh(struct hd_model *model, uint32_t in)
{
	clear_bit(hd_fresh(model, hd_switch_of(model, in)), hd_words(model), hd_local(model, in));
	hd_input_note(model, in, hd_hierarchical_in(model, in)->fresh_vl);
}

/* Heads that go */

/* Ticks until @size units have left by the crossbar that takes them out of an in-port, ... */
uint64_t hd_hierarchical_leave_input(const struct hd_model *model, unsigned rate, uint32_t size);
/* ... or out of a central buffer. */
uint64_t hd_hierarchical_leave_central(const struct hd_model *model, unsigned rate, uint32_t size);

/* Of @lines, the one for @size. */
static inline const struct sized_line *hd_crossing_line(struct hd_model *model,
							enum hd_hierarchical_event kind,
							struct sized_line *lines, unsigned rate,
							uint32_t size, hd_sized_ticks ticks)
{
	struct sized_line *line = &lines[size % SIZES];

	if (line->size != size)
		hd_wire_make_line(model, HD_EVENT_OWN + kind, rate, size, ticks, line);
	return line;
}

/* The one for packets that leave an in-port as they come in by links of @rate. */
static inline const struct sized_line *hd_cut_line(struct hd_model *model, unsigned rate,
						   uint32_t size)
{
	return hd_crossing_line(model, HD_LEFT_INPUT,
				hd_hierarchical(model)->left[HD_LEFT_INPUT].cut[rate], rate, size,
				hd_ticks_to_send);
}

/* When @size units that begin to leave now, and whose tail is there at @tail, have left. */
static inline uint64_t hd_left_at(struct hd_model *model, enum hd_hierarchical_event kind,
				  uint32_t size, uint64_t tail)
{
	const struct sized_line *whole =
		hd_crossing_line(model, kind, hd_hierarchical(model)->left[kind].whole, 0, size,
				 kind == HD_LEFT_INPUT ? hd_hierarchical_leave_input
						       : hd_hierarchical_leave_central);
	uint64_t fast = model->events.now + whole->ticks;

	return fast < tail ? tail : fast;
}

/* Posts the event of @kind for when @size units have left, as hd_left_at() said. */
static inline void hd_post_left(struct hd_model *model, enum hd_hierarchical_event kind,
				unsigned rate, uint32_t a, uint32_t size, uint64_t left)
{
	struct hd_crossing_lines *lines = &hd_hierarchical(model)->left[kind];
	const struct sized_line *line = &lines->whole[size % SIZES];
	uint64_t ticks = left - model->events.now;

	if (line->ticks != ticks)
		line = hd_crossing_line(model, kind, lines->cut[rate], rate, size,
					hd_ticks_to_send);
	if (line->ticks == ticks && line->line != HD_NO_LINE)
		hd_events_post(&model->events, line->line, a, 0);
	else
		hd_events_post_any(&model->events, HD_EVENT_OWN + kind, ticks, a, 0);
}

/* The head of in-port @in and @vl begins to leave it, by @uplink; returns the packet. */
static inline uint32_t hd_leave_input(struct hd_model *model, uint32_t in, unsigned vl,
				      unsigned uplink)
{
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	struct queue *queue = hd_input_queue(model, in, vl);
	uint32_t index = hd_model_pop(model, queue), at = hd_switch_of(model, in);
	struct packet *packet = &model->buffers.packets[index];
	uint32_t out = packet->out, size = packet->message.size;
	const size_t words = hd_words(model);
	uint32_t faster =
		hd_has_rates(model) && unit_ticks(model, in) < unit_ticks(model, out) ? in : out;
	unsigned rate = hd_sender(model, faster)->rate;

	if (has_bit(hd_fresh(model, at), words, hd_local(model, in)))
		clear_bit(hd_fresh(model, at), words, hd_local(model, in));
	else
		hd_crossbar_forget(model, hd_crossbar(model, at), out, in, vl, packet->out_vl,
				   false);
	if (queue->head != HD_NONE)
		hd_input_note(model, in, vl);
	/* nothing else leaves it until then */
	clear_bit(hd_tries(model, at), words, hd_local(model, in));
	port->leaving = size;
	port->leaving_vl = (uint8_t)vl;
	port->vl_turn = hd_next_turn(vl, hd_n_vls(model));
	port->uplink = (uint8_t)uplink;
	port->to = out;
	/* what comes slower than it goes on was held back, so that its tail is there in time */
	port->left_at = hd_left_at(model, HD_LEFT_INPUT, size,
				   packet->arrived + hd_cut_line(model, rate, size)->ticks);
	hd_post_left(model, HD_LEFT_INPUT, rate, in, size, port->left_at);
	packet->arrived = port->left_at + model->options.crossbar_latency;
	return index;
}

/*
 * Whether the packet that is the last of @queue, of in-port @in and @vl in its central buffer, is
 * still leaving the in-port.
 */
static inline bool hd_is_still_leaving(const struct hd_hierarchical_in *port, unsigned vl)
{
	return port->leaving && port->uplink != HD_NO_CENTRAL_LINK && port->leaving_vl == vl;
}

/*
 * Packet @index, which was the head of @in and @vl in the central buffer and is in no queue any
 * more, begins to leave it by the link of number @number of its MPort. If it leaves the buffer and
 * the in-port at the same time, the end of the latter is the event for both: true.
 */
static inline bool hd_leave_central(struct hd_model *model, uint32_t in, unsigned vl,
				    unsigned number, uint32_t index)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	struct hd_mport *mport = &own->mports[port->mport];
	struct packet *packet = &model->buffers.packets[index];
	const uint32_t at = port->mport * own->n_links + number, size = packet->message.size;
	const struct hd_shared_queue *queue = hd_central_queue(model, in, vl);
	uint64_t left = hd_left_at(model, HD_LEFT_CENTRAL, size, packet->arrived);

	mport->idle_down &= ~bit_of(number);
	mport->turns[vl].in = hd_next_turn(in - mport->first, mport->n);
	mport->turns[number].down_vl = hd_next_turn(vl, hd_n_vls(model));
	packet->arrived = left + model->options.crossbar_latency;
	if (left == port->left_at && hd_is_still_leaving(port, vl) &&
	    queue->queue.head == HD_NONE && !queue->coming) {
		port->downlink = (uint8_t)number;
		return true;
	}
	own->links[at] = (struct hd_central_link){ lane_ref(in, vl), size, packet->out };
	hd_post_left(model, HD_LEFT_CENTRAL, hd_sender(model, packet->out)->rate, at, size, left);
	return false;
}

/* Packet @index takes room of the output buffer of @out, and begins to go there. */
static inline void hd_enter_output(struct hd_model *model, uint32_t out, uint32_t index)
{
	struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);
	const struct packet *packet = &model->buffers.packets[index];
	struct hd_shared_queue *queue = hd_output_queue(model, out, packet->out_vl);

	port->is_entered = true;
	hd_share_use(&port->share, queue, &port->left, packet->message.size);
	hd_observe_output(model, out, packet->message.size);
	if (!model->options.crossbar_latency)
		return;
	queue->coming++;
	hd_events_post(&model->events, hd_hierarchical(model)->in_output_line, out, index);
}

/* The same of the central buffer of @in, by the link of number @number of its MPort. */
static inline uint32_t hd_enter_central(struct hd_model *model, uint32_t in, unsigned vl,
					unsigned number)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_mport *mport = hd_mport_of_in(model, in);
	struct hd_shared_queue *queue = hd_central_queue(model, in, vl);
	uint32_t index = hd_leave_input(model, in, vl, number);

	mport->idle_up &= ~bit_of(number);
	hd_share_use(&own->central, queue, &mport->left,
		     model->buffers.packets[index].message.size);
	if (model->options.crossbar_latency) {
		queue->coming++;
		hd_events_post(&model->events, own->in_central_line, lane_ref(in, vl), index);
	}
	return index;
}

/* The central buffer of @mport is tried no more if nothing can leave it now. */
static inline void hd_end_central_try(struct hd_model *model, uint32_t mport)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	if (!own->mports[mport].queued || !own->mports[mport].idle_down)
		clear_bit(hd_central_tries(model, mport / own->n_mports), hd_mport_words(own),
			  mport % own->n_mports);
}

/* Takes the head of the queue of @in and @vl out of the central buffer's queues. */
static inline uint32_t hd_pop_central(struct hd_model *model, uint32_t in, unsigned vl)
{
	struct queue *queue = &hd_central_queue(model, in, vl)->queue;
	uint32_t index = hd_model_pop(model, queue);

	hd_central_forget(model, in, vl, index);
	if (queue->head != HD_NONE) {
		hd_central_note(model, in, vl, queue->head);
		hd_hierarchical_try_central(model, hd_hierarchical_in(model, in)->mport);
	}
	return index;
}

/* Tails that left */

/*
 * @size units of in-port @in and @vl have left the central buffer by the link of number @number of
 * its MPort; but nobody is to try for the out-port yet.
 */
static inline void hd_free_downlink(struct hd_model *model, uint32_t in, unsigned vl,
				    unsigned number, uint32_t size)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	struct hd_mport *mport = &own->mports[port->mport];

	hd_share_give_back(&own->central, &port->central[vl], &mport->left, size);
	if (mport->is_full) {
		mport->is_full = false;
		hd_hierarchical_try_ins(model, mport);
	}
	if (!mport->idle_down && mport->queued)
		hd_hierarchical_try_central(model, port->mport);
	mport->idle_down |= bit_of(number);
}

/* A packet has left a central buffer by link @at, an index in all links. */
static inline void hd_hierarchical_left_central(struct hd_model *model, uint32_t at)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_central_link *link = &own->links[at];
	const uint32_t in = lane_port(link->lane);

	hd_free_downlink(model, in, lane_vl(link->lane), at % own->n_links, link->size);
	link->lane = HD_NONE;
	hd_hierarchical_out(model, link->to)->is_entered = false;
	hd_hierarchical_try_for(model, link->to);
}

/* The packet on the link of @out has left it; but nobody is to try for its room yet. */
static inline void hd_free_link(struct hd_model *model, uint32_t out)
{
	struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);
	uint32_t size = port->sending;

	port->sending = 0;
	hd_share_give_back(&port->share, hd_output_queue(model, out, port->sending_vl), &port->left,
			   size);
	hd_observe_output(model, out, -(int64_t)size);
	if (port->queued)
		hd_model_mark_out(model, out);
}

/* As sent() of struct hd_switch_model. */
static inline void hd_hierarchical_sent(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	(void)in_lane;
	hd_free_link(model, out);
	if (!hd_hierarchical_out(model, out)->is_entered)
		hd_hierarchical_try_for(model, out);
}

static inline void hd_hierarchical_left_input(struct hd_model *model, uint32_t in)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	const uint32_t size = port->leaving;
	const unsigned uplink = port->uplink;

	port->leaving = 0;
	hd_model_return_credit(model, in, port->leaving_vl, size, 0);
	hd_hierarchical_try_in(model, in);
	if (uplink != HD_NO_CENTRAL_LINK) {
		struct hd_mport *mport = &own->mports[port->mport];

		if (!mport->idle_up)
			hd_hierarchical_try_ins(model, mport);
		mport->idle_up |= bit_of(uplink);
		if (port->downlink == HD_NO_CENTRAL_LINK)
			return;
		hd_free_downlink(model, in, port->leaving_vl, port->downlink, size);
		port->downlink = HD_NO_CENTRAL_LINK;
	}
	hd_hierarchical_out(model, port->to)->is_entered = false;
	if (port->ends_sending) {
		port->ends_sending = false;
		hd_free_link(model, port->to);
	}
	hd_hierarchical_try_for(model, port->to);
}

/* As event() of struct hd_switch_model. */
static inline void hd_hierarchical_event(struct hd_model *model, unsigned kind, uint32_t a,
					 uint32_t b)
{
	switch ((enum hd_hierarchical_event)kind) {
	case HD_LEFT_INPUT:
		hd_hierarchical_left_input(model, a);
		break;
	case HD_LEFT_CENTRAL:
		hd_hierarchical_left_central(model, a);
		break;
	case HD_IN_CENTRAL:
		hd_central_queue(model, lane_port(a), lane_vl(a))->coming--;
		if (hd_central_append(model, lane_port(a), lane_vl(a), b))
			hd_hierarchical_try_central(model,
						    hd_hierarchical_in(model, lane_port(a))->mport);
		break;
	case HD_IN_OUTPUT:
		hd_output_queue(model, a, model->buffers.packets[b].out_vl)->coming--;
		hd_output_append(model, a, b);
		break;
	}
}

/* The link */

/* The VL that goes next by the link of @out; HD_VL_DROP: none can. */
static inline unsigned hd_output_next_vl(struct hd_model *model, uint32_t out)
{
	const struct hd_scheduler *scheduler = hd_scheduler(model);
	unsigned turn = hd_sender(model, out)->vl_turn, vls = 0;
	uint32_t queued = hd_hierarchical_out(model, out)->queued;

	/* those from the turn on, then those before it */
	for (uint64_t bits = (uint64_t)queued << 32 | queued >> turn << turn; bits;
	     bits &= bits - 1) {
		unsigned vl = (unsigned)__builtin_ctzll(bits) % 32;
		const struct packet *head = hd_head(model, &hd_output_queue(model, out, vl)->queue);

		if (vls >> vl & 1 || !hd_model_has_room(model, out, vl, head->message.size))
			continue;
		if (!scheduler)
			return vl;
		vls |= 1u << vl;
	}
	return vls ? scheduler->next(model, out, vls, turn) : HD_VL_DROP;
}

/*
 * Packet @index, which is in no queue, goes onto the idle link of @out, on @vl. If it goes straight
 * there from in-port @in, or HD_NONE, and leaves both at the same time, that is one event.
 */
static inline void hd_output_send(struct hd_model *model, uint32_t out, unsigned vl, uint32_t index,
				  uint32_t in)
{
	struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);
	struct sender *sender = hd_sender(model, out);
	uint32_t size = model->buffers.packets[index].message.size;
	struct sized_line *line =
		hd_wire_line(model, HD_EVENT_DONE, sender->rate, size, hd_ticks_to_idle);

	hd_model_end_stall(model, out);
	hd_model_use(model, out, vl, size);
	sender->vl_turn = hd_next_turn(vl, hd_n_vls(model));
	port->sending = size;
	port->sending_vl = (uint8_t)vl;
	if (hd_scheduler(model))
		hd_scheduler(model)->sent(model, out, vl, size);
	hd_model_count_leaving(model, index, out);
	if (in != HD_NONE &&
	    hd_hierarchical_in(model, in)->left_at == model->events.now + line->ticks)
		hd_hierarchical_in(model, in)->ends_sending = true;
	else
		hd_wire_post_by(model, line, HD_EVENT_DONE, sender->rate, out, HD_NONE, size,
				hd_ticks_to_idle);
	hd_model_post_arrival(model, index, out, size);
}

/* If the link of @out is idle, sends the scheduler's choice. */
static inline void hd_hierarchical_send(struct hd_model *model, uint32_t out)
{
	struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);
	struct queue *queue;
	uint32_t index;
	unsigned vl;

	if (port->sending || !port->queued)
		return;
	vl = hd_output_next_vl(model, out);
	if (vl == HD_VL_DROP) {
		hd_model_stall(model, out, port->queued);
		return;
	}
	queue = &hd_output_queue(model, out, vl)->queue;
	index = hd_model_pop(model, queue);
	if (queue->head == HD_NONE)
		port->queued &= ~(UINT32_C(1) << vl);
	hd_output_send(model, out, vl, index, HD_NONE);
}

#endif
