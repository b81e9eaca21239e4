// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Matching in-ports, which send one packet at a time, with out-ports, which take one at a time:
 * among those that became free or got credits in this tick, usually a single out-port. Output first
 * is iSLIP (McKeown 1999): out-ports grant, in-ports accept, both in turn. Input first is the
 * separable allocator of cycle-accurate router models: in-ports propose a head, out-ports choose.
 */
#include "simfabric/model/state.h"

#include <limits.h>

/* A head that an out-port may take: in-port and VL. */
struct choice {
	uint32_t in;
	unsigned vl;
	struct queue *queue; /* NULL: there is none */
};

/* Whether the head of @queue could go out of @out now. */
static bool can_go(struct hd_model *model, uint32_t out, const struct queue *queue)
{
	if (model->outputs && model->outputs[out].room < queue->size)
		return false;
	return hd_model_has_room(model, out, queue->out_vl, queue->size);
}

static uint64_t age(const struct hd_model *model, const struct queue *queue)
{
	const struct packet *packet = &model->packets[queue->head];

	return model->options.arbiter == HD_ARBITER_AGE ? packet->message.time : packet->arrived;
}

/* Whether @b is to be preferred to @a, which comes before it in turn. */
static bool better(const struct hd_model *model, const struct choice *a, const struct choice *b)
{
	switch (model->options.arbiter) {
	case HD_ARBITER_OLDEST:
	case HD_ARBITER_AGE:
		return age(model, b->queue) < age(model, a->queue);
	case HD_ARBITER_TRANSIT:
		return model->ports[a->in].link_class == HD_LINK_TERMINAL &&
		       model->ports[b->in].link_class != HD_LINK_TERMINAL;
	default:
		return false;
	}
}

static bool first_is_best(const struct hd_model *model)
{
	return model->options.arbiter == HD_ARBITER_ROUND_ROBIN ||
	       model->options.arbiter == HD_ARBITER_VL;
}

/*
 * The best of @best and what in-port @in has for port @out on the out-VLs in @vls. True: the first
 * that could go, and the first is best.
 */
static inline bool best_of(struct hd_model *model, uint32_t in, uint32_t out, unsigned vls,
			   struct choice *best)
{
	const struct port *port = &model->ports[out];
	const uint64_t *requests = hd_requests(model, out);
	struct choice choice = { .in = in };

	for (unsigned k = 0; k < model->n_vls; k++) {
		choice.vl = port->vl_turn + k;
		choice.vl -= choice.vl < model->n_vls ? 0 : model->n_vls;
		if (!has_bit(&requests[choice.vl * model->words], in - port->first_port))
			continue;
		choice.queue = &model->queues[queue_index(model, in, choice.vl, out)];
		if (!(vls >> choice.queue->out_vl & 1) || !can_go(model, out, choice.queue))
			continue;
		if (!best->queue || better(model, best, &choice))
			*best = choice;
		if (first_is_best(model))
			return true;
	}
	return false;
}

/* In-ports in @free, in word @w of the masks, that have something for the port of @requests. */
static uint64_t candidates(const struct hd_model *model, const uint64_t *requests,
			   const uint64_t *free, size_t w)
{
	uint64_t any = 0;

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		any |= requests[vl * model->words + w];
	return any & free[w];
}

/*
 * What port @out takes next, of the in-ports in @free and the out-VLs in @vls: the best, the first
 * in turn of equals.
 */
static struct choice choose_among(struct hd_model *model, uint32_t out, const uint64_t *free,
				  unsigned vls)
{
	const struct port *port = &model->ports[out];
	const uint64_t *requests = hd_requests(model, out);
	uint64_t low = (UINT64_C(1) << port->turn % 64) - 1;
	size_t words = model->words, w = port->turn / 64;
	struct choice best = { 0 };
	uint64_t any = candidates(model, requests, free, w), rest = any & low;

	/* in-ports from the first on, then those before it; a word at a time */
	any &= ~low;
	for (size_t step = 0;; step++) {
		for (; any; any &= any - 1) {
			uint32_t in = port->first_port + w * 64 + __builtin_ctzll(any);

			if (best_of(model, in, out, vls, &best))
				return best;
		}
		if (step == words)
			return best;
		w = w + 1 == words ? 0 : w + 1;
		any = step + 1 == words ? rest : candidates(model, requests, free, w);
	}
}

