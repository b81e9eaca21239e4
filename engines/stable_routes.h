/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes that go with lanes of before, in the making: part of engines/stable_lanes.h. Every dependency of
 * what arrives is in one graph that stays acyclic; first fit, in many orders of destinations.
 *
 * At first the old ways stay in the graph, as far as they lead, so that what changes can change
 * step by step; then only those that arrive; and at last what no packet from host to host uses
 * gives way, too: switches without hosts, as KNS has, make turns with their own packets that no
 * host's packets make.
 */
#ifndef HD_ENGINES_STABLE_ROUTES_H
#define HD_ENGINES_STABLE_ROUTES_H

#include "engines/stable_lanes.h"
#include "engines/previous_lanes.h"
#include "engines/lft_column.h"
#include "engines/targets.h"
#include "check/channels.h"

/* An end port that sends. */
struct hd_stable_routes_source {
	uint32_t port; /* index in ports[] */
	uint8_t in;    /* of its switch; 0: it is the switch's own */
};

struct hd_stable_routes {
	struct hd_previous_lanes lanes;
	const struct hd_fabric *fabric; /* theirs */
	const struct hd_tables *fresh;  /* theirs */
	struct hd_tables *tables;       /* theirs, in the making */
	const struct hd_tables *rows;   /* whose SL2VL rows packets go by */
	const struct hd_tables *sls;    /* whose path SLs packets have */
	uint8_t *old_lft;               /* LFTs of before, of the same layout */
	struct hd_route_targets targets;
	bool *is_lost;     /* [LID] some old entry leads nowhere */
	bool *takes_fresh; /* [LID] the fresh column is to be tried */
	uint32_t *order;   /* targets, by who gets detours first */
	uint32_t *others;  /* scratch: of them, those of switches */
	bool *is_used;     /* scratch [switch] by packets from host to host */

	uint32_t *first_source; /* [switch + 1] in sources[] */
	struct hd_stable_routes_source *sources;

	struct hd_channels channels;
	uint8_t *core;
	uint8_t *cost; /* [port] 1 */
	struct hd_lft_column column;
	struct hd_channel_edge *edges; /* of one switch's flows to one LID */
	size_t n_edges, edge_room;
	bool is_strict;   /* old ways stay in the graph: what changes can change step by step */
	bool is_frugal;   /* detours with the fewest new dependencies go first */
	bool yields;      /* what only switches' own packets use is made anew */
	bool is_hopeless; /* the old ways that stay have a credit loop among themselves */
	bool is_out_of_memory;
};

/* Lists destinations and sources of keep->tables, whose LFTs are those of before. HD_ENOMEM. */
int hd_stable_routes_prepare(struct hd_stable_routes *keep, struct hd_error *err);
void hd_stable_routes_release(struct hd_stable_routes *keep);

/* A graph without edges, for all VLs of either tables. HD_ENOMEM. */
int hd_stable_routes_prepare_graph(struct hd_stable_routes *keep, struct hd_error *err);

/*
 * Puts the dependencies of all packets that begin at @s, by the entries of @lid in @tables, into
 * keep->edges, of those that are lost as far as they get; false: some are.
 */
bool hd_stable_routes_follow(struct hd_stable_routes *keep, const struct hd_tables *tables,
			     uint32_t s, uint16_t lid);

/* HD_EREFUSED: there are no such routes, or not in the orders that were tried; HD_ENOMEM. */
int hd_stable_routes_make_routes(struct hd_stable_routes *keep,
				 const struct hd_structure *structure,
				 struct hd_lanes_outcome *outcome, struct hd_error *err);

static inline size_t hd_stable_routes_lft_size(const struct hd_stable_routes *keep)
{
	return keep->fabric->n_switches * keep->tables->lft_stride;
}

#endif
