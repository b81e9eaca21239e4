/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The input of every step of the check, in a form that is quick to read: links between switches,
 * the sources of each switch, the SLs and VLs in use, and SL2VL rows as sets. Internal to check/.
 *
 * The place of an SL is its number among the SLs in use, 0 .. n_sls - 1; sets of places are bits of
 * a uint16_t. A state is a set of (VL, SL): n_sls bits for every VL, in n_words words.
 */
#ifndef HD_CHECK_VIEW_H
#define HD_CHECK_VIEW_H

#include "check/check.h"
#include "tables/ar.h"

#define HD_STATE_WORDS 4 /* 15 VLs of 16 SLs */

/* The other end of a link, seen from a switch. */
struct hd_far_end {
	uint32_t node; /* a switch; HD_NONE: no link, or one to an adapter */
	uint32_t in;   /* port number there */
};

/* Sources of one switch with the same row of path SLs. */
struct hd_source_group {
	uint32_t sl_row;
	uint32_t first, end; /* in sources[] */
	uint16_t lost;       /* SLs (as places) that some adapters themselves drop */
	size_t outs;         /* entry for port 0 in inject[], one for every port of the switch */
};

struct hd_check_network {
	const struct hd_tables *tables;
	const struct hd_tables *before; /* old tables that all or some nodes may hold; or NULL */
	const struct hd_fabric *fabric;
	const bool *failed; /* [LID] as in the options; or NULL */
	bool hosts_only;    /* port 0 of switches neither sends nor receives */
	bool all_sls, reversed_sl, one_class;
	unsigned n_down; /* ports of every switch that may be down: AR tables repair locally */
	bool is_private; /* some switch chooses among pLFTs or goes by VL2VL (tables/ar.h), also of
			    `before`: LFTs and SL2VL alone do not tell paths */

	uint8_t *limit;             /* [port] data VLs of the port's link; 0: no link */
	struct hd_far_end *far_end; /* [port] the other end of the port's link */

	unsigned sls_used; /* by unicast flows: bit s for SL s */
	unsigned n_sls;
	uint8_t sls[HD_MAX_SLS]; /* the SL of each place */
	uint16_t places[256];    /* of a path SL: its bit, and the bits of the same flow in other
				    service classes; no other path SL has the lowest of these bits.
				    0 for HD_NO_SL and for numbers that are no SL */
	unsigned n_vls;          /* highest VL that a used row gives + 1 */

	unsigned n_words;          /* of a state */
	uint8_t word[HD_MAX_VLS];  /* [VL] */
	uint8_t shift[HD_MAX_VLS]; /* [VL] */
	uint64_t every_vl;         /* times a set of SLs: a word with that set for every VL */

	/*
	 * SL2VL rows as patterns: for every VL the set of SLs on it, then the set of dropped SLs.
	 * With `before`, those of either row. Rows that no packet can meet have pattern 0. A VL2VL
	 * row, alone or beside one of SL2VL, has the pattern of packets on VL 0, a number of
	 * first_by_vl or above; those of the other VLs follow.
	 */
	uint32_t n_patterns, first_by_vl;
	uint32_t *pattern; /* [as tables->sl2vl] number of the row's pattern */
	uint16_t *masks;   /* [pattern * (n_vls + 1) + VL] */

	/*
	 * Private LFTs: a state on an in-port has one pLFT, or with `before` each that an old or a
	 * new row of the map gives it. NULL with n_plfts = 1. [port] are in-ports of plft_bits,
	 * out-ports of next_plfts.
	 */
	unsigned n_plfts; /* 1 << plft_shift: as many as a switch has, or more */
	unsigned plft_shift;
	uint64_t *plft_bits; /* [(port * n_plfts + pLFT) * n_words] states that have the pLFT */
	uint8_t *next_plfts; /* [port * n_plfts + pLFT] bits: pLFTs that packets may have at the
				 other end of the link, of those that had this one here */

	/* Sources: end ports in scope with a LID. */
	uint32_t n_sources;     /* in all */
	uint32_t *sources;      /* sources at a switch, by switch and group */
	uint32_t *first_source; /* [switch + 1] in sources[] */
	uint32_t *first_group;  /* [switch + 1] in groups[] */
	struct hd_source_group *groups;
	uint32_t *inject;  /* [group's outs + out] union of its sources' patterns there; an SL may
			      be both sent and dropped in it */
	size_t n_outs;     /* entries of inject[] */
	uint32_t n_direct; /* sources that are linked to another adapter */
	uint32_t *direct;
	uint32_t *row_sources;        /* [SL row] number of its sources */
	uint32_t *row_sources_before; /* the same of `before`; NULL: no `before` */
};

/* HD_EINVAL: no end port has a LID; HD_ENOMEM. Clear also after an error. */
int hd_network_init(struct hd_check_network *network, const struct hd_tables *tables,
		    const struct hd_check_options *options, struct hd_error *err);
