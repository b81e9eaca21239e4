/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof: every LID is reachable from every end port, no packet loops or is dropped, and the
 * channel dependency graph (Dally and Seitz, 1987) of all flows that the tables allow is acyclic.
 *
 * A channel is (port, VL): the buffer at the far end of the link that leaves `port`. Flows go from
 * every end port (adapters, and port 0 of switches) to every LID (those of switches too), with the
 * SLs that the options say. Per destination, states (in-port, SL, VL) are propagated along the tree
 * that the LFTs make, so the cost is linear in destinations x ports x SLs in use, not in pairs.
 *
 * What exactly counts:
 * - End ports are port 0 of switches and linked ports of adapters, if they have a LID. A port's
 *   flows to its own LIDs never leave the port. In the scope of hosts port 0 is no end port: it
 *   sends nothing, and nothing is sent to it. (Routers count as adapters.)
 * - LFTs must lead from every end port to every LID, whatever the path SL; a flow for which they do
 *   not takes no channel. A flow that SL2VL tables drop takes the channels before that hop.
 * - Where AR tables have a set for a LID (tables/ar.h), a packet may take every port of the set,
 *   and the LFT's. All of that is followed: whatever is chosen has to arrive, and has dependencies.
 *   A failure of LFTs alone is counted and shown before one that only choices lead to.
 * - Where the path SL is HD_NO_SL there is no flow, hence no channel.
 * - Where there are service classes (tables/classes.h), there is a flow in each of them.
 * - A flow that comes to a switch whose LFT is not known (lft_unknown of struct hd_tables) is not
 *   covered: nothing is said of it, and it takes no channel. All others are judged.
 * - A VL is starved where neither table of the port's VL arbitration has an entry for it with a
 *   weight above 0. Ports whose arbitration is not known, and links with one data VL, are not judged.
 * - A multicast LID's sources are the end ports that its ports lead to. Dumps do not have a group's
 *   SL: it is taken to be 0, or any with all_sls. A tree with a circle that some source reaches is a
 *   forwarding loop and takes no channel.
 *
 * Results do not depend on the number of threads (OpenMP, on large fabrics).
 */
#ifndef HD_CHECK_CHECK_H
#define HD_CHECK_CHECK_H

#include "tables/tables.h"

struct hd_error;

/* Whose flows are judged. */
enum hd_check_scope {
	HD_CHECK_ALL,   /* those of all end ports, to all LIDs */
	HD_CHECK_HOSTS, /* those from adapters' ports to LIDs of adapters */
};

struct hd_check_options {
	enum hd_check_scope scope;
	bool all_sls;     /* every flow may use any of the 16 SLs */
	bool reversed_sl; /* a flow may also use the SL of the flow in the opposite direction */
	bool one_class; /* of service classes, there is the one that packets without a class have */
	unsigned max_vls; /* a VL at or above this is a failure; 0: the links' own VLs */

	/*
	 * Switches have bubble flow control in these rings (topologies/rings.h): [port] ring of the
	 * link that leaves by it, 0: none. A cycle within one ring and one VL is no failure then.
	 * InfiniBand has no such switches. NULL: there are none.
	 */
	const uint32_t *ring;

	/*
	 * What nodes may hold instead, on the same fabric (tables/onto.h): the check is of all
	 * mixtures, in which every LFT entry, every SL2VL row and every path SL is of the one or
	 * the other. A failure is a forwarding loop or a credit loop that some mixture might have
	 * and, since packets of earlier mixtures may still be on their way, some succession of
	 * mixtures does. Sound means that none has one; it is sufficient, not necessary. Entries
	 * that lead nowhere are counted (n_lossy) and are no failure here. Unicast alone; not with
	 * reversed_sl or AR tables (HD_EINVAL). NULL: nodes hold the tables that are checked.
	 */
	const struct hd_tables *before;
};

enum hd_check_failure {
	HD_CHECK_SOUND,
	HD_CHECK_NO_PATH,      /* an LFT entry is missing or its port has no link */
	HD_CHECK_FORWARD_LOOP, /* the LFTs send packets around in a circle */
	HD_CHECK_DROPPED,      /* SL2VL says VL 15, or a VL that the link does not have */
	HD_CHECK_STARVED,      /* the VL arbitration of a port never serves a VL in use */
	HD_CHECK_CREDIT_LOOP,  /* the channel dependency graph has a cycle */
	HD_CHECK_NOT_COVERED,  /* none of these; but flows pass switches whose LFTs are not known */
};

