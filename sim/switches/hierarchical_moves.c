// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets within a hierarchical switch. A packet goes through a crossbar as fast as that is, but not
 * before it is there: its tail leaves a buffer when the crossbar has had time for all of it and the
 * tail is in the buffer. Until then crossbar and buffers are as occupied as by the whole packet, as
 * with virtual cut-through at links. `arrived` of a packet is when its tail is in the buffer that it
 * is in, or goes to; at an in-port, when its head could leave.
 */
#include "sim/switches/hierarchical.h"

/* Whom to look at when the switch is arbitrated next */

static void try_in(struct hd_model *model, uint32_t in)
{
	uint32_t at = hd_switch_of(model, in);

	set_bit(hd_tries(model, at), hd_words(model), hd_local(model, in));
	hd_model_mark_switch(model, at);
}

static void try_central(struct hd_model *model, uint32_t mport)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	uint32_t at = mport / own->n_mports;

	set_bit(hd_tries(model, at) + hd_words(model), own->mport_words, mport % own->n_mports);
	hd_model_mark_switch(model, at);
}

/* In-ports of @mport that have a head. */
static void try_ins(struct hd_model *model, uint32_t mport)
{
	const struct hd_mport *m = &hd_hierarchical(model)->mports[mport];
	struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, m->first));
	size_t words = hd_words(model);

	for (uint32_t in = m->first; in < m->first + m->n; in++)
		if (has_bit(hd_has_heads(crossbar, words), words, hd_local(model, in)))
			try_in(model, in);
}

/* Those that have a head for @out, which can take something again. */
static void try_for(struct hd_model *model, uint32_t out)
{
	const struct hd_mport *m = hd_mport_of(model, out);
	const uint64_t *requests = hd_requests(model, hd_sender(model, out));
	const uint64_t *centrals = hd_central_requests(model, out, 0);
	size_t words = hd_words(model);
	uint32_t first = hd_first_port(model, hd_switch_of(model, out));

	for (size_t w = 0; w < words; w++) {
		uint64_t ins = 0, behind = 0;

		for (unsigned vl = 0; vl < model->n_vls; vl++) {
			ins |= requests[vl * words + w];
			behind |= centrals[vl * words + w];
		}
		for (; ins; ins &= ins - 1) {
			uint32_t in = first + (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ins);

			if (in - m->first < m->n)
				try_in(model, in);
		}
		for (; behind; behind &= behind - 1)
			try_central(model, hd_hierarchical_port(
						   model, first + (uint32_t)(w * 64) +
								  (uint32_t)__builtin_ctzll(behind))
						   ->mport);
	}
}

/* Heads that come */

/* Packet @index is the head of the queue of @in and @vl in the central buffer. */
static void note_central(struct hd_model *model, uint32_t in, unsigned vl, uint32_t index)
{
	struct hd_mport *mport = hd_mport_of(model, in);

	set_bit(hd_central_requests(model, model->buffers.packets[index].out, vl), hd_words(model),
		hd_local(model, in));
	mport->heads[vl] |= bit_of(in - mport->first);
	mport->queued |= UINT32_C(1) << vl;
}

/* It is no more: its queue is empty, or has another one. */
static void forget_central(struct hd_model *model, uint32_t in, unsigned vl, uint32_t index)
{
	struct hd_mport *mport = hd_mport_of(model, in);

	clear_bit(hd_central_requests(model, model->buffers.packets[index].out, vl),
		  hd_words(model), hd_local(model, in));
	mport->heads[vl] &= ~bit_of(in - mport->first);
	if (!mport->heads[vl])
		mport->queued &= ~(UINT32_C(1) << vl);
}

static void in_central(struct hd_model *model, uint32_t lane, uint32_t index)
{
	uint32_t in = lane_port(lane);
	unsigned vl = lane_vl(lane);
	struct hd_shared_queue *queue = hd_central_queue(model, in, vl);

	queue->coming--;
	if (!hd_queue_append(model, &queue->queue, index))
		return;
	note_central(model, in, vl, index);
	try_central(model, hd_hierarchical_port(model, in)->mport);
}

static void in_output(struct hd_model *model, uint32_t out, uint32_t index)
{
	unsigned vl = model->buffers.packets[index].out_vl;
	struct hd_shared_queue *queue = hd_output_queue(model, out, vl);

	queue->coming--;
	hd_queue_append(model, &queue->queue, index);
	hd_hierarchical_port(model, out)->queued |= UINT32_C(1) << vl;
	hd_model_mark_out(model, out);
}

void hd_hierarchical_enqueue(struct hd_model *model, uint32_t in, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	struct queue *queue = hd_input_queue(model, in, packet->vl);

	packet->arrived = model->events.now;
	if (!hd_queue_append(model, queue, index))
		return;
	hd_crossbar_note(model, hd_crossbar(model, hd_switch_of(model, in)), in, packet->vl,
			 packet->out, packet->out_vl);
	try_in(model, in);
}

/* Heads that go */

