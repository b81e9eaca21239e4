/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The combined input- and output-queued switch. The crossbar is `speedup` times as fast as the
 * faster of the links of the two ports and leads to a FIFO per out-port. A packet enters it when
 * there is room for all of it in that FIFO and in the buffer at the other end of the link, so that
 * the FIFO never blocks: what the link will send, and when, is known as soon as a packet enters the
 * crossbar. So a packet needs no event for its head in the output buffer. If the link will be idle
 * then, its arrival behind the link is posted at once; else it begins when the one before it has
 * left. The end of a packet on the link is an event only if somebody waits for it: the next packet,
 * or a head that needs the room. Else the room is given back when it is asked for.
 *
 * While all events come at whole cycles, the ends of crossings in one cycle at one switch are one
 * event.
 *
 * The functions are here for the machine that is compiled for this switch (machine_cioq.c);
 * switch_cioq.c has them for the others.
 */
#ifndef HD_SWITCHES_SWITCH_CIOQ_H
#define HD_SWITCHES_SWITCH_CIOQ_H

#include "sim/switches/cioq_output.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/model/look_ahead_adaptive.h"
#include "support/error.h"

/* The events of this switch model. */
enum {
	HD_CIOQ_CROSSED, /* a: out-port, b: reference of the in-lane, which the tail of a packet has
			    left; or a: a port, b: HD_CIOQ_SEVERAL and the place of all that end now
			    at its switch */
	HD_CIOQ_READY,   /* a: out-port, b: packet; its head is in the output buffer */
	HD_CIOQ_PASSED,  /* as HD_EVENT_DONE, which has the units of the packet as b, for a packet
			    that did not wait; posted when it began to cross, or when somebody waits
			    for it */
	HD_CIOQ_TO_HOST, /* no event: see hd_cioq_host_line() */
};

/* A lane's reference is less than that. */
#define HD_CIOQ_SEVERAL UINT32_C(0xFFFFFFF0)

/* Whether every out-port has room for a packet before its link. HD_EINVAL. */
static inline int hd_cioq_check_outputs(const struct hd_model_options *options,
					struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (!options->links[i].output)
			return hd_error_set(err, HD_EINVAL, "an output buffer has no room");
	return 0;
}

/* The rate of @out's link; any rate if all links have the same: the sender is not read then. */
static inline unsigned hd_cioq_rate(const struct hd_model *model, uint32_t out)
{
	return hd_has_rates(model) ? hd_sender(model, out)->rate : 0;
}

static inline uint64_t hd_cioq_send_ticks(const struct hd_model *model, uint32_t out, uint32_t size)
{
	return size * (uint64_t)model->rates[hd_cioq_rate(model, out)].unit_ticks;
}

/* Ticks: through the crossbar; until the credit for that is back at the sender; ... */
uint64_t hd_cioq_ticks_to_cross(const struct hd_model *model, unsigned rate, uint32_t size);
uint64_t hd_cioq_ticks_to_return(const struct hd_model *model, unsigned rate, uint32_t size);

/* ... from the crossbar's begin until a packet that passes has left, or is at its host. */
uint64_t hd_cioq_ticks_to_pass(const struct hd_model *model, unsigned rate, uint32_t size);
uint64_t hd_cioq_ticks_to_host(const struct hd_model *model, unsigned rate, uint32_t size);

/* Gives back the room of @n packets that pass. */
static inline void hd_cioq_give_back(struct hd_cioq_output *output, unsigned n)
{
	output->room += n * output->units;
	output->n_passing = (uint8_t)(output->n_passing - n);
}

/* Gives back the room of packets that have left before @end. */
static inline void hd_cioq_settle(struct hd_cioq_output *output, uint64_t end)
{
	if (!output->n_passing)
		return;
	if (output->idle_from < end)
		hd_cioq_give_back(output, output->n_passing);
	else if (output->n_passing > 1 && output->idle_from - output->since < end)
		hd_cioq_give_back(output, 1);
}

/* The ends, from now on, of packets that pass become events. */
void hd_cioq_watch_passing(struct hd_model *model, uint32_t out);

