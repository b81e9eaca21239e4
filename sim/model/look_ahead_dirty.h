/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prefetches the data of the switches and hosts that are looked at next when a tick's events are
 * through. Where many events come in a tick, what they touched has left the caches by then. For
 * switches of up to 64 ports whose packets go by the tables.
 */
#ifndef HD_MODEL_LOOK_AHEAD_DIRTY_H
#define HD_MODEL_LOOK_AHEAD_DIRTY_H

#include "sim/model/look_ahead_adaptive.h"
#include "sim/switches/switch_cioq.h"

/* How many switches and hosts ahead of the one whose turn it is. */
#define HD_TURN_FIRST  12
#define HD_TURN_SECOND 9
#define HD_TURN_THIRD  6
#define HD_TURN_FOURTH 4
#define HD_TURN_LAST   2

/*
 * Whether events come at whole cycles: then each tick has so many that the tick's matchings look
 * ahead for themselves. In other runs few switches are marked at a time, and their data are near.
 */
static inline bool hd_is_synchronous(const struct hd_model *model)
{
	return hd_iterations(model) && model->in_step;
}

/* The least bit of @mask at or after @turn; where there is none, the least bit before it. */
static inline unsigned hd_in_turn(uint64_t mask, unsigned turn)
{
	uint64_t from = mask >> turn % 64 << turn % 64;

	return (unsigned)__builtin_ctzll(from ? from : mask);
}

/* The bits of all VLs together. */
static inline uint64_t hd_of_all_vls(const struct hd_model *model, const uint64_t *masks)
{
	uint64_t any = 0;

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		any |= masks[vl];
	return any;
}

/* The first VL from @vl on whose mask has @bit; at least one has. */
static inline unsigned hd_vl_of(const struct hd_model *model, const uint64_t *masks, unsigned bit,
				unsigned vl)
{
	while (!(masks[vl] >> bit & 1))
		vl = vl + 1 == hd_n_vls(model) ? 0 : vl + 1;
	return vl;
}

/* The out-ports of switch @at that will be matched. */
HD_FETCHES uint64_t hd_dirty_outs(struct crossbar *crossbar)
{
	return *hd_dirty(crossbar, 1) & *hd_out_free(crossbar, 1) & *hd_wanted(crossbar, 1);
}

/* The ports of switch @at that will be matched. */
HD_FETCHES void hd_dirty_fetch_ports(const struct hd_model *model, uint32_t at)
{
	struct crossbar *crossbar = hd_crossbar(model, at);
	uint32_t first = hd_first_port(model, at);
	uint64_t outs = hd_dirty_outs(crossbar);

	for (uint64_t bits = outs; bits; bits &= bits - 1) {
		uint32_t out = first + (unsigned)__builtin_ctzll(bits);

		__builtin_prefetch(hd_sender(model, out));
		if (hd_is_cioq(model))
			__builtin_prefetch(hd_cioq_output(model, out));
	}
	if (!outs)
		return;
	if (hd_is_cioq(model))
		hd_cioq_fetch_ends(model, at);
	for (uint64_t ins = *hd_in_free(crossbar) & *hd_has_heads(crossbar, 1); ins; ins &= ins - 1)
		__builtin_prefetch(hd_receiver(model, first + (unsigned)__builtin_ctzll(ins)));
}

/* The queue from which @out probably takes a packet; NULL: none. */
HD_FETCHES const struct queue *hd_dirty_queue(const struct hd_model *model, uint32_t at,
					      uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	const uint64_t *requests = hd_requests(model, sender);
	uint64_t ins = hd_of_all_vls(model, requests) & *hd_in_free(hd_crossbar(model, at));
	unsigned in;

	if (!ins)
		return NULL;
	in = hd_in_turn(ins, sender->turn);
	return hd_queue_at(model, hd_queues_to(model, at, hd_local(model, out)), in,
			   hd_vl_of(model, requests, in, 0));
}

/* Room that @out lacks, or nearly lacks, is looked up at the other end of its link. */
HD_FETCHES void hd_dirty_fetch_credits(const struct hd_model *model, uint32_t out)
{
	const struct sender *sender = hd_sender(model, out);

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		if (sender->credits[vl] < model->buffers.largest_packet) {
			__builtin_prefetch(hd_receiver(model, sender->peer));
			return;
		}
}

/* What @out takes, and what it is queued behind, as far as @step is. */
HD_FETCHES void hd_dirty_fetch_taken(const struct hd_model *model, uint32_t at, uint32_t out,
				     unsigned step)
{
	const struct queue *queue = hd_dirty_queue(model, at, out);
	const struct packet *packets = model->buffers.packets;

	if (!queue)
		return;
	if (step == HD_TURN_THIRD) {
		__builtin_prefetch(queue);
		hd_dirty_fetch_credits(model, out);
	} else if (queue->head == HD_NONE) {
		return;
	} else if (step == HD_TURN_FOURTH) {
		__builtin_prefetch(&packets[queue->head]);
		if (hd_is_cioq(model) && hd_cioq_output(model, out)->head != HD_NONE)
			__builtin_prefetch(&packets[hd_cioq_output(model, out)->tail]);
	} else if (packets[queue->head].next != HD_NONE) {
		__builtin_prefetch(&packets[packets[queue->head].next]);
	}
}

HD_FETCHES void hd_dirty_fetch_switch(const struct hd_model *model, uint32_t at, unsigned step)
{
	uint32_t first = hd_first_port(model, at);

	if (step == HD_TURN_FIRST)
		__builtin_prefetch(hd_crossbar(model, at));
	else if (step == HD_TURN_SECOND)
		hd_dirty_fetch_ports(model, at);
	else
		for (uint64_t outs = hd_dirty_outs(hd_crossbar(model, at)); outs; outs &= outs - 1)
			hd_dirty_fetch_taken(model, at, first + (unsigned)__builtin_ctzll(outs),
					     step);
}

HD_FETCHES void hd_dirty_fetch_host(const struct hd_model *model, uint32_t port, unsigned step)
{
	if (step == HD_TURN_FIRST)
		hd_adaptive_fetch_host(model, port, HD_DIRTY_FIRST);
	else if (step == HD_TURN_FOURTH)
		hd_adaptive_fetch_host(model, port, HD_DIRTY_SECOND);
}

/* The marked switch or host at place @i has its turn now, and those after it will have theirs. */
HD_FETCHES void hd_dirty_fetch(const struct hd_model *model, uint32_t i)
{
	static const unsigned steps[] = { HD_TURN_FIRST, HD_TURN_SECOND, HD_TURN_THIRD,
					  HD_TURN_FOURTH, HD_TURN_LAST };

	if (hd_words(model) > 1)
		return;
	for (unsigned k = 0; k < sizeof(steps) / sizeof(steps[0]); k++) {
		uint32_t at;

		if (i + steps[k] >= model->n_dirty)
			continue;
		at = model->dirty[i + steps[k]];
		if (at < model->network.n_switches)
			hd_dirty_fetch_switch(model, at, steps[k]);
		else
			hd_dirty_fetch_host(model, at, steps[k]);
	}
}

#endif
