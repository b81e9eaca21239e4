/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof: every LID is reachable from every end port, no packet loops or is dropped, and the
 * channel dependency graph (Dally and Seitz, 1987) of all flows that the tables allow is acyclic.
 *
 * A channel is (port, VL): the buffer at the far end of the link that leaves `port`. Flows go from
 * every end port (adapters, and port 0 of switches) to every LID (those of switches too), with the
 * SLs of the options. For each destination, the check follows states (in-port, SL, VL) along the
 * tree of the LFTs, so the time is linear in destinations x ports x SLs in use, not in pairs; where
 * switches forward to many destinations alike, these are followed together (check/forest.h).
 *
 * What exactly counts:
 * - End ports are port 0 of switches and linked ports of adapters, if they have a LID. A port's
 *   flows to its own LIDs never leave the port. In the scope of hosts, port 0 is no end port: no
 *   flows begin or end there. (Routers count as adapters.)
 * - LFTs must lead from every end port to every LID, for any path SL; if they do not, the flow
 *   takes no channel. A flow that SL2VL tables drop takes the channels before that hop.
 * - If AR tables have a port set for a LID (tables/ar.h), a packet may take every port of the set,
 *   and the LFT's. The check follows all of them: every choice must arrive, and makes dependencies.
 *   A failure of LFTs alone is counted and shown before one that only choices cause. If there are
 *   private LFTs or VL2VL tables, all flows are followed as choices: the pLFT by in-port and SL or
 *   VL, the next VL by the VL before.
 * - A path SL of HD_NO_SL makes no flow, and so no channel.
 * - With service classes (tables/classes.h), there is a flow in each class.
 * - A flow that comes to a switch whose LFT is not known (lft_unknown of struct hd_tables) is not
 *   covered: it has no verdict, and takes no channel. All others have a verdict.
 * - A VL is starved if neither table of the port's VL arbitration has an entry for it with a weight
 *   above 0. Ports whose arbitration is not known, and links with one data VL, have no verdict.
 * - A multicast LID's sources are the end ports that its ports lead to. Dumps do not have a group's
 *   SL: the check assumes SL 0, or any SL with all_sls. A tree with a circle that some source
 *   reaches is a forwarding loop and takes no channel.
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
	bool one_class;   /* only the service class of packets without a class counts */
	unsigned max_vls; /* a VL at or above this is a failure; 0: the links' own VLs */

	/*
	 * AR tables: up to this many ports of every switch may be down at any time, and the switch
	 * sends packets by those that stand in for them (hd_ar_choices() of tables/ar.h). All that
	 * is checked together, so "sound" is sufficient, not necessary, as for mixtures of tables.
	 * That packets are lost while nothing stands in is no failure.
	 */
	unsigned local_repair;

	/*
	 * Switches have bubble flow control in these rings (topologies/rings.h): [port] ring of the
	 * link that leaves by the port, 0: none. Then a cycle within one ring and one VL is no
	 * failure. InfiniBand has no such switches. NULL: no rings.
	 */
	const uint32_t *ring;

	/*
	 * Old tables that nodes may still hold, on the same fabric (tables/onto.h). The check is
	 * then of all mixtures: every LFT entry, every SL2VL row and every path SL is old or new.
	 * Packets of earlier mixtures may still be under way. So a failure is a forwarding loop or
	 * a credit loop of some succession of mixtures, even if no single mixture has it; "sound"
	 * is sufficient, not necessary. Entries that lead nowhere are counted (n_lossy) and are no
	 * failure here. Packets that such entries lose take the channels on their way. Of AR
	 * tables, each entry, each group, each row of a map to private LFTs and each VL2VL row is
	 * old or new; local_repair adds what stands in. Unicast only; not with reversed_sl
	 * (HD_EINVAL). NULL: nodes hold the checked tables.
	 */
	const struct hd_tables *before;

	/*
	 * With `before`: [LID up to the highest] packets are sent to the LID though no linked port
	 * has it, because its host or switch has failed: who sends to it does not know that yet.
	 * These packets go as far as entries lead, and take channels on their way. The owner is an
	 * adapter without a link, or is not in the fabric. NULL: there are none.
	 */
	const bool *failed;
};

enum hd_check_failure {
	HD_CHECK_SOUND,
	HD_CHECK_NO_PATH,      /* an LFT entry is missing or its port has no link */
	HD_CHECK_FORWARD_LOOP, /* the LFTs send packets around in a circle */
	HD_CHECK_DROPPED,      /* SL2VL says VL 15, or a VL that the link does not have */
	HD_CHECK_STARVED,      /* the VL arbitration of a port never serves a VL in use */
	HD_CHECK_CREDIT_LOOP,  /* the channel dependency graph has a cycle */
	HD_CHECK_NOT_COVERED,  /* none of these, but flows pass switches whose LFTs are not known */
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

