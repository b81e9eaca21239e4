// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/stable_routes.h"

#include <stdlib.h>
#include <string.h>

#include "engines/repair.h"
#include "support/error.h"
#include "support/random.h"
#include "tables/classes.h"
#include "tables/onto.h"

#define ATTEMPTS        24 /* orders of destinations */
#define FRUGAL_ATTEMPTS 12 /* for detours that need few dependencies */

/* By switch, the end ports whose packets begin there. */
static void list_sources(struct hd_stable_routes *keep)
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
				keep->sources[n++] =
					(struct hd_stable_routes_source){ port, (uint8_t)number };
		}
	}
	keep->first_source[fabric->n_switches] = n;
}

/* Sets the last hop of each LID. */
static void set_last_hops(struct hd_stable_routes *keep)
{
	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];

		hd_lft(keep->tables, to->via_switch)[to->lid] = to->via_port;
	}
}

/* The old LFTs, with the last hops of now. */
static void restore_old(struct hd_stable_routes *keep)
{
	hd_tables_restore_lfts(keep->lanes.previous, keep->tables);
	set_last_hops(keep);
}

/* The highest port that a block of an LFT names. */
static unsigned highest(const uint8_t *block)
{
	uint8_t port = 0;

	for (unsigned i = 0; i < HD_LFT_BLOCK; i++)
		port = block[i] > port ? block[i] : port;
	return port;
}

/* Marks the LIDs of a block whose ports have @value in @is. */
static void mark(const uint8_t *block, const bool is[256], bool value, bool *marked)
{
	for (unsigned i = 0; i < HD_LFT_BLOCK; i++)
		marked[i] |= is[block[i]] == value;
}

/*
 * Finds the LIDs some of whose old entries lead nowhere, and those whose fresh columns are to be
 * tried: they have a link that is new, or there was no such LID.
 */
static void sort_columns(struct hd_stable_routes *keep)
{
	const struct hd_fabric *fabric = keep->fabric;

	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];

		keep->takes_fresh[to->lid] =
			hd_fabric_find_port(keep->lanes.previous->fabric,
					    fabric->ports[fabric->lids[to->lid].port].guid) ==
			HD_NONE;
	}
	hd_for_each_switch(s, fabric) {
		const uint8_t *was = hd_lft(keep->tables, s), *is = hd_lft(keep->fresh, s);
		bool leads[256] = { false }, is_new[256] = { false };
		bool all_lead = true, any_new = false;

		hd_for_each_number(number, fabric, s) {
			const uint32_t port = hd_port_index(fabric, s, number);

			leads[number] = fabric->ports[port].peer != HD_NONE;
			is_new[number] = keep->lanes.is_new[port] &&
					 hd_peer_node(fabric, s, number) < fabric->n_switches;
			all_lead &= leads[number];
			any_new |= is_new[number];
		}
		leads[0] = true;
		for (size_t lid = 0; lid <= fabric->top_lid; lid += HD_LFT_BLOCK)
			if (!all_lead || highest(was + lid) > fabric->nodes[s].n_ports)
				mark(was + lid, leads, false, keep->is_lost + lid);
		for (size_t lid = 0; any_new && lid <= fabric->top_lid; lid += HD_LFT_BLOCK)
			mark(is + lid, is_new, true, keep->takes_fresh + lid);
	}
}

static bool add_edge(struct hd_stable_routes *keep, const struct hd_channel_edge *edge)
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

static unsigned lane(const struct hd_stable_routes *keep, uint32_t s, unsigned in, unsigned out,
		     unsigned sl)
{
	return hd_row_vl(keep->rows->sl2vl[hd_sl2vl_index(keep->rows, s, in, out)], sl);
}

/*
 * Adds the dependencies of packets with @sl that begin at port @in of @s, by the entries of @lid in
 * @tables, to the list; false: they are lost.
 */
static bool follow(struct hd_stable_routes *keep, const struct hd_tables *tables, uint32_t s,
		   unsigned in, unsigned sl, uint16_t lid)
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

/*
 * The same of packets of every service class where the fallback's have @sl: a class may have queues
 * of its own, and packets of one that wait apart in another. @seen: [SL] bits: VLs of the first
 * link of packets that were followed.
 */
