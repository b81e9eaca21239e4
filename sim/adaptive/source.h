/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Common parts of ugal, pb and par: a packet has the choice between the minimal path and a path
 * through a via, which is drawn once. It decides by the queues in which it would have to wait.
 */
#ifndef HD_ADAPTIVE_SOURCE_H
#define HD_ADAPTIVE_SOURCE_H

#include "sim/adaptive/ways.h"

struct hd_source_options {
	struct hd_via_options via; /* first */
	bool weighs_hops;          /* else the path through the via counts `factor` times */
	double factor;
	unsigned slack; /* packets by which the minimal path's queue may be longer */
	unsigned sense; /* bits of enum hd_sense */
	bool redraws;   /* a packet that could not leave its host's port draws a new via */
};

#define HD_SOURCE_OPTIONS(policy_)                                                            \
	HD_VIA_OPTIONS(policy_, "source"),                                                    \
		{ "weight", "hops", "",                                                       \
		  "hops: queues count as often as their path has links; factor: that of the " \
		  "detour, "                                                                  \
		  "`factor` times" },                                                         \
		{ "factor", "2", "", "with weight=factor" },                                  \
		{ "slack", "0", "packets", "that the minimal path's queue may have more" },   \
		{ "sense", "vc", "",                                                          \
		  "vc: the mean of the queues of the VCs it may have; port: of all VCs; "     \
		  "vc-min, port-min: of packets on their minimal path alone (minCred)" },     \
	{                                                                                     \
		"recompute", "no", "",                                                        \
			"whether a packet that could not leave its host's port draws anew"    \
	}

int hd_source_init(struct hd_routed *routed, const struct hd_params *params,
		   struct hd_source_options *source, struct hd_error *err);

/* Whether a packet could still take either path: it is at its first switch. */
static inline bool hd_source_is_undecided(const struct hd_header *header)
{
	return header->via != HD_NONE && !(header->flags & HD_MISROUTED);
}

/* The first out-port of a path, and its VCs. */
struct hd_source_way {
	unsigned port, links;
	uint32_t vcs;
	uint32_t target; /* the via's, or the packet's */
	bool is_reply;
};

/* Whether to prefer @detour to @minimal. */
typedef bool (*hd_source_prefers)(const struct hd_routed *routed, const struct hd_view *view,
				  const struct hd_source_way *minimal,
				  const struct hd_source_way *detour);

/* Whether the weighed units of the minimal path exceed the detour's. */
bool hd_source_compare(const struct hd_source_options *source, const struct hd_view *view,
		       const struct hd_source_way *minimal, uint64_t minimal_units,
		       const struct hd_source_way *detour, uint64_t detour_units);

/*
 * A hd_source_prefers that looks only at the queues of this switch, for routings whose options
 * begin with struct hd_source_options.
 */
bool hd_source_prefers_shorter(const struct hd_routed *routed, const struct hd_view *view,
			       const struct hd_source_way *minimal,
			       const struct hd_source_way *detour);

/* struct hd_routing's functions; @prefers is the routing's own. */
unsigned hd_source_offer(const struct hd_routed *routed, const struct hd_view *view,
			 const struct hd_header *header, struct hd_offer *offers,
			 hd_source_prefers prefers);
unsigned hd_source_may(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_header *header, struct hd_offer *offers);

/* Index of the switch's global link @port among them, which notices have in that order. */
static inline unsigned hd_source_global_index(const struct hd_shape *shape, uint32_t at,
					      unsigned port)
{
	return (unsigned)__builtin_popcountll(hd_shape_ports(shape, at, HD_LINK_GLOBAL) &
					      (hd_port_bit(port) - 1));
}

/* The largest number of global links of a switch. */
unsigned hd_source_most_globals(const struct hd_shape *shape);

#endif
