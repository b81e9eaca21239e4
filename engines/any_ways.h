/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ways from all switches to one, within the turns of a layer that is kept free of cycles: what
 * engine any asks for each destination.
 *
 * The search is Dijkstra's, from the destination. A link costs what it carries already, so that the
 * cheapest ways are those that even out loads, not the shortest. A switch takes the cheapest offer
 * whose turn is in the layer or can be added to it. Switches to which no offer is left are stuck:
 * then a neighbour changes its way, if all who come by it may turn there; and where none can, one
 * of the stuck goes along the layer's escape tree, with all that are on that way, and the search
 * begins again around these. As the tree reaches all, that ends.
 */
#ifndef HD_ENGINES_ANY_WAYS_H
#define HD_ENGINES_ANY_WAYS_H

#include "engines/escape_tree.h"

/* A layer: the turns that are taken in it. */
struct hd_any_layer {
	struct hd_turns turns;
	struct hd_escape_tree tree;
};

struct hd_any_offer;

struct hd_any_ways {
	const struct hd_turn_graph *graph;
	uint64_t *load;   /* [channel] flows that it carries */
	uint64_t *price;  /* [channel] what it costs to go by back[] of it */
	uint32_t *weight; /* [channel] of a flow: more on slower links */
	uint32_t *size;   /* [switch] switches that it can reach, itself included */

	/* The last search. */
	struct hd_any_layer *layer;
	uint32_t last;
	uint32_t *out;   /* [switch] the channel by which its packets leave; HD_NONE: none */
	uint32_t *order; /* the switches with a way, each behind those that its packets come to */
	uint32_t n_order;
	uint64_t length; /* links of all ways together */

	/* scratch */
	uint32_t *distance;         /* [switch] HD_NONE: no way yet */
	uint64_t *cost, *tentative; /* [switch] of its way; of the cheapest offer that is sure */
	bool *is_pinned;            /* [switch] its way is that of the tree */
	uint32_t *towards;          /* [switch] along the tree */
	struct hd_any_offer *heap;
	size_t n_heap;
	struct hd_turn *added, *refused; /* in this search */
	size_t n_added, n_refused, n_most;
};

/* weight[] is by the rates of links; no channel carries flows. Clear also after an error. HD_ENOMEM. */
int hd_any_ways_init(struct hd_any_ways *ways, const struct hd_turn_graph *graph,
		     struct hd_error *err);
void hd_any_ways_clear(struct hd_any_ways *ways);

/* Takes all flows off, and sets what a channel costs without any. */
void hd_any_ways_unload(struct hd_any_ways *ways, uint64_t base);

/* Puts @n flows on @channel. */
static inline void hd_any_ways_load(struct hd_any_ways *ways, uint32_t channel, uint64_t n)
{
	ways->load[channel] += n;
	ways->price[ways->graph->back[channel]] += n * ways->weight[channel];
}

/*
 * Finds ways to @last in @layer, and adds the turns that they need. Then either keep them or drop
 * them, with their turns.
 */
void hd_any_ways_find(struct hd_any_ways *ways, struct hd_any_layer *layer, uint32_t last);
void hd_any_ways_keep(struct hd_any_ways *ways);
void hd_any_ways_drop(struct hd_any_ways *ways);

#endif
