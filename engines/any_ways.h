/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds paths from all switches to one, within the turns of a layer that stays free of cycles.
 * Engine any calls this for each destination. (In names, a "way" is such a path.)
 *
 * The search is Dijkstra's, from the destination. A link costs as much as it carries already, so
 * the cheapest paths are not the shortest but those that even out loads. A switch takes the
 * cheapest offer whose turn is in the layer or can be added to it. A switch without an offer is
 * stuck: then one of its neighbours changes its path, if all switches whose paths pass the
 * neighbour may turn there. If no neighbour can do so, the stuck switch and all on its path along
 * the layer's escape tree take that path, and the search begins again around them. The search ends,
 * because the tree reaches all switches.
 */
#ifndef HD_ENGINES_ANY_WAYS_H
#define HD_ENGINES_ANY_WAYS_H

#include "engines/escape_tree.h"

/* A layer: the turns that packets take in it. */
struct hd_any_layer {
	struct hd_turns turns;
	struct hd_escape_tree tree;
};

struct hd_any_offer;

struct hd_any_ways {
	const struct hd_turn_graph *graph;
	uint64_t *load;   /* [channel] flows that it carries */
	uint64_t *price;  /* [channel] cost of its opposite channel, back[] */
	uint32_t *weight; /* [channel] cost of a flow: more on slower links */
	uint32_t *size;   /* [switch] number of switches that it can reach, itself included */

	/* The last search. */
	struct hd_any_layer *layer;
	uint32_t last;
	uint32_t *out;   /* [switch] the channel on which its packets leave; HD_NONE: none */
	uint32_t *order; /* the switches with a path, each after the switches on its path */
	uint32_t n_order;
	uint64_t length; /* links of all paths together */

	/* scratch */
	uint32_t *distance;         /* [switch] HD_NONE: no path yet */
	uint64_t *cost, *tentative; /* [switch] cost of its path; of its cheapest offer that is
				       sure */
	bool *is_pinned;            /* [switch] its path is that of the tree */
	uint32_t *towards;          /* [switch] the next channel along the tree */
	struct hd_any_offer *heap;
	size_t n_heap;
	struct hd_turn *added, *refused; /* in this search */
	size_t n_added, n_refused, n_most;
};

/* Sets weight[] by the rates of links, and no flows. Clear also after an error. HD_ENOMEM. */
int hd_any_ways_init(struct hd_any_ways *ways, const struct hd_turn_graph *graph,
		     struct hd_error *err);
void hd_any_ways_clear(struct hd_any_ways *ways);

/* Removes all flows; @base is the cost of a channel without flows. */
void hd_any_ways_unload(struct hd_any_ways *ways, uint64_t base);

/* Puts @n flows on @channel. */
static inline void hd_any_ways_load(struct hd_any_ways *ways, uint32_t channel, uint64_t n)
{
	ways->load[channel] += n;
	ways->price[ways->graph->back[channel]] += n * ways->weight[channel];
}

/*
 * Finds paths to @last in @layer, and adds the turns that they need. Then the caller keeps or drops
 * the paths, with their turns.
 */
void hd_any_ways_find(struct hd_any_ways *ways, struct hd_any_layer *layer, uint32_t last);
void hd_any_ways_keep(struct hd_any_ways *ways);
void hd_any_ways_drop(struct hd_any_ways *ways);

#endif
