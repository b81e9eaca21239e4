// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/region_mix.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_region_worker_init(struct hd_region_worker *worker, const struct hd_check_network *network,
			  uint32_t most_nodes, struct hd_error *err)
{
	const size_t n = most_nodes + (size_t)1;

	*worker = (struct hd_region_worker){ .n_seen = 0 };
	worker->number = malloc((network->fabric->n_switches + (size_t)1) * sizeof(uint32_t));
	worker->reached = malloc(n * sizeof(*worker->reached));
	worker->waiting = malloc(n * sizeof(*worker->waiting));
	worker->order = malloc(n * sizeof(*worker->order));
	worker->first_way = malloc(n * sizeof(*worker->first_way));
	worker->ways = malloc(2 * n * sizeof(*worker->ways));
	worker->words = malloc(2 * n * network->n_words * sizeof(*worker->words));
	return worker->number && worker->reached && worker->waiting && worker->order &&
			       worker->first_way && worker->ways && worker->words
		       ? 0
		       : hd_error_nomem(err);
}

void hd_region_worker_clear(struct hd_region_worker *worker)
{
	free(worker->seen);
	free(worker->number);
	free(worker->reached);
	free(worker->waiting);
	free(worker->order);
	free(worker->first_way);
	free(worker->ways);
	free(worker->words);
	*worker = (struct hd_region_worker){ .n_seen = 0 };
}

/* What follows one LID. */
struct following {
	const struct hd_region_mix *mix;
	const struct hd_check_network *network;
	const struct hd_region *region;
	const struct hd_region_store *store;
	struct hd_region_worker *worker;
	uint16_t lid;
};

static const struct hd_region_node *node_at(const struct following *f, uint32_t i)
{
	return &f->store->nodes[f->region->first_node + i];
}

/*
 * A way by @port of node @i, its @j-th; none by ports that it does not have, nor one of it twice.
 */
static void set_way(const struct following *f, uint32_t i, unsigned j, unsigned port)
{
	const struct hd_check_network *network = f->network;
	struct hd_region_way *way = &f->worker->ways[2 * i + j];
	const uint32_t s = node_at(f, i)->s;
	struct hd_far_end end = { .node = HD_NONE };

	if (port <= network->fabric->nodes[s].n_ports && (!j || way[-1].port != port))
		end = network->far_end[hd_port_index(network->fabric, s, port)];
	*way = (struct hd_region_way){ .port = (uint8_t)port,
				       .in = (uint8_t)end.in,
				       .target = HD_NONE };
	if (end.node != HD_NONE)
		way->target = f->worker->number[end.node];
}

/* Sets all ways. */
static void set_ways(const struct following *f)
{
	struct hd_region_worker *worker = f->worker;
	const struct hd_region_ground *ground = f->mix->ground;
	/* the nodes that change are the first, in this order */
	const struct hd_region_change *changes = ground->changes + ground->first_change[f->lid];
	const uint32_t n = f->region->n_nodes;

	for (uint32_t i = 0; i < n; i++)
		worker->number[node_at(f, i)->s] = i;
	for (uint32_t i = 0; i < n; i++) {
		const struct hd_region_node *node = node_at(f, i);

		set_way(f, i, 0, node->changes ? f->mix->a->entry[changes[i].place] : node->out);
		set_way(f, i, 1, node->changes ? f->mix->b->entry[changes[i].place] : node->out);
		worker->waiting[i] = 0;
		worker->first_way[i] = HD_NONE;
	}
	memset(worker->words, 0, 2 * n * (size_t)f->network->n_words * sizeof(*worker->words));
}

/* Puts the switches that packets get to in order, each behind all that lead to it; false: there are
 * circles. */
static bool order_nodes(const struct following *f)
{
	struct hd_region_worker *worker = f->worker;
	uint32_t n_reached = 0, n = 0;

	for (uint32_t i = 0; i < f->region->n_nodes; i++) {
		worker->reached[i] = node_at(f, i)->reached;
		if (worker->reached[i])
			worker->order[n_reached++] = i;
	}
	for (uint32_t k = 0; k < n_reached; k++)
		for (uint32_t e = 2 * worker->order[k]; e < 2 * worker->order[k] + 2; e++) {
			const uint32_t target = worker->ways[e].target;

			if (target == HD_NONE)
				continue;
			worker->waiting[target]++;
			worker->ways[e].next = worker->first_way[target];
			worker->first_way[target] = e;
			if (worker->reached[target])
				continue;
			worker->reached[target] = true;
			worker->order[n_reached++] = target;
		}
	for (uint32_t i = 0; i < f->region->n_nodes; i++)
		if (worker->reached[i] && !worker->waiting[i])
			worker->order[n++] = i;
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t e = 2 * worker->order[k]; e < 2 * worker->order[k] + 2; e++) {
			const uint32_t target = worker->ways[e].target;

			if (target != HD_NONE && --worker->waiting[target] == 0)
				worker->order[n++] = target;
		}
	worker->n_order = n;
	return n == n_reached;
}

