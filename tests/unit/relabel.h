/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The same fabric under other GUIDs and LIDs, for tests. A failure fails the test. */
#ifndef HD_TESTS_UNIT_RELABEL_H
#define HD_TESTS_UNIT_RELABEL_H

#include "fabric/fabric.h"

/*
 * A copy of @fabric with the same nodes, ports, cables and names, in which nodes have random GUIDs,
 * hence other indices, and end ports random LIDs with gaps between them, as far as there is room.
 */
struct hd_fabric *relabelled_copy(const struct hd_fabric *fabric, uint64_t seed);

#endif
