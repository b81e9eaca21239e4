// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/flow_turns.h"

#include <stdlib.h>
#include <string.h>

#include "sl2vl/lid_columns.h"
#include "support/error.h"
#include "support/find_byte.h"
#include "support/transpose.h"

#define TREES HD_FIND_BYTES /* destinations at once: those of following columns */

/* A flow class with the layer that it has on a link. */
struct state {
	uint8_t class, layer;
};

/* Trees whose packets take one link. */
struct step {
	uint64_t trees;
	uint32_t port; /* of the switch that the link leaves */
};

struct turns {
	const struct hd_flow_paths *paths;
	const struct hd_layering *layering;
	const struct hd_fabric *fabric;
	struct hd_channels *channels;

	unsigned n_states; /* that some pattern has */
	struct state *states;
	uint8_t place[HD_MAX_SLS][HD_MAX_SLS]; /* [class][layer] in states[] */

	/* Of the trees that are followed together. */
	unsigned n;
	uint16_t lids[TREES];
	uint64_t of_class[HD_MAX_SLS]; /* where classes depend on destinations alone */
	uint8_t *next;                 /* [switch * TREES + tree] LFT entry */
	uint64_t *roots;               /* [switch] trees that it is the root of */
	uint64_t *sends;               /* [port] trees for which its switch forwards by it */
	uint8_t *outs, *ins;           /* [port] the switch's ports with trees: out, in */
	uint8_t *n_outs, *n_ins;       /* [switch] */
	uint64_t *fresh;               /* [switch] trees for which a way from it was just found */
	uint32_t *queue;               /* switches with some: a ring */
	struct step *steps;            /* each behind the next on the way to the root */
	size_t n_steps;
	uint64_t *through; /* [switch * n_states + state] trees whose packets come from other
			      switches, and leave in that state */
};

static int prepare(struct turns *turns, struct hd_error *err)
{
	const size_t n = turns->fabric->n_switches + (size_t)1;
	const size_t n_ports = turns->fabric->n_ports + (size_t)1;

	turns->next = malloc(n * TREES);
	turns->roots = calloc(n, sizeof(*turns->roots));
	turns->sends = calloc(n_ports, sizeof(*turns->sends));
	turns->outs = malloc(n_ports);
	turns->ins = malloc(n_ports);
	turns->n_outs = calloc(n, 1);
	turns->n_ins = calloc(n, 1);
	turns->fresh = calloc(n, sizeof(*turns->fresh));
	turns->queue = malloc(n * sizeof(*turns->queue));
	turns->steps = malloc(n * TREES * sizeof(*turns->steps));
	turns->through = malloc(n * turns->n_states * sizeof(*turns->through));
	return turns->next && turns->roots && turns->sends && turns->outs && turns->ins &&
			       turns->n_outs && turns->n_ins && turns->fresh && turns->queue &&
			       turns->steps && turns->through
		       ? 0
		       : hd_error_nomem(err);
}

static void release(struct turns *turns)
{
	free(turns->next);
	free(turns->roots);
	free(turns->sends);
	free(turns->outs);
	free(turns->ins);
	free(turns->n_outs);
	free(turns->n_ins);
	free(turns->fresh);
	free(turns->queue);
	free(turns->steps);
	free(turns->through);
}

static void list_states(struct turns *turns)
{
	const struct hd_layering *layering = turns->layering;
	bool has[HD_MAX_SLS][HD_MAX_SLS] = { { false } };

	for (unsigned p = 0; p < layering->n_patterns; p++)
		for (unsigned class = 0; class < layering->n_classes; class ++)
			has[class][layering->patterns[p][class]] = true;
	for (unsigned class = 0; class < layering->n_classes; class ++)
		for (unsigned layer = 0; layer < HD_MAX_SLS; layer++) {
			if (!has[class][layer])
				continue;
			turns->place[class][layer] = (uint8_t)turns->n_states;
			turns->states[turns->n_states++] =
				(struct state){ (uint8_t) class, (uint8_t)layer };
		}
}

static inline unsigned first_of(uint64_t trees)
{
	return (unsigned)__builtin_ctzll(trees);
}

