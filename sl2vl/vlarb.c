// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/vlarb.h"

#define MTU_WEIGHT (4096 / 64)

void hd_vlarb_equal(uint16_t vls, struct hd_vlarb *vlarb)
{
	*vlarb = (struct hd_vlarb){ 0 };
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		if (vls >> vl & 1)
			vlarb->low[vlarb->n_low++] =
				(struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = MTU_WEIGHT };
}