/* With VL arbitration: which out-VLs have something that could go. */
static unsigned vls_that_can_go(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	unsigned vls = 0;

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		if (choose_among(model, out, free, 1u << vl).queue)
			vls |= 1u << vl;
	return vls;
}

static struct choice choose(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	unsigned vls;

	if (!model->vl_arbitration)
		return choose_among(model, out, free, UINT_MAX);
	vls = vls_that_can_go(model, out, free);
	if (!vls)
		return (struct choice){ 0 };
	return choose_among(model, out, free, 1u << hd_model_vl_next(model, out, vls));
}

/* Takes what out-port @out chose; with @turn, both sides begin after it the next time. */
static void take(struct hd_model *model, uint32_t out, const struct choice *choice, bool turn)
{
	struct port *port = &model->ports[out];
	unsigned n = port->n_ports, in_local = choice->in - port->first_port;
	unsigned out_local = out - port->first_port;
	size_t words = model->words;
	uint64_t *in_free = hd_in_free(model, port->node);
	uint32_t size = choice->queue->size;
	unsigned out_vl = choice->queue->out_vl;

	if (turn) {
		port->turn = in_local + 1 == n ? 0 : in_local + 1;
		port->vl_turn = choice->vl + 1 == model->n_vls ? 0 : choice->vl + 1;
		hd_block(model, choice->in)->accept = out_local + 1 == n ? 0 : out_local + 1;
	}
	clear_bit(in_free, in_local);
	clear_bit(in_free + words, out_local);
	clear_bit(hd_requests(model, out) + choice->vl * words, in_local);
	clear_bit(hd_wants(model, choice->in) + choice->vl * words, out_local);
	hd_heads(model, out)[out_vl]--;
	hd_model_end_wait(model, out);
	hd_model_use(model, out, out_vl, size);
	if (model->vl_arbitration)
		hd_model_vl_sent(model, out, out_vl, size);
	model->options.model->take(model, hd_model_pop(model, choice->queue), out,
				   lane_ref(choice->in, choice->vl));
	if (choice->queue->head != HD_NONE)
		hd_model_request(model, choice->in, choice->vl, choice->queue);
}

/* What is before in turn: ports from @first on, then the others. */
static unsigned distance(unsigned local, unsigned first, unsigned n)
{
	return local >= first ? local - first : local + n - first;
}

/*
 * One round of matching, output first. Returns how many out-ports were granted in vain, which stay
 * in @outs.
 */
static unsigned match_outputs(struct hd_model *model, const struct node *node, uint32_t *outs,
			      unsigned n, bool turn)
{
	const uint64_t *free = hd_in_free(model, model->ports[node->first_port].node);
	struct choice grants[HD_MAX_PORTS];
	uint32_t winner[HD_MAX_PORTS]; /* [in-port] index in outs */
	uint64_t granted[(HD_MAX_PORTS + 63) / 64] = { 0 };
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned local, accept;

		grants[i] = choose(model, outs[i], free);
		if (!grants[i].queue)
			continue;
		local = grants[i].in - node->first_port;
		accept = hd_block(model, grants[i].in)->accept;
		if (has_bit(granted, local) &&
		    distance(outs[winner[local]] - node->first_port, accept, node->n_ports) <
			    distance(outs[i] - node->first_port, accept, node->n_ports))
			continue;
		set_bit(granted, local);
		winner[local] = i;
	}
	for (unsigned i = 0; i < n; i++) {
		if (!grants[i].queue)
			continue;
		if (winner[grants[i].in - node->first_port] == i)
			take(model, outs[i], &grants[i], turn);
		else
			outs[left++] = outs[i];
	}
	return left;
}

/* The head that @in proposes, of those that want one of @outs and could go there. */
static struct choice propose(struct hd_model *model, uint32_t in, const uint64_t *outs,
			     uint32_t *out)
{
	const struct port *port = &model->ports[in];
	const struct node *node = hd_node(model, port->node);
	size_t words = model->words;
	const uint64_t *wants = hd_wants(model, in);
	struct choice best = { 0 };
	unsigned best_distance = 0, accept = hd_block(model, in)->accept;

	for (unsigned k = 0; k < model->n_vls && !best.queue; k++) {
		unsigned vl = (port->propose + k) % model->n_vls;

		for (unsigned w = 0; w < words; w++) {
			uint64_t bits = wants[vl * words + w] & outs[w];

			for (; bits; bits &= bits - 1) {
				unsigned local = w * 64 + __builtin_ctzll(bits);
				unsigned d = distance(local, accept, node->n_ports);
				uint32_t to = node->first_port + local;
				struct queue *queue =
					&model->queues[queue_index(model, in, vl, to)];

				if ((best.queue && d > best_distance) || !can_go(model, to, queue))
					continue;
				best = (struct choice){ in, vl, queue };
				best_distance = d;
				*out = to;
			}
		}
	}
	return best;
}