static inline void hd_cioq_watch(struct hd_model *model, uint32_t out)
{
	if (hd_cioq_output(model, out)->n_passing)
		hd_cioq_watch_passing(model, out);
}

/*
 * With service classes there must be room for the longest packet of all: short ones would else take
 * what becomes free before there is enough for a long one, whatever the scheduler. If there is
 * none, an event will tell when there is more.
 */
static inline bool hd_cioq_has_room(struct hd_model *model, uint32_t out, uint32_t size)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);

	if (model->options.class_of_tag && size < model->buffers.largest_packet)
		size = model->buffers.largest_packet;
	if (output->room >= size)
		return true;
	if (!output->n_passing)
		return false;
	hd_cioq_settle(output, model->events.now + 1);
	if (output->room >= size)
		return true;
	hd_cioq_watch(model, out);
	return false;
}

static inline bool hd_cioq_is_crossing(const struct hd_model *model, uint32_t out)
{
	return hd_cioq_output(model, out)->room <
	       model->options.links[hd_sender(model, out)->link_class].output;
}

/* When the latest packet begins, or began, to leave by @out. */
static inline uint64_t hd_cioq_begin(const struct hd_model *model, uint32_t out)
{
	const struct hd_cioq_output *output = hd_cioq_output(model, out);

	return output->idle_from - hd_cioq_send_ticks(model, out, output->units);
}

/* Packet @index goes onto the link of @out at @begin: all but its events. */
static inline void hd_cioq_count(struct hd_model *model, uint32_t index, uint32_t out,
				 uint64_t begin)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);

	output->units = hd_model_count_leaving(model, index, out);
	output->vl = model->buffers.packets[index].vl;
	output->idle_from = begin + hd_cioq_send_ticks(model, out, output->units);
}

/* Packet @index begins to leave by @out, whose link is idle. */
static inline void hd_cioq_send(struct hd_model *model, uint32_t index, uint32_t out)
{
	uint32_t size = model->buffers.packets[index].message.size;

	hd_cioq_count(model, index, out, model->events.now);
	hd_wire_post(model, HD_EVENT_DONE, hd_cioq_rate(model, out), out, size, size,
		     hd_ticks_to_send);
	hd_model_post_arrival(model, index, out, size);
}

/*
 * The delay line of HD_EVENT_DELIVER for packets that pass; the model keeps it as of another kind.
 */
static inline struct sized_line *hd_cioq_host_line(struct hd_model *model, unsigned rate,
						   uint32_t size)
{
	return &model->sized_lines.of[rate][HD_EVENT_OWN + HD_CIOQ_TO_HOST][size % SIZES];
}

/*
 * Whether the end of a packet of @size that passes is no event while nobody waits for it. It must
 * come when other events come, since a run is in step while all do (credits.h).
 */
static inline bool hd_cioq_is_quiet(struct hd_model *model, uint32_t out, uint32_t size)
{
	return model->in_step && model->buffers.one_size && !hd_counts_stalls(model) &&
	       (!hd_iterations(model) ||
		hd_wire_line(model, HD_EVENT_OWN + HD_CIOQ_PASSED, hd_cioq_rate(model, out), size,
			     hd_cioq_ticks_to_pass)
			->cycles);
}

/*
 * Packet @index will pass @out, and its end is no event. All before it but the latest have left,
 * since that one has begun.
 */
static inline void hd_cioq_count_passing(struct hd_model *model, uint32_t index, uint32_t out)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);
	uint64_t now = model->events.now, last = output->idle_from;

	if (output->n_passing)
		hd_cioq_give_back(output, output->n_passing - (last > now));
	hd_cioq_count(model, index, out, now + model->options.crossbar_latency);
	output->since = (uint32_t)(output->idle_from - last);
	output->n_passing++;
}

/* The same, and its end is an event. */
static inline void hd_cioq_post_passing(struct hd_model *model, uint32_t index, uint32_t out,
					uint32_t size)
{
	hd_cioq_watch(model, out);
	hd_cioq_count(model, index, out, model->events.now + model->options.crossbar_latency);
	hd_wire_post(model, HD_EVENT_OWN + HD_CIOQ_PASSED, hd_cioq_rate(model, out), out, size,
		     size, hd_cioq_ticks_to_pass);
}

