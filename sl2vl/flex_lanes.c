// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lanes of dragonflies that may all be used at once.
 *
 * Minimal routes. Order channels by lane, on each lane local links before global ones. A flow that
 * takes local links on lane x, global ones on y and local ones after that on z goes up in this
 * order if x <= y < z. So classes may have any such lanes, all flows together have no cycle, and
 * any lane may be used: 0 by a first local link, the highest by a global one after which no local
 * link comes. Nothing follows a terminal link, so its lane is free.
 *
 * Routes through another group. A lane is for links to higher groups (even lanes) or to lower ones
 * (odd lanes), and the local links after them. Order channels by lane, on each lane by group, in
 * the direction of the lane, and in a group local links before global ones. A flow goes up in this
 * order if its lane never falls, and so rises whenever the direction changes. A first local link
 * belongs to no direction: it may have the lane of the global link that follows or any below.
 */
#include <string.h>

#include "sl2vl/flex_classes.h"

/* Which classes have lane(@a) + @gap <= lane(@b). */
static uint16_t ascending(const struct hd_layering *layering, unsigned a, unsigned b, unsigned gap)
{
	uint16_t classes = 0;

	for (unsigned c = 0; c < layering->n_classes; c++)
		if (layering->patterns[a][c] + gap <= layering->patterns[b][c])
			classes |= (uint16_t)(1u << c);
	return classes;
}

static void allow_terminal(struct hd_layering *layering, struct hd_flex_scheme *scheme)
{
	const uint16_t all = (uint16_t)((1u << layering->n_classes) - 1);

	for (unsigned stage = 0; stage < HD_FLEX_STAGES; stage++)
		scheme->allowed[stage][HD_FLEX_TERMINAL] = all;
	for (unsigned c = 0; c < layering->n_classes; c++) {
		layering->host_layer[c] = (uint8_t)(c % layering->n_layers);
		layering->patterns[HD_FLEX_TERMINAL][c] = (uint8_t)(c % layering->n_layers);
	}
}

static void set_minimal(struct hd_layering *layering, unsigned class, unsigned first,
			unsigned global, unsigned last)
{
	layering->patterns[HD_FLEX_FIRST][class] = (uint8_t)first;
	layering->patterns[HD_FLEX_GLOBAL][class] = (uint8_t)global;
	layering->patterns[HD_FLEX_LAST][class] = (uint8_t)last;
}

/*
 * First local links take the lower half of the lanes, last ones the upper half, and a lane in the
 * middle belongs to both; global links take all: the highest in classes for flows without a last
 * local link, the others in turns.
 */
void hd_flex_minimal_lanes(struct hd_layering *layering, struct hd_flex_scheme *scheme)
{
	const unsigned n = layering->n_classes, lanes = layering->n_layers;
	const unsigned n_low = (lanes + 1) / 2, first_high = lanes / 2;
	const unsigned n_top = n == 1 ? 0 : n < lanes ? 1 : n / lanes, n_through = n - n_top;
	unsigned low = 0, high = 0;

	for (unsigned c = 0; c < n_through; c++) {
		unsigned global = c * (lanes - 1) / n_through;

		set_minimal(layering, c, global < n_low ? global : low++ % n_low, global,
			    global + 1 < first_high ? first_high + high++ % n_low : global + 1);
	}
	for (unsigned c = n_through; c < n; c++)
		set_minimal(layering, c, low++ % n_low, lanes - 1, lanes - 1);
	allow_terminal(layering, scheme);
	scheme->allowed[HD_FLEX_FIRST][HD_FLEX_GLOBAL] =
		ascending(layering, HD_FLEX_FIRST, HD_FLEX_GLOBAL, 0);
	scheme->allowed[HD_FLEX_GLOBAL][HD_FLEX_LAST] =
		ascending(layering, HD_FLEX_GLOBAL, HD_FLEX_LAST, 1);
}

/* The pairs of lanes (down, up) of one order that there are. */
struct pairs {
	unsigned n;
	uint8_t down[HD_MAX_VLS * HD_MAX_VLS], up[HD_MAX_VLS * HD_MAX_VLS];
};

static void list_pairs(unsigned lanes, bool up_first, struct pairs *pairs)
{
	pairs->n = 0;
	for (unsigned up = 0; up < lanes; up += 2)
		for (unsigned down = 1; down < lanes; down += 2)
			if ((up < down) == up_first) {
				pairs->down[pairs->n] = (uint8_t)down;
				pairs->up[pairs->n++] = (uint8_t)up;
			}
}

/* Takes @n of @pairs, evenly, as the classes from @class on. */
static void take_pairs(const struct pairs *pairs, unsigned n, unsigned class,
		       struct hd_layering *layering)
{
	for (unsigned i = 0; i < n; i++, class ++) {
		unsigned down = pairs->down[i * pairs->n / n], up = pairs->up[i * pairs->n / n];

		layering->patterns[HD_FLEX_FIRST][class] =
			(uint8_t)(i % ((down < up ? down : up) + 1));
		layering->patterns[HD_FLEX_DOWN][class] = (uint8_t)down;
		layering->patterns[HD_FLEX_UP][class] = (uint8_t)up;
	}
}

void hd_flex_valiant_lanes(struct hd_layering *layering, struct hd_flex_scheme *scheme)
{
	struct pairs up_first, down_first;
	unsigned n = layering->n_classes, n_down;

	list_pairs(layering->n_layers, true, &up_first);
	list_pairs(layering->n_layers, false, &down_first);
	if (n > up_first.n + down_first.n)
		n = layering->n_classes = up_first.n + down_first.n;
	n_down = down_first.n < n / 2 ? down_first.n : n / 2;
	if (n - n_down > up_first.n)
		n_down = n - up_first.n;
	take_pairs(&up_first, n - n_down, 0, layering);
	take_pairs(&down_first, n_down, n - n_down, layering);
	allow_terminal(layering, scheme);
	for (unsigned to = HD_FLEX_DOWN; to <= HD_FLEX_UP; to++)
		for (unsigned from = HD_FLEX_FIRST; from <= HD_FLEX_UP; from++)
			scheme->allowed[from][to] = ascending(layering, from, to, 0);
}
