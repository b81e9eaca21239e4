/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The paths of flows over links between switches, and their channel dependencies in a flow class of
 * a layering.
 */
#ifndef HD_SL2VL_FLOW_PATHS_H
#define HD_SL2VL_FLOW_PATHS_H

#include "check/channels.h"
#include "sl2vl/lanes.h"

/* One hop of a path between switches. */
struct hd_flow_hop {
	uint32_t node; /* the switch that the hop leaves */
	uint8_t in, out;
	uint16_t pattern;
};

/*
 * The other end of a link; and the rows between end nodes and the link, which all flows that begin
 * at its switch ask for.
 */
struct hd_flow_link {
	uint32_t node; /* a switch, or HD_NONE */
	uint8_t in;
	bool is_alike;    /* all in-ports of end nodes, and the switch itself, have one pattern */
	uint16_t pattern; /* that one */
};

/* The LFT entries of a destination. */
struct hd_flow_entries {
	const uint8_t *at; /* [switch] */
	uint32_t last;     /* the switch that the destination is at */
};

struct hd_flow_paths {
	const struct hd_tables *tables;
	const struct hd_layering *layering;
	struct hd_flow_link *links; /* [port] */

	/* in-ports of packets from end nodes and from the switch itself */
	uint32_t *first_injecting; /* [switch + 1] in injecting[] */
	uint8_t *injecting;

	uint32_t n_hops;               /* of the path that was followed last */
	struct hd_flow_hop *hops;      /* [n_switches + 1] */
	struct hd_channel_edge *edges; /* [n_switches + HD_MAX_SLS] dependencies of that path in
				          some class */
};

/*
 * The pattern[] of @layering stays as it is as long as paths are in use. Clear also after an error.
 * HD_ENOMEM.
 */
int hd_flow_paths_init(struct hd_flow_paths *paths, const struct hd_tables *tables,
		       const struct hd_layering *layering, struct hd_error *err);
void hd_flow_paths_clear(struct hd_flow_paths *paths);

/* Follows @entries from @source, and returns n_hops; 0 also if the entries lead nowhere. */
uint32_t hd_flow_follow(struct hd_flow_paths *paths, uint32_t source,
			const struct hd_flow_entries *entries);

/* Lists the dependencies, in @class, of the path that was followed last. Returns their number. */
size_t hd_flow_edges(struct hd_flow_paths *paths, unsigned class);

/* The pattern of layers from @in to @out at switch @s. */
static inline uint16_t hd_flow_pattern(const struct hd_flow_paths *paths, uint32_t s, unsigned in,
				       unsigned out)
{
	const uint16_t *pattern = paths->layering->pattern;

	return pattern ? pattern[hd_sl2vl_index(paths->tables, s, in, out)] : 0;
}

/* Whether flows begin at switch @s. */
static inline bool hd_flow_begins(const struct hd_flow_paths *paths, uint32_t s)
{
	return paths->first_injecting[s] < paths->first_injecting[s + 1];
}

#endif
