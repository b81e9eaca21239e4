/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof that packets which choose their paths neither deadlock nor wander for ever.
 *
 * Switches are virtual cut-through: a packet moves on only if the next buffer has room for all of
 * it. So a blocked packet holds only one buffer, and waits for some of its next buffers. An escape
 * is an offer that a packet may always take. Suppose that every packet has an escape in every
 * buffer that it can ever be in, and that the graph with an edge from each buffer to the buffers of
 * its escapes has no cycle. Then in any set of blocked packets, the packet farthest along the graph
 * has an escape whose buffer drains: there is no deadlock (J. Duato, "A necessary and sufficient
 * condition for deadlock-free routing in cut-through and store-and-forward networks", IEEE TPDS
 * 7(8), 1996). Offers that are not escapes add no edges, but they lead to buffers whose packets
 * need escapes, too. So the proof follows packets over all offers, and counts the edges from there
 * (which wormhole switching calls indirect or across).
 *
 * With flexible VCs (flexvc.h), packets may also go down in the sequence, but every packet in a
 * buffer has a next hop whose VC ascends: the rest of its path, or, if that does not embed from
 * there, the tables' path. These are the escapes. The proof does not assume that they ascend: the
 * graph has all VCs that are offered as escapes, and a buffer without an escape is refused. A
 * packet at its first switch holds a buffer that no packet in the network waits for, so it needs no
 * escape, only some offer.
 *
 * With bubble flow control, a cycle within one ring and VC is no deadlock if every packet needs
 * room for two packets to enter the ring: then heads that all go straight on cannot all lack room,
 * because one buffer of the ring is free (model/bubble.h). A ring that some packet may enter with
 * room for one counts as any other buffers.
 *
 * If replies have VCs of their own, packets of both kinds are in one graph. This assumes that hosts
 * take in requests even while replies wait, as the model's hosts do. The proof also tells whether
 * hosts may wait: a further graph has an edge from each buffer where requests end to the first
 * buffers of replies' escapes from there. If it has no cycle, and requests do not block replies at
 * the host's own link, a host may hold a request until its reply has left. With flexible VCs, these
 * escapes are on VCs that no request has, if a path has such VCs; a reply that goes through a via
 * has none, because it waits at its first switch.
 */
#ifndef HD_ADAPTIVE_PROOF_H
#define HD_ADAPTIVE_PROOF_H

#include "sim/adaptive/routing.h"

/* A buffer: that of @vc behind out-port @port of switch @at. */
struct hd_proof_channel {
	uint32_t at;
	uint8_t port, vc;
};

/* A path on which a lower VL of the tables, `to`, follows VL `from` at switch `at`. */
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
	unsigned max_hops;   /* most links between switches */
	bool hosts_may_wait; /* sound also if a host holds a request until its reply has left; only
				if replies have VCs of their own */

	/* Why it is not sound: each channel of the cycle waits for the next. */
	struct hd_proof_channel *cycle;
	size_t n_cycle;
	struct hd_proof_channel stuck; /* a packet there has no next hop */
	uint32_t stuck_target;         /* the packet's destination switch; HD_NONE: there is no such
					  packet */
	bool is_unserved;  /* the routing has a next hop from `stuck`, but the rule has no VC for
			      it */
	bool exceeds;      /* paths are longer than the VC rule's sequence, which would need ... */
	char longest[128]; /* ... at least this one ... */
	const char *who;   /* ... for " of requests", " of replies" or, empty or NULL, all */
	struct hd_proof_fall falls; /* on the cycle, if VCs are ranges of the tables' layers */
};

/*
 * HD_ENOMEM; HD_EINVAL: a routing on the tables' VLs (check/ proves these tables). Free with
 * hd_proof_clear(), also after an error.
 */
int hd_proof_make(const struct hd_routed *routed, struct hd_proof *proof, struct hd_error *err);
void hd_proof_clear(struct hd_proof *proof);

/* The same, where every target is followed alone: slower, with the same result; for tests. */
int hd_proof_make_by_target(const struct hd_routed *routed, struct hd_proof *proof,
			    struct hd_error *err);

/* In one line of @text. */
void hd_proof_describe(const struct hd_routed *routed, const struct hd_proof *proof, char *text,
		       size_t size);

/*
 * HD_EREFUSED, with the reason, unless @routed is sound, and hosts may wait if they do
 * (@hosts_wait).
 */
int hd_proof_require(const struct hd_routed *routed, bool hosts_wait, struct hd_error *err);

#endif
