// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/repair.h"

#include <stdlib.h>
#include <string.h>

#include "check/baseline.h"
#include "engines/lft_column.h"
#include "tables/lft_copy.h"
#include "engines/targets.h"
#include "support/error.h"
#include "support/memory.h"
#include "topologies/grid.h"
#include "topologies/topology.h"

#define AT_ONCE     64 /* columns that are read together, since each reads all LFTs */
#define FEW_LOST    16 /* one of so many switches: no more are listed */
#define LOCAL_COST  1
#define GLOBAL_COST 3 /* at most HD_MAX_LINK_COST */

/* A link to another switch. */
struct exit {
	uint32_t peer;
	uint32_t port; /* index in ports[] */
	uint8_t number;
	uint8_t cost;
};

/* The switches without a way to a target by the entries that there were. */
struct ways {
	uint32_t n_lost; /* HD_NONE: not known */
	uint32_t first;  /* in lost_list[], descending */
	uint32_t n_lids; /* of end nodes with such a column, counted at the first one */
};

struct repair {
	struct hd_tables *tables;
	const struct hd_fabric *fabric;
	const struct hd_repair_guard *guard; /* NULL: every detour will do */
	const struct hd_grid *grid;          /* NULL: there is none */
	struct hd_route_targets targets;
	uint32_t *first_exit; /* [switch + 1] in exits[] */
	struct exit *exits;   /* of each switch by (peer, port number) */
	uint32_t *n_hosts;    /* [switch] end-node ports there */
	uint64_t *load;       /* [port] flows between hosts that leave it to another switch */
	uint8_t *cost;        /* [port] of its link */
	struct hd_lft_column column;
	uint32_t *like; /* [target] the first one with its column; before, see engines/targets.h */
	struct ways *ways; /* [target] */
	uint32_t *lost_list;
	size_t n_lost_list, lost_allocated;

	/*
	 * Switches without a way to the destination, by the cost of a detour. A switch is queued
	 * once for every cost that was the least so far, and again for every cost whose detours the
	 * guard has refused: for each not more often than it has links.
	 */
	uint32_t *first; /* [cost] in queued[]; HD_NONE: none */
	struct queued {
		uint32_t node, next;
	} * queued;
	uint32_t n_queued;
	uint32_t top_cost;          /* the highest that some switch was queued for */
	uint32_t *known;            /* [switch] cost of the cheapest detour */
	bool refused[HD_MAX_PORTS]; /* of the exits of the switch that is looked at */
	bool is_frugal;             /* detours have no new dependencies */
	uint64_t n_repaired;

	/* Where it is known: the switches without a way, descending; NULL: it is not. */
	const uint32_t *lost;
	uint32_t n_lost;
};

/* Every way costs less than this. */
static size_t n_costs(const struct repair *repair)
{
	return (size_t)repair->fabric->n_switches * GLOBAL_COST + 1;
}

static int allocate(struct repair *repair, struct hd_error *err)
{
	const size_t n = repair->fabric->n_switches + (size_t)2;
	const size_t n_ports = repair->fabric->n_ports + (size_t)1;

	repair->first_exit = malloc(n * sizeof(*repair->first_exit));
	repair->exits = malloc(n_ports * sizeof(*repair->exits));
	repair->n_hosts = calloc(n, sizeof(*repair->n_hosts));
	repair->load = calloc(n_ports, sizeof(*repair->load));
	repair->cost = calloc(n_ports, 1);
	repair->first = malloc(n_costs(repair) * sizeof(*repair->first));
	repair->queued = malloc(2 * n_ports * sizeof(*repair->queued));
	repair->known = malloc(n * sizeof(*repair->known));
	if (!repair->first_exit || !repair->exits || !repair->n_hosts || !repair->load ||
	    !repair->cost || !repair->first || !repair->queued || !repair->known)
		return hd_error_nomem(err);
	memset(repair->first, 0xFF, n_costs(repair) * sizeof(*repair->first));
	return hd_lft_column_init(&repair->column, repair->tables, repair->cost, err);
}

static void release(struct repair *repair)
{
	hd_route_targets_free(&repair->targets);
	free(repair->first_exit);
	free(repair->exits);
	free(repair->n_hosts);
	free(repair->load);
	free(repair->cost);
	free(repair->first);
	free(repair->queued);
	free(repair->known);
	free(repair->like);
	free(repair->ways);
	free(repair->lost_list);
	hd_lft_column_clear(&repair->column);
}

