/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All paths of packets to one destination, if a switch has several ports for it: those of a port
 * set of AR tables, or those of old and new tables. The links that switches may use must make an
 * acyclic graph in which every path ends at the destination. Then states (check/states.h) go along
 * the graph, from in-port to all out-ports, each with the VLs that SL2VL or VL2VL tables give
 * there.
 *
 * The graph's vertices are pairs of a switch and a pLFT: switch * n_plfts + pLFT. Without private
 * LFTs these are the switches. With private LFTs, a circle of pairs need not be one of packets:
 * then their states are followed one by one (check/branch_states.h). Internal to check/.
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
	unsigned delivers;        /* bits: pLFTs by which it does */
	bool *mapped;             /* [pair] packets at some in-port have this pLFT */
	struct hd_port_set *sets; /* [pair] ports that the switch may use; with HD_NO_PATH: none.
				     The root's set is empty; otherwise the root, too, forwards
				     packets */
	uint16_t *sls;            /* [as network->sources] SLs (as places) to the destination */
	uint32_t first, last;     /* sources that send: ports (index in ports[]) of this range */
	uint16_t allowed;         /* on these of their SLs */
	bool with_local;          /* also sources at the root, which only delivers */

	/* Found: the first out-port of a switch at which a packet goes wrong; HD_NONE: none. */
	uint32_t hole;   /* no link is at the port */
	uint32_t circle; /* it leads into a forwarding loop */
	uint32_t drop;   /* its row of SL2VL or VL2VL drops */
	uint32_t n_holes, n_circling,
		n_drops;   /* how many switches (holes: pairs) have such a port */
	unsigned hops;     /* most links from a source to the root; with private
						  LFTs, at most so many */
	uint64_t n_states; /* triples of in-port, VL and pLFT that packets have */

	/* Private. */
	bool *reached;     /* [pair] */
	uint32_t *depth;   /* [pair] most links from a source */
	uint32_t *waiting; /* [pair] links into it that are not followed yet */
	uint32_t *order;   /* pairs, each after all that lead to it */
	uint32_t n_order, n_reached;
	uint64_t *states;   /* [port n_words] states of packets that come in there */
	uint32_t *even;     /* [port] pattern of the rows of all in-ports to this out-port; HD_NONE:
			     they differ */
	uint8_t *class;     /* [in-port] number of those of its switch that have its rows to all
			     out-ports, by the lowest of them */
	uint16_t *ins;      /* in-ports of the pair at hand that packets came by */
	uint16_t *classes;  /* classes of these */
	uint64_t *of_class; /* [class n_words] their states together; 0 between pairs */
	uint64_t *outs;     /* [(in-port * n_bits + state) * n_set_words] out-ports, not yet in the
			     usage; NULL: they go there at once */
	unsigned n_set_words;
	struct hd_branch_states *by_states; /* NULL: there are no private LFTs */
	bool is_by_states;                  /* the last follow was one by one */
};

/*
 * All sources send on all of their SLs. With @collects, usages get nothing before
 * hd_branches_add_usage(). HD_ENOMEM. Clear also after an error.
 */
int hd_branches_init(struct hd_branches *branches, const struct hd_check_network *network,
		     bool collects, struct hd_error *err);
void hd_branches_clear(struct hd_branches *branches);

/* Sets with only the entries of @tables for @lid. Not for private LFTs. */
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

/* The same for what the root's own sources send to the destination, if they were not followed. */
bool hd_branches_deliver_local(struct hd_branches *branches, struct hd_usage *usage);

/* Adds what was collected to @usage. */
void hd_branches_add_usage(struct hd_branches *branches, struct hd_usage *usage);

/* Whether packets may take channel (@from, @from_vl), HD_NONE: any, and then (@to, @to_vl). */
bool hd_branches_pass(const struct hd_branches *branches, uint32_t from, unsigned from_vl,
		      uint32_t to, unsigned to_vl);

/*
 * If there is a forwarding loop: one of @n hops, each leading to the next, the last to the first.
 * The caller frees @hops. Overwrites depths. HD_ENOMEM.
 */
int hd_branches_find_circle(struct hd_branches *branches, struct hd_hop **hops, size_t *n,
			    struct hd_error *err);

/* For check/branch_states.c. */
static inline struct hd_far_end hd_branches_far_end(const struct hd_branches *b, uint32_t s,
						    unsigned port)
{
	if (port > b->network->fabric->nodes[s].n_ports)
		return (struct hd_far_end){ .node = HD_NONE };
	return b->network->far_end[hd_port_index(b->network->fabric, s, port)];
}

/* The switch of @pair, and its pLFT. */
static inline uint32_t hd_branches_switch(const struct hd_branches *b, uint32_t pair)
{
	return pair >> b->network->plft_shift;
}

static inline unsigned hd_branches_plft(const struct hd_branches *b, uint32_t pair)
{
	return pair & (b->network->n_plfts - 1);
}

/*
 * The packets of in-port @port (index in ports[]) that have @plft; false: there are none. @n_words
 * is a constant where this is inlined for speed.
 */
static inline bool hd_branches_part_of(const struct hd_branches *b, size_t port, unsigned plft,
				       uint64_t *part, size_t n_words)
{
	const struct hd_check_network *network = b->network;
	const uint64_t *state = &b->states[port * n_words];
	uint64_t any = 0;

	for (size_t w = 0; w < n_words; w++)
		part[w] = state[w];
	if (network->n_plfts > 1)
		for (size_t w = 0; w < n_words; w++)
			part[w] &=
				network->plft_bits[(port * network->n_plfts + plft) * n_words + w];
	for (size_t w = 0; w < n_words; w++)
		any |= part[w];
	return any;
}

static inline bool hd_branches_part(const struct hd_branches *b, size_t port, unsigned plft,
				    uint64_t *part)
{
	return hd_branches_part_of(b, port, plft, part, b->network->n_words);
}

/* The SLs of @state, on all VLs together. */
static inline unsigned hd_branches_sls(const struct hd_check_network *network,
				       const uint64_t *state)
{
	unsigned sls = 0;

	for (unsigned vl = 0; vl < network->n_vls; vl++)
		sls |= hd_state_sls(network, state, vl);
	return sls;
}

#endif
