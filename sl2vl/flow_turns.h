/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The channel dependencies of all flows of a layering. LFT entries of a destination are a forest
 * whose trees lead to it, so what flows have in common from some switch on is followed once, and
 * that for 64 destinations together: a set of destinations is a word.
 */
#ifndef HD_SL2VL_FLOW_TURNS_H
#define HD_SL2VL_FLOW_TURNS_H

#include "sl2vl/flow_paths.h"

struct hd_error;
struct hd_lid_columns;

/*
 * Adds to @channels what hd_flow_edges() lists for the flow of each switch where flows begin to
 * each destination of @columns. entries[column * n_switches + switch] is an LFT entry. HD_ENOMEM.
 */
int hd_flow_turns_add(const struct hd_flow_paths *paths, const struct hd_lid_columns *columns,
		      const uint8_t *entries, struct hd_channels *channels, struct hd_error *err);

#endif