static void list_exits(struct repair *repair, const struct hd_structure *structure)
{
	const struct hd_fabric *fabric = repair->fabric;
	uint32_t n = 0;

	hd_for_each_switch(s, fabric) {
		repair->first_exit[s] = n;
		hd_for_each_number(number, fabric, s) {
			uint32_t port = hd_port_index(fabric, s, number);
			uint32_t peer = hd_peer_node(fabric, s, number), at;

			if (peer == HD_NONE || peer == s)
				continue;
			repair->cost[port] = structure->port_class && structure->port_class[port] ==
									      HD_PORT_GLOBAL
						     ? GLOBAL_COST
						     : LOCAL_COST;
			if (!hd_is_switch(fabric, peer)) {
				repair->n_hosts[s]++;
				continue;
			}
			for (at = n++;
			     at > repair->first_exit[s] && repair->exits[at - 1].peer > peer; at--)
				repair->exits[at] = repair->exits[at - 1];
			repair->exits[at] = (struct exit){
				.peer = peer,
				.port = port,
				.number = (uint8_t)number,
				.cost = repair->cost[port],
			};
		}
	}
	repair->first_exit[fabric->n_switches] = n;
}

/*
 * Finds and counts targets whose columns are equal: LIDs behind one switch, with equal entries at
 * every other switch. Rows are read one after another, since a column has each of its entries on
 * another page.
 */
static int compare_columns(struct repair *repair, struct hd_error *err)
{
	const struct hd_fabric *fabric = repair->fabric;
	int ret = hd_route_targets_pair(&repair->targets, fabric->n_switches, repair->like, err);

	hd_for_each_switch(s, fabric)
		if (!ret)
			hd_route_targets_compare(&repair->targets, hd_lft(repair->tables, s), s,
						 repair->like);
	for (size_t t = 0; t < repair->targets.n; t++)
		repair->ways[t] = (struct ways){ .n_lost = HD_NONE };
	if (ret)
		return ret;
	hd_route_targets_join(&repair->targets, repair->like);
	for (size_t t = 0; t < repair->targets.n; t++)
		repair->ways[repair->like[t]].n_lids += repair->targets.list[t].via_port != 0;
	return 0;
}

/* Notes which switches have no way to the target whose column was loaded last, if they are few. */
static int note_lost(struct repair *repair, struct ways *ways, struct hd_error *err)
{
	const uint32_t n = repair->fabric->n_switches;

	if (repair->column.n_lost > n / FEW_LOST)
		return 0;
	ways->n_lost = repair->column.n_lost;
	ways->first = (uint32_t)repair->n_lost_list;
	for (uint32_t s = n; ways->n_lost && s-- > 0;) {
		uint32_t *grown;

		if (repair->column.distance[s] != HD_NO_WAY)
			continue;
		grown = hd_make_room(repair->lost_list, repair->n_lost_list,
				     &repair->lost_allocated, sizeof(*grown));
		if (!grown)
			return hd_error_nomem(err);
		repair->lost_list = grown;
		repair->lost_list[repair->n_lost_list++] = s;
	}
	return 0;
}

/* Columns that are read together. */
struct columns {
	size_t stride;    /* an odd number of cache lines */
	uint8_t *entries; /* [column * stride + switch] */
	size_t targets[AT_ONCE];
	unsigned n;
};

static void read_columns(const struct repair *repair, struct columns *columns)
{
	hd_for_each_switch(s, repair->fabric) {
		const uint8_t *lft = hd_lft(repair->tables, s);

		for (unsigned k = 0; k < columns->n; k++)
			columns->entries[k * columns->stride + s] =
				lft[repair->targets.list[columns->targets[k]].lid];
	}
}

/* Counts the flows to the targets of @columns, and to those that are like them. */
static int count_columns(struct repair *repair, struct columns *columns, struct hd_error *err)
{
	int ret = 0;

	read_columns(repair, columns);
	for (unsigned k = 0; !ret && k < columns->n; k++) {
		struct ways *ways = &repair->ways[columns->targets[k]];

		hd_lft_column_take(&repair->column, repair->targets.list[columns->targets[k]].lid,
				   columns->entries + k * columns->stride);
		if (ways->n_lids)
			hd_lft_column_add_flows(&repair->column, repair->n_hosts, ways->n_lids,
						repair->load);
		ret = note_lost(repair, ways, err);
	}
	columns->n = 0;
	return ret;
}

/*
 * Counts flows between hosts by the entries that there are, and notes what they lack. Flows to and
 * from switches do not count.
 */
