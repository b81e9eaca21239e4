/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Copies of a fabric whose nodes are in another order than that of their GUIDs. */
#ifndef HD_TOPOLOGIES_REORDER_H
#define HD_TOPOLOGIES_REORDER_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * *@copy is @fabric with its nodes in @order [n_nodes], and GUIDs and LIDs of its own. End ports
 * without a LID have none in the copy; names, rates, VLs and LMCs stay. HD_ENOMEM; HD_ERANGE:
 * nearly all LIDs are in use, and alignment by LMCs takes up to 127 more.
 */
int hd_fabric_reorder(const struct hd_fabric *fabric, const uint32_t *order,
		      struct hd_fabric **copy, struct hd_error *err);

/*
 * The same, with switches and end nodes each by name, and by GUID where nodes share a name. So what
 * follows from the copy does not change with GUIDs, as when a switch is replaced. @order [node of
 * the copy] gets the nodes of @fabric; the caller frees it, also after an error.
 */
int hd_fabric_by_name(const struct hd_fabric *fabric, struct hd_fabric **copy, uint32_t **order,
		      struct hd_error *err);

#endif
