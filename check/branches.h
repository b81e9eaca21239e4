/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All the ways of packets to one destination, where a switch has several ports for it: those of a
 * set of AR tables, or those of tables before and after a change. Switches and the links that they
 * may use must make a graph without circles in which every way ends at the destination. Then states
 * (check/states.h) go along it, from in-port to all out-ports, each with the VLs that SL2VL tables
 * give there. Internal to check/.
 */
#ifndef HD_CHECK_BRANCHES_H
#define HD_CHECK_BRANCHES_H

#include "check/states.h"
#include "tables/ar.h"

struct hd_branches {
	const struct hd_check_network *network;

	/* Set by the caller: the destination, and who sends. */
	uint32_t root;            /* the switch that delivers */
	unsigned root_port;       /* by which it does */
	struct hd_port_set *sets; /* [switch] ports that it may use; HD_NO_PATH in it: none. The
				     root's is empty, or it passes packets on as others do */
	uint16_t *sls;            /* [as network->sources] SLs (as places) to the destination */
	uint32_t first, last;     /* sources that send: ports (index in ports[]) of this range */
	uint16_t allowed;         /* on these of their SLs */
	bool with_local;          /* also where they are at the root, which only delivers */

	/* Found: the first place where a packet goes wrong, a switch's out-port; HD_NONE: none. */
	uint32_t hole;                         /* nothing is behind the port */
	uint32_t circle;                       /* it leads round a circle */
	uint32_t drop;                         /* its SL2VL row drops */
	uint32_t n_holes, n_circling, n_drops; /* how many switches have such a port */
	uint32_t *depth;                       /* [switch] links from a source at most */

	/* Private. */
	bool *reached;     /* [switch] */
	uint32_t *waiting; /* [switch] links into the switch that were not followed yet */
	uint32_t *order;   /* switches, each behind all that lead to it */
	uint32_t n_order, n_reached;
	uint64_t *states; /* [port * n_words] of what comes in there */
};

/* All sources send on all of their SLs. HD_ENOMEM. Clear in any case. */
int hd_branches_init(struct hd_branches *branches, const struct hd_check_network *network,
		     struct hd_error *err);
void hd_branches_clear(struct hd_branches *branches);

/* Sets of the entries of @tables for @lid alone. */
void hd_branches_take_entries(struct hd_branches *branches, const struct hd_tables *tables,
			      uint32_t lid);

/*
 * Follows all packets as far as no circle leads back; adds what is seen to @usage, if it is not
 * NULL. Several threads may do so at once, each with branches of its own.
 */
void hd_branches_follow(struct hd_branches *branches, struct hd_usage *usage);

/* Behind that: the root hands packets with @sls (places) out at @port; false: it drops some. */
bool hd_branches_deliver(const struct hd_branches *branches, unsigned port, unsigned sls,
			 struct hd_usage *usage);

/* Whether packets may take channel (@from, @from_vl), HD_NONE: any, and (@to, @to_vl) behind it. */
bool hd_branches_pass(const struct hd_branches *branches, uint32_t from, unsigned from_vl,
		      uint32_t to, unsigned to_vl);

/*
 * Where there is a circle: one of @n hops, each leading to the next, the last to the first, to be
 * freed by the caller. What was found of depths is gone then. HD_ENOMEM.
 */
int hd_branches_find_circle(struct hd_branches *branches, struct hd_hop **hops, size_t *n,
			    struct hd_error *err);

#endif
