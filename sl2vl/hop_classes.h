/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Flow classes that tell a switch how far a packet has come, for layer rule `hop`.
 *
 * A switch sees in-port, out-port and SL. Flows that pass one (switch, in, out) at different hops
 * need different classes; within a class, every (switch, in, out) has one hop.
 */
#ifndef HD_SL2VL_HOP_CLASSES_H
#define HD_SL2VL_HOP_CLASSES_H

#include "sl2vl/lanes.h"

struct hd_hop_classes {
	unsigned longest; /* links between switches on the longest path */
	unsigned n_classes;
	/*
	 * Indexed as tables->sl2vl, switches only: nibble c (bits 4c .. 4c + 3) is the hop at which
	 * flows of class c go from in to out, counted from 0 at the first switch; also 0 if no flow
	 * of the class makes this turn after its first switch.
	 */
	uint64_t *hops;
	uint8_t *class_of; /* as in struct hd_layering */
};

/*
 * Classes for all flows of input->tables, from source switch to destination LID. Flows that the
 * LFTs do not lead to the destination get class 0. Clear also after an error. Deterministic.
 * HD_EREFUSED: a path has more hops than max_layers, or max_classes is too small; HD_ENOMEM.
 */
int hd_hop_classes_find(const struct hd_layer_input *input, struct hd_hop_classes *classes,
			struct hd_error *err);
void hd_hop_classes_clear(struct hd_hop_classes *classes);

#endif
