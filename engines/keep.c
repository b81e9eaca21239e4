// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/kept_lanes.h"
#include "engines/lft_column.h"
#include "engines/repair.h"
#include "engines/targets.h"
#include "sl2vl/channels.h"
#include "sl2vl/class_layout.h"
#include "support/error.h"
#include "support/random.h"

#define ATTEMPTS 24 /* orders of destinations */
#define MANY     64 /* part of all entries which may change without a look at fewer */

/* An end port that sends. */
struct source {
	uint32_t port; /* index in ports[] */
	uint8_t in;    /* of its switch; 0: it is the switch's own */
};

struct keep {
	struct hd_kept_lanes lanes;
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

	uint32_t *first_source; /* [switch + 1] in sources[] */
	struct source *sources;

	struct hd_channels channels;
	uint8_t *core;
	uint8_t *cost; /* [port] 1 */
	struct hd_lft_column column;
	struct hd_channel_edge *edges; /* of one switch's flows to one LID */
	size_t n_edges, edge_room;
	bool is_strict;   /* old ways stay in the graph: what changes can change step by step */
	bool is_hopeless; /* the old ways that stay have a credit loop among themselves */
	bool is_out_of_memory;
};

static size_t lft_size(const struct keep *keep)
{
	return keep->fabric->n_switches * keep->tables->lft_stride;
}

/* By switch, the end ports whose packets begin there. */
static void list_sources(struct keep *keep)
{
	const struct hd_fabric *fabric = keep->fabric;
	uint32_t n = 0;

	hd_for_each_switch(s, fabric) {
		keep->first_source[s] = n;
		for (unsigned number = 0; number <= fabric->nodes[s].n_ports; number++) {
			uint32_t port = hd_port_index(fabric, s, number);

			if (number)
				port = fabric->ports[port].peer;
			if (port != HD_NONE && hd_is_end_port(fabric, port) &&
			    (!number || !hd_is_switch(fabric, fabric->ports[port].node)))
				keep->sources[n++] = (struct source){ port, (uint8_t)number };
		}
	}
	keep->first_source[fabric->n_switches] = n;
}

/*
 * Sets the last hop of each LID, and finds the LIDs some of whose old entries lead nowhere, and those
 * whose fresh columns are to be tried: they have a link that is new, or there was no such LID.
 */
static void sort_columns(struct keep *keep)
{
	const struct hd_fabric *fabric = keep->fabric;

	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];

		hd_lft(keep->tables, to->via_switch)[to->lid] = to->via_port;
		keep->takes_fresh[to->lid] =
			hd_fabric_find_port(keep->lanes.previous->fabric,
					    fabric->ports[fabric->lids[to->lid].port].guid) ==
			HD_NONE;
	}
	hd_for_each_switch(s, fabric) {
		const uint8_t *was = hd_lft(keep->tables, s), *is = hd_lft(keep->fresh, s);
		bool leads[256] = { false }, is_new[256] = { false };

		hd_for_each_number(number, fabric, s) {
			const uint32_t port = hd_port_index(fabric, s, number);

			leads[number] = fabric->ports[port].peer != HD_NONE;
			is_new[number] = keep->lanes.is_new[port] &&
					 hd_peer_node(fabric, s, number) < fabric->n_switches;
		}
		leads[0] = true;
		hd_for_each_lid(lid, fabric) {
			keep->is_lost[lid] |= !leads[was[lid]];
			keep->takes_fresh[lid] |= is_new[is[lid]];
		}
	}
}

static bool add_edge(struct keep *keep, const struct hd_channel_edge *edge)
{
	if (keep->n_edges == keep->edge_room) {
		const size_t room = 2 * keep->edge_room + 256;
		struct hd_channel_edge *edges = realloc(keep->edges, room * sizeof(*edges));

		if (!edges) {
			keep->is_out_of_memory = true;
			return false;
		}
		keep->edges = edges;
		keep->edge_room = room;
	}
	keep->edges[keep->n_edges++] = *edge;
	return true;
}

static unsigned lane(const struct keep *keep, uint32_t s, unsigned in, unsigned out, unsigned sl)
{
	return hd_row_vl(keep->rows->sl2vl[hd_sl2vl_index(keep->rows, s, in, out)], sl);
}

