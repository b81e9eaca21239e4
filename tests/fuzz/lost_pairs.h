/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pairs of hosts of a small fabric that lose packets, by following each pair's packets from switch
 * to switch by LFTs and by rows, on SL 0. It shares no code with tables/ and change/.
 */
#ifndef HD_TESTS_LOST_PAIRS_H
#define HD_TESTS_LOST_PAIRS_H

#include "tests/fuzz/small_world.h"

/*
 * How many pairs of hosts @old and @new connect, and @now does not, by [switch of @graph], over
 * links that carry packets; those of @new over all links of @variant. *@for_links: those of them whose
 * packets would arrive if all links carried packets.
 */
unsigned lost_pairs(const struct mixture_graph *graph, const struct world_variant *variant,
		    const struct switch_state *old, const struct switch_state *new,
		    const struct switch_state *now, unsigned *for_links);

#endif
