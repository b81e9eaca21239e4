// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deadlock: packets that wait for one another in a circle. The model looks for one now and then, at
 * intervals in which every transmission and every credit under way comes to its end. A buffer whose
 * queues have the same heads after such an interval is dead if each head lacks credits that only
 * dead buffers could give back.
 *
 * A buffer lives if one of its heads can go, since a packet that leaves gives back room. A head can
 * go if one of the buffers that could give it room lives: the buffer of its VL at the next switch,
 * and with DAMQ the buffers of other VLs there that hold shared units. A head that chooses its way
 * can go if any of its ways has room or leads to a buffer that lives; dead buffers are a knot then.
 *
 * With bubbles, a head that would enter a ring lacks credits while there is room for less than two
 * packets. The buffer that it waits for has packets then, so that it is dead or lives as others do.
 *
 * Where VLs have queues before the link, a head that lacks room in such a queue waits for what the
 * queue's first packet waits for: credits of the buffer at the next switch. An empty queue, or one
 * whose packet is on the link, goes on.
 *
 * A switch model that has other buffers of its own between in-ports and links says itself what the
 * head of an in-port waits for (waits_for() of struct hd_switch_model).
 *
 * Queues by destination never wait in a circle, so that nothing is looked for (voqnet.h).
 */
#include "sim/model/deadlock.h"

#include "sim/model/domains.h"
#include "sim/switches/bubble.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"

#include <stdlib.h>

/* Between two looks pass so many times the longest time that a packet and its credit take. */
#define INTERVALS 4

void hd_model_deadlock_init(struct hd_model *model)
{
	uint64_t longest = 0;

	for (unsigned i = 0; i < model->n_rates; i++) {
		const struct hd_rate *rate = &model->rates[i];
		const struct hd_link_options *link = &model->options.links[rate->link_class];
		uint64_t ticks =
			2 * link->propagation + model->options.latency +
			link->buffer * (rate->unit_ticks + rate->header_ticks + model->options.gap);

		if (ticks > longest)
			longest = ticks;
	}
	model->deadlock.patience = longest;
	model->deadlock.interval = INTERVALS * longest;
}

/* The heads of a buffer, one after another. */
struct heads {
	const struct hd_model *model;
	const uint64_t *wants; /* [words] NULL: packets choose their paths */
	uint32_t in;
	unsigned vl, word;
	uint64_t rest; /* bits of the word that are still to come */
};

static struct heads heads_of(const struct hd_model *model, uint32_t lane)
{
	uint32_t in = lane / model->n_vls;
	unsigned vl = lane % model->n_vls;
	struct heads heads = { .model = hd_model_at(model, in), .in = in, .vl = vl };

	if (model->adaptive)
		return heads;
	heads.wants = hd_wants(model, hd_receiver(model, in)) + vl * model->words;
	heads.rest = *heads.wants;
	return heads;
}

static const struct queue *next_head(struct heads *heads)
{
	const struct hd_model *model = heads->model;
	uint32_t out = hd_first_port(model, hd_switch_of(model, heads->in));
	const struct queue *queue;

	if (model->adaptive) { /* a FIFO */
		queue = hd_queue(model, heads->in, heads->vl, out);
		return heads->word++ || queue->head == HD_NONE ? NULL : queue;
	}
	while (!heads->rest) {
		if (++heads->word == model->words)
			return NULL;
		heads->rest = heads->wants[heads->word];
	}
	out += heads->word * 64 + __builtin_ctzll(heads->rest);
	heads->rest &= heads->rest - 1;
	return hd_queue(model, heads->in, heads->vl, out);
}

/* A number for the heads of a buffer's queues; 0: it is empty. */
static uint32_t hash_heads(const struct hd_model *model, uint32_t lane)
{
	struct heads heads = heads_of(model, lane);
	const struct queue *queue;
	uint32_t sum = 0;

	while ((queue = next_head(&heads)))
		sum = sum * 31 + queue->head + 1 + (uint32_t)hd_head(heads.model, queue)->arrived;
	return sum;
}

/*
 * Whether a packet that leaves the buffer of VL @from behind @out makes room for a packet on @vl.
 * Without DAMQ each VL has a buffer of its own. With DAMQ an empty buffer gives nothing back; a
 * buffer of another VL gives back only units in excess of its reserve.
 */
