/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Matching in-ports, which send one packet at a time, with out-ports, which take one at a time:
 * among those that became free or got credits in this tick, usually a single out-port. Output first
 * is iSLIP (McKeown 1999): out-ports grant, in-ports accept, both in turn. Input first is the
 * separable allocator of cycle-accurate router models: in-ports propose a head, out-ports choose.
 */
#ifndef HD_MODEL_ALLOCATOR_H
#define HD_MODEL_ALLOCATOR_H

#include <limits.h>

#include "simfabric/model/credits.h"
#include "simfabric/model/crossbar.h"
#include "simfabric/model/switch_iq.h"

/* A head that an out-port may take: in-port and VL. */
struct choice {
	uint32_t in;
	unsigned vl;
	struct queue *queue; /* NULL: there is none */
};

/* Whether the head of @queue could go out of @out now. */
static inline bool can_go(struct hd_model *model, uint32_t out, const struct queue *queue)
{
	const struct packet *packet = hd_head(model, queue);
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	uint32_t size = packet->message.size;

	if (hooks && !hooks->has_room(model, out, size))
		return false;
	return hd_model_has_room(model, out, packet->out_vl, size);
}

/* Whether @b is to be preferred to @a, which comes before it in turn. */
static inline bool better(const struct hd_model *model, const struct choice *a,
			  const struct choice *b)
{
	hd_arbiter_before before = hd_arbiter(model);
	struct hd_contender first, second;

	if (!before)
		return false;
	first = (struct hd_contender){ a->in, hd_head(model, a->queue) };
	second = (struct hd_contender){ b->in, hd_head(model, b->queue) };
	return before(model, &second, &first);
}

/*
 * The best of @best and what in-port @in has for port @out on the out-VLs in @vls. True: the first
 * that could go, and the first is best.
 */
static inline bool best_of(struct hd_model *model, uint32_t in, uint32_t out, struct queue *queues,
			   unsigned vls, struct choice *best)
{
	size_t words = hd_words(model);
	struct sender *sender = hd_sender(model, out);
	const uint64_t *requests = hd_requests(model, sender);
	struct choice choice = { .in = in };

	for (unsigned k = 0; k < model->n_vls; k++) {
		choice.vl = sender->vl_turn + k;
		choice.vl -= choice.vl < model->n_vls ? 0 : model->n_vls;
		if (!has_bit(requests + choice.vl * words, words, hd_local(model, in)))
			continue;
		choice.queue = hd_queue_at(model, queues, hd_local(model, in), choice.vl);
		if (!(vls >> hd_head(model, choice.queue)->out_vl & 1) ||
		    !can_go(model, out, choice.queue))
			continue;
		if (!best->queue || better(model, best, &choice))
			*best = choice;
		if (!hd_arbiter(model))
			return true;
	}
	return false;
}

/* In-ports in @free, in word @w of the masks, that have something for the port of @requests. */
static inline uint64_t candidates(const struct hd_model *model, const uint64_t *requests,
				  const uint64_t *free, size_t w)
{
	size_t words = hd_words(model);
	uint64_t any = 0;

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		any |= requests[vl * words + w];
	return any & free[w];
}

/*
 * Whatever head goes out of @sender has room: then none has to be looked at, which on large fabrics is
 * out of the caches.
 */
static inline bool all_can_go(const struct hd_model *model, uint32_t out, struct sender *sender)
{
	const uint16_t *heads = hd_heads(model, sender);

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		if (heads[vl] && hd_model_room(model, out, vl) < model->buffers.largest_packet)
			return false;
	return !hd_switch_hooks(model);
}

/* The first in turn of the heads in @any, one for each in-port of a switch that has some for @sender. */
static inline struct choice first_in_turn(const struct hd_model *model, uint32_t first,
					  struct sender *sender, struct queue *queues, uint64_t any)
{
	const uint64_t *requests = hd_requests(model, sender);
	uint64_t from = any & -bit_of(sender->turn);
	unsigned in = __builtin_ctzll(from ? from : any), vl = sender->vl_turn;

	while (!(requests[vl] >> in & 1))
		vl = vl + 1 == model->n_vls ? 0 : vl + 1;
	return (struct choice){ first + in, vl, hd_queue_at(model, queues, in, vl) };
}

