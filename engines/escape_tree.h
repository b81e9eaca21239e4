/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A spanning tree of the switches. With all turns between its links, any switch reaches any other
 * along the tree without a cycle, so packets can always take it. Flows that find no better path
 * make its links busy, so its branches are as even as its levels allow.
 */
#ifndef HD_ENGINES_ESCAPE_TREE_H
#define HD_ENGINES_ESCAPE_TREE_H

#include "engines/turns.h"

struct hd_escape_tree {
	uint32_t *position; /* [switch] in the order of levels, in each part of the fabric */
	uint32_t *parent;   /* [switch] the channel towards the root; HD_NONE at the root */
};

/*
 * A tree for each part of the fabric; @root is the root in its part. Clear also after an error.
 * HD_ENOMEM.
 */
int hd_escape_tree_init(struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
			uint32_t root, struct hd_error *err);
void hd_escape_tree_clear(struct hd_escape_tree *tree);

/* Adds all turns of @tree to @turns, whose ranks are by tree->position. */
void hd_escape_tree_take_turns(const struct hd_escape_tree *tree, struct hd_turns *turns);

/* towards[s] becomes the channel of the tree that leads from switch s to @last. */
void hd_escape_tree_point(const struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
			  uint32_t last, uint32_t *towards);

#endif
