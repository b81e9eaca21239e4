/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* VL arbitration tables that fit the lanes in use. */
#ifndef HD_SL2VL_VLARB_H
#define HD_SL2VL_VLARB_H

#include "tables/tables.h"

/*
 * Equal shares, by the low-priority table alone, of the VLs whose bits are set in @vls. An entry's
 * weight is one packet of the largest MTU, so that a turn is never cut into several.
 */
void hd_vlarb_equal(uint16_t vls, struct hd_vlarb *vlarb);

#endif
