/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a host can know of its own port: its PortInfo, its lanes, how long they wait. */
#ifndef HD_LIVE_OWN_PORT_H
#define HD_LIVE_OWN_PORT_H

#include "host/port_networks.h"
#include "live/mads.h"

/*
 * Get(NodeInfo): the GUIDs by which the subnet manager and path-sl.dump know the port. The
 * operating system may show other GUIDs. HD_EIO: the port does not answer.
 */
int hd_own_port_guids(struct hd_mads *mads, uint64_t *node_guid, uint64_t *port_guid,
		      struct hd_error *err);

/* Get(PortInfo) and Get(SLtoVLMappingTable) of the port. HD_EIO: the port does not answer. */
int hd_own_port_look(struct hd_mads *mads, struct hd_own_port *port, struct hd_error *err);

struct hd_own_waits {
	bool supported;        /* the agent has PortVLXmitWaitCounters, which are optional */
	uint16_t vl[HD_LANES]; /* since they were cleared, each at most 0xFFFF */

	/*
	 * PortXmitWait, if the agent tells it. A tick in which several VLs wait counts once. No
	 * function here clears the counter.
	 */
	bool has_total;
	uint32_t total;
};

/*
 * Reads, and then clears, PortVLXmitWaitCounters (16.1.4) of the port, which has @lid. Ticks
 * between the two are lost. HD_EIO: the port does not answer.
 */
int hd_own_port_take_waits(struct hd_mads *mads, uint16_t lid, struct hd_own_waits *waits,
			   struct hd_error *err);

#endif