static bool gives_room(const struct hd_model *model, uint32_t out, unsigned vl, unsigned from)
{
	uint32_t occupied;

	if (!model->sharing.left)
		return from == vl;
	occupied = model->sharing.occupied[out * (size_t)model->n_vls + from];
	return occupied >
	       (from == vl ? 0 : model->sharing.reserved[hd_sender(model, out)->link_class]);
}

/* Whether @vl has as much of a shared buffer behind @out as it may: others' room is none for it. */
static bool has_its_most(const struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	return model->sharing.left &&
	       model->sharing.occupied[out * (size_t)model->n_vls + vl] + size >
		       model->sharing.most[hd_sender(model, out)->link_class];
}

/* Of several such buffers rather that of @vl. */
uint32_t hd_deadlock_holder(const struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			    const uint8_t *dead)
{
	uint32_t first = hd_sender(model, out)->peer * model->n_vls, holder = HD_NONE;

	if (has_its_most(model, out, vl, size) && dead[first + vl])
		return first + vl;
	for (unsigned from = 0; from < model->n_vls; from++) {
		if (!gives_room(model, out, vl, from))
			continue;
		if (!dead[first + from])
			return HD_NONE;
		if (holder == HD_NONE || from == vl)
			holder = first + from;
	}
	return holder;
}

/*
 * The same of a head that lacks @size units of room at @out: where VLs have queues before the link,
 * of the first packet in that queue.
 */
static uint32_t holder_at(const struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			  const uint8_t *dead)
{
	if (hd_has_link_queues(model)) {
		size = hd_switch_hooks(model)->first_waits(model, out, vl);
		if (!size || hd_model_room(model, out, vl) >= size)
			return HD_NONE;
	}
	return hd_deadlock_holder(model, out, vl, size, dead);
}

/*
 * The same of a head that chooses its way: a dead buffer that it waits for, HD_NONE unless all of
 * them are.
 */
static uint32_t waits_for_any(const struct hd_model *model, uint32_t lane, const uint8_t *dead)
{
	uint32_t in = lane / model->n_vls, first = hd_first_port(model, hd_switch_of(model, in));
	const struct queue *queue = hd_queue(model, in, lane % model->n_vls, first);
	struct hd_offer offers[HD_MAX_OFFERS];
	uint32_t size, holder = HD_NONE;
	unsigned n;

	if (queue->head == HD_NONE)
		return HD_NONE;
	size = hd_head(hd_model_at(model, in), queue)->message.size;
	n = hd_adaptive_ways(model, lane, offers);
	for (unsigned i = 0; i < n; i++)
		for (uint64_t ports = offers[i].ports; ports; ports &= ports - 1)
			for (uint32_t vcs = offers[i].vcs; vcs; vcs &= vcs - 1) {
				uint32_t out = first + (uint32_t)__builtin_ctzll(ports);
				unsigned vc = (unsigned)__builtin_ctz(vcs);

				if (hd_out_room(model, out, vc) >=
				    (offers[i].room > 1 ? 2 * size : size))
					return HD_NONE;
				holder = holder_at(model, out, vc,
						   offers[i].room > 1 ? 2 * size : size, dead);
				if (holder == HD_NONE)
					return HD_NONE;
			}
	return holder;
}

/*
 * The buffer that some head of @lane waits for and that is dead; HD_NONE when a head has its
 * credits or waits for a buffer that lives.
 */
static uint32_t waits_for(const struct hd_model *model, uint32_t lane, const uint8_t *dead)
{
	struct heads heads = heads_of(model, lane);
	const struct queue *queue;
	uint32_t next = HD_NONE;

	if (model->adaptive)
		return waits_for_any(model, lane, dead);
	if (model->options.model->waits_for)
		return model->options.model->waits_for(model, lane, dead);
	while ((queue = next_head(&heads))) {
		const struct packet *head = hd_head(heads.model, queue);
		uint32_t size = hd_room_needed(model, heads.in, head->out, head);

		if (hd_out_room(model, head->out, head->out_vl) >= size)
			return HD_NONE;
		next = holder_at(model, head->out, head->out_vl, size, dead);
		if (next == HD_NONE)
			return HD_NONE;
	}
	return next;
}

/* The ranks among which @model is divided; NULL: there are none. */
static struct hd_ranks *ranks_of(const struct hd_model *model)
{
	return model->domains ? model->domains->ranks : NULL;
}