/* The same as hd_cioq_send() for a packet that will begin when its head is past the crossbar. */
static inline void hd_cioq_pass(struct hd_model *model, uint32_t index, uint32_t out)
{
	struct hd_cioq *own = hd_cioq(model);
	const struct sender *sender = hd_sender(model, out);
	uint32_t size = model->buffers.packets[index].message.size;

	if (hd_cioq_is_quiet(model, out, size))
		hd_cioq_count_passing(model, index, out);
	else
		hd_cioq_post_passing(model, index, out, size);
	if (sender->to_host)
		hd_wire_post_by(model, hd_cioq_host_line(model, sender->rate, size),
				HD_EVENT_DELIVER, sender->rate, sender->peer, index, size,
				hd_cioq_ticks_to_host);
	else
		hd_events_post(&model->events, own->through_lines[sender->link_class], sender->peer,
			       index);
}

/* Packet @index waits for the link of @out. */
static inline void hd_cioq_wait(struct hd_model *model, uint32_t index, uint32_t out)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);

	hd_cioq_watch(model, out);
	model->buffers.packets[index].next = HD_NONE;
	if (output->head == HD_NONE)
		output->head = index;
	else
		model->buffers.packets[output->tail].next = index;
	output->tail = index;
	output->queued += model->buffers.packets[index].message.size;
}

/*
 * Packet @index enters the crossbar towards @out. It passes if the link will be idle when its head
 * is there. If packets before it take longer than that, it begins when they have left. The times of
 * at most one packet are posted before it begins, since counters must tell what has begun. Mail to
 * other domains is in the order in which packets begin.
 */
static inline void hd_cioq_enter(struct hd_model *model, uint32_t index, uint32_t out)
{
	struct hd_cioq *own = hd_cioq(model);
	struct hd_cioq_output *output = &own->outputs[out];
	uint64_t now = model->events.now, ready = now + model->options.crossbar_latency;

	if (own->passes && !output->n_coming && !hd_is_observed(model) &&
	    !hd_sender(model, out)->is_cut) {
		if (output->head == HD_NONE && output->idle_from <= ready &&
		    hd_cioq_begin(model, out) <= now) {
			hd_cioq_pass(model, index, out);
			return;
		}
		if (output->idle_from + hd_cioq_send_ticks(model, out, output->queued) >= ready) {
			hd_cioq_wait(model, index, out);
			return;
		}
	}
	output->n_coming++;
	hd_events_post(&model->events, own->ready_line, out, index);
}

/*
 * The head of @packet is in the output buffer: it can go on at once. The end of a packet that
 * leaves in this very tick is still to come, unless the packet crossed in no time.
 */
static inline void hd_cioq_ready(struct hd_model *model, uint32_t out, uint32_t packet)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);

	output->n_coming--;
	model->census.signals++;
	if (output->head != HD_NONE ||
	    output->idle_from >= model->events.now + !model->options.crossbar_latency) {
		hd_cioq_wait(model, packet, out);
		return;
	}
	hd_cioq_settle(output, model->events.now + 1);
	hd_cioq_send(model, packet, out);
}

/* Whether switches know together what ends in a cycle. */
static inline bool hd_cioq_has_ends(const struct hd_model *model)
{
	return hd_cioq(model)->ends && model->in_step && hd_has_early_credits(model);
}

/*
 * Notes that @in and @out of a switch are free again after @cycles, which are fewer than
 * HD_CIOQ_CYCLES. True: nothing else was noted for that cycle; *@b gets the event's data.
 */
static inline bool hd_cioq_note_end(struct hd_model *model, uint32_t out, uint32_t in,
				    unsigned cycles, uint32_t *b)
{
	uint32_t at = hd_switch_of(model, out);
	unsigned place = (unsigned)(model->cycle + cycles) % HD_CIOQ_CYCLES;
	uint64_t *ins = &hd_cioq(model)->ends[at].of[place].ins;
	uint64_t *outs = &hd_cioq(model)->ends[at].of[place].outs;
	bool is_first = !*ins;

	*ins |= bit_of(hd_local(model, in));
	*outs |= bit_of(hd_local(model, out));
	*b = HD_CIOQ_SEVERAL | place;
	return is_first;
}