/* The same, input first: in-ports whose proposal was not chosen try again in the next round. */
static unsigned match_inputs(struct hd_model *model, const struct node *node, uint32_t *outs,
			     unsigned n)
{
	const uint64_t *in_free = hd_in_free(model, model->ports[node->first_port].node);
	uint64_t wanted[(HD_MAX_PORTS + 63) / 64] = { 0 };
	struct choice chosen[HD_MAX_PORTS]; /* [out-port] */
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++) {
		set_bit(wanted, model->ports[outs[i]].local);
		chosen[model->ports[outs[i]].local].queue = NULL;
	}
	for (unsigned local = 0; local < node->n_ports; local++) {
		uint32_t in = node->first_port + local, out;
		struct choice choice, *best;

		if (!has_bit(in_free, local))
			continue;
		choice = propose(model, in, wanted, &out);
		if (!choice.queue)
			continue;
		model->ports[in].propose = choice.vl + 1 == model->n_vls ? 0 : choice.vl + 1;
		best = &chosen[model->ports[out].local];
		if (best->queue) {
			unsigned turn = model->ports[out].turn;
			unsigned a = model->ports[best->in].local;
			bool is_first = distance(local, turn, node->n_ports) <
					distance(a, turn, node->n_ports);

			/* one of two that are equals otherwise goes by turn */
			if (is_first ? better(model, &choice, best) : !better(model, best, &choice))
				continue;
		}
		*best = choice;
	}
	for (unsigned i = 0; i < n; i++) {
		const struct choice *choice = &chosen[model->ports[outs[i]].local];

		if (choice->queue) {
			take(model, outs[i], choice, true);
			continue;
		}
		outs[left++] = outs[i];
	}
	return left == n ? 0 : left;
}

/* Matches the @n out-ports in @outs. */
static void match(struct hd_model *model, uint32_t index, uint32_t *outs, unsigned n)
{
	const struct node *node = hd_node(model, index);
	unsigned round = 0;

	for (; n && (!model->options.iterations || round < model->options.iterations); round++)
		n = model->options.allocator == HD_ALLOCATOR_INPUT_FIRST
			    ? match_inputs(model, node, outs, n)
			    : match_outputs(model, node, outs, n, round == 0);
	/* what lost every round the hardware tries again in its next cycle */
	if (n)
		hd_events_post(&model->events, model->retry_line, index, 0);
	for (unsigned i = 0; i < n; i++)
		set_bit(hd_dirty(model, index), outs[i] - node->first_port);
}

/* The same for a single out-port: there is nothing to match. */
static void serve(struct hd_model *model, uint32_t index, uint32_t out)
{
	struct choice choice = choose(model, out, hd_in_free(model, index));

	if (choice.queue)
		take(model, out, &choice, true);
	else
		hd_model_wait_for_turn(model, out);
}

void hd_model_switch_arbitrate(struct hd_model *model, uint32_t index)
{
	uint32_t first = hd_node(model, index)->first_port, outs[HD_MAX_PORTS + 1];
	uint64_t *dirty = hd_dirty(model, index), tried[(HD_MAX_PORTS + 64) / 64];
	const uint64_t *out_free = hd_out_free(model, index);
	size_t words = model->words;
	unsigned n = 0;

	for (unsigned w = 0; w < words; w++) {
		tried[w] = dirty[w] & out_free[w];
		dirty[w] = 0;
		for (uint64_t bits = tried[w]; bits; bits &= bits - 1)
			outs[n++] = first + w * 64 + __builtin_ctzll(bits);
	}
	if (n == 1 && model->options.allocator == HD_ALLOCATOR_OUTPUT_FIRST) {
		serve(model, index, outs[0]);
		return;
	}
	match(model, index, outs, n);
	for (unsigned w = 0; w < words; w++)
		for (uint64_t bits = tried[w] & out_free[w]; bits; bits &= bits - 1)
			hd_model_wait_for_turn(model, first + w * 64 + __builtin_ctzll(bits));
}