static bool follow_classes(struct hd_stable_routes *keep, const struct hd_tables *tables,
			   uint32_t s, unsigned in, unsigned sl, uint16_t lid, uint16_t *seen)
{
	const struct hd_classes *classes = keep->sls->classes;
	const unsigned n = classes ? classes->n : 1, out = hd_lft(tables, s)[lid];
	bool arrive = true;

	for (unsigned c = 0; c < n; c++) {
		const unsigned own = classes ? hd_class_sl(classes, c, sl) : sl;
		uint16_t bit;

		if (own >= HD_MAX_SLS)
			continue;
		bit = (uint16_t)(1u << lane(keep, s, in, out, own));
		if (seen[own] & bit)
			continue;
		seen[own] |= bit;
		arrive &= follow(keep, tables, s, in, own, lid);
	}
	return arrive;
}

/* The same of all packets that begin at @s; those that are lost as far as they get. */
bool hd_stable_routes_follow(struct hd_stable_routes *keep, const struct hd_tables *tables,
			     uint32_t s, uint16_t lid)
{
	const unsigned out = hd_lft(tables, s)[lid];
	const bool leads = out && out <= keep->fabric->nodes[s].n_ports;
	uint32_t end = keep->first_source[s + 1];
	uint16_t seen[HD_MAX_SLS] = { 0 }; /* [SL] bit VL of the first link */
	bool arrive = true;

	if (leads && keep->is_uniform[hd_port_index(keep->fabric, s, out)] &&
	    keep->first_source[s] < end)
		end = keep->first_source[s] + 1;
	for (uint32_t i = keep->first_source[s]; i < end; i++) {
		const unsigned sl = hd_path_sl(keep->sls, keep->sources[i].port, lid);

		if (sl >= HD_MAX_SLS || s == keep->fabric->lids[lid].via_switch)
			continue;
		if (!leads)
			return false;
		arrive &= follow_classes(keep, tables, s, keep->sources[i].in, sl, lid, seen);
	}
	return arrive;
}

/* Whether sources at @s whose packets leave by @out have one row of path SLs and one of lanes. */
static bool are_uniform(const struct hd_stable_routes *keep, uint32_t s, unsigned out)
{
	const uint32_t begin = keep->first_source[s], end = keep->first_source[s + 1];
	const hd_sl2vl_row *rows = keep->rows->sl2vl;

	for (uint32_t i = begin + 1; i < end; i++) {
		const struct hd_stable_routes_source *a = &keep->sources[begin];
		const struct hd_stable_routes_source *b = &keep->sources[i];

		if (keep->sls->sl_row_of_port[a->port] != keep->sls->sl_row_of_port[b->port] ||
		    rows[hd_sl2vl_index(keep->rows, s, a->in, out)] !=
			    rows[hd_sl2vl_index(keep->rows, s, b->in, out)])
			return false;
	}
	return true;
}

int hd_stable_routes_find_alike(struct hd_stable_routes *keep, const struct hd_tables *tables,
				struct hd_error *err)
{
	const struct hd_tables *sls = keep->sls;
	int ret = hd_route_targets_pair(&keep->targets, keep->fabric->n_switches, keep->like, err);

	if (ret)
		return ret;
	hd_for_each_switch(s, keep->fabric)
		hd_route_targets_compare(&keep->targets, hd_lft(tables, s), s, keep->like);
	for (uint32_t row = 0; row < sls->n_sl_rows; row++)
		hd_route_targets_compare(&keep->targets, sls->sl_rows + row * sls->lft_stride,
					 HD_NONE, keep->like);
	hd_route_targets_join(&keep->targets, keep->like);
	hd_for_each_switch(s, keep->fabric)
		for (unsigned out = 0; out <= keep->fabric->nodes[s].n_ports; out++)
			keep->is_uniform[hd_port_index(keep->fabric, s, out)] =
				are_uniform(keep, s, out);
	return 0;
}

/* For hd_repair_within(): @s has a new entry. */
static bool accepts(void *context, uint32_t s, uint16_t lid)
{
	struct hd_stable_routes *keep = context;

	keep->n_edges = 0;
	return hd_stable_routes_follow(keep, keep->tables, s, lid) &&
	       hd_channels_try(&keep->channels, keep->edges, keep->n_edges);
}

/* For hd_repair_within(), too. */
static uint32_t count_new(void *context, uint32_t s, uint16_t lid)
{
	struct hd_stable_routes *keep = context;

	keep->n_edges = 0;
	hd_stable_routes_follow(keep, keep->tables, s, lid);
	return (uint32_t)hd_channels_count_new(&keep->channels, keep->edges, keep->n_edges);
}