/* Posts the end of a crossing at @rate that begins now; returns the ticks until then. */
static inline uint64_t hd_cioq_post_crossed(struct hd_model *model, unsigned rate, uint32_t out,
					    uint32_t in_lane, uint32_t size)
{
	const enum hd_model_event kind = HD_EVENT_OWN + HD_CIOQ_CROSSED;
	struct sized_line *line = hd_wire_line(model, kind, rate, size, hd_cioq_ticks_to_cross);

	if (hd_cioq_has_ends(model) && line->cycles && line->cycles < HD_CIOQ_CYCLES &&
	    !hd_cioq_note_end(model, out, lane_port(in_lane), line->cycles, &in_lane))
		return line->ticks;
	return hd_wire_post_by(model, line, kind, rate, out, in_lane, size, hd_cioq_ticks_to_cross);
}

/* As take() of struct hd_switch_model. */
static inline void hd_cioq_take(struct hd_model *model, uint32_t packet, uint32_t out,
				uint32_t in_lane)
{
	uint32_t size = model->buffers.packets[packet].message.size, in = lane_port(in_lane);
	uint32_t faster =
		hd_has_rates(model) && unit_ticks(model, in) < unit_ticks(model, out) ? in : out;
	uint64_t ticks;

	hd_cioq_output(model, out)->room -= size;
	hd_observe_output(model, out, size);
	ticks = hd_cioq_post_crossed(model, hd_cioq_rate(model, faster), out, in_lane, size);
	if (hd_has_early_credits(model))
		hd_model_return_after(model, in, lane_vl(in_lane), size, ticks,
				      hd_cioq_ticks_to_return);
	else
		hd_cioq(model)->crossing[out] = size;
	hd_cioq_enter(model, packet, out);
}

/* The packets whose crossings end in cycle @place left the input buffers of switch @at. */
static inline void hd_cioq_several_crossed(struct hd_model *model, uint32_t at, unsigned place)
{
	struct crossbar *crossbar = hd_crossbar(model, at);
	uint64_t *ins = &hd_cioq(model)->ends[at].of[place].ins;
	uint64_t *outs = &hd_cioq(model)->ends[at].of[place].outs;
	uint64_t out_free = *hd_out_free(crossbar, 1) | *outs,
		 dirty = *outs & *hd_wanted(crossbar, 1);

	*hd_out_free(crossbar, 1) = out_free;
	*hd_in_free(crossbar) |= *ins;
	for (uint64_t heads = *ins & *hd_has_heads(crossbar, 1); heads; heads &= heads - 1) {
		uint32_t in = hd_first_port(model, at) + (uint32_t)__builtin_ctzll(heads);
		const uint64_t *wants = hd_wants(model, hd_receiver(model, in));

		for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
			dirty |= wants[vl] & out_free;
	}
	*ins = *outs = 0;
	if (!dirty)
		return;
	*hd_dirty(crossbar, 1) |= dirty;
	hd_model_mark_switch(model, at);
}

/* The tail of a packet left the input buffer. */
static inline void hd_cioq_crossed(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	uint32_t in = lane_port(in_lane);

	model->census.signals++;
	if (in_lane >= HD_CIOQ_SEVERAL) {
		hd_cioq_several_crossed(model, hd_switch_of(model, out), in_lane - HD_CIOQ_SEVERAL);
		return;
	}
	if (!hd_has_early_credits(model))
		hd_model_return_credit(model, in, lane_vl(in_lane), hd_cioq(model)->crossing[out],
				       hd_has_voqnet(model) ? model->voqnet->leaving[out] : 0);
	hd_model_both_done(model, out, in);
}

/*
 * Whether a head may have waited for room in the buffer of @out, which has more now. In other runs,
 * the switch tries again whatever the head waits for.
 */
static inline bool hd_cioq_opens(const struct hd_model *model, uint32_t out)
{
	return hd_is_wanted(model, out) &&
	       (!model->in_step || hd_counts_stalls(model) ||
		hd_cioq_output(model, out)->room < model->buffers.largest_packet);
}

