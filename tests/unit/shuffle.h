/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Copies of a fabric for tests: with permuted GUIDs, names and port numbers, or with more links. A
 * failure fails the test.
 */
#ifndef HD_TESTS_UNIT_SHUFFLE_H
#define HD_TESTS_UNIT_SHUFFLE_H

#include "fabric/fabric.h"

struct hd_builder;

/*
 * A copy of @fabric in which nodes have random GUIDs (hence random indices) and other names, and
 * the ports of each node other numbers. LIDs, LMCs, widths, speeds and VLs stay with their ports.
 * @node_of (or NULL) is [n_nodes]: the copy's node of each node; @port_of (or NULL) is [n_ports]:
 * the copy's index of each port.
 */
struct hd_fabric *shuffled_copy(const struct hd_fabric *fabric, uint64_t seed, uint32_t *node_of,
				uint32_t *port_of);

/* A copy without LIDs in which every link between switches is double, through ports of its own. */
struct hd_fabric *doubled_copy(const struct hd_fabric *fabric);

/*
 * Begins a copy without LIDs and names in which nodes have @n_more ports more, and the numbers that
 * they have in @fabric; link_copied() adds links, end_copy() frees the builder.
 */
struct hd_builder *begin_copy(const struct hd_fabric *fabric, unsigned n_more);
void link_copied(struct hd_builder *builder, uint32_t one, unsigned port_of_one, uint32_t two,
		 unsigned port_of_two);
struct hd_fabric *end_copy(struct hd_builder *builder);

#endif