/* Whether the old ways to target @t stay in the graph. */
static bool keeps_old(const struct hd_stable_routes *keep, size_t t)
{
	return keep->is_strict || !keep->takes_fresh[keep->targets.list[t].lid];
}

/*
 * Adds the old ways of destinations that keep them, where packets arrive; all old ways, as far as
 * they lead, where changes are to go step by step. False: there is a cycle.
 */
static bool add_old(struct hd_stable_routes *keep)
{
	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];
		const uint32_t like = keep->like[t];

		if (!keeps_old(keep, t) || (like != t && keeps_old(keep, like)))
			continue;
		hd_lft_column_load(&keep->column, to->lid);
		hd_for_each_switch(s, keep->fabric) {
			const bool arrives = keep->column.distance[s] != HD_NO_WAY;

			keep->n_edges = 0;
			if (!arrives && !keep->is_strict)
				continue;
			if (!hd_stable_routes_follow(keep, keep->tables, s, to->lid) && arrives)
				return false;
			for (size_t i = 0; i < keep->n_edges; i++)
				hd_channels_add(&keep->channels, &keep->edges[i]);
		}
	}
	return hd_channels_rank(&keep->channels, keep->core);
}

/* Takes the fresh column of @to if it closes no cycle. */
static bool take_column(struct hd_stable_routes *keep, const struct hd_route_target *to)
{
	keep->n_edges = 0;
	hd_for_each_switch(s, keep->fabric)
		if (!hd_stable_routes_follow(keep, keep->fresh, s, to->lid))
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
static void keep_column(struct hd_stable_routes *keep, const struct hd_route_target *to)
{
	hd_lft_column_load(&keep->column, to->lid);
	hd_for_each_switch(s, keep->fabric)
		if (keep->column.distance[s] != HD_NO_WAY && !accepts(keep, s, to->lid))
			hd_lft(keep->tables, s)[to->lid] = HD_NO_PATH;
}

static void take_columns(struct hd_stable_routes *keep, struct hd_lanes_outcome *outcome)
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

int hd_stable_routes_prepare(struct hd_stable_routes *keep, struct hd_error *err)
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
	keep->order = malloc((keep->targets.n + 1) * sizeof(*keep->order));
	keep->like = malloc((keep->targets.n + 1) * sizeof(*keep->like));
	keep->is_uniform = malloc(n_ports * sizeof(*keep->is_uniform));
	keep->others = malloc((keep->targets.n + 1) * sizeof(*keep->others));
	keep->is_used = malloc((keep->fabric->n_switches + (size_t)1) * sizeof(*keep->is_used));
	if (!keep->takes_fresh || !keep->is_lost || !keep->first_source || !keep->sources ||
	    !keep->cost || !keep->order || !keep->like || !keep->is_uniform || !keep->others ||
	    !keep->is_used)
		return hd_error_nomem(err);
	memset(keep->cost, 1, n_ports);
	set_last_hops(keep);
	sort_columns(keep);
	list_sources(keep);
	return hd_lft_column_init(&keep->column, keep->tables, keep->cost, err);
}

/* A graph without edges, for all VLs of either tables. */
int hd_stable_routes_prepare_graph(struct hd_stable_routes *keep, struct hd_error *err)
{
	const unsigned n_old = hd_previous_lanes_vls(&keep->lanes, keep->tables);
	const unsigned n_fresh = hd_previous_lanes_vls(&keep->lanes, keep->fresh);
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

/* The target at place @failed goes first in the next attempt. */
static void put_first(uint32_t *order, size_t failed)
{
	const uint32_t target = order[failed];

	memmove(order + 1, order, failed * sizeof(*order));
	order[0] = target;
}

/* Whether a host sends from @s. */
static bool has_host(const struct hd_stable_routes *keep, uint32_t s)
{
	for (uint32_t i = keep->first_source[s]; i < keep->first_source[s + 1]; i++)
		if (keep->sources[i].in)
			return true;
	return false;
}

/*
 * Takes away the entries by which no packet goes from host to host. Switches send and get few
 * packets; but in fabrics with switches that have no hosts, such as KNS, these make turns that no
 * host's packets make, and with them detours close cycles.
 */
static void clear_own(struct hd_stable_routes *keep)
{
	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];

		hd_lft_column_load(&keep->column, to->lid);
		memset(keep->is_used, 0, keep->fabric->n_switches * sizeof(*keep->is_used));
		hd_for_each_switch(s, keep->fabric)
			if (to->via_port && keep->column.distance[s] != HD_NO_WAY &&
			    has_host(keep, s))
				for (uint32_t at = s; at != to->via_switch && !keep->is_used[at];
				     at = hd_peer_node(keep->fabric, at, keep->column.out[at]))
					keep->is_used[at] = true;
		hd_for_each_switch(s, keep->fabric)
			if (!keep->is_used[s] && s != to->via_switch)
				hd_lft(keep->tables, s)[to->lid] = HD_NO_PATH;
	}
}