/*
 * Adds the dependencies of packets with @sl that begin at port @in of @s, by the entries of @lid in
 * @tables, to the list; false: they are lost.
 */
static bool follow(struct keep *keep, const struct hd_tables *tables, uint32_t s, unsigned in,
		   unsigned sl, uint16_t lid)
{
	const struct hd_fabric *fabric = keep->fabric;
	const uint32_t last = fabric->lids[lid].via_switch;
	struct hd_channel_edge edge = { 0 };

	for (uint32_t hops = 0; s != last; hops++) {
		const unsigned out = hd_lft(tables, s)[lid];
		uint32_t port;

		if (hops > fabric->n_switches || out == 0 || out > fabric->nodes[s].n_ports)
			return false;
		port = hd_port_index(fabric, s, out);
		if (keep->channels.link_of_port[port] == HD_NONE)
			return false;
		edge.node = s;
		edge.in = (uint8_t)in;
		edge.out = (uint8_t)out;
		edge.from = edge.to;
		edge.to = (uint8_t)lane(keep, s, in, out, sl);
		if (edge.to >= keep->channels.n_layers || (hops && !add_edge(keep, &edge)))
			return false;
		in = fabric->ports[fabric->ports[port].peer].number;
		s = fabric->ports[fabric->ports[port].peer].node;
	}
	return true;
}

/* The same of all packets that begin at @s; those that are lost as far as they get. */
static bool follow_all(struct keep *keep, const struct hd_tables *tables, uint32_t s, uint16_t lid)
{
	uint16_t seen[HD_MAX_SLS] = { 0 }; /* [SL] bit VL of the first link */
	bool arrive = true;

	for (uint32_t i = keep->first_source[s]; i < keep->first_source[s + 1]; i++) {
		const unsigned sl = hd_path_sl(keep->sls, keep->sources[i].port, lid);
		const unsigned in = keep->sources[i].in, out = hd_lft(tables, s)[lid];
		uint16_t bit;

		if (sl >= HD_MAX_SLS || s == keep->fabric->lids[lid].via_switch)
			continue;
		if (out == 0 || out > keep->fabric->nodes[s].n_ports)
			return false;
		bit = (uint16_t)(1u << lane(keep, s, in, out, sl));
		if (seen[sl] & bit)
			continue;
		seen[sl] |= bit;
		arrive &= follow(keep, tables, s, in, sl, lid);
	}
	return arrive;
}

/* For hd_repair_within(): @s has a new entry. */
static bool accepts(void *context, uint32_t s, uint16_t lid)
{
	struct keep *keep = context;

	keep->n_edges = 0;
	return follow_all(keep, keep->tables, s, lid) &&
	       hd_channels_try(&keep->channels, keep->edges, keep->n_edges);
}

/*
 * Adds the old ways of destinations that keep them, where packets arrive; all old ways, as far as
 * they lead, where changes are to go step by step. False: there is a cycle.
 */
static bool add_old(struct keep *keep)
{
	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];

		if (keep->takes_fresh[to->lid] && !keep->is_strict)
			continue;
		hd_lft_column_load(&keep->column, to->lid);
		hd_for_each_switch(s, keep->fabric) {
			const bool arrives = keep->column.distance[s] != HD_NO_WAY;

			keep->n_edges = 0;
			if (!arrives && !keep->is_strict)
				continue;
			if (!follow_all(keep, keep->tables, s, to->lid) && arrives)
				return false;
			for (size_t i = 0; i < keep->n_edges; i++)
				hd_channels_add(&keep->channels, &keep->edges[i]);
		}
	}
	return hd_channels_rank(&keep->channels, keep->core);
}

/* Takes the fresh column of @to if it closes no cycle. */
static bool take_column(struct keep *keep, const struct hd_route_target *to)
{
	keep->n_edges = 0;
	hd_for_each_switch(s, keep->fabric)
		if (!follow_all(keep, keep->fresh, s, to->lid))
			return false;
	if (!hd_channels_try(&keep->channels, keep->edges, keep->n_edges))
		return false;
	hd_for_each_switch(s, keep->fabric)
		hd_lft(keep->tables, s)[to->lid] = hd_lft(keep->fresh, s)[to->lid];
	return true;
}

/*
 * Keeps what arrives of the old column of @to, switch by switch; entries that close a cycle by now
 * are for detours.
 */
