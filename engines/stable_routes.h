/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes routes that fit old lanes: part of engines/stable_lanes.h. Every dependency of packets that
 * arrive is in one graph that stays acyclic; first fit, in many orders of destinations.
 *
 * There are three attempts. In the first, all old paths stay in the graph, also the beginnings of
 * paths that end nowhere, so that the change can go step by step. In the second, only old paths
 * that arrive stay. In the third, turns that no packet from host to host makes are removed, too:
 * packets of switches without hosts, as in KNS, make such turns.
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
	uint8_t in;    /* in-port at its switch; 0: the switch's own */
};

struct hd_stable_routes {
	struct hd_previous_lanes lanes;
	const struct hd_fabric *fabric; /* theirs */
	const struct hd_tables *fresh;  /* theirs */
	struct hd_tables *tables;       /* theirs, the result */
	const struct hd_tables *rows;   /* their SL2VL rows count */
	const struct hd_tables *sls;    /* their path SLs count */
	struct hd_route_targets targets;
	uint32_t *like;    /* [target] the first one to which all packets go alike; see
			      hd_stable_routes_find_alike() */
	bool *is_uniform;  /* [port] of switches: packets of all sources there that leave by it have
			      the same lanes; as of hd_stable_routes_find_alike() */
	bool *is_lost;     /* [LID] some old entry leads nowhere */
	bool *takes_fresh; /* [LID] try the fresh column */
	uint32_t *order;   /* targets, in the order in which they get detours */
	uint32_t *others;  /* scratch: those of switches among them */
	bool *is_used;     /* scratch [switch] packets from host to host use it */

	uint32_t *first_source; /* [switch + 1] in sources[] */
	struct hd_stable_routes_source *sources;

	struct hd_channels channels;
	uint8_t *core;
	uint8_t *cost; /* [port] 1 */
	struct hd_lft_column column;
	struct hd_channel_edge *edges; /* of one switch's flows to one LID */
	size_t n_edges, edge_room;
	bool is_strict;   /* old paths stay in the graph: the change can go step by step */
	bool is_frugal;   /* detours with the fewest new dependencies go first */
	bool yields;      /* turns that only switches' own packets make are made anew */
	bool is_hopeless; /* the old paths that stay have a credit loop among themselves */
	bool is_out_of_memory;
};

/* Lists destinations and sources of keep->tables, whose LFTs are the old ones. HD_ENOMEM. */
int hd_stable_routes_prepare(struct hd_stable_routes *keep, struct hd_error *err);
void hd_stable_routes_release(struct hd_stable_routes *keep);

/* A graph without edges, for all VLs of both tables. HD_ENOMEM. */
int hd_stable_routes_prepare_graph(struct hd_stable_routes *keep, struct hd_error *err);

/*
 * Finds targets to which packets with the path SLs of keep->sls take the same links on the same
 * lanes by the entries of @tables: all have the same dependencies. Sources that have the lanes of
 * others by keep->rows, too. HD_ENOMEM.
 */
int hd_stable_routes_find_alike(struct hd_stable_routes *keep, const struct hd_tables *tables,
				struct hd_error *err);

/*
 * Puts the dependencies of all packets that begin at @s, by the entries of @lid in @tables, into
 * keep->edges. Lost packets count up to there; false: some packets are lost.
 */
bool hd_stable_routes_follow(struct hd_stable_routes *keep, const struct hd_tables *tables,
			     uint32_t s, uint16_t lid);

/* HD_EREFUSED: none of the tried orders gives such routes; HD_ENOMEM. */
int hd_stable_routes_make_routes(struct hd_stable_routes *keep,
				 const struct hd_structure *structure,
				 struct hd_lanes_outcome *outcome, struct hd_error *err);

static inline size_t hd_stable_routes_lft_size(const struct hd_stable_routes *keep)
{
	return keep->fabric->n_switches * keep->tables->lft_stride;
}

#endif