/* Puts LIDs of hosts first; the order among them, and among those of switches, stays. */
static void put_hosts_first(struct hd_stable_routes *keep)
{
	size_t n = 0, n_others = 0;

	for (size_t i = 0; i < keep->targets.n; i++) {
		const uint32_t target = keep->order[i];

		if (keep->targets.list[target].via_port)
			keep->order[n++] = target;
		else
			keep->others[n_others++] = target;
	}
	memcpy(keep->order + n, keep->others, n_others * sizeof(*keep->others));
}

/* Makes routes that go with the lanes. HD_EREFUSED: there are none, or not in this order. */
static int try_order(struct hd_stable_routes *keep, const struct hd_structure *structure,
		     size_t *failed, struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	const struct hd_repair_guard guard = { .accepts = accepts,
					       .count_new = keep->is_frugal ? count_new : NULL,
					       .context = keep,
					       .order = keep->order };
	int ret;

	outcome->n_columns = 0;
	*failed = 0;
	hd_channels_empty(&keep->channels);
	if (keep->yields) {
		clear_own(keep);
		put_hosts_first(keep);
	}
	ret = hd_stable_routes_find_alike(keep, keep->tables, err);
	if (ret)
		return ret;
	keep->is_hopeless = !add_old(keep);
	if (keep->is_hopeless)
		return hd_error_set(err, HD_EREFUSED,
				    "the rest of the old routes has a credit loop");
	take_columns(keep, outcome);
	ret = hd_repair_within(keep->tables, structure, &guard, &outcome->n_detours, failed, err);
	return ret == HD_EREFUSED ? hd_error_set(err, ret, "found no detours without credit loops")
				  : ret;
}

/*
 * First fit hangs on the order: a destination that found no detour goes first in the next attempt.
 */
static int try_orders(struct hd_stable_routes *keep, const struct hd_structure *structure,
		      struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	const unsigned n = keep->is_frugal ? FRUGAL_ATTEMPTS : ATTEMPTS;
	struct hd_random random;
	size_t failed = 0;
	int ret = HD_EREFUSED;

	hd_random_init(&random, 1, 0);
	for (uint32_t t = 0; t < keep->targets.n; t++)
		keep->order[t] = t;
	keep->is_hopeless = false;
	for (unsigned i = 0; ret == HD_EREFUSED && !keep->is_hopeless && i < n; i++) {
		if (i && i % 6 == 0)
			hd_random_permutation(&random, (uint32_t)keep->targets.n, keep->order);
		restore_old(keep);
		ret = try_order(keep, structure, &failed, outcome, err);
		if (ret == HD_EREFUSED)
			put_first(keep->order, failed);
	}
	return ret;
}

/* Detours that are short and have few flows, or else those that need few dependencies. */
int hd_stable_routes_make_routes(struct hd_stable_routes *keep,
				 const struct hd_structure *structure,
				 struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	int ret = HD_EREFUSED;

	for (unsigned lax = 0; ret == HD_EREFUSED && lax < 3; lax++) {
		keep->is_strict = !lax;
		keep->yields = lax > 1;
		keep->is_frugal = false;
		ret = try_orders(keep, structure, outcome, err);
		keep->is_frugal = true;
		if (ret == HD_EREFUSED && !keep->is_hopeless)
			ret = try_orders(keep, structure, outcome, err);
	}
	if (keep->is_out_of_memory)
		ret = hd_error_nomem(err);
	return ret;
}

void hd_stable_routes_release(struct hd_stable_routes *keep)
{
	hd_route_targets_free(&keep->targets);
	free(keep->takes_fresh);
	free(keep->is_lost);
	free(keep->order);
	free(keep->like);
	free(keep->is_uniform);
	free(keep->others);
	free(keep->is_used);
	free(keep->first_source);
	free(keep->sources);
	hd_channels_clear(&keep->channels);
	free(keep->core);
	free(keep->cost);
	hd_lft_column_clear(&keep->column);
	free(keep->edges);
}
