/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The turns that packets may take from one link between switches to the next, as a set that grows
 * and never has a cycle: a channel dependency graph for engines that look for routes within it and
 * ask about many turns for each that is new. (check/channels.h is about layers of routes that
 * stand.)
 *
 * Every channel has a rank, and ranks ascend along every turn. A new turn against the ranks moves
 * the channels that can be reached from its end behind its beginning (Pearce and Kelly, 2006). A
 * turn that would close a cycle, or would move more than HD_TURNS_MOVED channels, is noted as
 * refused.
 */
#ifndef HD_ENGINES_TURNS_H
#define HD_ENGINES_TURNS_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * A small limit makes searches short. It also helps the result, because a turn far against the
 * ranks excludes more turns than it allows: on random graphs and dragonflies of 510 switches, the
 * busiest link has the fewest flows with a limit of 100 to 200, and up to a third more without a
 * limit.
 */
#define HD_TURNS_MOVED 128

/* The links between switches; each is two channels. */
struct hd_turn_graph {
	const struct hd_fabric *fabric;
	uint32_t n_channels;
	unsigned n_words; /* of 64 bits, enough for the channels that leave any switch */
	uint32_t *first;  /* [switch + 1] channels that leave the switch, by (peer, port) */
	uint32_t *to;     /* [channel] the switch where it ends */
	uint32_t *back;   /* [channel] the other channel of the link */
	uint8_t *port;    /* [channel] its out-port */
};

struct hd_turns {
	const struct hd_turn_graph *graph;
	uint64_t *after;  /* [channel n_words] bits: channels that leave the switch where it ends */
	uint64_t *before; /* [channel n_words] bits: channels that leave the switch where it begins;
			     packets come to it from back[] of these */
	uint64_t *refused; /* as before[] */
	/*
	 * Channels by rank are a list, and ranks have gaps. So a channel moves without the others
	 * between its old and its new place.
	 */
	uint64_t *rank;            /* [channel] */
	uint32_t *previous, *next; /* [channel]; that of n_channels is the end, and the beginning */

	/* scratch */
	uint64_t *seen;         /* [switch n_words] bits as in after[]; 0 */
	uint32_t *left, *order; /* [channel] */
	uint32_t n_marked, marked[HD_TURNS_MOVED];
};

/* A turn from channel @in, which ends at @node, to channel @out, which leaves @node. */
struct hd_turn {
	uint32_t node, in, out;
};

/* Clear also after an error. HD_ENOMEM. */
int hd_turn_graph_init(struct hd_turn_graph *graph, const struct hd_fabric *fabric,
		       struct hd_error *err);
void hd_turn_graph_clear(struct hd_turn_graph *graph);

/*
 * @weight[channel] gets how many quarters a flow there counts: as many times HD_TURN_QUARTERS as the
 * fastest link between switches is faster. False: all count the same.
 */
#define HD_TURN_QUARTERS 4
bool hd_turn_weigh(const struct hd_turn_graph *graph, uint32_t *weight);

/* The switch that @channel leaves. */
static inline uint32_t hd_turn_from(const struct hd_turn_graph *graph, uint32_t channel)
{
	return graph->to[graph->back[channel]];
}

/*
 * No turns. Ranks are as in up*-down* routing with switch s at @position[s], so that turns up and
 * then down fit already; NULL: any ranks. Clear also after an error. HD_ENOMEM.
 */
int hd_turns_init(struct hd_turns *turns, const struct hd_turn_graph *graph,
		  const uint32_t *position, struct hd_error *err);
void hd_turns_clear(struct hd_turns *turns);

enum hd_turn_state {
	HD_TURN_NEW,
	HD_TURN_TAKEN,
	HD_TURN_REFUSED,
};

/* The state of @turn. */
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

/* Adds @turn, which is new. False: @turn is now refused. */
bool hd_turn_add(struct hd_turns *turns, const struct hd_turn *turn);

/*
 * For initial turns: hd_turn_put() adds @turn without a test for cycles; hd_turns_settle() then
 * ranks all channels anew. False: the turns have a cycle.
 */
void hd_turn_put(struct hd_turns *turns, const struct hd_turn *turn);
bool hd_turns_settle(struct hd_turns *turns);

/* Removes @turn. Turns that were refused because of it stay refused. */
void hd_turn_remove(struct hd_turns *turns, const struct hd_turn *turn);

/* Makes @turn, which was refused, new again; the second function does so for all turns. */
void hd_turn_forgive(struct hd_turns *turns, const struct hd_turn *turn);
void hd_turns_forgive(struct hd_turns *turns);

#endif
