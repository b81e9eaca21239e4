/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A spanning tree of the switches that packets can always fall back on: with all turns from one of
 * its links to the next, any switch reaches any other along it, without a cycle. Flows that find
 * nothing better make its links busy, so its branches are as even as its levels allow.
 */
#ifndef HD_ENGINES_ESCAPE_TREE_H
#define HD_ENGINES_ESCAPE_TREE_H

#include "engines/turns.h"

struct hd_escape_tree {
	uint32_t *position; /* [switch] in the order of levels; of each part of the fabric */
	uint32_t *parent;   /* [switch] the channel towards the root; HD_NONE at the root */
};

/* A tree for each part of the fabric, @root for its own. Clear also after an error. HD_ENOMEM. */
int hd_escape_tree_init(struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
			uint32_t root, struct hd_error *err);
void hd_escape_tree_clear(struct hd_escape_tree *tree);

/* Adds all turns of @tree to @turns, whose ranks are by tree->position. */
void hd_escape_tree_take_turns(const struct hd_escape_tree *tree, struct hd_turns *turns);

/* towards[s] becomes the channel of the tree that leads from switch s to @last. */
void hd_escape_tree_point(const struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
			  uint32_t last, uint32_t *towards);

#endif