static uint64_t to_leave_input(const struct hd_model *model, unsigned rate, uint32_t size)
{
	(void)rate;
	return hd_crossing_ticks(model, hd_hierarchical(model)->speed, size);
}

static uint64_t to_leave_central(const struct hd_model *model, unsigned rate, uint32_t size)
{
	(void)rate;
	return hd_crossing_ticks(model, hd_hierarchical(model)->central_speed, size);
}

static void post_on(struct hd_model *model, struct sized_line *lines, unsigned kind, unsigned rate,
		    uint32_t a, uint32_t size, hd_sized_ticks ticks)
{
	struct sized_line *line = &lines[size % SIZES];

	if (line->size != size)
		hd_wire_make_line(model, kind, rate, size, ticks, line);
	if (line->line != HD_NO_LINE)
		hd_events_post(&model->events, line->line, a, 0);
	else
		hd_events_post_any(&model->events, kind, line->ticks, a, 0);
}

/*
 * Posts the event of @kind for when @size units have left by a crossbar that takes what @ticks says
 * for them, but not before @tail; links of @rate brought them. Returns when that is.
 */
static uint64_t post_left(struct hd_model *model, enum hd_hierarchical_event kind, unsigned rate,
			  uint32_t a, uint32_t size, hd_sized_ticks ticks, uint64_t tail)
{
	const uint64_t now = model->events.now, fast = now + ticks(model, rate, size);
	struct hd_crossing_lines *lines = &hd_hierarchical(model)->left[kind];

	if (fast >= tail) {
		post_on(model, lines->whole, HD_EVENT_OWN + kind, rate, a, size, ticks);
		return fast;
	}
	if (tail == now + hd_ticks_to_send(model, rate, size))
		post_on(model, lines->cut[rate], HD_EVENT_OWN + kind, rate, a, size,
			hd_ticks_to_send);
	else
		hd_events_post_any(&model->events, HD_EVENT_OWN + kind, tail - now, a, 0);
	return tail;
}

/* The head of in-port @in and @vl begins to leave it; returns the packet. */
static uint32_t leave_input(struct hd_model *model, uint32_t in, unsigned vl)
{
	struct hd_hierarchical_port *port = hd_hierarchical_port(model, in);
	struct queue *queue = hd_input_queue(model, in, vl);
	uint32_t index = hd_model_pop(model, queue);
	struct packet *packet = &model->buffers.packets[index];
	uint32_t out = packet->out;
	struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, in));
	uint32_t faster = unit_ticks(model, in) < unit_ticks(model, out) ? in : out;
	unsigned rate = hd_sender(model, faster)->rate;
	uint32_t size = packet->message.size;
	uint64_t left;

	hd_crossbar_forget(model, crossbar, out, in, vl, packet->out_vl, false);
	if (queue->head != HD_NONE) {
		const struct packet *next = hd_head(model, queue);

		hd_crossbar_note(model, crossbar, in, vl, next->out, next->out_vl);
	}
	port->leaving = size;
	port->leaving_vl = (uint8_t)vl;
	port->vl_turn = vl + 1 == model->n_vls ? 0 : (uint8_t)(vl + 1);
	/* what comes slower than it goes on was held back, so that its tail is there in time */
	left = post_left(model, HD_LEFT_INPUT, rate, in, size, to_leave_input,
			 packet->arrived + hd_ticks_to_send(model, rate, size));
	packet->arrived = left + model->options.crossbar_latency;
	return index;
}

/* Packet @index begins to go to the output buffer of @out. */
static void enter_output(struct hd_model *model, uint32_t out, uint32_t index)
{
	struct hd_hierarchical_port *port = hd_hierarchical_port(model, out);
	const struct packet *packet = &model->buffers.packets[index];
	struct hd_shared_queue *queue = hd_output_queue(model, out, packet->out_vl);
	uint32_t size = packet->message.size;

	port->is_entered = true;
	queue->coming++;
	hd_share_use(&port->share, queue, &port->left, size);
	hd_observe_output(model, out, size);
	if (model->options.crossbar_latency)
		hd_events_post(&model->events, hd_hierarchical(model)->in_output_line, out, index);
	else
		in_output(model, out, index);
}

void hd_hierarchical_to_central(struct hd_model *model, uint32_t in, unsigned vl, uint32_t link)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_shared_queue *queue = hd_central_queue(model, in, vl);
	uint32_t index = leave_input(model, in, vl);

	own->ports[in].uplink = link;
	own->links[link].is_taken = true;
	queue->coming++;
	hd_share_use(&own->central, queue, &hd_mport_of(model, in)->left,
		     model->buffers.packets[index].message.size);
	if (model->options.crossbar_latency)
		hd_events_post(&model->events, own->in_central_line, lane_ref(in, vl), index);
	else
		in_central(model, lane_ref(in, vl), index);
}

void hd_hierarchical_to_output(struct hd_model *model, uint32_t in, unsigned vl, uint32_t out)
{
	struct hd_hierarchical_port *port = hd_hierarchical_port(model, in);
	uint32_t index = leave_input(model, in, vl);

	port->uplink = HD_NONE;
	port->to = out;
	enter_output(model, out, index);
}