void hd_network_clear(struct hd_check_network *network);

/* Parts of hd_network_init(), in this order: SL2VL patterns; sources, groups and their patterns. */
int hd_network_add_patterns(struct hd_check_network *network, struct hd_error *err);
int hd_network_add_sources(struct hd_check_network *network, struct hd_error *err);

/* Then, if there are private LFTs: which states have which pLFT. HD_ENOMEM. */
int hd_network_add_plfts(struct hd_check_network *network, struct hd_error *err);

/* Adds @row, of an out-port whose link has @limit VLs, to a pattern's @masks. */
void hd_network_add_masks(const struct hd_check_network *network, hd_sl2vl_row row, unsigned limit,
			  uint16_t *masks);

/* Whether @port is an end port in scope: it has a LID, and is linked or a switch's. */
static inline bool hd_network_is_end(const struct hd_check_network *network, uint32_t port)
{
	return hd_is_end_port(network->fabric, port) &&
	       !(network->hosts_only &&
		 hd_is_switch(network->fabric, network->fabric->ports[port].node));
}

static inline bool hd_network_has_lid(const struct hd_check_network *network, uint32_t lid)
{
	uint32_t port = network->fabric->lids[lid].port;

	return port != HD_NONE && hd_network_is_end(network, port);
}

/* Whether packets are sent to @lid, though no linked port has it. */
static inline bool hd_network_has_failed(const struct hd_check_network *network, uint32_t lid)
{
	return network->failed && network->failed[lid] && !hd_network_has_lid(network, lid);
}

/* Whether packets to @lid are followed, whether or not they arrive. */
static inline bool hd_network_follows_lid(const struct hd_check_network *network, uint32_t lid)
{
	return hd_network_has_lid(network, lid) || hd_network_has_failed(network, lid);
}

/* The row of path SLs that the owner of @lid takes as a source; HD_NONE: it is none. */
static inline uint32_t hd_network_own_row(const struct hd_check_network *network,
					  const struct hd_tables *tables, uint32_t lid)
{
	return hd_network_has_lid(network, lid)
		       ? tables->sl_row_of_port[network->fabric->lids[lid].port]
		       : HD_NONE;
}

/* The in-port of packets from source @port at its switch. */
static inline unsigned hd_source_in(const struct hd_fabric *fabric, uint32_t port)
{
	return fabric->ports[port].peer == HD_NONE ? 0
						   : fabric->ports[fabric->ports[port].peer].number;
}

static inline const uint16_t *hd_pattern_masks(const struct hd_check_network *network,
					       uint32_t pattern)
{
	return network->masks + (size_t)pattern * (network->n_vls + 1);
}

/* The masks of @pattern for packets on @vl. */
static inline const uint16_t *hd_pattern_masks_on(const struct hd_check_network *network,
						  uint32_t pattern, unsigned vl)
{
	return hd_pattern_masks(network, pattern < network->first_by_vl ? pattern : pattern + vl);
}

/* The masks of row @row (as tables->sl2vl) for packets that came in on @vl. */
static inline const uint16_t *hd_row_masks(const struct hd_check_network *network, size_t row,
					   unsigned vl)
{
	return hd_pattern_masks_on(network, network->pattern[row], vl);
}

/* The pattern of the row of source @port into its link; pattern 0 for a switch's port 0. */
static inline const uint16_t *hd_source_masks(const struct hd_check_network *network, uint32_t port)
{
	const struct hd_port *p = &network->fabric->ports[port];

	if (hd_is_switch(network->fabric, p->node))
		return network->masks;
	return hd_pattern_masks(
		network,
		network->pattern[hd_sl2vl_host_index(network->tables, p->node, p->number)]);
}

/* SLs (as places) of packets from @port to LIDs whose owners have the SL row @owner_row. */
unsigned hd_reversed_sls(const struct hd_check_network *network, uint32_t owner_row, uint32_t port);

/* SLs (as places) of the flows from @port to @lid, also in old tables; none if @port owns @lid. */
unsigned hd_flow_sls(const struct hd_check_network *network, uint32_t port, uint32_t lid);

/* Bits: the pLFTs of switch @s for packets that come in by @in on @vl. */
unsigned hd_network_plfts(const struct hd_check_network *network, uint32_t s, unsigned in,
			  unsigned sl, unsigned vl);

/*
 * The ports by which packets with @plft to @lid may leave switch @s; none if it has no such pLFT.
 */
struct hd_port_set hd_network_choices(const struct hd_check_network *network, uint32_t s,
				      unsigned plft, uint32_t lid);

/* The SLs of a state on @vl. */
static inline unsigned hd_state_sls(const struct hd_check_network *network, const uint64_t *state,
				    unsigned vl)
{
	return (unsigned)(state[network->word[vl]] >> network->shift[vl]) &
	       ((1u << network->n_sls) - 1);
}

#endif
