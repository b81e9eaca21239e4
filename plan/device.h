/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Devices and ports as lists of cables spell them, and the node and port number that they mean.
 *
 *	device  port            node            port number
 *	sw      7, P7, Port 7   sw              7
 *	sw      1/16/1          sw              31: ASIC/cage/port, two ports to a cage
 *	dir     Blade 2_Port 1/5, L2/U1/P5
 *	                        dir/L02/U1      5: leaf 2 of a director
 *	host    mlx5_0/P1       host mlx5_0     1
 *	host    ibp3s0f0        host ibp3s0f0   1
 *	host    U1/P2           host            2
 */
#ifndef HD_PLAN_DEVICE_H
#define HD_PLAN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "fabric/fabric.h"

struct hd_span; /* support/text.h */

enum hd_device_kind {
	HD_DEVICE_UNKNOWN, /* a switch or an end node */
	HD_DEVICE_SWITCH,
	HD_DEVICE_END_NODE,
};

/* An end of a cable. */
struct hd_device_port {
	char node[HD_MAX_NAME + 1];
	unsigned number;
	enum hd_device_kind kind;
};

/* False: the device has no name, or one that is too long, or the port cannot be read. */
bool hd_device_port(struct hd_span device, struct hd_span port, struct hd_device_port *end);

/*
 * @name as lists of cables and subnets have it in common, in @key of HD_MAX_NAME + 1 bytes: in
 * small letters; "MF0;NAME:TYPE/U1" and "NAME/U1" become "name", "MF0;NAME:TYPE/L02/U1" becomes
 * "name/l02/u1".
 */
void hd_device_key(const char *name, char *key);

#endif