static void keep_column(struct keep *keep, const struct hd_route_target *to)
{
	hd_lft_column_load(&keep->column, to->lid);
	hd_for_each_switch(s, keep->fabric)
		if (keep->column.distance[s] != HD_NO_WAY && !accepts(keep, s, to->lid))
			hd_lft(keep->tables, s)[to->lid] = HD_NO_PATH;
}

static void take_columns(struct keep *keep, struct hd_kept *outcome)
{
	for (size_t t = 0; t < keep->targets.n; t++) {
		if (!keep->takes_fresh[keep->targets.list[t].lid])
			continue;
		if (take_column(keep, &keep->targets.list[t]))
			outcome->n_columns++;
		else
			keep_column(keep, &keep->targets.list[t]);
	}
}

static int prepare(struct keep *keep, struct hd_error *err)
{
	const size_t n_ports = keep->fabric->n_ports + (size_t)1;
	int ret = hd_route_targets_list(keep->fabric, &keep->targets, err);

	if (ret)
		return ret;
	keep->takes_fresh = calloc(keep->tables->lft_stride, sizeof(*keep->takes_fresh));
	keep->is_lost = calloc(keep->tables->lft_stride, sizeof(*keep->is_lost));
	keep->first_source = calloc(keep->fabric->n_switches + (size_t)1, sizeof(uint32_t));
	keep->sources = malloc(2 * n_ports * sizeof(*keep->sources));
	keep->cost = malloc(n_ports);
	keep->old_lft = malloc(lft_size(keep) + 1);
	keep->order = malloc((keep->targets.n + 1) * sizeof(*keep->order));
	if (!keep->takes_fresh || !keep->is_lost || !keep->first_source || !keep->sources ||
	    !keep->cost || !keep->order || !keep->old_lft)
		return hd_error_nomem(err);
	memset(keep->cost, 1, n_ports);
	sort_columns(keep);
	memcpy(keep->old_lft, keep->tables->lft, lft_size(keep));
	list_sources(keep);
	return hd_lft_column_init(&keep->column, keep->tables, keep->cost, err);
}

/* A graph without edges, for all VLs of either tables. */
static int prepare_graph(struct keep *keep, struct hd_error *err)
{
	const unsigned n_old = hd_kept_lanes_vls(&keep->lanes, keep->tables);
	const unsigned n_fresh = hd_kept_lanes_vls(&keep->lanes, keep->fresh);
	int ret;

	if (keep->core) {
		hd_channels_empty(&keep->channels);
		return 0;
	}
	ret = hd_channels_init(&keep->channels, keep->tables, n_old > n_fresh ? n_old : n_fresh,
			       err);
	if (ret)
		return ret;
	keep->core = malloc(keep->channels.n_vertices + (size_t)1);
	return keep->core ? 0 : hd_error_nomem(err);
}

static int give_up(struct hd_kept *outcome, const char *reason)
{
	snprintf(outcome->reason, sizeof(outcome->reason), "%s", reason);
	return 0;
}

/* The target at place @failed goes first in the next attempt. */
static void put_first(uint32_t *order, size_t failed)
{
	const uint32_t target = order[failed];

	memmove(order + 1, order, failed * sizeof(*order));
	order[0] = target;
}

/* Makes routes that go with the lanes. HD_EREFUSED: there are none, or not in this order. */
static int try_order(struct keep *keep, const struct hd_structure *structure, size_t *failed,
		     struct hd_kept *outcome, struct hd_error *err)
{
	const struct hd_repair_guard guard = { accepts, keep, keep->order };
	int ret;

	outcome->n_columns = 0;
	*failed = 0;
	hd_channels_empty(&keep->channels);
	keep->is_hopeless = !add_old(keep);
	if (keep->is_hopeless)
		return hd_error_set(err, HD_EREFUSED,
				    "what is left of the old routes has a credit loop");
	take_columns(keep, outcome);
	ret = hd_repair_within(keep->tables, structure, &guard, &outcome->n_detours, failed, err);
	return ret == HD_EREFUSED ? hd_error_set(err, ret,
						 "no detours were found that are free of credit "
						 "loops with them")
				  : ret;
}

/*
 * First fit hangs on the order: a destination that found no detour goes first in the next attempt.
 */
static int make_routes(struct keep *keep, const struct hd_structure *structure,
		       struct hd_kept *outcome, struct hd_error *err)
{
	int ret = HD_EREFUSED;

