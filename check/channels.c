// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/channels.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

#define FEW 32 /* ranks that are sorted by insertion */

static size_t n_entries(const struct hd_channels *channels)
{
	const struct hd_tables *tables = channels->tables;

	return tables->sl2vl_first[tables->fabric->n_switches] * channels->n_layers;
}

/* Words of outs[], and of ins[]. */
static size_t n_bits(const struct hd_channels *channels)
{
	return (size_t)channels->n_vertices * channels->n_words;
}

int hd_channels_init(struct hd_channels *channels, const struct hd_tables *tables,
		     unsigned n_layers, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t n_links = 0;
	unsigned most = 0;
	size_t n, n_words;

	*channels = (struct hd_channels){ .tables = tables, .n_layers = n_layers };
	channels->link_of_port = malloc((fabric->n_ports + (size_t)1) * sizeof(uint32_t));
	channels->port_of_link = malloc((fabric->n_ports + (size_t)1) * sizeof(uint32_t));
	if (!channels->link_of_port || !channels->port_of_link)
		return hd_error_nomem(err);
	memset(channels->link_of_port, 0xFF, (fabric->n_ports + (size_t)1) * sizeof(uint32_t));
	hd_for_each_switch(s, fabric) {
		most = fabric->nodes[s].n_ports > most ? fabric->nodes[s].n_ports : most;
		hd_for_each_number(number, fabric, s) {
			uint32_t port = hd_port_index(fabric, s, number);
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer >= fabric->n_switches || peer == s)
				continue;
			channels->link_of_port[port] = n_links;
			channels->port_of_link[n_links++] = port;
		}
	}
	channels->n_vertices = n_links * n_layers;
	channels->n_words = most / 64 + 1;
	n = channels->n_vertices + (size_t)1;
	n_words = n * channels->n_words;
	channels->next = hd_alloc_large((n_entries(channels) + 1) * sizeof(*channels->next));
	channels->outs = hd_alloc_large(n_words * sizeof(*channels->outs));
	channels->ins = hd_alloc_large(n_words * sizeof(*channels->ins));
	channels->rank = malloc(n * sizeof(uint32_t));
	channels->vertex_at = malloc(n * sizeof(uint32_t));
	channels->mark = calloc(n, sizeof(uint32_t));
	channels->forward = malloc(n * sizeof(uint32_t));
	channels->backward = malloc(n * sizeof(uint32_t));
	channels->stack = malloc(n * sizeof(uint32_t));
	if (!channels->next || !channels->outs || !channels->ins || !channels->rank ||
	    !channels->vertex_at || !channels->mark || !channels->forward || !channels->backward ||
	    !channels->stack)
		return hd_error_nomem(err);
	hd_channels_empty(channels);
	return 0;
}

void hd_channels_clear(struct hd_channels *channels)
{
	free(channels->link_of_port);
	free(channels->port_of_link);
	free(channels->next);
	free(channels->closing);
	free(channels->outs);
	free(channels->ins);
	free(channels->rank);
	free(channels->vertex_at);
	free(channels->mark);
	free(channels->forward);
	free(channels->backward);
	free(channels->stack);
	*channels = (struct hd_channels){ 0 };
}

int hd_channels_remember(struct hd_channels *channels, struct hd_error *err)
{
	const size_t size = (n_entries(channels) + 1) * sizeof(*channels->closing);

	channels->closing = hd_alloc_large(size);
	if (!channels->closing)
		return hd_error_nomem(err);
	memset(channels->closing, 0, size);
	return 0;
}

int hd_channels_copy(struct hd_channels *channels, const struct hd_channels *from,
		     struct hd_error *err)
{
	int ret = hd_channels_init(channels, from->tables, from->n_layers, err);

	if (ret)
		return ret;
	memcpy(channels->next, from->next, n_entries(from) * sizeof(*from->next));
	memcpy(channels->outs, from->outs, n_bits(from) * sizeof(*from->outs));
	memcpy(channels->ins, from->ins, n_bits(from) * sizeof(*from->ins));
	hd_channels_copy_ranks(channels, from);
	return 0;
}

void hd_channels_copy_ranks(struct hd_channels *channels, const struct hd_channels *from)
{
	const size_t size = from->n_vertices * sizeof(uint32_t);

	memcpy(channels->rank, from->rank, size);
	memcpy(channels->vertex_at, from->vertex_at, size);
}

