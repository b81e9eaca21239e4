/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The turns that packets may take from one link between switches to the next, as a set that grows
 * and never has a cycle: a channel dependency graph for engines that look for routes within it and
 * ask about many turns for each that is new. (check/channels.h is about layers of routes that
 * stand.)
 *
 * Channels carry a rank that ascends along every turn. A turn against it moves what can be reached
 * from its end behind its beginning (Pearce and Kelly, 2006). One that would close a cycle, or that
 * would move more than HD_TURNS_MOVED channels, is remembered as refused.
 */
#ifndef HD_ENGINES_TURNS_H
#define HD_ENGINES_TURNS_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * Few channels make a search short; and turns that are far against the ranks close off more turns
 * than they open: of random graphs and dragonflies of 510 switches, the busiest link has the fewest
 * flows with 100 to 200 here, and up to a third more without a limit.
 */
#define HD_TURNS_MOVED 128

/* The links between switches; each is two channels. */
struct hd_turn_graph {
	const struct hd_fabric *fabric;
	uint32_t n_channels;
	unsigned n_words; /* of 64 bits, for the channels that leave any switch */
	uint32_t *first;  /* [switch + 1] channels that leave it, by (peer, port) */
	uint32_t *to;     /* [channel] the switch that it leads to */
	uint32_t *back;   /* [channel] the other channel of the link */
	uint8_t *port;    /* [channel] out-port of the switch that it leaves */
};

struct hd_turns {
	const struct hd_turn_graph *graph;
	uint64_t *after;  /* [channel * n_words] bits: channels that leave where it arrives */
	uint64_t *before; /* [channel * n_words] bits: channels that leave where it leaves, of which
			      packets come that came in by back[] of them */
	uint64_t *refused; /* as before[] */
	uint32_t *rank;    /* [channel] a permutation */
	uint32_t *at;      /* [rank] */

	/* scratch, [channel] */
	uint32_t *mark, token;
	uint32_t *stack;
};

/* A turn from channel @in, which arrives at @node, to channel @out, which leaves it. */
struct hd_turn {
	uint32_t node, in, out;
};

/* Clear in any case. HD_ENOMEM. */
int hd_turn_graph_init(struct hd_turn_graph *graph, const struct hd_fabric *fabric,
		       struct hd_error *err);
void hd_turn_graph_clear(struct hd_turn_graph *graph);

/* The switch that @channel leaves. */
static inline uint32_t hd_turn_from(const struct hd_turn_graph *graph, uint32_t channel)
{
	return graph->to[graph->back[channel]];
}

/*
 * No turns; ranks as in up*-down* routing, where switch s stands at @position[s], so that turns up
 * and then down are no work; NULL: any ranks. Clear in any case. HD_ENOMEM.
 */
int hd_turns_init(struct hd_turns *turns, const struct hd_turn_graph *graph,
		  const uint32_t *position, struct hd_error *err);
void hd_turns_clear(struct hd_turns *turns);

enum hd_turn_state {
	HD_TURN_NEW,
	HD_TURN_TAKEN,
	HD_TURN_REFUSED,
};

/* What is known of @turn. */
static inline enum hd_turn_state hd_turn_state(const struct hd_turns *turns,
					       const struct hd_turn *turn)
{
	const struct hd_turn_graph *graph = turns->graph;
	const unsigned bit = graph->back[turn->in] - graph->first[turn->node];
	const size_t word = (size_t)turn->out * graph->n_words + bit / 64;

	if (turns->before[word] >> bit % 64 & 1)
		return HD_TURN_TAKEN;
	return turns->refused[word] >> bit % 64 & 1 ? HD_TURN_REFUSED : HD_TURN_NEW;
}

/* Adds @turn, which is new; false, and then refused. */
bool hd_turn_add(struct hd_turns *turns, const struct hd_turn *turn);

/*
 * For turns that are there before others are asked for: adds @turn without a look at cycles;
 * hd_turns_settle() then ranks all channels anew. False: the turns have a cycle.
 */
void hd_turn_put(struct hd_turns *turns, const struct hd_turn *turn);
bool hd_turns_settle(struct hd_turns *turns);

/* Takes @turn out. Turns that were refused because of it stay refused. */
void hd_turn_remove(struct hd_turns *turns, const struct hd_turn *turn);

/* Makes @turn, which was refused, new again; of all turns. */
void hd_turn_forgive(struct hd_turns *turns, const struct hd_turn *turn);
void hd_turns_forgive(struct hd_turns *turns);

#endif
