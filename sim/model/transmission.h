/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Packets on links: the events, and their times, after a packet begins to pass a port. */
#ifndef HD_MODEL_TRANSMISSION_H
#define HD_MODEL_TRANSMISSION_H

#include "sim/model/mail.h"
#include "sim/model/port_counters.h"
#include "sim/model/observers.h"

/* Ticks until an event when @size units begin to pass a port whose link has @rate, a number. */
typedef uint64_t (*hd_sized_ticks)(const struct hd_model *model, unsigned rate, uint32_t size);

/*
 * As long as the link takes for all units and the header; until the link can begin the next packet;
 * until the last unit is at the other end.
 */
uint64_t hd_ticks_to_send(const struct hd_model *model, unsigned rate, uint32_t size);
uint64_t hd_ticks_to_idle(const struct hd_model *model, unsigned rate, uint32_t size);
uint64_t hd_ticks_to_arrive(const struct hd_model *model, unsigned rate, uint32_t size);

/* Makes @line that of events of @kind for packets of @size. */
void hd_wire_make_line(struct hd_model *model, enum hd_model_event kind, unsigned rate,
		       uint32_t size, hd_sized_ticks ticks, struct sized_line *line);

/*
 * Posts an event of @kind after the time that @ticks gives for @size, which is returned; @line is
 * kept for that.
 */
static inline uint64_t hd_wire_post_by(struct hd_model *model, struct sized_line *line,
				       enum hd_model_event kind, unsigned rate, uint32_t a,
				       uint32_t b, uint32_t size, hd_sized_ticks ticks)
{
	if (line->size != size)
		hd_wire_make_line(model, kind, rate, size, ticks, line);
	if (line->line != HD_NO_LINE)
		hd_events_post(&model->events, line->line, a, b);
	else
		hd_events_post_any(&model->events, kind, line->ticks, a, b);
	return line->ticks;
}

/* The line of @kind for @size, as hd_wire_post() uses it. */
static inline struct sized_line *hd_wire_line(struct hd_model *model, enum hd_model_event kind,
					      unsigned rate, uint32_t size, hd_sized_ticks ticks)
{
	struct sized_line *line = &model->sized_lines.of[rate][kind][size % SIZES];

	if (line->size != size)
		hd_wire_make_line(model, kind, rate, size, ticks, line);
	return line;
}

/*
 * Posts an event of @kind after a time that differs each time; in runs in cycles mostly a few. The
 * switch model has one such kind.
 */
void hd_wire_post_after(struct hd_model *model, enum hd_model_event kind, uint64_t ticks,
			uint32_t a, uint32_t b);

/* The same; each kind always has the same @ticks. */
static inline uint64_t hd_wire_post(struct hd_model *model, enum hd_model_event kind, unsigned rate,
				    uint32_t a, uint32_t b, uint32_t size, hd_sized_ticks ticks)
{
	return hd_wire_post_by(model, &model->sized_lines.of[rate][kind][size % SIZES], kind, rate,
			       a, b, size, ticks);
}

/* Posts HD_EVENT_READ for @size units that in-port @in begins to send at its rate. */
static inline void hd_model_post_read(struct hd_model *model, uint32_t in, uint32_t size)
{
	hd_wire_post(model, HD_EVENT_READ, hd_sender(model, in)->rate, in, 0, size,
		     hd_ticks_to_send);
}

/*
 * Posts HD_EVENT_CREDIT for the credit of @size units that begin to leave the buffer of @receiver;
 * the switch model has one @ticks for all.
 */
static inline void hd_model_post_credit(struct hd_model *model, const struct receiver *receiver,
					unsigned vl, uint32_t size, hd_sized_ticks ticks)
{
	hd_wire_post(model, HD_EVENT_CREDIT, receiver->rate, lane_ref(receiver->peer, vl), size,
		     size, ticks);
}

/* Packet @index leaves by @out, for observers and counters. Returns its units. */
static inline uint32_t hd_model_count_leaving(struct hd_model *model, uint32_t index, uint32_t out)
{
	struct packet *packet = &model->buffers.packets[index];
	uint32_t size = packet->message.size;

	hd_observe_packet(model, HD_STEP_LEAVES, out, index);
	packet->vl = packet->out_vl;
	packet->hops++;
	hd_model_count_sent(model, out, packet->out_vl, size);
	model->census.packet_hops++;
	return size;
}

/*
 * Posts the arrival of packet @index of @size, which begins to leave by @out now. Where the link
 * leads to another domain, @index is no packet afterwards.
 */
HD_HOT void hd_model_post_arrival(struct hd_model *model, uint32_t index, uint32_t out,
				  uint32_t size)
{
	const struct sender *sender = hd_sender(model, out);

	if (sender->to_host)
		hd_wire_post(model, HD_EVENT_DELIVER, sender->rate, sender->peer, index, size,
			     hd_ticks_to_arrive);
	else if (sender->is_cut)
		hd_mail_packet(model, out, index);
	else
		hd_events_post(&model->events, sender->arrive_line, sender->peer, index);
}

/*
 * Puts packet @index on the link of @out, which is idle; @in_lane as in HD_EVENT_DONE. As
 * hd_model_post_arrival().
 */
HD_HOT void hd_model_transmit(struct hd_model *model, uint32_t index, uint32_t out,
			      uint32_t in_lane)
{
	uint32_t size = hd_model_count_leaving(model, index, out);

	hd_wire_post(model, HD_EVENT_DONE, hd_sender(model, out)->rate, out, in_lane, size,
		     hd_ticks_to_idle);
	hd_model_post_arrival(model, index, out, size);
}

#endif
