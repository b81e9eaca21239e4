// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/forest.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/find_byte.h"

#define TREES HD_FOREST_TREES

/* Packets on one link. A state is VL * SLs + place. */
struct link_state {
	uint64_t trees[HD_MAX_VLS * HD_MAX_SLS]; /* [state] */
	uint64_t used[HD_STATE_WORDS];           /* bits of states that have trees */
	unsigned n;                              /* of these */
	uint8_t list[HD_MAX_VLS * HD_MAX_SLS];
};

/* The most groups of sources at one switch. */
static uint32_t most_groups(const struct hd_check_network *network)
{
	uint32_t most = 0;

	hd_for_each_switch(s, network->fabric) {
		const uint32_t n = network->first_group[s + 1] - network->first_group[s];

		most = n > most ? n : most;
	}
	return most;
}

int hd_forest_init(struct hd_forest *f, const struct hd_check_network *network,
		   const struct hd_destinations *destinations, struct hd_error *err)
{
	const size_t n = network->fabric->n_switches + (size_t)1;
	const size_t n_ports = network->fabric->n_ports + (size_t)1;

	*f = (struct hd_forest){ .network = network,
				 .destinations = destinations,
				 .n_states = network->n_vls * network->n_sls };
	f->roots = calloc(n, sizeof(*f->roots));
	f->live = malloc(n * sizeof(*f->live));
	f->open = malloc(n * sizeof(*f->open));
	f->sends = calloc(n_ports, sizeof(*f->sends));
	f->outs = malloc(n_ports);
	f->ins = malloc(n_ports);
	f->n_outs = calloc(n, 1);
	f->n_ins = calloc(n, 1);
	for (unsigned i = 0; i < f->n_states; i++) {
		f->vl[i] = (uint8_t)(i / network->n_sls);
		f->place[i] = (uint8_t)(i % network->n_sls);
	}
	f->used = malloc(n * HD_STATE_WORDS * sizeof(*f->used));
	f->states = malloc(n * f->n_states * sizeof(*f->states));
	f->sent = malloc((most_groups(network) + (size_t)1) * network->n_sls * sizeof(*f->sent));
	f->steps = malloc(n * TREES * sizeof(*f->steps));
	f->queue[0] = malloc(n * sizeof(*f->queue[0]));
	f->queue[1] = malloc(n * sizeof(*f->queue[1]));
	f->is_queued = calloc(n, sizeof(*f->is_queued));
	return f->roots && f->live && f->open && f->sends && f->outs && f->ins && f->n_outs &&
			       f->n_ins && f->used && f->states && f->sent && f->steps &&
			       f->queue[0] && f->queue[1] && f->is_queued
		       ? 0
		       : hd_error_nomem(err);
}

void hd_forest_clear(struct hd_forest *f)
{
	free(f->roots);
	free(f->live);
	free(f->open);
	free(f->sends);
	free(f->outs);
	free(f->ins);
	free(f->n_outs);
	free(f->n_ins);
	free(f->used);
	free(f->states);
	free(f->sent);
	free(f->steps);
	free(f->queue[0]);
	free(f->queue[1]);
	free(f->is_queued);
	*f = (struct hd_forest){ .network = NULL };
}

static inline unsigned first_of(uint64_t trees)
{
	return (unsigned)__builtin_ctzll(trees);
}

static inline size_t first_port(const struct hd_forest *f, uint32_t s)
{
	return f->network->fabric->nodes[s].first_port;
}

/* Begins with the trees that have a root, and the SLs of those to which all sources send alike. */
static void begin(struct hd_forest *f)
{
	const struct hd_check_network *network = f->network;

	f->whole = f->by_row = 0;
	memset(f->sls, 0, sizeof(f->sls));
	for (unsigned k = 0; k < f->n; k++) {
		const struct hd_destination *tree = f->trees[k];
		const uint64_t bit = UINT64_C(1) << k;

		f->depth[k] = 0;
		if (tree->root == HD_NONE)
			continue;
		f->whole |= bit;
		f->roots[tree->root] |= bit;
		if (!tree->any_source || network->reversed_sl)
			f->by_row |= bit;
		else
			for (unsigned sls = tree->sls; sls; sls &= sls - 1)
				f->sls[__builtin_ctz(sls)] |= bit;
	}
	memset(f->used, 0, network->fabric->n_switches * HD_STATE_WORDS * sizeof(*f->used));
}

