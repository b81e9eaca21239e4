/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A fabric as it is cabled, for results that must not depend on the GUIDs and LIDs of its nodes. */
#ifndef HD_TOPOLOGIES_CANONICAL_H
#define HD_TOPOLOGIES_CANONICAL_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * *@copy is @fabric with GUIDs and LIDs of its own. Fabrics that differ only in these have the same
 * copy: the same nodes, ports and cables at the same indices. Port numbers count as cabling; rates
 * and VLs do not, but the copy has them. End ports without a LID have none in the copy; LMCs stay.
 * GUIDs may still decide if a fabric is in parts, or if so many switches look alike that 2^26 looks
 * at ports do not tell them apart. HD_ENOMEM; HD_ERANGE: nearly all LIDs are in use, and alignment
 * by LMCs takes up to 127 more.
 */
int hd_fabric_canonical(const struct hd_fabric *fabric, struct hd_fabric **copy,
			struct hd_error *err);

#endif