void hd_channels_empty(struct hd_channels *channels)
{
	memset(channels->next, 0, n_entries(channels) * sizeof(*channels->next));
	memset(channels->outs, 0, n_bits(channels) * sizeof(*channels->outs));
	memset(channels->ins, 0, n_bits(channels) * sizeof(*channels->ins));
}

static uint16_t *entry(const struct hd_channels *channels, uint32_t node, unsigned in, unsigned out)
{
	return channels->next +
	       hd_sl2vl_index(channels->tables, node, in, out) * channels->n_layers;
}

static bool has(const struct hd_channels *channels, const struct hd_channel_edge *edge)
{
	return entry(channels, edge->node, edge->in, edge->out)[edge->from] >> edge->to & 1;
}

uint32_t hd_channels_source(const struct hd_channels *channels, const struct hd_channel_edge *edge)
{
	const struct hd_fabric *fabric = channels->tables->fabric;
	uint32_t port = fabric->ports[hd_port_index(fabric, edge->node, edge->in)].peer;

	return channels->link_of_port[port] * channels->n_layers + edge->from;
}

uint32_t hd_channels_target(const struct hd_channels *channels, const struct hd_channel_edge *edge)
{
	uint32_t port = hd_port_index(channels->tables->fabric, edge->node, edge->out);

	return channels->link_of_port[port] * channels->n_layers + edge->to;
}

static void set_bit(uint64_t *words, unsigned bit, bool value)
{
	const uint64_t mask = UINT64_C(1) << bit % 64;

	words[bit / 64] = value ? words[bit / 64] | mask : words[bit / 64] & ~mask;
}

/* Notes at both ends of @edge whether edges of the two links are there. */
static void note_ends(struct hd_channels *channels, const struct hd_channel_edge *edge)
{
	const size_t source = hd_channels_source(channels, edge);
	const size_t target = hd_channels_target(channels, edge);
	const uint16_t *next = entry(channels, edge->node, edge->in, edge->out);
	bool has_in = false;

	for (unsigned from = 0; from < channels->n_layers; from++)
		has_in |= next[from] >> edge->to & 1;
	set_bit(channels->outs + source * channels->n_words, edge->out, next[edge->from]);
	set_bit(channels->ins + target * channels->n_words, edge->in, has_in);
}

void hd_channels_add(struct hd_channels *channels, const struct hd_channel_edge *edge)
{
	/* most flows take ways of others */
	if (has(channels, edge))
		return;
	entry(channels, edge->node, edge->in, edge->out)[edge->from] |= (uint16_t)(1u << edge->to);
	note_ends(channels, edge);
}

void hd_channels_remove(struct hd_channels *channels, const struct hd_channel_edge *edge)
{
	entry(channels, edge->node, edge->in, edge->out)[edge->from] &=
		(uint16_t) ~(1u << edge->to);
	note_ends(channels, edge);
}

/* Called for every neighbour of a vertex. Returns false to end the calls. */
typedef bool (*visit_fn)(struct hd_channels *channels, uint32_t vertex, void *context);

/* The port of the lowest bit of @left, in word @w. */
static unsigned port_of(unsigned w, uint64_t left)
{
	return 64 * w + (unsigned)__builtin_ctzll(left);
}

static bool each_successor(struct hd_channels *channels, uint32_t vertex, visit_fn visit,
			   void *context)
{
	const struct hd_fabric *fabric = channels->tables->fabric;
	const uint64_t *outs = channels->outs + (size_t)vertex * channels->n_words;
	unsigned layer = vertex % channels->n_layers;
	uint32_t in = fabric->ports[channels->port_of_link[vertex / channels->n_layers]].peer;
	uint32_t node = fabric->ports[in].node;

	for (unsigned w = 0; w < channels->n_words; w++)
		for (uint64_t left = outs[w]; left; left &= left - 1) {
			const unsigned out = port_of(w, left);
			const uint32_t link =
				channels->link_of_port[hd_port_index(fabric, node, out)];
			unsigned bits = entry(channels, node, fabric->ports[in].number, out)[layer];

			for (; bits; bits &= bits - 1)
				if (!visit(channels,
					   link * channels->n_layers +
						   (unsigned)__builtin_ctz(bits),
					   context))
					return false;
		}
	return true;
}

