// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/any_ways.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define ONE_BY_ONE 8 /* rounds in which one stuck switch is pinned; then all are */

/* A way of a switch that another one offers. */
struct hd_any_offer {
	uint64_t cost;
	uint32_t channel;
};

/* Fills size[], by order[] and distance[] as scratch. */
static void measure_parts(struct hd_any_ways *ways)
{
	const struct hd_turn_graph *graph = ways->graph;
	const uint32_t n = graph->fabric->n_switches;

	memset(ways->distance, 0xFF, n * sizeof(*ways->distance));
	for (uint32_t root = 0; root < n; root++) {
		uint32_t begin = 0, end = 1;

		if (ways->distance[root] != HD_NONE)
			continue;
		ways->distance[root] = 0;
		ways->order[0] = root;
		for (; begin < end; begin++) {
			const uint32_t s = ways->order[begin];

			for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++)
				if (ways->distance[graph->to[c]] == HD_NONE) {
					ways->distance[graph->to[c]] = 0;
					ways->order[end++] = graph->to[c];
				}
		}
		for (uint32_t i = 0; i < end; i++)
			ways->size[ways->order[i]] = end;
	}
}

int hd_any_ways_init(struct hd_any_ways *ways, const struct hd_turn_graph *graph,
		     struct hd_error *err)
{
	const size_t n = graph->fabric->n_switches + (size_t)1, m = graph->n_channels + (size_t)1;

	*ways = (struct hd_any_ways){
		.graph = graph,
		.n_most = 4 * m,
		.load = malloc(m * sizeof(*ways->load)),
		.price = malloc(m * sizeof(*ways->price)),
		.weight = malloc(m * sizeof(*ways->weight)),
		.size = malloc(n * sizeof(*ways->size)),
		.out = malloc(n * sizeof(*ways->out)),
		.order = malloc(n * sizeof(*ways->order)),
		.distance = malloc(n * sizeof(*ways->distance)),
		.cost = malloc(n * sizeof(*ways->cost)),
		.tentative = malloc(n * sizeof(*ways->tentative)),
		.is_pinned = malloc(n * sizeof(*ways->is_pinned)),
		.towards = malloc(n * sizeof(*ways->towards)),
		.heap = malloc(m * sizeof(*ways->heap)),
		.added = malloc(4 * m * sizeof(*ways->added)),
		.refused = malloc(4 * m * sizeof(*ways->refused)),
	};
	if (!ways->load || !ways->price || !ways->weight || !ways->size || !ways->out ||
	    !ways->order || !ways->distance || !ways->cost || !ways->tentative ||
	    !ways->is_pinned || !ways->towards || !ways->heap || !ways->added || !ways->refused)
		return hd_error_nomem(err);
	hd_turn_weigh(graph, ways->weight);
	measure_parts(ways);
	hd_any_ways_unload(ways, 1);
	return 0;
}

void hd_any_ways_unload(struct hd_any_ways *ways, uint64_t base)
{
	const struct hd_turn_graph *graph = ways->graph;

	for (uint32_t c = 0; c < graph->n_channels; c++) {
		ways->load[c] = 0;
		ways->price[graph->back[c]] = base * ways->weight[c];
	}
}

void hd_any_ways_clear(struct hd_any_ways *ways)
{
	free(ways->load);
	free(ways->price);
	free(ways->weight);
	free(ways->size);
	free(ways->out);
	free(ways->order);
	free(ways->distance);
	free(ways->cost);
	free(ways->tentative);
	free(ways->is_pinned);
	free(ways->towards);
	free(ways->heap);
	free(ways->added);
	free(ways->refused);
	*ways = (struct hd_any_ways){ 0 };
}

