// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Two classes are enough if layers follow the order of groups. A packet never goes back to a lower
 * layer:
 *
 *     link                                     a packet that goes down, then up     any other
 *     local, before any global link                          0                          0
 *     global to a lower group, and local after it            1                          1
 *     global to a higher group, and local after it           2                          0
 *
 * so S < I < D is in layer 0 all the way, S > I > D in 1 from its first global link on, S < I > D
 * in 0 and then 1, and S > I < D in 1 and then 2, which takes a class of its own. In layers 0 and 2
 * packets visit groups in ascending order, in layer 1 in descending order, and in each group they
 * take local links before the global link out. So the channels have an order - by layer, group,
 * local before global - and there is no cycle as long as local links alone have none in a group.
 *
 * It is free of deadlock and no more: a packet on its first global link waits for one on its
 * second, which waits for one on its first, and so on through all groups in order. Above saturation
 * the hosts of each group get about half of what those of the next one get.
 */
#include "sl2vl/valiant.h"

enum colour { DOWN, UP };

static unsigned colour(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t to)
{
	(void)scheme;
	return to > from ? UP : DOWN;
}

static unsigned choose(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t via,
		       uint32_t to)
{
	(void)scheme;
	return via < from && via < to;
}

void hd_valiant_by_order(struct hd_valiant_scheme *scheme)
{
	*scheme = (struct hd_valiant_scheme){
		.n_layers = 3,
		.n_classes = 2,
		.n_colours = 2,
		.global = { [DOWN] = { 1, 1 }, [UP] = { 0, 2 } },
		.after = { [DOWN] = { 1, 1 }, [UP] = { 0, 2 } },
		.colour = colour,
		.choose = choose,
	};
}
