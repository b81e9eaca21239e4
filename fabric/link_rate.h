/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Widths, speeds and VLCaps as netfiles spell them. */
#ifndef HD_FABRIC_LINK_RATE_H
#define HD_FABRIC_LINK_RATE_H

#include <stdint.h>

#include "fabric/fabric.h"

/* "SDR" ... "XDR" by enum hd_speed; "???" for HD_SPEED_UNKNOWN, as ibnetdiscover prints. */
extern const char *const hd_speed_names[HD_XDR + 1];

/* Whether a link can have this many lanes. */
static inline bool hd_is_width(uint64_t lanes)
{
	return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 12;
}

/* Data VLs by PortInfo's VLCap code 1 .. 5; other codes are reserved. */
#define HD_VLCAP_CODES 6
extern const uint8_t hd_vlcap_vls[HD_VLCAP_CODES];

#endif