/* One flow. */
struct hd_flow {
	uint32_t source; /* end port, index in ports[] */
	uint16_t lid;    /* destination; an MLID for multicast */
	uint8_t sl;
};

/* One channel of a cycle, and a flow that holds it while it needs room in the next one. */
struct hd_witness {
	uint32_t port; /* index in ports[] of the port that sends into the channel */
	uint8_t vl;
	struct hd_flow flow;
};

/*
 * What was found of one kind of failure other than a credit loop, where n > 0.
 *
 * n: how many pairs of node and destination LID are bad: for NO_PATH the LFT entries that lead
 * nowhere, for FORWARD_LOOP those on circles, for DROPPED the switches and adapters' ports that
 * drop; for STARVED pairs of port and VL.
 *
 * Then a flow that shows the failure, of the lowest bad LID from the lowest source (index in
 * ports[]); and the port where its packets are lost, circle or stay for ever (port 0 of the switch
 * where the LFT names no port).
 */
struct hd_check_finding {
	uint64_t n;
	struct hd_flow flow;
	uint32_t port;
	uint8_t vl; /* of STARVED */
};

/* One node on the way of a packet. */
struct hd_hop {
	uint32_t node;
	uint8_t in;  /* 0 at the source */
	uint8_t out; /* 0 at the destination; where a flow is lost, what the LFT has */
	uint8_t vl;  /* of the link that leaves through `out`; 0 where there is none */
};

struct hd_check_result {
	enum hd_check_failure failure; /* of the failures that were found, the first one of the
				          enum */
	bool reachable;                /* no HD_CHECK_NO_PATH, FORWARD_LOOP, DROPPED or STARVED,
					  nor flows that are not covered */
	struct hd_check_finding found[HD_CHECK_CREDIT_LOOP]; /* [failure] all that was found */

	/* Forwarding loops: how many unicast flows (pairs of end port and LID) run into one; and
	   the circle that the flow of found[HD_CHECK_FORWARD_LOOP] gets into, hop by hop, the last
	   leading to the first. VLs are not set. */
	uint64_t n_looping;
	size_t n_loop;
	struct hd_hop *loop;

	/* Where LFTs are not known: of all flows (pairs of end port and LID), those not covered. */
	uint64_t n_flows, n_uncovered;
	uint32_t n_unknown; /* switches */

	/*
	 * Ports with VLs above 0 in use whose VL arbitration is not known, so that nobody can tell
	 * what it starves; the lowest of these ports where n > 0.
	 */
	struct hd_gap vlarb_gap;

	uint64_t n_lossy; /* with options.before: pairs of switch and LID with an entry, of either,
			     that leads nowhere */

	unsigned sls, vls;     /* how many SLs flows use, and VLs (highest used + 1) */
	unsigned max_hops;     /* links between switches on the longest path to a destination */
	uint64_t channels;     /* (port, VL) that some flow uses */
	uint64_t dependencies; /* pairs of channels of which one flow uses one right after the
			          other */

	/*
	 * A shortest cycle, each channel depending on the next, the last on the first; given
	 * whenever the graph has a cycle, whatever `failure` is. (In a graph where 2^28 visits of
	 * edges do not settle which is shortest, the shortest found until then.)
	 */
	size_t n_witness;
	struct hd_witness *witness;
	uint32_t n_bubbles; /* with options.ring: rings of a VL that only bubbles keep going */
};

/*
 * Checks @tables. A failure is a result, not an error. @options may be NULL. Clear the result with
 * hd_check_clear(). HD_EINVAL: no linked end port has a LID, in whatever scope, or options that do
 * not go together; HD_ENOMEM.
 */
int hd_check(const struct hd_tables *tables, const struct hd_check_options *options,
	     struct hd_check_result *result, struct hd_error *err);
void hd_check_clear(struct hd_check_result *result);

/* "sound", "credit loop", ... */
const char *hd_check_failure_name(enum hd_check_failure failure);

/*
 * One line on all that was found, worst first, without newline: for a log, an error message. For a
 * sound result, the resources that are used. Returns @buffer.
 */
const char *hd_check_summary(const struct hd_check_result *result, const struct hd_fabric *fabric,
			     char *buffer, size_t size);

/*
 * Proves @tables by @options, for those who use sound tables alone. @summary gets the line above, of
 * sound tables and others. HD_EREFUSED with that line where they are not sound; the errors of hd_check().
 */
int hd_check_demand(const struct hd_tables *tables, const struct hd_check_options *options,
		    char *summary, size_t size, struct hd_error *err);

#endif