	/* With AR tables: an entry by which the flow comes into the channel, and that by which it
	 * goes on to the next. */
	struct hd_witness_entry {
		uint8_t plft, state; /* enum hd_ar_state; static with a group: it stands in */
		uint16_t group;      /* HD_AR_NO_GROUP: it has none, or that is not used */
	} by, next;
};

/*
 * One kind of failure other than a credit loop; the members are set if n > 0.
 *
 * n: the number of bad pairs of node and destination LID. NO_PATH: LFT entries that lead nowhere;
 * FORWARD_LOOP: entries on loops; DROPPED: switches and adapters' ports that drop. STARVED: pairs
 * of port and VL.
 *
 * The others: a flow that shows the failure, to the lowest bad LID from the lowest source (index in
 * ports[]); and the port where its packets are lost, circle or stay for ever (port 0 of the switch
 * if the LFT names no port).
 */
struct hd_check_finding {
	uint64_t n;
	struct hd_flow flow;
	uint32_t port;
	uint8_t vl; /* of STARVED */
};

/* One node on the path of a packet. */
struct hd_hop {
	uint32_t node;
	uint8_t in;  /* 0 at the source */
	uint8_t out; /* 0 at the destination; if the flow is lost there, the LFT entry */
	uint8_t vl;  /* of the link that leaves through `out`; 0: no link */
};

struct hd_check_result {
	enum hd_check_failure failure; /* the first, in the order of the enum, that was found */
	bool reachable;                /* no HD_CHECK_NO_PATH, FORWARD_LOOP, DROPPED or STARVED,
					  nor flows that are not covered */
	struct hd_check_finding found[HD_CHECK_CREDIT_LOOP]; /* [failure] */

	/*
	 * Forwarding loops: the number of unicast flows (pairs of end port and LID) that run into
	 * one, and the loop of the flow of found[HD_CHECK_FORWARD_LOOP], hop by hop, the last
	 * leading to the first. VLs are not set without private LFTs.
	 */
	uint64_t n_looping;
	size_t n_loop;
	struct hd_hop *loop;

	/* If LFTs are not known: all flows (pairs of end port and LID), and those not covered. */
	uint64_t n_flows, n_uncovered;
	uint32_t n_unknown; /* switches */

	/*
	 * Ports with VLs above 0 in use whose VL arbitration is not known, so nobody can tell which
	 * VLs it starves; the lowest of these ports if n > 0.
	 */
	struct hd_gap vlarb_gap;

	uint64_t n_lossy; /* with options.before: pairs of switch and LID with an old or new entry
			     that leads nowhere */

	unsigned sls, vls;     /* number of SLs that flows use; highest VL in use + 1 */
	unsigned max_hops;     /* links between switches on the longest path to a destination */
	uint64_t channels;     /* (port, VL) that some flow uses */
	uint64_t dependencies; /* pairs of channels that some flow uses one right after the other */
	uint64_t states;       /* with AR tables: (in-port, VL, pLFT, LID) of flows at a switch */

	/*
	 * A shortest cycle, each channel depending on the next, the last on the first. It is set if
	 * the graph has a cycle, for any `failure`. (If 2^28 visits of edges do not settle which
	 * cycle is the shortest, it is the shortest until then.)
	 */
	size_t n_witness;
	struct hd_witness *witness;
	uint32_t n_bubbles; /* with options.ring: pairs of ring and VL that would deadlock without
			       bubbles */
};

/*
 * Checks @tables. A failure is a result, not an error. @options may be NULL. Clear the result with
 * hd_check_clear(). HD_EINVAL: no linked end port has a LID, in any scope, or options that do not
 * go together; HD_ENOMEM.
 */
int hd_check(const struct hd_tables *tables, const struct hd_check_options *options,
	     struct hd_check_result *result, struct hd_error *err);
void hd_check_clear(struct hd_check_result *result);

/* "sound", "credit loop", ... */
const char *hd_check_failure_name(enum hd_check_failure failure);

/*
 * One line on all failures, worst first, without newline, for a log or an error message. For a
 * sound result, the line has the resources in use. Returns @buffer.
 */
const char *hd_check_summary(const struct hd_check_result *result, const struct hd_fabric *fabric,
			     char *buffer, size_t size);

/*
 * Proves @tables by @options, for callers that use only sound tables. @summary gets the line of
 * hd_check_summary(), also for sound tables. HD_EREFUSED with that line: not sound; the errors of
 * hd_check().
 */
int hd_check_demand(const struct hd_tables *tables, const struct hd_check_options *options,
		    char *summary, size_t size, struct hd_error *err);

#endif
