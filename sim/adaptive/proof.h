/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proof that packets which choose their ways neither deadlock nor wander for ever.
 *
 * Switches are virtual cut-through: a packet moves on only where the next buffer has room for all
 * of it, so that a packet that is blocked holds one buffer alone, and waits for some of those it
 * may go to. If every packet in every buffer that it can ever be in has an escape there - a way
 * that it may always take - and the graph with an edge from each such buffer to those of its
 * escapes has no cycle, then in any set of blocked packets the one farthest along the graph has an
 * escape whose buffer drains: there is no deadlock (J. Duato, "A necessary and sufficient condition
 * for deadlock-free routing in cut-through and store-and-forward networks", IEEE TPDS 7(8), 1996).
 * Ways that are no escapes add no edges, but they lead to buffers whose packets need escapes too:
 * packets are followed over all ways, and the edges from there count, which are those that wormhole
 * switching calls indirect or across.
 *
 * Where VCs are flexible (flexvc.h), packets go down in the sequence as well, but every packet in a
 * buffer has a way on whose VC ascends: the rest of the way that it is on, or, where that does not
 * embed from there, the tables' way. Those are the escapes. That they ascend is not assumed: the
 * graph is of all VCs that are offered as escapes, and a buffer without any is refused. What waits
 * at its first switch holds a buffer that nothing in the network waits for, and needs no escape but
 * a way that serves it.
 *
 * Where rings have bubble flow control, a cycle within one ring and VC is none, provided that every
 * packet which enters it needs room for two there: its heads all want straight on then, each
 * without room for one, in all buffers of the ring, which has one free (model/bubble.h). A ring
 * that some packet may enter with room for one counts as any other buffers.
 *
 * Where replies have VCs of their own, packets of both classes are in one graph. Hosts are to take
 * in requests whatever replies wait there, as those of the model do. Whether they may do less is
 * looked at too: with an edge from each buffer where requests end to the first buffers of replies'
 * escapes from there, a host may hold a request until the reply to it has left, if requests are not
 * in the way of replies at the host's own link. Where VCs are flexible, these escapes are on VCs
 * that no request has, as long as a way has such; a reply that goes by a via has none, since it
 * waits for its way at its first switch.
 */
#ifndef HD_ADAPTIVE_PROOF_H
#define HD_ADAPTIVE_PROOF_H

#include "sim/adaptive/routing.h"

/* A buffer: that of @vc behind out-port @port of switch @at. */
struct hd_proof_channel {
	uint32_t at;
	uint8_t port, vc;
};

/* A way on which VL `from` of the tables is followed by a lower one, `to`, at switch `at`. */
struct hd_proof_fall {
	uint32_t source; /* port in the fabric; HD_NONE: there is none */
	uint32_t at;
	uint16_t lid;
	uint8_t sl, from, to;
};

struct hd_proof {
	bool is_sound;
	uint64_t states;     /* buffers and headers of packets in them, by target */
	uint64_t edges;      /* of the escapes' graph */
	unsigned max_hops;   /* links between switches, the most */
	bool hosts_may_wait; /* it is sound too where a host holds a request until the reply to it
			        has left; where replies have VCs of their own */

	/* Why it is not: each of the cycle waits for the next one. */
	struct hd_proof_channel *cycle;
	size_t n_cycle;
	struct hd_proof_channel stuck; /* a packet there has no way on */
	uint32_t stuck_target;         /* switch that it goes to; HD_NONE: there is none */
	bool is_unserved;  /* the rule has no VC for a way on from `stuck` that the routing has */
	bool exceeds;      /* ways are longer than the VC rule's sequence, which would need ... */
	char longest[128]; /* ... at least this one ... */
	const char *who;   /* ... for " of requests", " of replies" or, empty or NULL, all */
	struct hd_proof_fall falls; /* on the cycle, where VCs are ranges of the tables' layers */
};

/*
 * HD_ENOMEM; HD_EINVAL: a routing on the tables' VLs, of which check/ proves the tables. Free with
 * hd_proof_clear(), also where it failed.
 */
int hd_proof_make(const struct hd_routed *routed, struct hd_proof *proof, struct hd_error *err);
void hd_proof_clear(struct hd_proof *proof);

/* In one line of @text. */
void hd_proof_describe(const struct hd_routed *routed, const struct hd_proof *proof, char *text,
		       size_t size);

/* HD_EREFUSED, and why, unless it is sound, and hosts may wait where they do. */
int hd_proof_require(const struct hd_routed *routed, bool hosts_wait, struct hd_error *err);

#endif
