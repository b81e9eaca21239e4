// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/turns.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "support/error.h"

#define MOST_WEIGHT 256

#define GAP (UINT64_C(1) << 40) /* between ranks at first; there are less than 2^24 channels */

/* Lists the channels that leave @s in an order that depends on port numbers only in trunks. */
static uint32_t list_switch(struct hd_turn_graph *graph, uint32_t s, uint32_t n)
{
	const struct hd_fabric *fabric = graph->fabric;

	graph->first[s] = n;
	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number), at;

		if (peer >= fabric->n_switches || peer == s)
			continue;
		for (at = n++; at > graph->first[s] && graph->to[at - 1] > peer; at--) {
			graph->to[at] = graph->to[at - 1];
			graph->port[at] = graph->port[at - 1];
		}
		graph->to[at] = peer;
		graph->port[at] = (uint8_t)number;
	}
	return n;
}

static void find_back(struct hd_turn_graph *graph, uint32_t *channel_of_port)
{
	const struct hd_fabric *fabric = graph->fabric;

	for (unsigned pass = 0; pass < 2; pass++)
		hd_for_each_switch(s, fabric)
			for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++) {
				uint32_t port = hd_port_index(fabric, s, graph->port[c]);

				if (pass)
					graph->back[c] = channel_of_port[fabric->ports[port].peer];
				else
					channel_of_port[port] = c;
			}
}

int hd_turn_graph_init(struct hd_turn_graph *graph, const struct hd_fabric *fabric,
		       struct hd_error *err)
{
	const size_t n_ports = fabric->n_ports + (size_t)1;
	uint32_t *channel_of_port = malloc(n_ports * sizeof(*channel_of_port));
	uint32_t most = 0;

	*graph = (struct hd_turn_graph){
		.fabric = fabric,
		.first = malloc((fabric->n_switches + (size_t)1) * sizeof(*graph->first)),
		.to = malloc(n_ports * sizeof(*graph->to)),
		.back = malloc(n_ports * sizeof(*graph->back)),
		.port = malloc(n_ports * sizeof(*graph->port)),
	};
	if (!channel_of_port || !graph->first || !graph->to || !graph->back || !graph->port) {
		free(channel_of_port);
		return hd_error_nomem(err);
	}
	hd_for_each_switch(s, fabric) {
		uint32_t n = list_switch(graph, s, graph->n_channels) - graph->n_channels;

		graph->n_channels += n;
		most = n > most ? n : most;
	}
	graph->first[fabric->n_switches] = graph->n_channels;
	graph->n_words = (most + 63) / 64;
	find_back(graph, channel_of_port);
	free(channel_of_port);
	return 0;
}

void hd_turn_graph_clear(struct hd_turn_graph *graph)
{
	free(graph->first);
	free(graph->to);
	free(graph->back);
	free(graph->port);
	*graph = (struct hd_turn_graph){ 0 };
}

bool hd_turn_weigh(const struct hd_turn_graph *graph, uint32_t *weight)
{
	const struct hd_fabric *fabric = graph->fabric;
	const uint32_t fastest = hd_fastest_mbps(fabric);
	bool differ = false;

	for (uint32_t c = 0; c < graph->n_channels; c++) {
		const uint32_t s = hd_turn_from(graph, c);
		const uint32_t mbps =
			hd_port_mbps(fabric, hd_port_index(fabric, s, graph->port[c]), fastest);
		const uint64_t quarters = HD_TURN_QUARTERS * (uint64_t)fastest / mbps;

		weight[c] = fastest ? (uint32_t)(quarters < MOST_WEIGHT ? quarters : MOST_WEIGHT)
				    : HD_TURN_QUARTERS;
		differ |= weight[c] != HD_TURN_QUARTERS;
	}
	return differ;
}

/* Ranks all channels as the list has them. */
static void number(struct hd_turns *turns)
{
	const uint32_t end = turns->graph->n_channels;
	uint64_t rank = GAP;

	for (uint32_t c = turns->next[end]; c != end; c = turns->next[c], rank += GAP)
		turns->rank[c] = rank;
}

static void join(struct hd_turns *turns, uint32_t before, uint32_t after)
{
	turns->next[before] = after;
	turns->previous[after] = before;
}

/* Ranks channels as scratch order[] has them. */
static void rank_in_order(struct hd_turns *turns)
{
	const uint32_t end = turns->graph->n_channels;
	uint32_t last = end;

	for (uint32_t i = 0; i < end; i++) {
		join(turns, last, turns->order[i]);
		last = turns->order[i];
	}
	join(turns, last, end);
	number(turns);
}

/* A channel with what its rank goes by. */
struct ranked {
	uint32_t channel, key;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->channel < y->channel ? -1 : x->channel > y->channel;
}

