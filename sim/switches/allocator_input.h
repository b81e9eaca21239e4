/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Input first: the separable allocator of cycle-accurate router models. In-ports propose a head,
 * out-ports choose among the proposals.
 */
#ifndef HD_SWITCHES_ALLOCATOR_INPUT_H
#define HD_SWITCHES_ALLOCATOR_INPUT_H

#include <limits.h>

#include "sim/switches/allocator_output.h"

/* The head that @in proposes: one that wants one of @outs and could go there. */
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

	for (unsigned k = 0; k < hd_n_vls(model) && !best.queue; k++) {
		unsigned vl = (receiver->propose + k) % hd_n_vls(model);

		for (unsigned w = 0; w < words; w++) {
			uint64_t bits = wants[vl * words + w] & outs[w];

			for (; bits; bits &= bits - 1) {
				unsigned local = w * 64 + __builtin_ctzll(bits);
				unsigned d = distance(local, receiver->accept, n_ports);
				struct queue *queue = hd_queue(model, in, vl, first + local);

				if ((best.queue && d > best_distance) ||
				    !can_go_on(model, in, vl, first + local, UINT_MAX, queue))
					continue;
				best = (struct choice){ in, vl, queue };
				best_distance = d;
				*out = first + local;
			}
		}
	}
	return best;
}

/* Whether @choice leaves by @out rather than @best; equals go round robin. */
static inline bool goes_before(const struct hd_model *model, uint32_t out, unsigned n_ports,
			       const struct choice *choice, const struct choice *best)
{
	unsigned turn = hd_sender(model, out)->turn;

	if (distance(hd_local(model, choice->in), turn, n_ports) <
	    distance(hd_local(model, best->in), turn, n_ports))
		return !better(model, out, choice, best);
	return better(model, out, best, choice);
}

/*
 * For switches of up to 64 ports: the out-ports in @outs that could take any head for them. Then no
 * head has to be read. @ins gets the in-ports in it that have a head for one of @outs.
 */
static inline uint64_t open_to_all(struct hd_model *model, const uint32_t *outs, unsigned n,
				   uint64_t *ins)
{
	uint64_t open = 0, found = 0;

	for (unsigned i = 0; i < n; i++) {
		struct sender *sender = hd_sender(model, outs[i]);

		found |= candidates(model, hd_requests(model, sender), ins, 0);
		if (all_can_go(model, outs[i], sender))
			open |= bit_of(hd_local(model, outs[i]));
	}
	*ins = found;
	return open;
}

/* As propose(); the out-ports in @open could take any head. */
static inline struct choice propose_open(struct hd_model *model, uint32_t in, uint64_t outs,
					 uint64_t open, uint32_t *out)
{
	struct receiver *receiver = hd_receiver(model, in);
	const uint64_t *wants = hd_wants(model, receiver);
	uint32_t first = hd_first_port(model, hd_switch_of(model, in));
	uint64_t before = bit_of(receiver->accept) - 1;
	unsigned vl = receiver->propose;

	for (unsigned k = 0; k < hd_n_vls(model);
	     k++, vl = vl + 1 == hd_n_vls(model) ? 0 : vl + 1) {
		uint64_t all = wants[vl] & outs, part = all & ~before;

		/* out-ports from the first in turn on, then those before it */
		for (all &= before; part | all; part &= part - 1) {
			struct queue *queue;

			if (!part) {
				part = all;
				all = 0;
			}
			*out = first + (unsigned)__builtin_ctzll(part);
			queue = hd_queue(model, in, vl, *out);
			if (part & -part & open || can_go_on(model, in, vl, *out, UINT_MAX, queue))
				return (struct choice){ in, vl, queue };
		}
	}
	return (struct choice){ 0 };
}

/* match_inputs() for switches of up to 64 ports. */
static inline unsigned match_few_inputs(struct hd_model *model, struct crossbar *crossbar,
					uint32_t *outs, unsigned n)
{
	struct choice chosen[64]; /* [out-port] */
	uint32_t first = hd_first_port(model, hd_switch_of(model, outs[0]));
	uint64_t ins = *hd_in_free(crossbar), wanted = 0, taken = 0, open;
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++)
		wanted |= bit_of(hd_local(model, outs[i]));
	open = open_to_all(model, outs, n, &ins);
	for (; ins; ins &= ins - 1) {
		uint32_t in = first + (unsigned)__builtin_ctzll(ins), out = in;
		struct choice choice = propose_open(model, in, wanted, open, &out), *best;

		if (!choice.queue)
			continue;
		hd_receiver(model, in)->propose = hd_next_turn(choice.vl, hd_n_vls(model));
		best = &chosen[hd_local(model, out)];
		if (!has_bit(&taken, 1, hd_local(model, out)) ||
		    goes_before(model, out, crossbar->n_ports, &choice, best))
			*best = choice;
		taken |= bit_of(hd_local(model, out));
	}
	for (unsigned i = 0; i < n; i++) {
		if (has_bit(&taken, 1, hd_local(model, outs[i])))
			take(model, crossbar, outs[i], &chosen[hd_local(model, outs[i])], true);
		else
			outs[left++] = outs[i];
	}
	return left == n ? 0 : left;
}

/* One iteration of matching: in-ports whose proposal was not chosen try again in the next. */
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
		uint32_t in = first + local, out = in; /* of a proposal; GCC 14 cannot see that */
		struct choice choice, *best;
		struct receiver *receiver = hd_receiver(model, in);

		if (!has_bit(in_free, words, local))
			continue;
		choice = propose(model, in, wanted, &out);
		if (!choice.queue)
			continue;
		receiver->propose = hd_next_turn(choice.vl, hd_n_vls(model));
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

#endif
