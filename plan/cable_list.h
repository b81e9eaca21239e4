/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes a fabric of cables between named nodes. Names count in any case of letters, as in lists
 * that people keep. A node of which a list does not say whether it is a switch is an end node if it
 * has no port above 2, and all nodes that it is linked to have one.
 */
#ifndef HD_PLAN_CABLE_LIST_H
#define HD_PLAN_CABLE_LIST_H

#include "fabric/symbols.h"
#include "plan/device.h"

struct hd_error;

struct hd_listed_node {
	char *name; /* as first spelled */
	uint8_t kind;
	uint8_t n_ports;
	unsigned line;
};

struct hd_listed_cable {
	uint32_t node[2];
	uint8_t port[2];
	uint8_t width, speed;
	unsigned line;
};

/* Begin with all zero but the file. */
struct hd_cable_list {
	const char *file;
	struct hd_symbols ids;
	struct hd_listed_node *nodes;
	size_t n_nodes;
	struct hd_listed_cable *cables;
	size_t n_cables;
};

/*
 * Adds a cable, unless it is that of an aggregation node; width and speed 0: not told. HD_EPARSE
 * with file and line; HD_ENOMEM.
 */
int hd_cable_list_add(struct hd_cable_list *list, unsigned line,
		      const struct hd_device_port ends[2], uint8_t width, uint8_t speed,
		      struct hd_error *err);

/*
 * Makes the fabric, unless @ret, which is returned then, is an error; clears the list in both
 * cases. HD_EPARSE: no cable at all, or two in one port; HD_ENOMEM.
 */
int hd_cable_list_finish(struct hd_cable_list *list, int ret, struct hd_fabric **fabric,
			 struct hd_error *err);

#endif