	for (unsigned lax = 0; ret == HD_EREFUSED && lax < 2; lax++) {
		struct hd_random random;
		size_t failed = 0;

		hd_random_init(&random, 1, 0);
		keep->is_strict = !lax;
		for (uint32_t t = 0; t < keep->targets.n; t++)
			keep->order[t] = t;
		keep->is_hopeless = false;
		for (unsigned i = 0; ret == HD_EREFUSED && !keep->is_hopeless && i < ATTEMPTS;
		     i++) {
			if (i && i % 6 == 0)
				hd_random_permutation(&random, (uint32_t)keep->targets.n,
						      keep->order);
			memcpy(keep->tables->lft, keep->old_lft, lft_size(keep));
			ret = try_order(keep, structure, &failed, outcome, err);
			if (ret == HD_EREFUSED)
				put_first(keep->order, failed);
		}
	}
	if (keep->is_out_of_memory)
		ret = hd_error_nomem(err);
	return ret;
}

/* Makes all that goes with the lanes, or gives the reason why there is no such thing. */
static int keep_them(struct keep *keep, const struct hd_structure *structure,
		     struct hd_kept *outcome, struct hd_error *err)
{
	bool serves;
	int ret = prepare_graph(keep, err);

	keep->rows = keep->sls = keep->tables;

	if (!ret)
		ret = make_routes(keep, structure, outcome, err);
	if (ret == HD_EREFUSED)
		return give_up(outcome, err->text);
	if (!ret)
		ret = hd_kept_lanes_arbitrate(&keep->lanes, &serves, &outcome->has_new_vlarb, err);
	if (!ret && !serves)
		return give_up(outcome, "a link has no VL arbitration for them");
	outcome->is_kept = !ret;
	return ret;
}

/* Entries that change to those of @tables. */
static uint64_t count_changes(const struct keep *keep, const struct hd_tables *tables)
{
	uint64_t n = 0;

	hd_for_each_switch(s, keep->fabric) {
		const uint8_t *was = keep->old_lft + s * tables->lft_stride,
			      *is = hd_lft(tables, s);

		for (size_t lid = 0; lid < tables->lft_stride; lid++)
			n += was[lid] != is[lid];
	}
	return n;
}

/* Entries from which packets do not arrive any more. */
static uint64_t count_lost(struct keep *keep)
{
	uint64_t n = 0;

	for (size_t t = 0; t < keep->targets.n; t++) {
		const uint16_t lid = keep->targets.list[t].lid;

		if (!keep->is_lost[lid])
			continue;
		hd_lft_column_load(&keep->column, lid);
		n += keep->column.n_lost;
	}
	return n;
}

/*
 * The fresh tables serve with the old path SLs. They are taken, being what the engine thinks best,
 * unless they change far more than has to change: engines that route anew send half of all
 * destinations elsewhere for one link.
 */
static int compare_routes(struct keep *keep, const struct hd_structure *structure,
			  struct hd_kept *outcome, struct hd_error *err)
{
	const uint64_t n_fresh = count_changes(keep, keep->fresh);
	int ret = 0;

	if (n_fresh > lft_size(keep) / MANY && n_fresh > 2 * count_lost(keep))
		ret = keep_them(keep, structure, outcome, err);
	if (!outcome->is_kept || n_fresh <= 2 * count_changes(keep, keep->tables))
		*outcome = (struct hd_kept){ .is_kept = true, .is_fresh = true };
	return ret;
}

/* Adds all fresh ways of packets with the path SLs of @sls to the graph; false: some are lost. */
static bool add_fresh(struct keep *keep, const struct hd_tables *sls)
{
	bool arrive = true;

	keep->sls = sls;
	for (size_t t = 0; arrive && t < keep->targets.n; t++)
		hd_for_each_switch(s, keep->fabric) {
			keep->n_edges = 0;
			arrive &= follow_all(keep, keep->fresh, s, keep->targets.list[t].lid);
			for (size_t i = 0; i < keep->n_edges; i++)
				hd_channels_add(&keep->channels, &keep->edges[i]);
		}
	return arrive;
}

/*
 * Whether the fresh tables are free of credit loops with the path SLs of before as well, whichever
 * of both hosts have: then nobody needs to keep anything.
 */
