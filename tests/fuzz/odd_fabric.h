/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Small fabrics of all kinds, from the bytes of a fuzz target: perfect topologies with links taken
 * out or exchanged, and fabrics without any topology: in parts, with lonely switches, without
 * hosts, with trunks, loops, and hosts that are linked twice, to one another, or not at all.
 */
#ifndef HD_TESTS_ODD_FABRIC_H
#define HD_TESTS_ODD_FABRIC_H

#include "fabric/fabric.h"

enum odd_lids {
	ODD_LIDS_OPENSM, /* as OpenSM assigns them */
	ODD_LIDS_SPREAD, /* with holes */
	ODD_LIDS_SOME,   /* and some ports have none */
	ODD_LIDS_LAST,   /* as OpenSM at the last switch with hosts assigns them, in that part */
	ODD_N_LIDS,
};

/*
 * A fabric without LIDs of @size bytes @data. @shape, modulo the number of shapes and one, chooses
 * the topology; 0, and 128 and more: none. Ends the program when out of memory.
 */
struct hd_fabric *odd_fabric_new(unsigned shape, const uint8_t *data, size_t size);

/* @fabric with LIDs. NULL: there are not enough. */
struct hd_fabric *odd_fabric_with_lids(const struct hd_fabric *fabric, unsigned lmc,
				       enum odd_lids lids);

/*
 * The links between switches, each by its lower port, in @links of fabric->n_ports; their number.
 */
uint32_t odd_fabric_links(const struct hd_fabric *fabric, uint32_t *links);

#endif