/*
 * What port @out takes next, of the in-ports in @free and the out-VLs in @vls: the best, the first
 * in turn of equals.
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
			uint32_t in = first + w * 64 + __builtin_ctzll(any);

			if (best_of(model, in, out, queues, vls, &best))
				return best;
		}
		if (step == words)
			return best;
		w = w + 1 == words ? 0 : w + 1;
		any = step + 1 == words ? rest : candidates(model, requests, free, w);
	}
}

/* With VL arbitration: which out-VLs have something that could go. */
static inline unsigned vls_that_can_go(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	unsigned vls = 0;

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		if (choose_among(model, out, free, 1u << vl).queue)
			vls |= 1u << vl;
	return vls;
}

static inline struct choice choose_by_vl(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	unsigned vls = vls_that_can_go(model, out, free);

	if (!vls)
		return (struct choice){ 0 };
	return choose_among(model, out, free, 1u << hd_scheduler(model)->next(model, out, vls));
}

static inline struct choice choose(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	return hd_scheduler(model) ? choose_by_vl(model, out, free)
				   : choose_among(model, out, free, UINT_MAX);
}

/* Takes what out-port @out chose; with @turn, both sides begin after it the next time. */
static inline void take(struct hd_model *model, struct crossbar *crossbar, uint32_t out,
			const struct choice *choice, bool turn)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	const struct hd_scheduler *scheduler = hd_scheduler(model);
	const struct packet *packet = hd_head(model, choice->queue);
	uint32_t size = packet->message.size, index;
	unsigned out_vl = packet->out_vl;

	if (turn) {
		struct sender *sender = hd_sender(model, out);
		unsigned n = crossbar->n_ports, in = hd_local(model, choice->in);
		unsigned local = hd_local(model, out);

		sender->turn = in + 1 == n ? 0 : in + 1;
		sender->vl_turn = choice->vl + 1 == model->n_vls ? 0 : choice->vl + 1;
		hd_receiver(model, choice->in)->accept = local + 1 == n ? 0 : local + 1;
	}
	hd_crossbar_take(model, out, choice->in, choice->vl, out_vl);
	hd_model_end_stall(model, out);
	hd_model_use(model, out, out_vl, size);
	if (scheduler)
		scheduler->sent(model, out, out_vl, size);
	index = hd_model_pop(model, choice->queue);
	if (hooks)
		hooks->take(model, index, out, lane_ref(choice->in, choice->vl));
	else
		hd_switch_iq_take(model, index, out, lane_ref(choice->in, choice->vl));
	if (choice->queue->head != HD_NONE)
		hd_crossbar_want(model, choice->in, choice->vl, choice->queue);
}

/* On large fabrics: fetches what is granted, its head and the one behind it, for all at a time. */
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

/* What is before in turn: ports from @first on, then the others. */
static inline unsigned distance(unsigned local, unsigned first, unsigned n)
{
	return local >= first ? local - first : local + n - first;
}

/*
 * One round of matching, output first. Returns how many out-ports were granted in vain, which stay
 * in @outs.
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
	if (model->notes && n > 1)
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

/* The head that @in proposes, of those that want one of @outs and could go there. */
static inline struct choice propose(struct hd_model *model, uint32_t in, const uint64_t *outs,
				    uint32_t *out)
{
	struct receiver *receiver = hd_receiver(model, in);
	uint32_t at = hd_switch_of(model, in), first = hd_first_port(model, at);
	unsigned n_ports = hd_crossbar(model, at)->n_ports;
	size_t words = hd_words(model);
	const uint64_t *wants = hd_wants(model, receiver);
	struct choice best = { 0 };
	unsigned best_distance = 0;

	for (unsigned k = 0; k < model->n_vls && !best.queue; k++) {
		unsigned vl = (receiver->propose + k) % model->n_vls;

		for (unsigned w = 0; w < words; w++) {
			uint64_t bits = wants[vl * words + w] & outs[w];

			for (; bits; bits &= bits - 1) {
				unsigned local = w * 64 + __builtin_ctzll(bits);
				unsigned d = distance(local, receiver->accept, n_ports);
				struct queue *queue = hd_queue(model, in, vl, first + local);

				if ((best.queue && d > best_distance) ||
				    !can_go(model, first + local, queue))
					continue;
				best = (struct choice){ in, vl, queue };
				best_distance = d;
				*out = first + local;
			}
		}
	}
	return best;
}