/* Sorts the trees by the ports by which @s forwards; returns those with a hole there. */
static uint64_t sort_switch(struct hd_forest *f, uint32_t s)
{
	const struct hd_check_network *network = f->network;
	const uint8_t *next = f->next + s * (size_t)TREES;
	const size_t first = first_port(f, s);
	uint64_t holes = 0;

	for (uint64_t left = f->whole & ~f->roots[s], same; left; left &= ~same) {
		const uint8_t out = next[first_of(left)];
		uint32_t to;

		same = left & hd_find_byte(next, out);
		to = out > network->fabric->nodes[s].n_ports ? HD_NONE
							     : network->far_end[first + out].node;
		if (to == HD_NONE) {
			holes |= same;
			continue;
		}
		f->sends[first + out] = same;
		f->outs[first + f->n_outs[s]++] = out;
		f->ins[first_port(f, to) + f->n_ins[to]++] =
			(uint8_t)network->far_end[first + out].in;
	}
	return holes;
}

/* Puts @s into the queue of the next round. */
static void enqueue(struct hd_forest *f, uint32_t s, uint32_t *n)
{
	if (f->is_queued[s])
		return;
	f->is_queued[s] = true;
	f->queue[1][(*n)++] = s;
}

/* Begins the next round; returns how many switches are in its queue. */
static uint32_t next_round(struct hd_forest *f, uint32_t n)
{
	uint32_t *queue = f->queue[1];

	f->queue[1] = f->queue[0];
	f->queue[0] = queue;
	for (uint32_t i = 0; i < n; i++)
		f->is_queued[queue[i]] = false;
	return n;
}

/* Packets to trees of @s come to the next switches too. */
static void spread_from(struct hd_forest *f, uint32_t s, uint32_t *n)
{
	const size_t first = first_port(f, s);

	for (unsigned i = 0; i < f->n_outs[s]; i++) {
		const size_t port = first + f->outs[first + i];
		const uint32_t next = f->network->far_end[port].node;
		const uint64_t more = f->sends[port] & f->live[s] & ~f->live[next];

		if (!more)
			continue;
		f->live[next] |= more;
		enqueue(f, next, n);
	}
}

/* Finds which trees have packets at which switch. */
static void find_live(struct hd_forest *f)
{
	const struct hd_check_network *network = f->network;
	uint32_t n = 0;

	hd_for_each_switch(s, network->fabric) {
		const bool has_source = network->first_source[s] < network->first_source[s + 1];

		f->live[s] = has_source ? f->whole : 0;
		if (has_source)
			enqueue(f, s, &n);
	}
	while (n) {
		const uint32_t n_now = next_round(f, n);

		n = 0;
		for (uint32_t i = 0; i < n_now; i++)
			spread_from(f, f->queue[0][i], &n);
	}
}

/* The trees for which some packets have not come to @s yet. */
static uint64_t find_waiting(const struct hd_forest *f, uint32_t s)
{
	const struct hd_fabric *fabric = f->network->fabric;
	const size_t first = first_port(f, s);
	uint64_t waiting = 0;

	for (unsigned i = 0; i < f->n_ins[s]; i++) {
		const uint32_t peer = fabric->ports[first + f->ins[first + i]].peer;

		waiting |= f->sends[peer] & f->open[fabric->ports[peer].node];
	}
	return waiting;
}

/* Closes the trees of a step; the next switches come into the queue. */
static void take_step(struct hd_forest *f, const struct hd_forest_step *step, unsigned round,
		      uint32_t *n)
{
	const size_t first = first_port(f, step->node);

	f->open[step->node] &= ~step->trees;
	for (uint64_t left = step->trees & f->roots[step->node]; left; left &= left - 1)
		f->depth[first_of(left)] = round;
	for (unsigned i = 0; i < f->n_outs[step->node]; i++) {
		const size_t port = first + f->outs[first + i];

		if (f->sends[port] & step->trees)
			enqueue(f, f->network->far_end[port].node, n);
	}
}

/*
 * Orders the steps by rounds: the round is the number of links on the longest path from a source. A
 * tree with a circle stays open there.
 */
static void order_steps(struct hd_forest *f)
{
	const uint32_t n_switches = f->network->fabric->n_switches;
	uint32_t n = 0;

	f->n_steps = 0;
	memcpy(f->open, f->live, n_switches * sizeof(*f->open));
	for (uint32_t s = 0; s < n_switches; s++)
		enqueue(f, s, &n);
	for (unsigned round = 0; n; round++) {
		const size_t done = f->n_steps;
		const uint32_t n_now = next_round(f, n);

		n = 0;
		for (uint32_t i = 0; i < n_now; i++) {
			const uint32_t s = f->queue[0][i];
			const uint64_t trees = f->open[s] & ~find_waiting(f, s);

			if (trees)
				f->steps[f->n_steps++] =
					(struct hd_forest_step){ .trees = trees, .node = s };
		}
		for (size_t i = done; i < f->n_steps; i++)
			take_step(f, &f->steps[i], round, &n);
	}
	for (uint32_t s = 0; s < n_switches; s++)
		f->whole &= ~f->open[s];
}