static int find_out_whether_sls_serve(struct keep *keep, bool *serve, struct hd_error *err)
{
	int ret;

	*serve = hd_kept_lanes_are_fresh(&keep->lanes);
	if (*serve)
		return 0;
	ret = prepare_graph(keep, err);
	if (ret)
		return ret;
	keep->rows = keep->fresh;
	*serve = add_fresh(keep, keep->fresh) && add_fresh(keep, keep->tables) &&
		 hd_channels_rank(&keep->channels, keep->core);
	return keep->is_out_of_memory ? hd_error_nomem(err) : 0;
}

/* Whether the fresh lanes are the same for all SLs: whatever SL a host ever got, it serves. */
static bool serves_any_sl(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s)
			for (unsigned in = 0; in <= fabric->nodes[s].n_ports &&
					      hd_peer_node(fabric, s, out) != HD_NONE;
			     in++) {
				const hd_sl2vl_row row =
					tables->sl2vl[hd_sl2vl_index(tables, s, in, out)];

				if (row != hd_row_all(hd_row_vl(row, 0)))
					return false;
			}
	return true;
}

/*
 * Fresh routes and rows with the old path SLs. The fresh ones would do for now; but hosts that got
 * theirs before would have them at the next change, too, when nobody knows of them any more.
 */
static int take_fresh_routes(struct keep *keep, struct hd_kept *outcome, struct hd_error *err)
{
	struct hd_tables *tables = keep->tables;
	bool serves;
	int ret;

	memcpy(tables->lft, keep->fresh->lft, lft_size(keep));
	memcpy(tables->sl2vl, keep->fresh->sl2vl,
	       tables->sl2vl_first[keep->fabric->n_nodes] * sizeof(*tables->sl2vl));
	ret = hd_kept_lanes_arbitrate(&keep->lanes, &serves, &outcome->has_new_vlarb, err);
	if (!ret && serves)
		outcome->is_fresh = false;
	return ret;
}

/* Whether the fresh routes are taken, or others that go with the lanes of before. */
static int choose(struct keep *keep, const struct hd_structure *structure, struct hd_kept *outcome,
		  struct hd_error *err)
{
	bool serve;
	int ret = prepare(keep, err);

	if (!ret)
		ret = find_out_whether_sls_serve(keep, &serve, err);
	if (ret)
		return ret;
	if (serve) {
		const bool is_same = hd_kept_lanes_are_fresh(&keep->lanes);

		ret = compare_routes(keep, structure, outcome, err);
		if (ret || !outcome->is_fresh || is_same || serves_any_sl(keep->fresh))
			return ret;
		return take_fresh_routes(keep, outcome, err);
	}
	return keep_them(keep, structure, outcome, err);
}

static void release(struct keep *keep)
{
	hd_route_targets_free(&keep->targets);
	free(keep->takes_fresh);
	free(keep->is_lost);
	free(keep->old_lft);
	free(keep->order);
	free(keep->first_source);
	free(keep->sources);
	hd_channels_clear(&keep->channels);
	free(keep->core);
	free(keep->cost);
	hd_lft_column_clear(&keep->column);
	free(keep->edges);
}

int hd_keep_lanes(const struct hd_tables *fresh, const struct hd_structure *structure,
		  const struct hd_earlier *earlier, struct hd_tables **kept,
		  struct hd_kept *outcome, struct hd_error *err)
{
	struct keep keep = { .fabric = fresh->fabric, .fresh = fresh };
	int ret;

	*kept = NULL;
	*outcome = (struct hd_kept){ 0 };
	if (fresh->ar || earlier->previous->ar)
		return give_up(outcome, "there are AR sets");
	if (!hd_class_layout_is(fresh, earlier->previous))
		return give_up(outcome, "service classes are others");
	ret = hd_kept_lanes_init(&keep.lanes, fresh, earlier, err);
	keep.tables = keep.lanes.tables;
	if (ret == HD_EINVAL)
		ret = give_up(outcome, err->text);
	else if (!ret)
		ret = choose(&keep, structure, outcome, err);
	if (!ret && outcome->is_kept && !outcome->is_fresh) {
		*kept = keep.tables;
		keep.lanes.tables = NULL;
	}
	hd_kept_lanes_clear(&keep.lanes);
	release(&keep);
	return ret;
}