/* Whether @choice rather than @best goes out of @out: one of two that are equals otherwise goes by turn. */
static inline bool goes_before(const struct hd_model *model, uint32_t out, unsigned n_ports,
			       const struct choice *choice, const struct choice *best)
{
	unsigned turn = hd_sender(model, out)->turn;

	if (distance(hd_local(model, choice->in), turn, n_ports) <
	    distance(hd_local(model, best->in), turn, n_ports))
		return !better(model, choice, best);
	return better(model, best, choice);
}

/* The same, input first: in-ports whose proposal was not chosen try again in the next round. */
static inline unsigned match_inputs(struct hd_model *model, struct crossbar *crossbar,
				    uint32_t *outs, unsigned n)
{
	size_t words = hd_words(model);
	const uint64_t *in_free = hd_in_free(crossbar);
	uint64_t wanted[(HD_MAX_PORTS + 63) / 64] = { 0 };
	struct choice chosen[HD_MAX_PORTS]; /* [out-port] */
	unsigned left = 0;
	uint32_t first = hd_first_port(model, hd_switch_of(model, outs[0]));

	for (unsigned i = 0; i < n; i++) {
		set_bit(wanted, words, hd_local(model, outs[i]));
		chosen[hd_local(model, outs[i])].queue = NULL;
	}
	for (unsigned local = 0; local < crossbar->n_ports; local++) {
		uint32_t in = first + local, out;
		struct choice choice, *best;
		struct receiver *receiver = hd_receiver(model, in);

		if (!has_bit(in_free, words, local))
			continue;
		choice = propose(model, in, wanted, &out);
		if (!choice.queue)
			continue;
		receiver->propose = choice.vl + 1 == model->n_vls ? 0 : choice.vl + 1;
		best = &chosen[hd_local(model, out)];
		if (!best->queue || goes_before(model, out, crossbar->n_ports, &choice, best))
			*best = choice;
	}
	for (unsigned i = 0; i < n; i++) {
		const struct choice *choice = &chosen[hd_local(model, outs[i])];

		if (choice->queue) {
			take(model, crossbar, outs[i], choice, true);
			continue;
		}
		outs[left++] = outs[i];
	}
	return left == n ? 0 : left;
}

/* Matches the @n out-ports in @outs of switch @at. */
static inline void match(struct hd_model *model, uint32_t at, uint32_t *outs, unsigned n)
{
	size_t words = hd_words(model);
	struct crossbar *crossbar = hd_crossbar(model, at);
	unsigned round = 0;

	for (; n && (!hd_iterations(model) || round < hd_iterations(model)); round++)
		n = hd_is_input_first(model) ? match_inputs(model, crossbar, outs, n)
					     : match_outputs(model, crossbar, outs, n, round == 0);
	/* what lost every round the hardware tries again in its next cycle */
	if (n)
		hd_events_post(&model->events, model->retry_line, at, 0);
	for (unsigned i = 0; i < n; i++)
		set_bit(hd_dirty(crossbar, words), words, hd_local(model, outs[i]));
}

/* The same for a single out-port: there is nothing to match. */
static inline void serve(struct hd_model *model, struct crossbar *crossbar, uint32_t out)
{
	struct choice choice = choose(model, out, hd_in_free(crossbar));

	if (choice.queue)
		take(model, crossbar, out, &choice, true);
	else
		hd_model_no_turn(model, out);
}

/* Switch @at was marked: matches what its ports have and want. */
static inline void hd_model_switch_arbitrate(struct hd_model *model, uint32_t at)
{
	size_t words = hd_words(model);
	struct crossbar *crossbar = hd_crossbar(model, at);
	uint32_t first = hd_first_port(model, at), outs[HD_MAX_PORTS + 1];
	uint64_t *dirty = hd_dirty(crossbar, words), tried[(HD_MAX_PORTS + 64) / 64];
	const uint64_t *out_free = hd_out_free(crossbar, words);
	unsigned n = 0;

	crossbar->is_dirty = false;
	for (unsigned w = 0; w < words; w++) {
		tried[w] = dirty[w] & out_free[w];
		dirty[w] = 0;
		for (uint64_t bits = tried[w]; bits; bits &= bits - 1)
			outs[n++] = first + w * 64 + __builtin_ctzll(bits);
	}
	if (n == 1 && !hd_is_input_first(model)) {
		serve(model, crossbar, outs[0]);
		return;
	}
	match(model, at, outs, n);
	for (unsigned w = 0; w < words; w++)
		for (uint64_t bits = tried[w] & out_free[w]; bits; bits &= bits - 1)
			hd_model_no_turn(model, first + w * 64 + __builtin_ctzll(bits));
}

#endif
