/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Widths and speeds as netfiles spell them, and numbers of data VLs as PortInfo does. */
#ifndef HD_FABRIC_LINK_RATE_H
#define HD_FABRIC_LINK_RATE_H

#include <stdint.h>

#include "fabric/fabric.h"

/* "SDR" ... "XDR" by enum hd_speed; "???" for HD_SPEED_UNKNOWN, as ibnetdiscover prints. */
extern const char *const hd_speed_names[HD_XDR + 1];

/* Data of a link in Mbit/s, by lanes and enum hd_speed; 0 where one is not known. */
uint32_t hd_link_mbps(unsigned width, unsigned speed);

/* Whether a link can have this many lanes. */
static inline bool hd_is_width(uint64_t lanes)
{
	return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 12;
}

/*
 * PortInfo's codes of VLCap and OperationalVLs (1 .. 5), and the data VLs that they stand for: 1,
 * 2, 4, 8, 15. 0: the code is reserved or 0; there is no code for that number of data VLs.
 */
unsigned hd_vlcap_vls(unsigned code);
uint8_t hd_vlcap_code(unsigned vls);

#endif
