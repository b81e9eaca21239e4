/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Copies of a fabric for tests: isomorphic ones with permuted GUIDs, names and port numbers, and
 * ones that lack links and switches. They abort the test on failure.
 */
#ifndef HD_TESTS_UNIT_SHUFFLE_H
#define HD_TESTS_UNIT_SHUFFLE_H

#include "fabric/fabric.h"

/*
 * A copy of @fabric in which nodes have random GUIDs (hence random indices) and other names, and
 * the ports of each node other numbers. LIDs, LMCs, widths, speeds and VLs stay with their ports.
 * @node_of (or NULL) is [n_nodes]: the copy's node of each node; @port_of (or NULL) is [n_ports]: the
 * copy's index of each port.
 */
struct hd_fabric *shuffled_copy(const struct hd_fabric *fabric, uint64_t seed, uint32_t *node_of,
				uint32_t *port_of);

/*
 * A copy without the links at @links (either end's index in ports[]) and without the switches
 * @switches; adapters stay. Nothing else changes.
 */
struct hd_fabric *damaged_copy(const struct hd_fabric *fabric, const uint32_t *links,
			       size_t n_links, const uint32_t *switches, size_t n_switches);

#endif
