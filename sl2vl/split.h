/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Splits flows over more lanes until no credit loop is left: what a layer rule's own argument no
 * longer covers once routes take detours, and what makes arbitrary routes free of credit loops.
 *
 * The rule's layering is kept wherever it is sound, so that an acyclic one comes back as it was.
 * Else the flows that no cycle can contain keep their classes, and the rest are added one by one,
 * short paths first, each in the first of these classes in which it closes no cycle (first fit, as
 * LASH does with layers: Skeie, Lysne and Theiss, 2002):
 *
 *	- its own,
 *	- one that an earlier flow was moved to,
 *	- a new one that stays on a layer, or is its own class shifted by some layers: those
 *	  that need no further layer first, then those that need one more, and so on.
 *
 * So SLs are spent before VLs, and no layer is used that a flow does not need. Channels of
 * different classes on one layer are one: the dependency graph has a vertex for each (link, layer).
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
 * Makes @layering, by which every flow of input->tables goes from source switch to destination,
 * free of credit loops within input->max_layers and input->max_classes. LFTs must be free of loops;
 * where they lead nowhere there is no flow. End nodes keep their layers: the links to and from them
 * are on no cycle, so a class that is added has the layers of the flow's former class there.
 * Layerings whose patterns differ between in-ports from end nodes are fine. @summary may be NULL.
 * Deterministic. HD_EREFUSED: the budget does not suffice, with the arithmetic; HD_ENOMEM.
 * @layering is to be cleared by the caller in any case.
 */
int hd_split_flows(const struct hd_layer_input *input, struct hd_layering *layering,
		   struct hd_split_summary *summary, struct hd_error *err);

#endif