/* Begins with the trees of @n columns from @first on. */
static void begin(struct turns *turns, const struct hd_lid_columns *columns, uint32_t first,
		  unsigned n, const uint8_t *entries)
{
	const struct hd_layering *layering = turns->layering;
	const size_t n_switches = turns->fabric->n_switches;

	turns->n = n;
	turns->n_steps = 0;
	hd_transpose(entries + first * n_switches, n_switches, n, n_switches, turns->next, TREES);
	memset(turns->of_class, 0, sizeof(turns->of_class));
	memset(turns->through, 0, n_switches * turns->n_states * sizeof(*turns->through));
	for (unsigned k = 0; k < n; k++) {
		const uint16_t lid = columns->lids[columns->first[first + k]];
		const unsigned class = layering->class_of && layering->by_destination
					       ? layering->class_of[lid]
					       : 0;

		turns->lids[k] = lid;
		turns->of_class[class] |= UINT64_C(1) << k;
		turns->roots[turns->fabric->lids[lid].via_switch] |= UINT64_C(1) << k;
	}
}

/* Sorts the trees by the ports by which @s forwards. */
static void sort_switch(struct turns *turns, uint32_t s)
{
	const struct hd_node *node = &turns->fabric->nodes[s];
	const uint8_t *next = turns->next + s * (size_t)TREES;
	const uint64_t all = UINT64_MAX >> (TREES - turns->n);

	for (uint64_t left = all & ~turns->roots[s], same; left; left &= ~same) {
		const uint8_t out = next[first_of(left)];
		const uint32_t port = node->first_port + out;
		const struct hd_flow_link *link;

		same = left & hd_find_byte(next, out);
		if (out == 0 || out > node->n_ports)
			continue;
		link = &turns->paths->links[port];
		if (link->node == HD_NONE)
			continue;
		turns->sends[port] = same;
		turns->outs[node->first_port + turns->n_outs[s]++] = out;
		turns->ins[turns->fabric->nodes[link->node].first_port +
			   turns->n_ins[link->node]++] = link->in;
	}
}

/*
 * Lists the steps from the roots on, so that ways that lead nowhere, or in a circle, are in none.
 * Switches that are found at the same time are looked at together.
 */
static void list_steps(struct turns *turns)
{
	const struct hd_fabric *fabric = turns->fabric;
	const uint32_t n = fabric->n_switches;
	uint32_t first = 0, n_queued = 0;

	hd_for_each_switch(s, fabric) {
		turns->fresh[s] = turns->roots[s];
		if (turns->fresh[s])
			turns->queue[n_queued++] = s;
	}
	while (n_queued) {
		const uint32_t s = turns->queue[first];
		const uint64_t trees = turns->fresh[s];
		const uint32_t first_port = fabric->nodes[s].first_port;

		first = first + 1 == n ? 0 : first + 1;
		n_queued--;
		turns->fresh[s] = 0;
		for (unsigned i = 0; i < turns->n_ins[s]; i++) {
			const uint32_t port =
				fabric->ports[first_port + turns->ins[first_port + i]].peer;
			const uint32_t from = fabric->ports[port].node;
			const uint64_t more = turns->sends[port] & trees;

			if (!more)
				continue;
			turns->steps[turns->n_steps++] = (struct step){ more, port };
			if (!turns->fresh[from])
				turns->queue[(first + n_queued++) % n] = from;
			turns->fresh[from] |= more;
		}
	}
}

/* Sorts @trees by the classes of flows from @s. */
static void sort_classes(const struct turns *turns, uint32_t s, uint64_t trees, uint64_t *of_class)
{
	const struct hd_layering *layering = turns->layering;
	const uint8_t *classes;

	if (!layering->class_of || layering->by_destination) {
		for (unsigned class = 0; class < layering->n_classes; class ++)
			of_class[class] = turns->of_class[class] & trees;
		return;
	}
	memset(of_class, 0, layering->n_classes * sizeof(*of_class));
	classes = layering->class_of + s * turns->paths->tables->lft_stride;
	for (; trees; trees &= trees - 1)
		of_class[classes[turns->lids[first_of(trees)]]] |= trees & -trees;
}

/* Adds flows that begin at @s with @pattern at their first link. */
static void inject(const struct turns *turns, unsigned pattern, const uint64_t *of_class,
		   uint64_t *link)
{
	const struct hd_layering *layering = turns->layering;

	for (unsigned class = 0; class < layering->n_classes; class ++)
		link[turns->place[class][layering->patterns[pattern][class]]] |= of_class[class];
}

