/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric as it is cabled, whatever GUIDs and LIDs its nodes have: for what must not depend on
 * these.
 */
#ifndef HD_TOPOLOGIES_CANONICAL_H
#define HD_TOPOLOGIES_CANONICAL_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * *@copy is @fabric with GUIDs and LIDs of its own. Fabrics that differ only in these have the same
 * copy: the same nodes, ports and cables at the same indices. Port numbers count as cabling; rates
 * and VLs do not, and come along. End ports without a LID have none in the copy; LMCs are kept.
 * Where a fabric is in parts, or has more look-alikes of a switch than 2^26 looks at ports are enough
 * for, GUIDs may decide after all. HD_ENOMEM; HD_ERANGE: nearly all LIDs are in use, and
 * alignment by LMCs takes up to 127 more.
 */
int hd_fabric_canonical(const struct hd_fabric *fabric, struct hd_fabric **copy,
			struct hd_error *err);

#endif
