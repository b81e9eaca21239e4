/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Multicast: packets that come into a switch are copied to all ports of the MLID there but the one
 * they came by. Sources are the end ports that the MLID's ports lead to. Dumps do not have a
 * group's SL: it is taken to be 0, or all 16 when all SLs are asked for. Internal to check/.
 */
#ifndef HD_CHECK_MULTICAST_H
#define HD_CHECK_MULTICAST_H

#include "check/states.h"

/*
 * One MLID at a time. A link is a directed one between switches, given by the MLID's ports, and
 * numbered by the place of its entry and out-port: entry * 256 + out-port.
 */
struct hd_multicast {
	const struct hd_mft_entry *entries; /* of the MLID at hand */
	uint32_t n_entries;

	uint32_t *entry_of_switch; /* [switch] HD_NONE: the MLID is not known there */
	uint64_t (*came)[4];       /* [entry] in-ports by which packets come from switches */
	bool *taken;               /* [link] */
	uint16_t *waiting;         /* [link] in-ports that feed the link and are not in order yet */
	uint16_t *sls;             /* [link] */
	uint64_t *states;          /* [link * n_words] */
	uint32_t *queue;           /* links */
	bool *dropping;            /* [entry] */

	bool has_flows;
	uint32_t n_circling; /* switches that packets reach on or behind a circle */
	uint32_t n_dropping; /* nodes where packets are dropped */
};

/* Room for the largest MLID of the tables. HD_ENOMEM. Clear in any case. */
int hd_multicast_init(struct hd_multicast *multicast, const struct hd_check_network *network,
		      struct hd_error *err);
void hd_multicast_clear(struct hd_multicast *multicast);

/* The end of the run of entries with the MLID of entry @first. */
size_t hd_multicast_end(const struct hd_tables *tables, size_t first);

/*
 * States of the MLID whose entries are tables->mft[first .. end - 1], from all sources or from
 * @only (an end port) if that is not HD_NONE. They are added to @usage unless that is NULL or
 * packets circle.
 */
void hd_multicast_build(struct hd_multicast *multicast, const struct hd_check_network *network,
			size_t first, size_t end, uint32_t only, struct hd_usage *usage);

/* After a build: whether @port is a source of the MLID, whatever sources the build was from. */
bool hd_multicast_has_source(const struct hd_multicast *multicast,
			     const struct hd_check_network *network, uint32_t port);

/*
 * After a build from one source where packets circle or are dropped: a port where they do. Of ports
 * on or behind the circle the lowest (in ports[]); where packets are dropped, port 0 of the switch,
 * or the adapter's port.
 */
uint32_t hd_multicast_bad_port(const struct hd_multicast *multicast,
			       const struct hd_check_network *network, uint32_t source);

/*
 * After a build where packets circle: one circle, hop by hop, into @hops (room for every port).
 * Returns how many.
 */
size_t hd_multicast_loop(const struct hd_multicast *multicast,
			 const struct hd_check_network *network, struct hd_hop *hops);

/* The state of the link that leaves @port, or NULL when the MLID's packets do not take it. */
const uint64_t *hd_multicast_link(const struct hd_multicast *multicast,
				  const struct hd_check_network *network, uint32_t port);

#endif