/* Sorts the trees by the SLs (as places) on which @group sends. */
static void sort_sls(const struct hd_forest *f, const struct hd_source_group *group, uint64_t trees,
		     uint64_t *sent)
{
	const struct hd_check_network *network = f->network;

	for (unsigned place = 0; place < network->n_sls; place++)
		sent[place] = f->sls[place];
	for (uint64_t left = trees & f->by_row, same; left; left &= ~same) {
		const unsigned k = first_of(left);
		unsigned sls;

		if (network->reversed_sl) {
			same = UINT64_C(1) << k;
			sls = hd_destination_sls(network, f->destinations, f->trees[k], group);
		} else {
			const uint8_t *row = f->sl + group->sl_row * (size_t)TREES;

			same = left & hd_find_byte(row, row[k]);
			sls = network->places[row[k]];
		}
		for (; sls; sls &= sls - 1)
			sent[__builtin_ctz(sls)] |= same;
	}
}

/* Adds @more to a state of @trees, of which those of @used have some. */
static inline void add_trees(uint64_t *trees, uint64_t *used, unsigned state, uint64_t more)
{
	const uint64_t bit = UINT64_C(1) << state % 64;

	trees[state] = (used[state / 64] & bit) ? trees[state] | more : more;
	used[state / 64] |= bit;
}

/* Adds what a group sends by @out. */
static void add_sent(const struct hd_forest *f, const struct hd_source_group *group,
		     const uint64_t *sent, unsigned out, uint64_t trees, struct link_state *link,
		     struct hd_usage *usage)
{
	const struct hd_check_network *network = f->network;
	const uint16_t *masks = hd_pattern_masks(network, network->inject[group->outs + out]);
	unsigned sls = 0;

	for (unsigned place = 0; place < network->n_sls; place++) {
		if (!(sent[place] & trees))
			continue;
		sls |= 1u << place;
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			if (masks[vl] >> place & 1)
				add_trees(link->trees, link->used, vl * network->n_sls + place,
					  sent[place] & trees);
	}
	hd_usage_inject(usage, group->outs + out, sls);
}

/* What came to @s from other switches. */
static void add_through(const struct hd_forest *f, uint32_t s, uint64_t trees,
			struct link_state *link)
{
	const uint64_t *states = f->states + s * (size_t)f->n_states;
	const uint64_t *used = f->used + s * (size_t)HD_STATE_WORDS;

	for (unsigned w = 0; w < HD_STATE_WORDS; w++)
		for (uint64_t left = used[w]; left; left &= left - 1) {
			const unsigned state = w * 64 + first_of(left);

			if (states[state] & trees)
				add_trees(link->trees, link->used, state, states[state] & trees);
		}
}

/* What the groups of @s send by @out, and what came from other switches. */
static void load_link(const struct hd_forest *f, uint32_t s, unsigned out, uint64_t trees,
		      struct link_state *link, struct hd_usage *usage)
{
	const struct hd_check_network *network = f->network;
	const uint32_t first = network->first_group[s];

	memset(link->used, 0, sizeof(link->used));
	link->n = 0;
	add_through(f, s, trees, link);
	for (uint32_t g = first; g < network->first_group[s + 1]; g++)
		add_sent(f, &network->groups[g], f->sent + (g - first) * (size_t)network->n_sls,
			 out, trees, link, usage);
	for (unsigned w = 0; w < HD_STATE_WORDS; w++)
		for (uint64_t left = link->used[w]; left; left &= left - 1)
			link->list[link->n++] = (uint8_t)(w * 64 + first_of(left));
}

