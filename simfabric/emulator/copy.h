/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A copy of the links, LIDs and tables of nodes, which tells what has changed since: the changes of
 * a history (docs/formats.md).
 */
#ifndef HD_EMULATOR_COPY_H
#define HD_EMULATOR_COPY_H

#include <stdio.h>

#include "simfabric/emulator/emulator.h"

struct hd_fabric_state_copy;

/* Parts of a node. */
enum {
	HD_COPY_LFT = 1 << 0,
	HD_COPY_MFT = 1 << 1,
	HD_COPY_ROWS = 1 << 2,
	HD_COPY_PORTS = 1 << 3,
	HD_COPY_VLARB = 1 << 4,
	HD_COPY_AR = 1 << 5, /* adaptive routing and what is beside it: sma_ar.h */
	HD_COPY_ALL = 63,
};

/* Lines of changes. */
struct hd_copy_changes {
	FILE *stream;
	unsigned long n;
	uint32_t node; /* the node of the last lines; HD_NONE: none */
};

/* Of nodes that hold nothing. NULL: out of memory. @emulator must outlive it. */
struct hd_fabric_state_copy *hd_copy_new(const struct hd_emulator *emulator);
void hd_copy_free(struct hd_fabric_state_copy *copy);

/*
 * Writes what has changed of @parts of node @n to @changes, and copies it. False: out of memory.
 */
bool hd_copy_compare(struct hd_fabric_state_copy *copy, uint32_t n, unsigned parts,
		     struct hd_copy_changes *changes);

#endif
