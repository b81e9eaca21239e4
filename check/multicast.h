/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Multicast: a switch copies packets to all ports of the MLID except the in-port. Sources are the
 * end ports that the MLID's ports lead to. Dumps do not have a group's SL: SL 0 is assumed, or all
 * 16 if the check is for all SLs. Internal to check/.
 */
#ifndef HD_CHECK_MULTICAST_H
#define HD_CHECK_MULTICAST_H

#include "check/states.h"

/*
 * One MLID at a time. A link here is directed, between switches, and from a port of the MLID; its
 * number is entry * 256 + out-port.
 */
struct hd_multicast {
	const struct hd_mft_entry *entries; /* of the MLID at hand */
	uint32_t n_entries;

	uint32_t *entry_of_switch; /* [switch] HD_NONE: the switch has no entry for the MLID */
	uint64_t (*came)[4];       /* [entry] in-ports of packets from switches */
	bool *taken;               /* [link] */
	uint16_t *waiting;         /* [link] in-ports that feed the link and are not in the order
				      yet */
	uint16_t *sls;             /* [link] */
	uint64_t *states;          /* [link * n_words] */
	uint32_t *queue;           /* links */
	bool *dropping;            /* [entry] */

	bool has_flows;
	uint32_t n_circling; /* switches on or after a circle that packets reach */
	uint32_t n_dropping; /* nodes that drop packets */
};

/* Room for the largest MLID of the tables. HD_ENOMEM. Clear also after an error. */
int hd_multicast_init(struct hd_multicast *multicast, const struct hd_check_network *network,
		      struct hd_error *err);
void hd_multicast_clear(struct hd_multicast *multicast);

/* The end of the entries that have the MLID of entry @first. */
size_t hd_multicast_end(const struct hd_tables *tables, size_t first);

/*
 * States of the MLID whose entries are tables->mft[first .. end - 1], from all sources, or from
 * @only (an end port) if that is not HD_NONE. Adds them to @usage, unless @usage is NULL or packets
 * circle.
 */
void hd_multicast_build(struct hd_multicast *multicast, const struct hd_check_network *network,
			size_t first, size_t end, uint32_t only, struct hd_usage *usage);

/*
 * After a build: whether @port is a source of the MLID, even if the build was from another source.
 */
bool hd_multicast_has_source(const struct hd_multicast *multicast,
			     const struct hd_check_network *network, uint32_t port);

/*
 * After a build from one source with packets that circle or are dropped: a port where that happens.
 * It is the lowest port (in ports[]) on or after the circle; for dropped packets, port 0 of the
 * switch, or the adapter's port.
 */
uint32_t hd_multicast_bad_port(const struct hd_multicast *multicast,
			       const struct hd_check_network *network, uint32_t source);

/*
 * After a build in which packets circle: @hops (room for every port) gets one circle, hop by hop.
 * Returns the number of hops.
 */
size_t hd_multicast_loop(const struct hd_multicast *multicast,
			 const struct hd_check_network *network, struct hd_hop *hops);

/* The state of the link that leaves @port, or NULL when the MLID's packets do not take it. */
const uint64_t *hd_multicast_link(const struct hd_multicast *multicast,
				  const struct hd_check_network *network, uint32_t port);

#endif
