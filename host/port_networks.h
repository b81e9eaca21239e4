/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The virtual networks of a port, and the VLs of each. */
#ifndef HD_HOST_PORT_NETWORKS_H
#define HD_HOST_PORT_NETWORKS_H

#include "host/own_sls.h"

#define HD_MAX_NETWORKS 128 /* LIDs of a port with the highest LMC */
#define HD_LANES        16  /* VLs of a port, SLs */

/* A port, by its PortInfo and its SLtoVLMappingTable. */
struct hd_own_port {
	uint16_t lid; /* base LID; 0: none yet */
	uint8_t lmc;
	bool is_active;
	uint64_t sl2vl; /* the VL of SL s in nibble s, as in a struct hd_tables */
};

struct hd_lanes {
	unsigned n;                    /* networks: 1 << LMC */
	uint16_t vls[HD_MAX_NETWORKS]; /* a bit for each VL on which packets to LIDs at this offset
				      leave */
	uint16_t sls[HD_MAX_NETWORKS];
	bool are_shared; /* several networks have a VL in common */
};

/*
 * The lanes of @port by @sls. HD_EINVAL: the port has only one LID, which leaves no choice, or
 * none; the path SLs are for other LIDs or another LMC, or for no port with these GUIDs, or do not
 * say which LIDs belong to one port.
 */
int hd_lanes_find(struct hd_lanes *lanes, const struct hd_own_port *port,
		  const struct hd_own_sls *sls, struct hd_error *err);

#endif
