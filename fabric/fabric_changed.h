/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Has the fabric changed since tables were made for it? */
#ifndef HD_FABRIC_FABRIC_CHANGED_H
#define HD_FABRIC_FABRIC_CHANGED_H

#include "fabric/fabric.h"

/* Whether two fabrics are one for routing: nodes, links, LIDs, VLs. */
bool hd_same_fabric(const struct hd_fabric *one, const struct hd_fabric *other);

#endif