/* As sent() of struct hd_switch_model: the link of @out has sent a packet of @size. */
HD_HOT void hd_cioq_left(struct hd_model *model, uint32_t out, uint32_t size)
{
	struct hd_cioq_output *output = hd_cioq_output(model, out);
	uint32_t packet = output->head;

	model->census.signals++;
	if (hd_cioq_opens(model, out))
		hd_model_mark_out(model, out);
	output->room += size;
	hd_observe_output(model, out, -(int64_t)size);
	if (packet == HD_NONE || output->idle_from > model->events.now)
		return;
	output->head = model->buffers.packets[packet].next;
	output->queued -= model->buffers.packets[packet].message.size;
	hd_cioq_send(model, packet, out);
}

static inline void hd_cioq_event(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b)
{
	if (kind == HD_CIOQ_CROSSED)
		hd_cioq_crossed(model, a, b);
	else if (kind == HD_CIOQ_READY)
		hd_cioq_ready(model, a, b);
	else
		hd_cioq_left(model, a, b);
}

/* Where the ends of crossings that begin soon at switch @at are noted. */
HD_FETCHES void hd_cioq_fetch_ends(const struct hd_model *model, uint32_t at)
{
	if (hd_cioq(model)->ends)
		hd_fetch_range(&hd_cioq(model)->ends[at], sizeof(struct hd_cioq_ends) - 63);
}

/* What the ends of crossings at switch @at touch. */
HD_FETCHES void hd_cioq_fetch_several(const struct hd_model *model, uint32_t at, unsigned place,
				      unsigned step)
{
	struct crossbar *crossbar = hd_crossbar(model, at);
	const struct hd_cioq_ends *ends = &hd_cioq(model)->ends[at];

	if (step == HD_AHEAD_FIRST) {
		__builtin_prefetch(crossbar);
		__builtin_prefetch(&ends->of[place]);
	} else if (step == HD_AHEAD_SECOND) {
		uint64_t heads = ends->of[place].ins & *hd_has_heads(crossbar, 1);

		for (; heads; heads &= heads - 1)
			__builtin_prefetch(
				hd_receiver(model, hd_first_port(model, at) +
							   (uint32_t)__builtin_ctzll(heads)));
	}
}

/* What the end of the crossing of @out's packet touches. */
HD_FETCHES void hd_cioq_fetch_crossed(const struct hd_model *model, uint32_t out, uint32_t in_lane,
				      unsigned step)
{
	uint32_t in = lane_port(in_lane), at = hd_switch_of(model, out);

	if (in_lane >= HD_CIOQ_SEVERAL) {
		hd_cioq_fetch_several(model, at, in_lane - HD_CIOQ_SEVERAL, step);
		return;
	}
	if (step != HD_AHEAD_FIRST)
		return;
	__builtin_prefetch(&hd_cioq(model)->crossing[out]);
	__builtin_prefetch(hd_receiver(model, in));
	__builtin_prefetch(hd_crossbar(model, hd_switch_of(model, in)));
	if (!hd_has_routing(model))
		return;
	hd_adaptive_fetch_head(model, in, lane_vl(in_lane));
	hd_adaptive_fetch_counts(model, hd_switch_of(model, in));
}

/* As ahead() of struct hd_switch_model. */
HD_FETCHES void hd_cioq_ahead(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
			      unsigned step)
{
	const struct hd_cioq_output *output = hd_cioq_output(model, a);

	if (kind == HD_EVENT_OWN + HD_CIOQ_CROSSED) {
		hd_cioq_fetch_crossed(model, a, b, step);
	} else if (step == HD_AHEAD_FIRST) {
		__builtin_prefetch(output);
		__builtin_prefetch(hd_sender(model, a));
		if (kind == HD_EVENT_OWN + HD_CIOQ_READY)
			__builtin_prefetch(&model->buffers.packets[b]);
	} else if (step == HD_AHEAD_SECOND && output->head != HD_NONE) {
		/* the next to be sent; behind which the new one is queued */
		__builtin_prefetch(&model->buffers.packets[kind == HD_EVENT_OWN + HD_CIOQ_READY
								   ? output->tail
								   : output->head]);
	}
}

#endif