/* Packets to @trees come into @s by @in with the state @link, and leave by @out. */
static void turn(struct hd_forest *f, uint32_t s, unsigned in, unsigned out, uint64_t trees,
		 const struct link_state *link, struct hd_usage *usage)
{
	const struct hd_check_network *network = f->network;
	const size_t row = hd_sl2vl_index(network->tables, s, in, out);
	const uint16_t *masks = hd_pattern_masks(network, network->pattern[row]);
	uint64_t *states = f->states + s * (size_t)f->n_states;
	uint64_t *used = f->used + s * (size_t)HD_STATE_WORDS;
	uint64_t came[HD_STATE_WORDS] = { 0 };

	for (unsigned i = 0; i < link->n; i++) {
		const unsigned state = link->list[i], vl = f->vl[state], place = f->place[state];
		const uint64_t here = link->trees[state] & trees;

		if (!here)
			continue;
		came[network->word[vl]] |= UINT64_C(1) << (network->shift[vl] + place);
		for (unsigned next = 0; next < network->n_vls; next++)
			if (masks[next] >> place & 1)
				add_trees(states, used, next * network->n_sls + place, here);
	}
	hd_usage_add(usage, row, came, UINT64_MAX);
}

/* The root of @trees hands out the packets that come in by @in. */
static void deliver(const struct hd_forest *f, uint64_t trees, unsigned in,
		    const struct link_state *link, struct hd_usage *usage)
{
	const struct hd_check_network *network = f->network;

	for (; trees; trees &= trees - 1) {
		const unsigned k = first_of(trees);
		uint64_t state[HD_STATE_WORDS] = { 0 };

		for (unsigned i = 0; i < link->n; i++) {
			const unsigned at = link->list[i], vl = f->vl[at];

			state[network->word[vl]] |= (link->trees[at] >> k & 1)
						    << (network->shift[vl] + f->place[at]);
		}
		hd_states_deliver(network, f->destinations, f->trees[k], state, in, usage);
	}
}

/* Takes packets to @trees from @s by @out to the next switch, which forwards or delivers them. */
static void pass(struct hd_forest *f, uint32_t s, unsigned out, uint64_t trees,
		 const struct link_state *link, struct hd_usage *usage)
{
	const struct hd_far_end *far = &f->network->far_end[first_port(f, s) + out];
	const size_t first = first_port(f, far->node);

	deliver(f, trees & f->roots[far->node], far->in, link, usage);
	trees &= ~f->roots[far->node];
	for (unsigned i = 0; trees && i < f->n_outs[far->node]; i++) {
		const unsigned next = f->outs[first + i];
		const uint64_t here = trees & f->sends[first + next];

		if (!here)
			continue;
		turn(f, far->node, far->in, next, here, link, usage);
		trees &= ~here;
	}
}

/* Everything that @s sends, and passes on, to the trees of a step. */
static void follow_step(struct hd_forest *f, const struct hd_forest_step *step,
			struct hd_usage *usage)
{
	const struct hd_check_network *network = f->network;
	const uint32_t s = step->node;
	const struct hd_source_group *groups = network->groups + network->first_group[s];
	const uint32_t n_groups = network->first_group[s + 1] - network->first_group[s];
	const size_t first = first_port(f, s);
	const uint64_t trees = step->trees & f->whole & ~f->roots[s];
	struct link_state link;

	for (uint32_t g = 0; trees && g < n_groups; g++)
		sort_sls(f, &groups[g], trees, f->sent + g * (size_t)network->n_sls);
	for (unsigned i = 0; trees && i < f->n_outs[s]; i++) {
		const unsigned out = f->outs[first + i];
		const uint64_t here = trees & f->sends[first + out];

		if (!here)
			continue;
		load_link(f, s, out, here, &link, usage);
		if (link.n)
			pass(f, s, out, here, &link, usage);
	}
}

/* Leaves everything as the next trees need it. */
static void end(struct hd_forest *f)
{
	hd_for_each_switch(s, f->network->fabric) {
		const size_t first = first_port(f, s);

		for (unsigned i = 0; i < f->n_outs[s]; i++)
			f->sends[first + f->outs[first + i]] = 0;
		f->n_outs[s] = f->n_ins[s] = 0;
		f->roots[s] = 0;
	}
}

void hd_forest_follow(struct hd_forest *f, struct hd_usage *usage)
{
	uint64_t *holes = f->open;

	begin(f);
	hd_for_each_switch(s, f->network->fabric)
		holes[s] = sort_switch(f, s);
	find_live(f);
	hd_for_each_switch(s, f->network->fabric)
		f->whole &= ~(holes[s] & f->live[s]);
	order_steps(f);
	for (size_t i = 0; i < f->n_steps; i++)
		follow_step(f, &f->steps[i], usage);
	for (uint64_t left = f->whole; left; left &= left - 1) {
		const unsigned k = first_of(left);

		if (f->depth[k] > f->max_hops)
			f->max_hops = f->depth[k];
		hd_states_deliver_local(f->network, f->destinations, f->trees[k], usage);
	}
	end(f);
}
