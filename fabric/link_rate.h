/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Widths and speeds as netfiles spell them, and numbers of data VLs as PortInfo does. */
#ifndef HD_FABRIC_LINK_RATE_H
#define HD_FABRIC_LINK_RATE_H

#include <stdint.h>

#include "fabric/fabric.h"

/* "SDR" ... "XDR" by enum hd_speed; "???" for HD_SPEED_UNKNOWN, as ibnetdiscover prints. */
extern const char *const hd_speed_names[HD_XDR + 1];

/*
 * "4xHDR", by lanes and enum hd_speed, in @buffer, which it returns. What is not known is left out;
 * "unknown" if neither is known.
 */
const char *hd_rate_text(unsigned width, unsigned speed, char *buffer, size_t size);

/* Data rate of a link in Mbit/s, by its lanes and enum hd_speed; 0: one of them is not known. */
uint32_t hd_link_mbps(unsigned width, unsigned speed);

/* Data rate of the fastest link between switches, in Mbit/s; 0: no rate is known. */
uint32_t hd_fastest_mbps(const struct hd_fabric *fabric);

/*
 * Data rate of the link of port index @port, in Mbit/s. A link of a rate that is not known counts as
 * the fastest, @fastest of hd_fastest_mbps(), and is never 0.
 */
uint32_t hd_port_mbps(const struct hd_fabric *fabric, uint32_t port, uint32_t fastest);

/* @flows as many times as @fastest is faster than @mbps, rounded up: what the link bears. */
static inline uint64_t hd_flows_by_rate(uint64_t flows, uint32_t fastest, uint32_t mbps)
{
	return mbps == fastest || !fastest ? flows : (flows * fastest + mbps - 1) / mbps;
}

/* Whether a link can have this many lanes. */
static inline bool hd_is_width(uint64_t lanes)
{
	return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 12;
}

/*
 * PortInfo's codes of VLCap and OperationalVLs (1 .. 5) stand for 1, 2, 4, 8 or 15 data VLs. These
 * functions convert; they return 0 for another code, and for another number of data VLs.
 */
unsigned hd_vlcap_vls(unsigned code);
uint8_t hd_vlcap_code(unsigned vls);

/* The lanes of PortInfo's LinkWidthActive; 0: none that there are. */
uint8_t hd_width_of_code(unsigned code);

/*
 * The enum hd_speed of PortInfo's LinkSpeedExtActive (0: the port has none) and LinkSpeedActive;
 * @is_fdr10 is said by Mellanox' ExtendedPortInfo.
 */
uint8_t hd_speed_of_codes(unsigned extended, bool is_fdr10, unsigned original);

/*
 * Whether PortInfo says XDR: LinkSpeedExtActive2, in the byte above LinkRoundTripLatency. A port
 * that does may tell a slower speed in LinkSpeedExtActive, for those who do not know the other.
 */
static inline bool hd_is_xdr(unsigned byte)
{
	return (byte >> 5 & 3) == 1;
}

#endif