static bool each_predecessor(struct hd_channels *channels, uint32_t vertex, visit_fn visit,
			     void *context)
{
	const struct hd_fabric *fabric = channels->tables->fabric;
	const uint64_t *ins = channels->ins + (size_t)vertex * channels->n_words;
	unsigned layer = vertex % channels->n_layers;
	uint32_t out = channels->port_of_link[vertex / channels->n_layers];
	uint32_t node = fabric->ports[out].node;

	for (unsigned w = 0; w < channels->n_words; w++)
		for (uint64_t left = ins[w]; left; left &= left - 1) {
			const unsigned in = port_of(w, left);
			const uint16_t *next = entry(channels, node, in, fabric->ports[out].number);
			const uint32_t peer = fabric->ports[hd_port_index(fabric, node, in)].peer;

			for (unsigned from = 0; from < channels->n_layers; from++)
				if (next[from] >> layer & 1 &&
				    !visit(channels,
					   channels->link_of_port[peer] * channels->n_layers + from,
					   context))
					return false;
		}
	return true;
}

static bool count_one(struct hd_channels *channels, uint32_t vertex, void *context)
{
	channels->mark[vertex]++;
	return true;
}

/*
 * Lowers the count of @vertex by one; when it reaches 0, the vertex is free, and goes on the stack.
 */
static bool uncount_one(struct hd_channels *channels, uint32_t vertex, void *context)
{
	uint32_t *n_stack = context;

	if (--channels->mark[vertex] == 0)
		channels->stack[(*n_stack)++] = vertex;
	return true;
}

static bool uncount_core(struct hd_channels *channels, uint32_t vertex, void *context)
{
	/* vertices that the first pass took have count 0 already, and are not counted again */
	return !channels->mark[vertex] || uncount_one(channels, vertex, context);
}

static bool count_core(struct hd_channels *channels, uint32_t vertex, void *context)
{
	const uint8_t *core = context;

	channels->mark[vertex] += core[vertex];
	return true;
}

/* Takes out of @core the vertices from which no cycle can be reached. */
static void trim_ends(struct hd_channels *channels, uint8_t *core)
{
	uint32_t n_stack = 0;

	memset(channels->mark, 0, channels->n_vertices * sizeof(*channels->mark));
	for (uint32_t v = 0; v < channels->n_vertices; v++)
		if (core[v])
			each_predecessor(channels, v, count_core, core);
	for (uint32_t v = 0; v < channels->n_vertices; v++)
		if (core[v] && !channels->mark[v])
			channels->stack[n_stack++] = v;
	while (n_stack) {
		uint32_t v = channels->stack[--n_stack];

		core[v] = 0;
		each_predecessor(channels, v, uncount_core, &n_stack);
	}
}

bool hd_channels_rank(struct hd_channels *channels, uint8_t *core)
{
	uint32_t n_stack = 0, n_ranked = 0;

	memset(channels->mark, 0, channels->n_vertices * sizeof(*channels->mark));
	memset(core, 1, channels->n_vertices);
	for (uint32_t v = 0; v < channels->n_vertices; v++)
		each_successor(channels, v, count_one, NULL);
	for (uint32_t v = channels->n_vertices; v-- > 0;)
		if (!channels->mark[v])
			channels->stack[n_stack++] = v;
	while (n_stack) {
		uint32_t v = channels->stack[--n_stack];

		core[v] = 0;
		channels->rank[v] = n_ranked;
		channels->vertex_at[n_ranked++] = v;
		each_successor(channels, v, uncount_one, &n_stack);
	}
	if (n_ranked < channels->n_vertices)
		trim_ends(channels, core);
	memset(channels->mark, 0, channels->n_vertices * sizeof(*channels->mark));
	channels->token = 0;
	return n_ranked == channels->n_vertices;
}

/* A search between two ranks. */
struct search {
	uint32_t lower, upper;
	uint32_t *found;
	uint32_t n_found, n_stack;
};

static void reach(struct hd_channels *channels, uint32_t vertex, struct search *search)
{
	if (channels->mark[vertex] == channels->token)
		return;
	channels->mark[vertex] = channels->token;
	search->found[search->n_found++] = vertex;
	channels->stack[search->n_stack++] = vertex;
}

static bool reach_forward(struct hd_channels *channels, uint32_t vertex, void *context)
{
	struct search *search = context;

	if (channels->rank[vertex] == search->upper)
		return false;
	if (channels->rank[vertex] < search->upper)
		reach(channels, vertex, search);
	return true;
}

static bool reach_backward(struct hd_channels *channels, uint32_t vertex, void *context)
{
	struct search *search = context;

	if (channels->rank[vertex] > search->lower)
		reach(channels, vertex, search);
	return true;
}