void hd_hierarchical_from_central(struct hd_model *model, uint32_t in, unsigned vl,
				  uint32_t index_of_link, uint32_t out)
{
	struct hd_central_link *link = &hd_hierarchical(model)->links[index_of_link];
	struct hd_shared_queue *queue = hd_central_queue(model, in, vl);
	uint32_t index = hd_model_pop(model, &queue->queue);
	struct packet *packet = &model->buffers.packets[index];
	uint64_t left;

	forget_central(model, in, vl, index);
	if (queue->queue.head != HD_NONE)
		note_central(model, in, vl, queue->queue.head);
	link->lane = lane_ref(in, vl);
	link->size = packet->message.size;
	link->to = out;
	link->vl_turn = vl + 1 == model->n_vls ? 0 : (uint8_t)(vl + 1);
	left = post_left(model, HD_LEFT_CENTRAL, hd_sender(model, out)->rate, index_of_link,
			 link->size, to_leave_central, packet->arrived);
	packet->arrived = left + model->options.crossbar_latency;
	enter_output(model, out, index);
}

/* Tails that left */

static void left_input(struct hd_model *model, uint32_t in)
{
	struct hd_hierarchical_port *port = hd_hierarchical_port(model, in);
	struct hd_hierarchical *own = hd_hierarchical(model);
	uint32_t size = port->leaving;

	port->leaving = 0;
	hd_model_return_credit(model, in, port->leaving_vl, size, 0);
	if (port->uplink != HD_NONE) {
		own->links[port->uplink].is_taken = false;
		try_ins(model, port->mport);
		return;
	}
	own->ports[port->to].is_entered = false;
	try_in(model, in);
	try_for(model, port->to);
}

static void left_central(struct hd_model *model, uint32_t index)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_central_link *link = &own->links[index];
	uint32_t in = lane_port(link->lane), mport = own->ports[in].mport;

	hd_share_give_back(&own->central, hd_central_queue(model, in, lane_vl(link->lane)),
			   &own->mports[mport].left, link->size);
	link->lane = HD_NONE;
	own->ports[link->to].is_entered = false;
	try_ins(model, mport);
	if (own->mports[mport].queued)
		try_central(model, mport);
	try_for(model, link->to);
}

void hd_hierarchical_sent(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	struct hd_hierarchical_port *port = hd_hierarchical_port(model, out);
	struct sender *sender = hd_sender(model, out);
	uint32_t size = sender->sending;

	(void)in_lane;
	sender->sending = 0;
	hd_share_give_back(&port->share, hd_output_queue(model, out, port->sending_vl), &port->left,
			   size);
	hd_observe_output(model, out, -(int64_t)size);
	if (port->queued)
		hd_model_mark_out(model, out);
	if (!port->is_entered)
		try_for(model, out);
}

void hd_hierarchical_event(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b)
{
	switch ((enum hd_hierarchical_event)kind) {
	case HD_LEFT_INPUT:
		left_input(model, a);
		break;
	case HD_LEFT_CENTRAL:
		left_central(model, a);
		break;
	case HD_IN_CENTRAL:
		in_central(model, a, b);
		break;
	case HD_IN_OUTPUT:
		in_output(model, a, b);
		break;
	}
}

/* The link */

/* The VL that goes next by the link of @out; HD_VL_DROP: none can. */
static unsigned next_vl(struct hd_model *model, uint32_t out)
{
	const struct hd_scheduler *scheduler = hd_scheduler(model);
	unsigned turn = hd_sender(model, out)->vl_turn, vls = 0;
	uint32_t queued = hd_hierarchical_port(model, out)->queued;

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
	return vls ? scheduler->next(model, out, vls) : HD_VL_DROP;
}

void hd_hierarchical_send(struct hd_model *model, uint32_t out)
{
	struct hd_hierarchical_port *port = hd_hierarchical_port(model, out);
	const struct hd_scheduler *scheduler = hd_scheduler(model);
	struct sender *sender = hd_sender(model, out);
	struct hd_shared_queue *queue;
	uint32_t index, size;
	unsigned vl;

	if (sender->sending || !port->queued)
		return;
	vl = next_vl(model, out);
	if (vl == HD_VL_DROP) {
		hd_model_stall(model, out, port->queued);
		return;
	}
	queue = hd_output_queue(model, out, vl);
	index = hd_model_pop(model, &queue->queue);
	size = model->buffers.packets[index].message.size;
	if (queue->queue.head == HD_NONE)
		port->queued &= ~(UINT32_C(1) << vl);
	hd_model_end_stall(model, out);
	hd_model_use(model, out, vl, size);
	sender->vl_turn = vl + 1 == model->n_vls ? 0 : (uint8_t)(vl + 1);
	sender->sending = size;
	port->sending_vl = (uint8_t)vl;
	if (scheduler)
		scheduler->sent(model, out, vl, size);
	hd_model_transmit(model, index, out, HD_NONE);
}