static int count_load(struct repair *repair, struct hd_error *err)
{
	const size_t n_lines = (repair->fabric->n_switches + (size_t)63) / 64 | 1;
	struct columns columns = { .stride = n_lines * 64 };
	int ret = compare_columns(repair, err);

	if (ret)
		return ret;
	columns.entries = malloc(columns.stride * AT_ONCE);
	if (!columns.entries)
		return hd_error_nomem(err);
	for (size_t t = 0; !ret && t < repair->targets.n; t++) {
		if (repair->like[t] != t)
			continue;
		columns.targets[columns.n++] = t;
		if (columns.n == AT_ONCE)
			ret = count_columns(repair, &columns, err);
	}
	if (!ret)
		ret = count_columns(repair, &columns, err);
	free(columns.entries);
	return ret;
}

/* Adds @flows to all links on the way from @s. */
static void add_flows(struct repair *repair, uint32_t s, uint32_t flows)
{
	const struct hd_fabric *fabric = repair->fabric;

	while (s != repair->column.last) {
		unsigned out = repair->column.out[s];

		repair->load[hd_port_index(fabric, s, out)] += flows;
		s = hd_peer_node(fabric, s, out);
	}
}

/* The most flows on any link of the way over @exit. */
static uint64_t busiest(const struct repair *repair, const struct exit *exit)
{
	const struct hd_fabric *fabric = repair->fabric;
	uint64_t most = repair->load[exit->port];

	for (uint32_t s = exit->peer; s != repair->column.last;) {
		unsigned out = repair->column.out[s];
		uint32_t port = hd_port_index(fabric, s, out);

		if (repair->load[port] > most)
			most = repair->load[port];
		s = hd_peer_node(fabric, s, out);
	}
	return most;
}

/* How many dependencies are new if @s sends to @lid over @exit, which it does then. */
static uint32_t count_new(const struct repair *repair, uint32_t s, uint16_t lid,
			  const struct exit *exit)
{
	const struct hd_repair_guard *guard = repair->guard;

	hd_lft(repair->tables, s)[lid] = exit->number;
	hd_lft_touch(repair->tables, s);
	return guard->count_new(guard->context, s, lid);
}

/* What tells between exits of one cost that need @n_new dependencies: the least goes first. */
static uint64_t rate(const struct repair *repair, const struct exit *exit, uint32_t n_new)
{
	if (!repair->guard || !repair->guard->count_new)
		return busiest(repair, exit);
	return (uint64_t)n_new << 32 | (repair->grid ? repair->grid->point[exit->peer] : 0);
}

/* What the way of @s costs; HD_NO_WAY: it has none. */
static uint32_t distance_of(struct repair *repair, uint32_t s)
{
	return hd_lft_column_distance(&repair->column, s);
}

/*
 * The best exit of @s among those whose detours cost @distance; NULL: all were refused. That of the
 * old entry, if there is a guard, since what does not change is no risk.
 */
static const struct exit *choose(struct repair *repair, uint32_t s, uint32_t distance, uint16_t lid)
{
	const bool counts = repair->guard && repair->guard->count_new;
	const struct exit *best = NULL;
	uint64_t best_rate = 0;

	for (uint32_t i = repair->first_exit[s]; i < repair->first_exit[s + 1]; i++) {
		const struct exit *exit = &repair->exits[i];
		uint32_t n_new;
		uint64_t exit_rate;

		if (exit->cost > distance || repair->refused[i - repair->first_exit[s]] ||
		    distance_of(repair, exit->peer) != distance - exit->cost ||
		    (best && exit->cost > best->cost))
			continue;
		if (repair->guard && exit->number == repair->column.out[s])
			return exit;
		n_new = counts ? count_new(repair, s, lid, exit) : 0;
		if (n_new && repair->is_frugal)
			continue;
		exit_rate = rate(repair, exit, n_new);
		if (best && exit->cost == best->cost && exit_rate >= best_rate)
			continue;
		best = exit;
		best_rate = exit_rate;
	}
	return best;
}

/* Queues @s, which has a detour that costs @distance. */
static void queue(struct repair *repair, uint32_t s, uint32_t distance)
{
	if (repair->known[s] <= distance || distance >= n_costs(repair))
		return;
	repair->known[s] = distance;
	repair->queued[repair->n_queued] = (struct queued){ s, repair->first[distance] };
	repair->first[distance] = repair->n_queued++;
	if (distance > repair->top_cost)
		repair->top_cost = distance;
}

/* Queues @s, which has no way, if it is next to a switch with a way. */
static void queue_at_rim(struct repair *repair, uint32_t s)
{
	uint32_t nearest = HD_NO_WAY;

	repair->known[s] = HD_NO_WAY;
	for (uint32_t i = repair->first_exit[s]; i < repair->first_exit[s + 1]; i++) {
		const uint32_t distance = distance_of(repair, repair->exits[i].peer);

		if (distance != HD_NO_WAY && distance + repair->exits[i].cost < nearest)
			nearest = distance + repair->exits[i].cost;
	}
	if (nearest != HD_NO_WAY)
		queue(repair, s, nearest);
}

