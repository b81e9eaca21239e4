/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Splits flows over more layers until no credit loop is left. This makes arbitrary routes free of
 * credit loops, and also routes with detours, which a layer rule's own argument does not cover.
 *
 * An acyclic layering stays as it is. In another, the flows that can be on no cycle keep their
 * classes. The others are added one by one, short paths first; each gets the first of these classes
 * in which it closes no cycle (first fit, as LASH does with layers: Skeie, Lysne and Theiss, 2002):
 *
 *	- its own,
 *	- one that an earlier flow was moved to,
 *	- a new one that stays on a layer, or is its own class shifted by some layers: those
 *	  that need no further layer first, then those that need one more, and so on,
 *	- with any_class of @input, where no class is left to make: another one of the rule's.
 *
 * So SLs are used up before VLs, and every layer in use is needed. Classes that share a layer share
 * its channels: the dependency graph has a vertex for each (link, layer).
 */
#ifndef HD_SL2VL_SPLIT_H
#define HD_SL2VL_SPLIT_H

#include "sl2vl/lanes.h"

/* What hd_split_flows() did. */
struct hd_split_summary {
	unsigned added_layers, added_classes;
	uint64_t n_flows; /* pairs of a source switch and a destination LID that changed class */
};

/*
 * Makes @layering, which has a class for every flow of input->tables, free of credit loops within
 * input->max_layers and input->max_classes. LFTs must be free of forwarding loops; an entry that
 * leads nowhere makes no flow. Links to and from end nodes are on no cycle, so an added class has
 * the layers of the flow's former class there. Patterns may differ between in-ports from end nodes.
 * @summary may be NULL. Deterministic. HD_EREFUSED: too few layers or classes, with the arithmetic;
 * HD_ENOMEM. The caller clears @layering, also after an error.
 */
int hd_split_flows(const struct hd_layer_input *input, struct hd_layering *layering,
		   struct hd_split_summary *summary, struct hd_error *err);

#endif