static void push(struct hd_any_ways *ways, struct hd_any_offer offer)
{
	struct hd_any_offer *heap = ways->heap;
	size_t i = ways->n_heap++;

	for (; i && heap[(i - 1) / 2].cost > offer.cost; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = offer;
}

static struct hd_any_offer pop(struct hd_any_ways *ways)
{
	struct hd_any_offer *heap = ways->heap;
	const struct hd_any_offer top = heap[0], last = heap[--ways->n_heap];
	size_t i = 0;

	for (;;) {
		size_t next = 2 * i + 1;

		if (next >= ways->n_heap)
			break;
		next += next + 1 < ways->n_heap && heap[next + 1].cost < heap[next].cost;
		if (heap[next].cost >= last.cost)
			break;
		heap[i] = heap[next];
		i = next;
	}
	heap[i] = last;
	return top;
}

static bool add_turn(struct hd_any_ways *ways, const struct hd_turn *turn)
{
	if (ways->n_added == ways->n_most)
		return false;
	if (hd_turn_add(&ways->layer->turns, turn)) {
		ways->added[ways->n_added++] = *turn;
		return true;
	}
	/* a turn that is taken out later may be the reason */
	if (ways->n_added && ways->n_refused < ways->n_most)
		ways->refused[ways->n_refused++] = *turn;
	return false;
}

static bool may_turn(struct hd_any_ways *ways, const struct hd_turn *turn)
{
	const enum hd_turn_state state = hd_turn_state(&ways->layer->turns, turn);

	return state == HD_TURN_TAKEN || (state == HD_TURN_NEW && add_turn(ways, turn));
}

/* The turn of packets that come to @via by @channel; none at the end of the way. */
static bool may_go_on(struct hd_any_ways *ways, uint32_t via, uint32_t channel)
{
	const struct hd_turn turn = { via, channel, ways->out[via] };

	return via == ways->last || may_turn(ways, &turn);
}

/* Gives @s its way; nothing is offered to it any more. */
static void settle(struct hd_any_ways *ways, uint32_t s, uint32_t channel, uint64_t cost)
{
	ways->distance[s] = channel == HD_NONE ? 0 : ways->distance[ways->graph->to[channel]] + 1;
	ways->out[s] = channel;
	ways->cost[s] = cost;
	ways->tentative[s] = 0;
	ways->order[ways->n_order++] = s;
}

/*
 * Offers the neighbours of @via, which has a way, to go by it. An offer that can be taken for sure
 * makes dearer ones needless; others stay, as the best may be refused.
 */
static void offer(struct hd_any_ways *ways, uint32_t via)
{
	const struct hd_turn_graph *graph = ways->graph;
	const struct hd_turns *turns = &ways->layer->turns;
	const uint32_t first = graph->first[via], n = graph->first[via + 1] - first;
	const uint64_t *before = NULL, *refused = NULL;
	uint64_t rank = UINT64_MAX;

	if (via != ways->last) {
		before = turns->before + (size_t)ways->out[via] * graph->n_words;
		refused = turns->refused + (size_t)ways->out[via] * graph->n_words;
		rank = turns->rank[ways->out[via]];
	}
	for (uint32_t bit = 0; bit < n; bit++) {
		const uint32_t s = graph->to[first + bit];
		const uint64_t cost = ways->cost[via] + ways->price[first + bit];
		uint32_t channel;

		if (cost >= ways->tentative[s] || (refused && refused[bit / 64] >> bit % 64 & 1))
			continue;
		channel = graph->back[first + bit];
		if (ways->is_pinned[s] && ways->towards[s] != channel)
			continue;
		if (!before || turns->rank[channel] < rank || before[bit / 64] >> bit % 64 & 1)
			ways->tentative[s] = cost;
		push(ways, (struct hd_any_offer){ cost, channel });
	}
}

/* Goes on from switches with ways, the last @n that got them. */
static void spread(struct hd_any_ways *ways, uint32_t n)
{
	const struct hd_turn_graph *graph = ways->graph;

	for (uint32_t i = ways->n_order - n; i < ways->n_order; i++)
		offer(ways, ways->order[i]);
	while (ways->n_heap) {
		const struct hd_any_offer best = pop(ways);
		const uint32_t s = hd_turn_from(graph, best.channel);

		if (ways->distance[s] != HD_NONE ||
		    !may_go_on(ways, graph->to[best.channel], best.channel))
			continue;
		settle(ways, s, best.channel, best.cost);
		offer(ways, s);
	}
}

static void search(struct hd_any_ways *ways)
{
	const uint32_t n = ways->graph->fabric->n_switches;

	memset(ways->distance, 0xFF, n * sizeof(*ways->distance));
	memset(ways->tentative, 0xFF, n * sizeof(*ways->tentative));
	memset(ways->out, 0xFF, n * sizeof(*ways->out));
	ways->n_order = 0;
	settle(ways, ways->last, HD_NONE, 0);
	spread(ways, 1);
}

/* Whether packets of @s come through @via. */
static bool comes_through(const struct hd_any_ways *ways, uint32_t s, uint32_t via)
{
	for (; s != ways->last; s = ways->graph->to[ways->out[s]])
		if (s == via)
			return true;
	return false;
}

/* Whether all packets that come to @via, and those that would by @in, may leave by @out. */
static bool may_all_leave(struct hd_any_ways *ways, uint32_t via, uint32_t in, uint32_t out)
{
	const struct hd_turn_graph *graph = ways->graph;
	struct hd_turn turn = { via, in, out };

	if (!may_go_on(ways, graph->to[out], out) || !may_turn(ways, &turn))
		return false;
	for (uint32_t c = graph->first[via]; c < graph->first[via + 1]; c++) {
		turn.in = graph->back[c];
		if (ways->out[graph->to[c]] == turn.in && !may_turn(ways, &turn))
			return false;
	}
	return true;
}

/* Sends a neighbour of the stuck switch @s another way by which @s can go, too. */
static bool mend(struct hd_any_ways *ways, uint32_t s)
{
	const struct hd_turn_graph *graph = ways->graph;

	for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++) {
		const uint32_t via = graph->to[c];

		if (ways->distance[via] == HD_NONE || via == ways->last || ways->is_pinned[via])
			continue;
		for (uint32_t out = graph->first[via]; out < graph->first[via + 1]; out++) {
			const uint32_t next = graph->to[out];

			if (ways->distance[next] == HD_NONE || comes_through(ways, next, via) ||
			    !may_all_leave(ways, via, c, out))
				continue;
			ways->out[via] = out;
			settle(ways, s, c, ways->cost[via] + ways->price[graph->back[c]]);
			return true;
		}
	}
	return false;
}

