/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The packet that nothing holds up before the output buffer: it comes to an empty in-port, both
 * crossbars take it, and there is room. It leaves all buffers before together, cut through, when
 * its tail is there; if the link is idle, the link, too. Most packets go so until a switch has much
 * to do. hierarchical_moves.h has the same in steps, for packets that wait anywhere.
 */
#ifndef HD_SWITCHES_HIERARCHICAL_STRAIGHT_H
#define HD_SWITCHES_HIERARCHICAL_STRAIGHT_H

#include "sim/switches/hierarchical_moves.h"

/*
 * How a packet of @size to a link of @rate leaves all buffers together; NULL: it does not, or the
 * lines for that are not made yet. The steps make lines with the first packet of each size, and the
 * order of lines is that of the events of a tick.
 */
static inline const struct hd_straight *hd_straight(struct hd_model *model, unsigned rate,
						    uint32_t size)
{
	const struct hd_straight *straight = &hd_hierarchical(model)->straight[rate][size % SIZES];

	if (straight->size != size)
		straight = hd_hierarchical_learn_straight(model, rate, size);
	return straight && straight->line != HD_NO_LINE ? straight : NULL;
}

/* The way of a packet; a bypass: within an MPort. */
struct hd_straight_way {
	uint32_t in, out;
	unsigned in_vl, out_vl;
	uint32_t size;
	bool is_bypass;
};

/* Whether the central buffer of @mport lets such a packet go through. */
static inline bool hd_straight_centre(const struct hd_model *model, const struct hd_mport *mport,
				      const struct hd_straight_way *way)
{
	const struct hd_shared_queue *queue = hd_central_queue(model, way->in, way->in_vl);

	return mport->idle_up && mport->idle_down && queue->queue.head == HD_NONE &&
	       hd_share_room(&hd_hierarchical(model)->central, queue, mport->left) >= way->size;
}

/* The packet takes a link into the central buffer and one out of it, whose number is returned. */
static inline unsigned hd_straight_take_centre(struct hd_model *model,
					       struct hd_hierarchical_in *port,
					       struct hd_mport *mport,
					       const struct hd_straight_way *way)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const unsigned up = (unsigned)__builtin_ctzll(mport->idle_up),
		       down = (unsigned)__builtin_ctzll(mport->idle_down);
	const uint8_t next = hd_next_turn(way->in - mport->first, mport->n);

	mport->idle_up &= mport->idle_up - 1;
	mport->idle_down &= mport->idle_down - 1;
	mport->turns[way->in_vl].in = next;
	hd_share_use(&own->central, hd_central_queue(model, way->in, way->in_vl), &mport->left,
		     way->size);
	mport->turns[up].up = next;
	mport->turns[down].down_vl = hd_next_turn(way->in_vl, hd_n_vls(model));
	port->uplink = (uint8_t)up;
	port->downlink = (uint8_t)down;
	return down;
}

/* The packet goes onto the link of its out-port, which it leaves as it leaves its in-port. */
static inline void hd_straight_send(struct hd_model *model, uint32_t index,
				    struct hd_hierarchical_out *port,
				    const struct hd_straight_way *way)
{
	struct sender *sender = hd_sender(model, way->out);

	port->sending_vl = (uint8_t)way->out_vl;
	hd_model_end_stall(model, way->out);
	hd_model_use(model, way->out, way->out_vl, way->size);
	sender->vl_turn = hd_next_turn(way->out_vl, hd_n_vls(model));
	port->sending = way->size;
	hd_model_count_leaving(model, index, way->out);
	hd_model_post_arrival(model, index, way->out, way->size);
}

/*
 * In-port @in of switch @at, which alone is to be tried there, has a fresh head and no other. It
 * goes straight on; false: something holds it up, and nothing has changed.
 */
static inline bool hd_go_straight(struct hd_model *model, uint32_t at, uint32_t in)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	struct hd_mport *mport = &own->mports[port->mport];
	struct queue *queue = hd_input_queue(model, in, port->fresh_vl);
	const uint32_t index = queue->head;
	const struct packet *packet = &model->buffers.packets[index];
	const struct hd_straight_way way = { in,
					     packet->out,
					     port->fresh_vl,
					     packet->out_vl,
					     packet->message.size,
					     packet->out - mport->first < mport->n };
	struct hd_hierarchical_out *to = hd_hierarchical_out(model, way.out);
	const struct sender *sender = hd_sender(model, way.out);
	const struct hd_straight *straight;
	unsigned source;

	if (port->leaving || to->is_entered || packet->next != HD_NONE ||
	    hd_output_room(model, way.out, way.out_vl) < way.size ||
	    !(way.is_bypass || hd_straight_centre(model, mport, &way)))
		return false;
	straight = hd_straight(model, sender->rate, way.size);
	if (!straight || !(way.is_bypass || straight->passes_centre))
		return false;
	queue->head = HD_NONE;
	*hd_fresh(model, at) &= ~bit_of(hd_local(model, in));
	*hd_tries(model, at) = 0;
	port->left_at = model->events.now + straight->ticks;
	port->leaving = way.size;
	port->to = way.out;
	port->leaving_vl = (uint8_t)way.in_vl;
	port->vl_turn = hd_next_turn(way.in_vl, hd_n_vls(model));
	port->uplink = HD_NO_CENTRAL_LINK;
	if (way.is_bypass)
		source = hd_first_in_source(own) + (in - mport->first);
	else
		source = (port->mport - at * own->n_mports) * own->n_links +
			 hd_straight_take_centre(model, port, mport, &way);
	hd_output_turn(model, way.out, source);
	hd_events_post(&model->events, straight->line, in, 0);
	hd_share_use(&to->share, &to->queues[way.out_vl], &to->left, way.size);
	to->is_entered = true;
	port->ends_sending = !to->sending && !to->queued &&
			     hd_model_has_room(model, way.out, way.out_vl, way.size);
	if (port->ends_sending)
		hd_straight_send(model, index, to, &way);
	else
		hd_output_append(model, way.out, index);
	return true;
}

#endif