/* Upward channels by falling, then downward ones by rising position of their far end. */
static int rank_channels(struct hd_turns *turns, const uint32_t *position, struct hd_error *err)
{
	const struct hd_turn_graph *graph = turns->graph;
	const uint32_t n = graph->fabric->n_switches;
	struct ranked *list = malloc((graph->n_channels + (size_t)1) * sizeof(*list));

	if (!list)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++) {
			const uint32_t far = position[graph->to[c]];

			list[c] = (struct ranked){ c, far < position[s] ? n - far : n + 1 + far };
		}
	qsort(list, graph->n_channels, sizeof(*list), compare_ranked);
	for (uint32_t i = 0; i < graph->n_channels; i++)
		turns->order[i] = list[i].channel;
	free(list);
	return 0;
}

int hd_turns_init(struct hd_turns *turns, const struct hd_turn_graph *graph,
		  const uint32_t *position, struct hd_error *err)
{
	const size_t n = graph->n_channels + (size_t)1, n_bits = n * graph->n_words + 1;
	const size_t n_seen = graph->fabric->n_switches * (size_t)graph->n_words + 1;
	int ret = 0;

	*turns = (struct hd_turns){
		.graph = graph,
		.after = calloc(n_bits, sizeof(*turns->after)),
		.before = calloc(n_bits, sizeof(*turns->before)),
		.refused = calloc(n_bits, sizeof(*turns->refused)),
		.rank = malloc(n * sizeof(*turns->rank)),
		.previous = malloc(n * sizeof(*turns->previous)),
		.next = malloc(n * sizeof(*turns->next)),
		.seen = calloc(n_seen, sizeof(*turns->seen)),
		.left = malloc(n * sizeof(*turns->left)),
		.order = malloc(n * sizeof(*turns->order)),
	};
	if (!turns->after || !turns->before || !turns->refused || !turns->rank ||
	    !turns->previous || !turns->next || !turns->seen || !turns->left || !turns->order)
		return hd_error_nomem(err);
	for (uint32_t c = 0; c < graph->n_channels; c++)
		turns->order[c] = c;
	if (position)
		ret = rank_channels(turns, position, err);
	if (!ret)
		rank_in_order(turns);
	return ret;
}

void hd_turns_clear(struct hd_turns *turns)
{
	free(turns->after);
	free(turns->before);
	free(turns->refused);
	free(turns->rank);
	free(turns->previous);
	free(turns->next);
	free(turns->seen);
	free(turns->left);
	free(turns->order);
	*turns = (struct hd_turns){ 0 };
}

static bool is_taken(const struct hd_turns *turns, uint32_t in, uint32_t out)
{
	const struct hd_turn_graph *graph = turns->graph;
	const unsigned bit = out - graph->first[graph->to[in]];

	return turns->after[(size_t)in * graph->n_words + bit / 64] >> bit % 64 & 1;
}

/*
 * Goes on from channel @c of those that are marked. False: @most is reached, or those that come
 * before it are too many.
 */
static bool mark_next(struct hd_turns *turns, uint32_t c, uint32_t most)
{
	const struct hd_turn_graph *graph = turns->graph;
	const uint32_t node = graph->to[c], from = hd_turn_from(graph, most);
	const uint64_t *bits = turns->after + (size_t)c * graph->n_words;
	uint64_t *seen = turns->seen + (size_t)node * graph->n_words;

	for (unsigned w = 0; w < graph->n_words; w++) {
		uint64_t left = bits[w] & ~seen[w];

		seen[w] |= left;
		for (; left; left &= left - 1) {
			const uint32_t next =
				graph->first[node] + 64 * w + (unsigned)__builtin_ctzll(left);

			if (turns->rank[next] > turns->rank[most])
				continue;
			if (next == most || turns->n_marked == HD_TURNS_MOVED ||
			    (graph->to[next] == from && is_taken(turns, next, most)))
				return false;
			turns->marked[turns->n_marked++] = next;
		}
	}
	return true;
}

/*
 * Marks the channels with ranks below @most's that can be reached from @begin. False: @most is one,
 * or they are too many.
 */
static bool mark_reached(struct hd_turns *turns, uint32_t begin, uint32_t most)
{
	const struct hd_turn_graph *graph = turns->graph;
	bool is_free = true;

	turns->marked[0] = begin;
	turns->n_marked = 1;
	for (uint32_t i = 0; is_free && i < turns->n_marked; i++)
		is_free = mark_next(turns, turns->marked[i], most);
	for (uint32_t i = 0; i < turns->n_marked; i++) {
		uint64_t *seen = turns->seen + (size_t)graph->to[turns->marked[i]] * graph->n_words;

		/* mostly one word: no call of memset() for it */
		*seen = 0;
		for (unsigned w = 1; w < graph->n_words; w++)
			seen[w] = 0;
	}
	return is_free;
}