static void next_token(struct hd_channels *channels)
{
	if (++channels->token)
		return;
	memset(channels->mark, 0, channels->n_vertices * sizeof(*channels->mark));
	channels->token = 1;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Replaces vertices by their ranks, ascending. */
static void sort_ranks(const struct hd_channels *channels, uint32_t *vertices, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		vertices[i] = channels->rank[vertices[i]];
	if (n > FEW) {
		qsort(vertices, n, sizeof(*vertices), compare_numbers);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		const uint32_t rank = vertices[i];
		uint32_t at = i;

		for (; at && vertices[at - 1] > rank; at--)
			vertices[at] = vertices[at - 1];
		vertices[at] = rank;
	}
}

/*
 * Gives the vertices that lead to an edge's source and those that its target leads to their ranks
 * anew: the former get the lower ones, each part in its former order.
 */
static void reorder(struct hd_channels *channels, uint32_t n_before, uint32_t n_after)
{
	uint32_t *before = channels->backward, *after = channels->forward;
	uint32_t *vertices = channels->stack, i = 0, k = 0;

	sort_ranks(channels, before, n_before);
	sort_ranks(channels, after, n_after);
	for (uint32_t n = 0; n < n_before; n++)
		vertices[n] = channels->vertex_at[before[n]];
	for (uint32_t n = 0; n < n_after; n++)
		vertices[n_before + n] = channels->vertex_at[after[n]];
	for (uint32_t n = 0; n < n_before + n_after; n++) {
		bool first = k == n_after || (i < n_before && before[i] < after[k]);
		uint32_t rank = first ? before[i++] : after[k++];

		channels->rank[vertices[n]] = rank;
		channels->vertex_at[rank] = vertices[n];
	}
}

/*
 * Makes the ranks ascend from @source to @target. False: there is a way back, so that no ranks do.
 */
static bool insert(struct hd_channels *channels, uint32_t source, uint32_t target)
{
	struct search after = { .found = channels->forward }, before = { 0 };

	if (source == target)
		return false;
	if (channels->rank[source] < channels->rank[target])
		return true;
	after.lower = channels->rank[target];
	after.upper = channels->rank[source];
	next_token(channels);
	reach(channels, target, &after);
	while (after.n_stack)
		if (!each_successor(channels, channels->stack[--after.n_stack], reach_forward,
				    &after))
			return false;
	before = after;
	before.found = channels->backward;
	before.n_found = 0;
	reach(channels, source, &before);
	while (before.n_stack)
		each_predecessor(channels, channels->stack[--before.n_stack], reach_backward,
				 &before);
	reorder(channels, before.n_found, after.n_found);
	return true;
}

size_t hd_channels_count_new(const struct hd_channels *channels,
			     const struct hd_channel_edge *edges, size_t n)
{
	size_t n_new = 0;

	for (size_t i = 0; i < n; i++)
		n_new += !has(channels, &edges[i]);
	return n_new;
}

/* Whether one of @edges is known to close a cycle. */
static bool close_cycle(const struct hd_channels *channels, const struct hd_channel_edge *edges,
			size_t n)
{
	for (size_t i = 0; channels->closing && i < n; i++) {
		const size_t at = entry(channels, edges[i].node, edges[i].in, edges[i].out) -
				  channels->next + edges[i].from;

		/* those that are there close none: most are, and what they have is near */
		if (!(channels->next[at] >> edges[i].to & 1) &&
		    channels->closing[at] >> edges[i].to & 1)
			return true;
	}
	return false;
}

bool hd_channels_try(struct hd_channels *channels, struct hd_channel_edge *edges, size_t n)
{
	size_t i = 0, n_added = 0;

	if (close_cycle(channels, edges, n))
		return false;
	for (; i < n; i++) {
		edges[i].added = !has(channels, &edges[i]);
		if (!edges[i].added)
			continue;
		if (!insert(channels, hd_channels_source(channels, &edges[i]),
			    hd_channels_target(channels, &edges[i])))
			break;
		hd_channels_add(channels, &edges[i]);
		n_added++;
	}
	if (i == n)
		return true;
	if (channels->closing && !n_added)
		channels->closing[entry(channels, edges[i].node, edges[i].in, edges[i].out) -
				  channels->next + edges[i].from] |= (uint16_t)(1u << edges[i].to);
	while (i-- > 0)
		if (edges[i].added)
			hd_channels_remove(channels, &edges[i]);
	return false;
}
