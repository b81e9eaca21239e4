/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Topology files as UFM and ibdiagnet write them, of systems whose types have no .ibnl file: a
 * system is a node, and its plugs are its ports (plan/device.h),
 *
 *	MQM8700 sw-1
 *	   P2 -4x-50G-> HCA_mlx5_3 node-7 mlx5_0/P1
 */
#ifndef HD_PLAN_READ_TOPO_H
#define HD_PLAN_READ_TOPO_H

#include <stddef.h>

struct hd_error;
struct hd_fabric;

/* Makes the fabric of the cables. HD_EPARSE with file and line; HD_ENOMEM. */
int hd_topo_cables_parse(const char *name, const char *data, size_t size, struct hd_fabric **fabric,
			 struct hd_error *err);

#endif