/* Adds @states, of packets that come in by @in and leave by @port, to what was seen. */
static void see(const struct following *f, size_t row, uint32_t port, unsigned in,
		const uint64_t *states)
{
	struct hd_region_worker *worker = f->worker;
	const size_t n_words = f->network->n_words;
	uint64_t known[HD_STATE_WORDS] = { 0 };

	if (!f->mix->ground->row_changes[row])
		hd_usage_read(f->mix->known, row, known);
	for (size_t word = row * n_words; word < (row + 1) * n_words; word++) {
		const size_t w = word - row * n_words;
		const uint64_t bits = states[w] & ~known[w];
		uint64_t *added = &f->mix->added[word];

		if (!(bits & ~__atomic_load_n(added, __ATOMIC_RELAXED)) ||
		    __atomic_fetch_or(added, bits, __ATOMIC_RELAXED))
			continue;
		if (worker->n_seen == worker->capacity) {
			const size_t capacity = 2 * worker->capacity + 1024;
			void *seen = realloc(worker->seen, capacity * sizeof(*worker->seen));

			worker->no_memory |= !seen;
			if (!seen)
				return;
			worker->seen = seen;
			worker->capacity = capacity;
		}
		worker->seen[worker->n_seen++] = (struct hd_region_sight){ word, port, in };
	}
}

/* Packets with @sls and @states that come in by @in of @s go on by way @e. */
static void pass(const struct following *f, uint32_t s, unsigned in, unsigned sls,
		 const uint64_t *states, uint32_t e)
{
	const struct hd_check_network *network = f->network;
	struct hd_region_way *way = &f->worker->ways[e];
	const size_t row = hd_sl2vl_index(network->tables, s, in, way->port);

	if (!sls)
		return;
	see(f, row, hd_port_index(network->fabric, s, way->port), in, states);
	way->sls |= (uint16_t)hd_state_forward(
		network, hd_pattern_masks(network, network->pattern[row]), sls,
		f->worker->words + (size_t)e * network->n_words);
}

/* Packets of a group of sources of @s go by way @e. */
static void inject(const struct following *f, uint32_t s, const struct hd_region_input *input,
		   uint32_t e)
{
	const struct hd_check_network *network = f->network;
	const struct hd_source_group *group = &network->groups[input->in];
	const struct hd_lid *lid = &network->fabric->lids[f->lid];
	struct hd_region_way *way = &f->worker->ways[e];
	uint64_t *words = f->worker->words + (size_t)e * network->n_words;
	const uint32_t port = hd_port_index(network->fabric, s, way->port);

	if (s == lid->via_switch || f->mix->ground->source_changes[port])
		way->sls |= (uint16_t)hd_region_inject(network, group, s, way->port, input->sls,
						       lid->port, words);
	else
		way->sls |= (uint16_t)hd_state_forward(
			network,
			hd_pattern_masks(network, network->inject[group->outs + way->port]),
			input->sls, words);
}

/* All that comes to node @i goes on by way @e. */
static void forward(const struct following *f, uint32_t i, uint32_t e)
{
	const struct hd_region_node *node = node_at(f, i);
	const size_t n_words = f->network->n_words;
	struct hd_region_worker *worker = f->worker;
	struct hd_region_way *way = &worker->ways[e];

	if (way->target == HD_NONE)
		return;
	if (!node->changes) {
		const uint64_t *words =
			f->store->node_words + (f->region->first_node + (size_t)i) * n_words;

		way->sls |= node->sls;
		for (size_t w = 0; w < n_words; w++)
			worker->words[e * n_words + w] |= words[w];
	}
	for (uint32_t k = node->first_input; k < node->first_input + node->n_inputs; k++) {
		const struct hd_region_input *input = &f->store->inputs[k];

		if (input->is_group)
			inject(f, node->s, input, e);
		else
			pass(f, node->s, input->in, input->sls, f->store->input_words + k * n_words,
			     e);
	}
	for (uint32_t from = worker->first_way[i]; from != HD_NONE; from = worker->ways[from].next)
		pass(f, node->s, worker->ways[from].in, worker->ways[from].sls,
		     worker->words + from * n_words, e);
}

bool hd_region_follow(const struct hd_region_mix *mix, const struct hd_region *region,
		      const struct hd_region_store *store, uint16_t lid,
		      struct hd_region_worker *worker)
{
	const struct following f = { .mix = mix,
				     .network = mix->ground->network,
				     .region = region,
				     .store = store,
				     .worker = worker,
				     .lid = lid };

	set_ways(&f);
	if (!order_nodes(&f))
		return false;
	for (uint32_t k = 0; k < worker->n_order; k++) {
		forward(&f, worker->order[k], 2 * worker->order[k]);
		forward(&f, worker->order[k], 2 * worker->order[k] + 1);
	}
	return true;
}