/* Queues the switches without a way that are next to one with a way. */
static void queue_rim(struct repair *repair)
{
	if (repair->top_cost)
		memset(repair->first, 0xFF,
		       (repair->top_cost + (size_t)1) * sizeof(*repair->first));
	repair->top_cost = 0;
	repair->n_queued = 0;
	for (uint32_t i = 0; repair->lost && i < repair->n_lost; i++)
		queue_at_rim(repair, repair->lost[i]);
	for (uint32_t s = repair->fabric->n_switches; !repair->lost && s-- > 0;)
		if (distance_of(repair, s) == HD_NO_WAY)
			queue_at_rim(repair, s);
}

/* Gives @s the best detour that costs @distance and that the guard accepts. False: none. */
static bool take_exit(struct repair *repair, uint32_t s, uint32_t distance, uint16_t lid)
{
	const struct hd_repair_guard *guard = repair->guard;
	uint8_t *entry = &hd_lft(repair->tables, s)[lid];
	const uint8_t before = *entry;
	const struct exit *exit;

	hd_lft_touch(repair->tables, s);
	memset(repair->refused, 0, sizeof(repair->refused));
	while ((exit = choose(repair, s, distance, lid))) {
		*entry = exit->number;
		if (!guard || guard->accepts(guard->context, s, lid)) {
			repair->column.out[s] = exit->number;
			repair->column.distance[s] = distance;
			return true;
		}
		repair->refused[exit - repair->exits - repair->first_exit[s]] = true;
	}
	*entry = before;
	return false;
}

/* Queues @s, which has no detour of at most @distance, for the next ones. */
static void queue_again(struct repair *repair, uint32_t s, uint32_t distance)
{
	uint32_t next = HD_NO_WAY;

	for (uint32_t i = repair->first_exit[s]; i < repair->first_exit[s + 1]; i++) {
		const uint32_t beyond = distance_of(repair, repair->exits[i].peer);

		if (beyond != HD_NO_WAY && beyond + repair->exits[i].cost > distance &&
		    beyond + repair->exits[i].cost < next)
			next = beyond + repair->exits[i].cost;
	}
	repair->known[s] = HD_NO_WAY;
	queue(repair, s, next);
}

/* Gives @s a detour that costs @distance, and its neighbours one through it. False: none. */
static bool connect(struct repair *repair, uint32_t s, uint32_t distance, uint16_t lid,
		    bool to_host)
{
	if (!take_exit(repair, s, distance, lid)) {
		queue_again(repair, s, distance);
		return false;
	}
	repair->n_repaired++;
	if (to_host)
		add_flows(repair, s, repair->n_hosts[s]);
	for (uint32_t i = repair->first_exit[s]; i < repair->first_exit[s + 1]; i++)
		if (distance_of(repair, repair->exits[i].peer) == HD_NO_WAY)
			queue(repair, repair->exits[i].peer, distance + repair->exits[i].cost);
	return true;
}

/* Whether packets start at @s, or at end nodes there. */
static bool is_source(const struct hd_fabric *fabric, uint32_t s)
{
	for (unsigned number = 0; number <= fabric->nodes[s].n_ports; number++) {
		uint32_t port = hd_port_index(fabric, s, number);

		if (number)
			port = fabric->ports[port].peer;
		if (port != HD_NONE && hd_is_end_port(fabric, port))
			return true;
	}
	return false;
}

/* Some switches have no way to @lid: refuses if packets start at one of them. */
static int refuse_parts(struct repair *repair, uint16_t lid, struct hd_error *err)
{
	const struct hd_fabric *fabric = repair->fabric;

	hd_for_each_switch(s, fabric)
		if (distance_of(repair, s) == HD_NO_WAY && is_source(fabric, s))
			return hd_error_set(
				err, HD_EREFUSED,
				"the fabric is in parts: no path from %.64s to %.64s",
				hd_node_name(fabric, s),
				hd_node_name(fabric, fabric->ports[fabric->lids[lid].port].node));
	return 0;
}

/* Connects at most @most switches with @to, by the cheapest detours first. Returns how many. */
static uint32_t connect_some(struct repair *repair, const struct hd_route_target *to, uint32_t most)
{
	uint32_t n = 0;

	if (!most)
		return 0;
	queue_rim(repair);
	for (uint32_t distance = 1; n < most && distance < n_costs(repair); distance++)
		for (uint32_t q = repair->first[distance]; n < most && q != HD_NONE;
		     q = repair->queued[q].next)
			if (distance_of(repair, repair->queued[q].node) == HD_NO_WAY)
				n += connect(repair, repair->queued[q].node, distance, to->lid,
					     to->via_port != 0);
	return n;
}

