/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Output first: iSLIP (McKeown 1999). Out-ports grant to a head, in-ports accept one grant, both in
 * turn.
 */
#ifndef HD_SWITCHES_ALLOCATOR_OUTPUT_H
#define HD_SWITCHES_ALLOCATOR_OUTPUT_H

#include <limits.h>

#include "sim/switches/contenders.h"

/*
 * The better of @best and the heads of in-port @in for port @out on the out-VLs in @vls. True:
 * @best is the first that could go, and no other can be better.
 */
static inline bool best_of(struct hd_model *model, uint32_t in, uint32_t out, struct queue *queues,
			   unsigned vls, struct choice *best)
{
	size_t words = hd_words(model);
	struct sender *sender = hd_sender(model, out);
	const uint64_t *requests = hd_requests(model, sender);
	struct choice choice = { .in = in };

	for (unsigned k = 0; k < hd_n_vls(model); k++) {
		choice.vl = sender->vl_turn + k;
		choice.vl -= choice.vl < hd_n_vls(model) ? 0 : hd_n_vls(model);
		if (!has_bit(requests + choice.vl * words, words, hd_local(model, in)))
			continue;
		choice.queue = hd_queue_at(model, queues, hd_local(model, in), choice.vl);
		if (!can_go_on(model, in, choice.vl, out, vls, choice.queue))
			continue;
		if (!best->queue || better(model, out, best, &choice))
			*best = choice;
		if (!hd_arbiter(model))
			return true;
	}
	return false;
}

/* In-ports in @free, in word @w of the masks, with a head for the port of @requests. */
static inline uint64_t candidates(const struct hd_model *model, const uint64_t *requests,
				  const uint64_t *free, size_t w)
{
	size_t words = hd_words(model);
	uint64_t any = 0;

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		any |= requests[vl * words + w];
	return any & free[w];
}

/*
 * Whether every head that could leave by @sender has room. Then no head has to be read; on large
 * fabrics heads are not in the caches.
 */
static inline bool all_can_go(struct hd_model *model, uint32_t out, struct sender *sender)
{
	const uint16_t *heads = hd_heads(model, sender);

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		if (heads[vl] && hd_out_room(model, out, vl) < model->buffers.largest_packet
								       << hd_has_bubble(model))
			return false;
	return !hd_has_voqnet(model) &&
	       hd_contenders_have_room(model, out, model->buffers.largest_packet);
}

/* The first in turn of the heads in @any; each in-port in it has one for @sender. */
static inline struct choice first_in_turn(const struct hd_model *model, uint32_t first,
					  struct sender *sender, struct queue *queues, uint64_t any)
{
	const uint64_t *requests = hd_requests(model, sender);
	uint64_t from = any & -bit_of(sender->turn);
	unsigned in = __builtin_ctzll(from ? from : any), vl = sender->vl_turn;

	while (!(requests[vl] >> in & 1))
		vl = vl + 1 == hd_n_vls(model) ? 0 : vl + 1;
	return (struct choice){ first + in, vl, hd_queue_at(model, queues, in, vl) };
}

/*
 * The next packet for port @out, from the in-ports in @free, on the out-VLs in @vls: the best head,
 * and of equals the first in turn.
 */
static inline struct choice choose_among(struct hd_model *model, uint32_t out, const uint64_t *free,
					 unsigned vls)
{
	size_t words = hd_words(model);
	struct sender *sender = hd_sender(model, out);
	uint32_t at = hd_switch_of(model, out), first = hd_first_port(model, at);
	const uint64_t *requests = hd_requests(model, sender);
	struct queue *queues = hd_queues_to(model, at, hd_local(model, out));
	uint64_t low = bit_of(sender->turn) - 1;
	size_t w = word_of(words, sender->turn);
	struct choice best = { 0 };
	uint64_t any = candidates(model, requests, free, w), rest = any & low;

	if (words == 1 && vls == UINT_MAX && !hd_arbiter(model) && all_can_go(model, out, sender))
		return any ? first_in_turn(model, first, sender, queues, any) : best;
	/* in-ports from the first on, then those before it; a word at a time */
	any &= ~low;
	for (size_t step = 0;; step++) {
		for (; any; any &= any - 1) {
			uint32_t in = first + (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(any);

			if (best_of(model, in, out, queues, vls, &best))
				return best;
		}
		if (step == words)
			return best;
		w = w + 1 == words ? 0 : w + 1;
		any = step + 1 == words ? rest : candidates(model, requests, free, w);
	}
}

/* With VL arbitration: the out-VLs that have a head that could go. */
static inline unsigned vls_that_can_go(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	unsigned vls = 0;

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		if (choose_among(model, out, free, 1u << vl).queue)
			vls |= 1u << vl;
	return vls;
}

static inline struct choice choose_by_vl(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	unsigned vls = vls_that_can_go(model, out, free), vl;

	if (!vls)
		return (struct choice){ 0 };
	vl = hd_crossbar_scheduler(model)->next(model, out, vls, hd_sender(model, out)->vl_turn);
	return choose_among(model, out, free, 1u << vl);
}

static inline struct choice choose(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	return hd_crossbar_scheduler(model) ? choose_by_vl(model, out, free)
					    : choose_among(model, out, free, UINT_MAX);
}

/*
 * On large fabrics: prefetches the granted head and the packet after it, for all out-ports at a
 * time.
 */
static inline __attribute__((always_inline)) void fetch_grants(const struct hd_model *model,
							       const struct choice *grants,
							       unsigned n)
{
	const struct packet *packets = model->buffers.packets;

	for (unsigned i = 0; i < n; i++)
		if (grants[i].queue)
			__builtin_prefetch(grants[i].queue);
	for (unsigned i = 0; i < n; i++)
		if (grants[i].queue)
			__builtin_prefetch(&packets[grants[i].queue->head]);
	for (unsigned i = 0; i < n; i++)
		if (grants[i].queue && packets[grants[i].queue->head].next != HD_NONE)
			__builtin_prefetch(&packets[packets[grants[i].queue->head].next]);
}

/*
 * One iteration of matching, output first. Returns the number of out-ports whose grants were not
 * accepted; these stay in @outs.
 */
static inline unsigned match_outputs(struct hd_model *model, struct crossbar *crossbar,
				     uint32_t *outs, unsigned n, bool turn)
{
	size_t words = hd_words(model);
	const uint64_t *free = hd_in_free(crossbar);
	struct choice grants[HD_MAX_PORTS];
	uint32_t winner[HD_MAX_PORTS]; /* [in-port] index in outs */
	uint64_t granted[(HD_MAX_PORTS + 63) / 64] = { 0 };
	unsigned left = 0, n_ports = crossbar->n_ports;

	for (unsigned i = 0; i < n; i++) {
		unsigned local, accept;

		grants[i] = choose(model, outs[i], free);
		if (!grants[i].queue)
			continue;
		local = hd_local(model, grants[i].in);
		accept = hd_receiver(model, grants[i].in)->accept;
		if (has_bit(granted, words, local) &&
		    distance(hd_local(model, outs[winner[local]]), accept, n_ports) <
			    distance(hd_local(model, outs[i]), accept, n_ports))
			continue;
		set_bit(granted, words, local);
		winner[local] = i;
	}
	if (model->fetches_all && n > 1)
		fetch_grants(model, grants, n);
	for (unsigned i = 0; i < n; i++) {
		if (!grants[i].queue)
			continue;
		if (winner[hd_local(model, grants[i].in)] == i)
			take(model, crossbar, outs[i], &grants[i], turn);
		else
			outs[left++] = outs[i];
	}
	return left;
}

#endif