/* Fills @link, [state], with the trees of @step whose packets take its link in that state. */
static void load_link(const struct turns *turns, const struct step *step, uint64_t *link)
{
	const struct hd_flow_paths *paths = turns->paths;
	const struct hd_flow_link *first = &paths->links[step->port];
	const uint32_t s = turns->fabric->ports[step->port].node;
	const uint64_t *through = turns->through + s * (size_t)turns->n_states;
	uint64_t of_class[HD_MAX_SLS];

	for (unsigned i = 0; i < turns->n_states; i++)
		link[i] = through[i] & step->trees;
	if (!hd_flow_begins(paths, s))
		return;
	sort_classes(turns, s, step->trees, of_class);
	if (first->is_alike) {
		inject(turns, first->pattern, of_class, link);
		return;
	}
	for (uint32_t i = paths->first_injecting[s]; i < paths->first_injecting[s + 1]; i++)
		inject(turns,
		       hd_flow_pattern(paths, s, paths->injecting[i],
				       turns->fabric->ports[step->port].number),
		       of_class, link);
}

/* Packets to @trees come into @s by @in with the states @link, and leave by @out. */
static void turn(struct turns *turns, uint32_t s, uint8_t in, uint8_t out, uint64_t trees,
		 const uint64_t *link)
{
	const uint8_t *layers =
		turns->layering->patterns[hd_flow_pattern(turns->paths, s, in, out)];
	uint64_t *through = turns->through + s * (size_t)turns->n_states;

	for (unsigned i = 0; i < turns->n_states; i++) {
		const struct state *state = &turns->states[i];
		const struct hd_channel_edge edge = {
			.node = s,
			.in = in,
			.out = out,
			.from = state->layer,
			.to = layers[state->class],
		};

		if (!(link[i] & trees))
			continue;
		hd_channels_add(turns->channels, &edge);
		through[turns->place[state->class][edge.to]] |= link[i] & trees;
	}
}

/* Takes all packets of @step over its link. All that come to the link have been taken there. */
static void take(struct turns *turns, const struct step *step)
{
	const struct hd_flow_link *way = &turns->paths->links[step->port];
	const uint32_t first_port = turns->fabric->nodes[way->node].first_port;
	uint64_t link[HD_MAX_SLS * HD_MAX_SLS];
	uint64_t left = step->trees & ~turns->roots[way->node];

	if (!left)
		return;
	load_link(turns, step, link);
	for (unsigned i = 0; left && i < turns->n_outs[way->node]; i++) {
		const uint8_t out = turns->outs[first_port + i];
		const uint64_t here = turns->sends[first_port + out] & left;

		if (here)
			turn(turns, way->node, way->in, out, here, link);
		left &= ~here;
	}
}

/* Leaves everything as the next trees need it. */
static void end(struct turns *turns)
{
	hd_for_each_switch(s, turns->fabric) {
		const size_t first = turns->fabric->nodes[s].first_port;

		for (unsigned i = 0; i < turns->n_outs[s]; i++)
			turns->sends[first + turns->outs[first + i]] = 0;
		turns->n_outs[s] = turns->n_ins[s] = 0;
		turns->roots[s] = 0;
	}
}

int hd_flow_turns_add(const struct hd_flow_paths *paths, const struct hd_lid_columns *columns,
		      const uint8_t *entries, struct hd_channels *channels, struct hd_error *err)
{
	struct state states[HD_MAX_SLS * HD_MAX_SLS];
	struct turns turns = { .paths = paths,
			       .layering = paths->layering,
			       .fabric = paths->tables->fabric,
			       .channels = channels,
			       .states = states };
	int ret;

	list_states(&turns);
	ret = prepare(&turns, err);
	for (uint32_t c = 0; !ret && c < columns->n; c += TREES) {
		const uint32_t left = columns->n - c;

		begin(&turns, columns, c, left < TREES ? left : TREES, entries);
		hd_for_each_switch(s, turns.fabric)
			sort_switch(&turns, s);
		list_steps(&turns);
		for (size_t i = turns.n_steps; i-- > 0;)
			take(&turns, &turns.steps[i]);
		end(&turns);
	}
	release(&turns);
	return ret;
}
