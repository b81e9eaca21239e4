/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All paths of packets to one destination, if a switch has several ports for it: those of a port
 * set of AR tables, or those of old and new tables. The links that switches may use must make an
 * acyclic graph in which every path ends at the destination. Then states (check/states.h) go along
 * the graph, from in-port to all out-ports, each with the VLs that SL2VL tables give there.
 * Internal to check/.
 */
#ifndef HD_CHECK_BRANCHES_H
#define HD_CHECK_BRANCHES_H

#include "check/states.h"
#include "tables/ar.h"

struct hd_branches {
	const struct hd_check_network *network;

	/* Set by the caller: the destination and the sources. */
	uint32_t root;            /* the switch that delivers */
	unsigned root_port;       /* the port by which the root delivers */
	struct hd_port_set *sets; /* [switch] ports that the switch may use; with HD_NO_PATH: none.
				     The root's set is empty; otherwise the root, too, forwards
				     packets */
	uint16_t *sls;            /* [as network->sources] SLs (as places) to the destination */
	uint32_t first, last;     /* sources that send: ports (index in ports[]) of this range */
	uint16_t allowed;         /* on these of their SLs */
	bool with_local;          /* also sources at the root, which only delivers */

	/* Found: the first out-port of a switch at which a packet goes wrong; HD_NONE: none. */
	uint32_t hole;                         /* no link is at the port */
	uint32_t circle;                       /* it leads into a forwarding loop */
	uint32_t drop;                         /* its SL2VL row drops */
	uint32_t n_holes, n_circling, n_drops; /* how many switches have such a port */
	uint32_t *depth;                       /* [switch] most links from a source */

	/* Private. */
	bool *reached;     /* [switch] */
	uint32_t *waiting; /* [switch] links into the switch that are not followed yet */
	uint32_t *order;   /* switches, each after all that lead to it */
	uint32_t n_order, n_reached;
	uint64_t *states; /* [port n_words] states of packets that come in there */
};

/* All sources send on all of their SLs. HD_ENOMEM. Clear also after an error. */
int hd_branches_init(struct hd_branches *branches, const struct hd_check_network *network,
		     struct hd_error *err);
void hd_branches_clear(struct hd_branches *branches);

/* Sets with only the entries of @tables for @lid. */
void hd_branches_take_entries(struct hd_branches *branches, const struct hd_tables *tables,
			      uint32_t lid);

/*
 * Follows all packets up to forwarding loops; adds their states to @usage, if it is not NULL.
 * Several threads may call this at once, each with its own branches.
 */
void hd_branches_follow(struct hd_branches *branches, struct hd_usage *usage);

/* Then: the root delivers packets with @sls (places) at @port; false: it drops some. */
bool hd_branches_deliver(const struct hd_branches *branches, unsigned port, unsigned sls,
			 struct hd_usage *usage);

/* Whether packets may take channel (@from, @from_vl), HD_NONE: any, and then (@to, @to_vl). */
bool hd_branches_pass(const struct hd_branches *branches, uint32_t from, unsigned from_vl,
		      uint32_t to, unsigned to_vl);

/*
 * If there is a forwarding loop: one of @n hops, each leading to the next, the last to the first.
 * The caller frees @hops. Overwrites depths. HD_ENOMEM.
 */
int hd_branches_find_circle(struct hd_branches *branches, struct hd_hop **hops, size_t *n,
			    struct hd_error *err);

#endif
