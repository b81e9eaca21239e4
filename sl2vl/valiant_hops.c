// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layers by the global links that a packet has passed:
 *
 *     link                                 layer
 *     local, before any global link          0
 *     first global link                      0
 *     local, after it                        1
 *     second global link                     1
 *     local, after it                        2
 *
 * Channels in the order of this table have no cycle, whatever the routes, and a packet waits behind
 * such as are further on alone: for four others at most, one after the other. Later links have
 * longer turns, so that what is under way makes room for what is not yet.
 *
 * Which global link is a packet's first? In a class, each colour is that of first links or that of
 * second links. So a flow from S through I to D needs a class in which the colour of S-I is first
 * and that of I-D is second. Groups have different sets of n/2 of n colours, and a link from A to B
 * has a colour that A has and B has not: then the colours of S-I and I-D differ, since I has one of
 * them and not the other. Each colour is second in a set of classes; these sets, too, are different
 * and of equal size, so that for any two colours there is a class in which one is first and the
 * other second. Sets of half of 5, 6 or 10 colours are enough for 10, 20 or 252 groups, and sets of
 * half of 4 or 5 classes for 6 or 10 colours.
 */
#include <stdlib.h>

#include "sl2vl/valiant.h"
#include "vlarb/vlarb.h"
#include "support/error.h"

/* The number of sets of @size of @n things; @enough if there are more. */
static uint32_t count_sets(unsigned n, unsigned size, uint32_t enough)
{
	uint64_t sets = 1;

	for (unsigned i = 1; i <= size; i++)
		sets = sets * (n - size + i) / i;
	return sets < enough ? (uint32_t)sets : enough;
}

/* The least n of which there are @n_sets sets of half of n. */
static unsigned things_for(uint32_t n_sets)
{
	unsigned n = 1;

	while (count_sets(n, n / 2, n_sets) < n_sets)
		n++;
	return n;
}

/* The next set with as many members. */
static uint32_t next_set(uint32_t set)
{
	uint32_t lowest = set & -set, up = set + lowest;

	return lowest ? up | ((set ^ up) / lowest >> 2) : 0;
}

static unsigned colour(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t to)
{
	return (unsigned)__builtin_ctz(scheme->colours[from] & ~scheme->colours[to]);
}

static unsigned choose(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t via,
		       uint32_t to)
{
	unsigned first;

	if (via == from || via == to) {
		first = colour(scheme, from, to);
		return scheme->class_for[first][first];
	}
	first = colour(scheme, from, via);
	return scheme->class_for[first][colour(scheme, via, to)];
}

static void set_layers(struct hd_valiant_scheme *scheme)
{
	uint32_t second = (1u << scheme->n_classes / 2) - 1;

	for (unsigned c = 0; c < scheme->n_colours; c++, second = next_set(second))
		for (unsigned class = 0; class < scheme->n_classes; class ++) {
			scheme->global[c][class] = second >> class & 1;
			scheme->after[c][class] = scheme->global[c][class] + 1;
		}
}

/*
 * The first class in which @first is a colour of first links, and @second, where it is another
 * colour, one of second links.
 */
static unsigned class_for(const struct hd_valiant_scheme *scheme, unsigned first, unsigned second)
{
	unsigned class = 0;

	while (scheme->global[first][class] || (second != first && !scheme->global[second][class]))
		class ++;
	return class;
}

int hd_valiant_by_hops(uint32_t n_groups, struct hd_valiant_scheme *scheme, struct hd_error *err)
{
	uint32_t set;

	*scheme = (struct hd_valiant_scheme){
		.n_layers = 3,
		.n_colours = things_for(n_groups < 2 ? 2 : n_groups),
		.turns = { 1, HD_VLARB_MOST_PACKETS, HD_VLARB_MOST_PACKETS },
		.colour = colour,
		.choose = choose,
	};
	scheme->n_classes = things_for(scheme->n_colours);
	scheme->colours = malloc((n_groups + (size_t)1) * sizeof(*scheme->colours));
	if (!scheme->colours)
		return hd_error_nomem(err);
	set = (1u << scheme->n_colours / 2) - 1;
	for (uint32_t group = 0; group < n_groups; group++, set = next_set(set))
		scheme->colours[group] = set;
	set_layers(scheme);
	for (unsigned first = 0; first < scheme->n_colours; first++)
		for (unsigned second = 0; second < scheme->n_colours; second++)
			scheme->class_for[first][second] =
				(uint8_t)class_for(scheme, first, second);
	return 0;
}