static bool is_stuck(const struct hd_any_ways *ways, uint32_t s)
{
	return ways->distance[s] == HD_NONE && !ways->is_pinned[s];
}

static bool mend_all(struct hd_any_ways *ways)
{
	const struct hd_fabric *fabric = ways->graph->fabric;
	bool is_mended = false;

	hd_for_each_switch(s, fabric)
		if (is_stuck(ways, s) && mend(ways, s)) {
			spread(ways, 1);
			is_mended = true;
		}
	return is_mended;
}

/* Whether the tree leads from @s to the destination. */
static bool is_in_part(const struct hd_any_ways *ways, uint32_t s)
{
	while (s != ways->last && ways->towards[s] != HD_NONE)
		s = ways->graph->to[ways->towards[s]];
	return s == ways->last;
}

/* Pins the way along the tree of a stuck switch, or of all. */
static void pin(struct hd_any_ways *ways, bool all)
{
	const struct hd_turn_graph *graph = ways->graph;

	hd_for_each_switch(stuck, graph->fabric) {
		if (!is_stuck(ways, stuck) || !is_in_part(ways, stuck))
			continue;
		for (uint32_t s = stuck; s != ways->last && !ways->is_pinned[s];
		     s = graph->to[ways->towards[s]])
			ways->is_pinned[s] = true;
		if (!all)
			return;
	}
}

/* Puts order[] right after ways have changed. */
static void sort_order(struct hd_any_ways *ways)
{
	const struct hd_turn_graph *graph = ways->graph;
	uint32_t begin = 0, end = 1;

	ways->order[0] = ways->last;
	for (; begin < end; begin++) {
		const uint32_t via = ways->order[begin];

		for (uint32_t c = graph->first[via]; c < graph->first[via + 1]; c++)
			if (ways->out[graph->to[c]] == graph->back[c]) {
				ways->distance[graph->to[c]] = ways->distance[via] + 1;
				ways->order[end++] = graph->to[c];
			}
	}
}

void hd_any_ways_find(struct hd_any_ways *ways, struct hd_any_layer *layer, uint32_t last)
{
	const uint32_t n = ways->graph->fabric->n_switches;
	bool is_mended = false;

	ways->layer = layer;
	ways->last = last;
	ways->n_added = ways->n_refused = 0;
	memset(ways->is_pinned, 0, n * sizeof(*ways->is_pinned));
	search(ways);
	for (unsigned round = 0; ways->n_order < ways->size[last]; round++) {
		if (mend_all(ways)) {
			is_mended = true;
			continue;
		}
		hd_escape_tree_point(&layer->tree, ways->graph, last, ways->towards);
		pin(ways, round >= ONE_BY_ONE);
		hd_any_ways_drop(ways);
		is_mended = false;
		search(ways);
	}
	if (is_mended)
		sort_order(ways);
	ways->length = 0;
	for (uint32_t i = 0; i < ways->n_order; i++)
		ways->length += ways->distance[ways->order[i]];
}

static void forgive(struct hd_any_ways *ways)
{
	for (size_t i = 0; i < ways->n_refused; i++)
		hd_turn_forgive(&ways->layer->turns, &ways->refused[i]);
	ways->n_refused = 0;
}

void hd_any_ways_keep(struct hd_any_ways *ways)
{
	const struct hd_turn_graph *graph = ways->graph;
	bool is_any_out = false;

	for (size_t i = 0; i < ways->n_added; i++) {
		const struct hd_turn *turn = &ways->added[i];

		if (ways->out[hd_turn_from(graph, turn->in)] == turn->in &&
		    ways->out[turn->node] == turn->out)
			continue;
		hd_turn_remove(&ways->layer->turns, turn);
		is_any_out = true;
	}
	ways->n_added = 0;
	if (is_any_out)
		forgive(ways);
}

void hd_any_ways_drop(struct hd_any_ways *ways)
{
	for (size_t i = 0; i < ways->n_added; i++)
		hd_turn_remove(&ways->layer->turns, &ways->added[i]);
	ways->n_added = 0;
	forgive(ways);
}