/* The same for all that can be; where dependencies count, one detour with new ones at a time. */
static uint32_t connect_all(struct repair *repair, const struct hd_route_target *to,
			    uint32_t n_lost)
{
	uint32_t n = 0, before;

	if (!repair->guard || !repair->guard->count_new)
		return connect_some(repair, to, n_lost);
	do {
		before = n;
		repair->is_frugal = true;
		n += connect_some(repair, to, n_lost - n);
		repair->is_frugal = false;
		n += connect_some(repair, to, n < n_lost);
	} while (n > before);
	return n;
}

static int repair_target(struct repair *repair, const struct hd_route_target *to,
			 struct hd_error *err)
{
	uint32_t n_lost;

	if (repair->lost) {
		hd_lft_column_begin(&repair->column, to->lid);
		n_lost = repair->n_lost;
	} else {
		hd_lft_column_load(&repair->column, to->lid);
		n_lost = repair->column.n_lost;
	}
	n_lost -= connect_all(repair, to, n_lost);
	return n_lost ? refuse_parts(repair, to->lid, err) : 0;
}

static int prepare(struct repair *repair, const struct hd_structure *structure,
		   struct hd_error *err)
{
	int ret = allocate(repair, err);

	if (!ret)
		ret = hd_route_targets_list(repair->fabric, &repair->targets, err);
	if (ret)
		return ret;
	repair->like = malloc((repair->targets.n + 1) * sizeof(*repair->like));
	repair->ways = malloc((repair->targets.n + 1) * sizeof(*repair->ways));
	if (!repair->like || !repair->ways)
		return hd_error_nomem(err);
	list_exits(repair, structure);
	return 0;
}

int hd_repair_within(struct hd_tables *tables, const struct hd_structure *structure,
		     const struct hd_repair_guard *guard, uint64_t *n_repaired, size_t *failed,
		     struct hd_error *err)
{
	struct repair repair = {
		.tables = tables, .fabric = tables->fabric, .guard = guard, .grid = structure->grid
	};
	int ret = prepare(&repair, structure, err);

	if (!ret)
		ret = count_load(&repair, err);
	for (size_t i = 0; !ret && i < repair.targets.n; i++) {
		const size_t t = guard ? guard->order[i] : i;
		const struct ways *ways = &repair.ways[repair.like[t]];

		if (!ways->n_lost)
			continue;
		repair.lost = ways->n_lost == HD_NONE ? NULL : repair.lost_list + ways->first;
		repair.n_lost = ways->n_lost;
		ret = repair_target(&repair, &repair.targets.list[t], err);
		if (ret && failed)
			*failed = i;
	}
	if (n_repaired)
		*n_repaired = repair.n_repaired;
	release(&repair);
	return ret;
}

int hd_repair(struct hd_tables *tables, const struct hd_structure *structure, uint64_t *n_repaired,
	      struct hd_error *err)
{
	return hd_repair_within(tables, structure, NULL, n_repaired, NULL, err);
}

/* Takes the loads from @variant, and repairs the destinations that are lost somewhere. */
static int repair_lost(struct repair *repair, const struct hd_variant *variant,
		       struct hd_error *err)
{
	int ret = 0;

	hd_for_each_port(p, repair->fabric)
		repair->load[p] = variant->sums.load[p];
	for (size_t i = 0; !ret && i < repair->targets.n; i++) {
		const struct hd_route_target *to = &repair->targets.list[i];

		repair->n_lost = hd_variant_lost(variant, to->lid, &repair->lost);
		if (repair->n_lost)
			ret = repair_target(repair, to, err);
	}
	return ret;
}

int hd_repair_rest(struct hd_tables *tables, const struct hd_structure *structure,
		   struct hd_variant *variant, struct hd_error *err)
{
	const struct hd_flow_lanes no_lanes = { .rows = NULL };
	struct repair repair = { .tables = tables,
				 .fabric = tables->fabric,
				 .grid = structure->grid };
	bool is_known;
	int ret = hd_variant_follow(variant, tables, &no_lanes, &is_known, err);

	if (!ret && !is_known)
		ret = hd_repair(tables, structure, NULL, err);
	else if (!ret)
		ret = prepare(&repair, structure, err);
	if (!ret && is_known)
		ret = repair_lost(&repair, variant, err);
	hd_variant_reset(variant);
	release(&repair);
	return ret;
}