/* waits_for(), which the process that runs @lane knows. */
static uint32_t find_out(const struct hd_model *model, uint32_t lane, const uint8_t *dead)
{
	uint32_t in = lane / model->n_vls, next = HD_NONE;
	struct hd_ranks *ranks = ranks_of(model);

	if (hd_port_is_here(model, in))
		next = waits_for(model, lane, dead);
	return ranks ? hd_ranks_value(ranks, model->domains->of_switch[hd_switch_of(model, in)],
				      next)
		     : next;
}

void hd_deadlock_find_cycle(struct hd_model *model, uint32_t lane, uint8_t *dead,
			    hd_deadlock_waits_for waits)
{
	uint32_t at = lane, first;
	size_t n = 0;

	for (; dead[at] == 1; at = waits(model, at, dead))
		dead[at] = 2;
	first = at;
	do {
		n++;
		at = waits(model, at, dead);
	} while (at != first);
	free(model->deadlock.cycle);
	model->deadlock.cycle = malloc(n * sizeof(*model->deadlock.cycle));
	model->deadlock.n_cycle = model->deadlock.cycle ? n : 0;
	/* also without memory: ranks take part in each step */
	for (size_t i = 0; i < n; i++) {
		uint32_t out = hd_sender(model, at / model->n_vls)->peer;

		if (model->deadlock.cycle) {
			model->deadlock.cycle[i].port = model->network.fabric_port[out];
			model->deadlock.cycle[i].vl = (uint8_t)(at % model->n_vls);
		}
		at = waits(model, at, dead);
	}
}

bool hd_model_is_deadlocked(struct hd_model *model)
{
	uint32_t lanes = model->network.n_ports * model->n_vls, any = HD_NONE;
	struct hd_ranks *ranks = ranks_of(model);
	uint8_t *dead;
	bool changed = true;

	model->deadlock.last_check = model->events.now;
	if (model->voqnet)
		return false;
	dead = calloc(lanes ? lanes : 1, 1);

	if (!dead) {
		model->events.out_of_memory = true;
		return false;
	}
	for (uint32_t out = 0; out < model->network.n_ports; out++)
		if (hd_is_port(model, out))
			hd_model_collect_credits(model, out);
	for (uint32_t lane = 0; lane < lanes; lane++) {
		uint32_t heads = 0;

		/* hosts take in what they are sent */
		if (hd_is_switch_port(model, lane / model->n_vls) &&
		    hd_is_port(model, lane / model->n_vls) &&
		    hd_port_is_here(model, lane / model->n_vls))
			heads = hash_heads(model, lane);
		dead[lane] = heads && heads == model->deadlock.heads[lane];
		model->deadlock.heads[lane] = heads;
	}
	if (ranks)
		hd_ranks_greatest(ranks, dead, lanes);
	while (changed) {
		changed = false;
		any = HD_NONE;
		for (uint32_t lane = 0; lane < lanes; lane++) {
			if (!dead[lane])
				continue;
			if (hd_port_is_here(model, lane / model->n_vls) &&
			    waits_for(model, lane, dead) == HD_NONE) {
				dead[lane] = 0;
				changed = true;
			} else {
				any = lane;
			}
		}
		if (ranks)
			changed = hd_ranks_least(ranks, dead, lanes, changed);
	}
	if (any != HD_NONE)
		hd_deadlock_find_cycle(model, any, dead, find_out);
	free(dead);
	return any != HD_NONE;
}

int hd_deadlock_refuse(const struct hd_model *model, struct hd_error *err)
{
	return hd_error_set(err, HD_EREFUSED,
			    "deadlock: packets wait for one another in a circle of %zu channels",
			    model->deadlock.n_cycle);
}

uint64_t hd_deadlock_pause(const struct hd_model *model, uint64_t until)
{
	uint64_t check = model->deadlock.last_check + model->deadlock.interval;

	return until < check ? until : check;
}

int hd_deadlock_conclude(struct hd_model *model, uint64_t until, bool is_empty,
			 struct hd_error *err)
{
	model->events.now = until;
	if (until < model->deadlock.last_check + model->deadlock.patience)
		return 0;
	/*
	 * when no event is left, the heads of now are the heads of long ago: two looks tell a
	 * deadlock
	 */
	if (hd_model_is_deadlocked(model) || (is_empty && hd_model_is_deadlocked(model)))
		return hd_deadlock_refuse(model, err);
	return 0;
}