/* Sorts the channels that are marked by their ranks. */
static void sort_marked(struct hd_turns *turns)
{
	for (uint32_t i = 1; i < turns->n_marked; i++) {
		const uint32_t c = turns->marked[i];
		uint32_t at = i;

		for (; at && turns->rank[turns->marked[at - 1]] > turns->rank[c]; at--)
			turns->marked[at] = turns->marked[at - 1];
		turns->marked[at] = c;
	}
}

/* Moves the channels that are marked behind @channel, in the order of their ranks. */
static void move_marked(struct hd_turns *turns, uint32_t channel)
{
	const uint32_t end = turns->graph->n_channels, n = turns->n_marked;
	const uint64_t least = turns->rank[channel];
	uint32_t last = channel, behind;
	uint64_t step;

	sort_marked(turns);
	for (uint32_t i = 0; i < n; i++)
		join(turns, turns->previous[turns->marked[i]], turns->next[turns->marked[i]]);
	behind = turns->next[channel];
	step = ((behind == end ? UINT64_MAX : turns->rank[behind]) - least) / (n + 1);
	step = step < GAP ? step : GAP;
	for (uint32_t i = 0; i < n; i++) {
		turns->rank[turns->marked[i]] = least + (i + 1) * step;
		join(turns, last, turns->marked[i]);
		last = turns->marked[i];
	}
	join(turns, last, behind);
	if (!step)
		number(turns);
}

static inline void set_bit(uint64_t *words, unsigned bit, bool value)
{
	const uint64_t mask = UINT64_C(1) << bit % 64;

	if (value)
		words[bit / 64] |= mask;
	else
		words[bit / 64] &= ~mask;
}

static inline void set_turn(struct hd_turns *turns, const struct hd_turn *turn, bool value)
{
	const struct hd_turn_graph *graph = turns->graph;
	const uint32_t first = graph->first[turn->node];

	set_bit(turns->after + (size_t)turn->in * graph->n_words, turn->out - first, value);
	set_bit(turns->before + (size_t)turn->out * graph->n_words, graph->back[turn->in] - first,
		value);
}

static void set_refused(struct hd_turns *turns, const struct hd_turn *turn, bool value)
{
	const struct hd_turn_graph *graph = turns->graph;

	set_bit(turns->refused + (size_t)turn->out * graph->n_words,
		graph->back[turn->in] - graph->first[turn->node], value);
}

bool hd_turn_add(struct hd_turns *turns, const struct hd_turn *turn)
{
	const uint64_t least = turns->rank[turn->out], most = turns->rank[turn->in];

	if (most >= least) {
		if (most == least || !mark_reached(turns, turn->out, turn->in)) {
			set_refused(turns, turn, true);
			return false;
		}
		move_marked(turns, turn->in);
	}
	set_turn(turns, turn, true);
	return true;
}

void hd_turn_put(struct hd_turns *turns, const struct hd_turn *turn)
{
	set_turn(turns, turn, true);
}

/* Channels from which packets come to @channel by a turn. */
static uint32_t count_before(const struct hd_turns *turns, uint32_t channel)
{
	const uint64_t *bits = turns->before + (size_t)channel * turns->graph->n_words;
	uint32_t n = 0;

	for (unsigned w = 0; w < turns->graph->n_words; w++)
		n += (uint32_t)__builtin_popcountll(bits[w]);
	return n;
}

bool hd_turns_settle(struct hd_turns *turns)
{
	const struct hd_turn_graph *graph = turns->graph;
	uint32_t *left = turns->left, n = 0;

	/* order[] is the list of those that nothing unranked leads to */
	for (uint32_t c = 0; c < graph->n_channels; c++) {
		left[c] = count_before(turns, c);
		if (!left[c])
			turns->order[n++] = c;
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t c = turns->order[i], first = graph->first[graph->to[c]];
		const uint64_t *bits = turns->after + (size_t)c * graph->n_words;

		for (unsigned w = 0; w < graph->n_words; w++)
			for (uint64_t rest = bits[w]; rest; rest &= rest - 1) {
				const uint32_t next =
					first + 64 * w + (unsigned)__builtin_ctzll(rest);

				if (!--left[next])
					turns->order[n++] = next;
			}
	}
	if (n == graph->n_channels)
		rank_in_order(turns);
	return n == graph->n_channels;
}

void hd_turn_remove(struct hd_turns *turns, const struct hd_turn *turn)
{
	set_turn(turns, turn, false);
}

void hd_turn_forgive(struct hd_turns *turns, const struct hd_turn *turn)
{
	set_refused(turns, turn, false);
}

void hd_turns_forgive(struct hd_turns *turns)
{
	memset(turns->refused, 0,
	       turns->graph->n_channels * (size_t)turns->graph->n_words * sizeof(*turns->refused));
}
