// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/busiest.h"

#include <stdlib.h>
#include <string.h>

#include "engines/lft_column.h"
#include "fabric/distances.h"
#include "fabric/link_rate.h"
#include "support/error.h"

/* hd_fastest_mbps(); 0: flows do not count by rate. */
static uint32_t counted_by(const struct hd_fabric *fabric)
{
	const uint32_t fastest = hd_fastest_mbps(fabric);
	uint32_t n = 0, n_slow = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			if (hd_peer_node(fabric, s, number) >= fabric->n_switches)
				continue;
			n++;
			n_slow += hd_port_mbps(fabric, hd_port_index(fabric, s, number), fastest) <
				  fastest;
		}
	return (uint64_t)HD_BUSIEST_SLOW * n_slow >= n ? fastest : 0;
}

/* Whether @lid is the base LID of an end port that is linked to a switch. */
static bool is_counted(const struct hd_fabric *fabric, uint32_t lid)
{
	const struct hd_lid *at = &fabric->lids[lid];

	return at->port != HD_NONE && at->via_switch != HD_NONE && at->via_port &&
	       fabric->ports[at->port].lid == lid;
}

static void count_end_ports(const struct hd_fabric *fabric, uint32_t *of_switch)
{
	hd_for_each_lid(lid, fabric)
		if (is_counted(fabric, lid))
			of_switch[fabric->lids[lid].via_switch]++;
}

/* The flows of all links. */
struct counting {
	struct hd_lft_column column;
	uint8_t *cost;     /* [port] 1 */
	uint64_t *load;    /* [port] flows */
	uint32_t *sources; /* [switch] end ports there */
	/* scratch, of the ways to one LID, [switch] */
	uint32_t *port, *next; /* where packets leave, and the switch that this leads to */
	uint32_t *left;        /* switches whose flows come next to this one, and are not listed */
	uint32_t *order;       /* each after those whose flows come to it */
	uint32_t *through;     /* flows that come through it */
};

static int counting_init(struct counting *counting, const struct hd_tables *tables,
			 struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const size_t n = fabric->n_switches + (size_t)1;

	*counting = (struct counting){
		.cost = malloc(fabric->n_ports + (size_t)1),
		.load = calloc(fabric->n_ports + (size_t)1, sizeof(*counting->load)),
		.sources = calloc(n, sizeof(*counting->sources)),
		.port = malloc(5 * n * sizeof(*counting->port)),
	};
	if (!counting->cost || !counting->load || !counting->sources || !counting->port)
		return hd_error_nomem(err);
	counting->next = counting->port + n;
	counting->left = counting->next + n;
	counting->order = counting->left + n;
	counting->through = counting->order + n;
	memset(counting->cost, 1, fabric->n_ports);
	count_end_ports(fabric, counting->sources);
	return hd_lft_column_init(&counting->column, tables, counting->cost, err);
}

static void counting_clear(struct counting *counting)
{
	hd_lft_column_clear(&counting->column);
	free(counting->cost);
	free(counting->load);
	free(counting->sources);
	free(counting->port);
}

/* Reads the ways to @lid. False: they have a hole. */
static bool read_ways(struct counting *counting, uint16_t lid)
{
	const struct hd_tables *tables = counting->column.tables;
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t last = fabric->lids[lid].via_switch;

	memset(counting->left, 0, fabric->n_switches * sizeof(*counting->left));
	hd_for_each_switch(s, fabric) {
		const unsigned out = hd_lft(tables, s)[lid];
		const uint32_t port = hd_port_index(fabric, s, out);

		if (s == last)
			continue;
		if (!out || out > fabric->nodes[s].n_ports ||
		    counting->column.peer[port] == HD_NONE)
			return false;
		counting->port[s] = port;
		counting->next[s] = counting->column.peer[port];
		counting->left[counting->next[s]]++;
	}
	return true;
}

/* Orders all switches but that of @lid. False: some ways go round in circles. */
static bool order_ways(struct counting *counting, uint16_t lid)
{
	const struct hd_fabric *fabric = counting->column.tables->fabric;
	const uint32_t last = fabric->lids[lid].via_switch;
	uint32_t *order = counting->order, *left = counting->left, n = 0;

	left[last]++; /* it is never listed */
	hd_for_each_switch(s, fabric)
		if (!left[s])
			order[n++] = s;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t to = counting->next[order[i]];

		if (!--left[to])
			order[n++] = to;
	}
	return n + 1 == fabric->n_switches;
}

/* Adds the flows to @lid. */
static void add_flows(struct counting *counting, uint16_t lid)
{
	const uint32_t n = counting->column.tables->fabric->n_switches;
	uint32_t *through = counting->through;

	if (!read_ways(counting, lid) || !order_ways(counting, lid)) {
		hd_lft_column_load(&counting->column, lid);
		hd_lft_column_add_flows(&counting->column, counting->sources, 1, counting->load);
		return;
	}
	memcpy(through, counting->sources, n * sizeof(*through));
	for (uint32_t i = 0; i + 1 < n; i++) {
		const uint32_t s = counting->order[i];

		counting->load[counting->port[s]] += through[s];
		through[counting->next[s]] += through[s];
	}
}

int hd_busiest_link(const struct hd_tables *tables, uint64_t *flows, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t fastest = counted_by(fabric);
	struct counting counting;
	int ret = counting_init(&counting, tables, err);

	*flows = 0;
	hd_for_each_lid(lid, fabric)
		if (!ret && is_counted(fabric, lid))
			add_flows(&counting, (uint16_t)lid);
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++) {
		const uint64_t load = hd_flows_by_rate(counting.load[p], fastest,
						       hd_port_mbps(fabric, p, fastest));

		*flows = load > *flows ? load : *flows;
	}
	counting_clear(&counting);
	return ret;
}

/* Hosts in the order of their nodes, and what a shift among them does to links. */
struct shifts {
	const struct hd_tables *tables;
	uint32_t *lids; /* of the hosts */
	uint32_t n;
	uint32_t *load;   /* [port] flows of the present shift */
	uint32_t *loaded; /* the ports that have some */
	uint32_t fastest; /* counted_by() */
};

static void list_hosts(struct shifts *shifts)
{
	const struct hd_fabric *fabric = shifts->tables->fabric;

	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const uint32_t lid = fabric->ports[fabric->endports[i]].lid;

		if (lid && is_counted(fabric, lid))
			shifts->lids[shifts->n++] = lid;
	}
}

/* Adds the flow from @from to @to; returns the flows of its busiest link so far, by its rate. */
static uint64_t add_flow(struct shifts *shifts, uint32_t from, uint32_t to, uint32_t *n_loaded)
{
	const struct hd_fabric *fabric = shifts->tables->fabric;
	const uint32_t last = fabric->lids[to].via_switch;
	uint32_t node = fabric->lids[from].via_switch;
	uint64_t most = 0;

	for (uint32_t n = 0; node != last && n < fabric->n_switches; n++) {
		const unsigned out = hd_lft(shifts->tables, node)[to];
		const uint32_t port = hd_port_index(fabric, node, out);
		uint64_t load;

		if (!out || out > fabric->nodes[node].n_ports)
			return most;
		node = hd_peer_node(fabric, node, out);
		if (node >= fabric->n_switches)
			return most;
		if (!shifts->load[port]++)
			shifts->loaded[(*n_loaded)++] = port;
		load = hd_flows_by_rate(shifts->load[port], shifts->fastest,
					hd_port_mbps(fabric, port, shifts->fastest));
		most = load > most ? load : most;
	}
	return most;
}

static uint64_t busiest_of_shift(struct shifts *shifts, uint32_t by)
{
	uint32_t n_loaded = 0;
	uint64_t most = 0;

	for (uint32_t i = 0; i < shifts->n; i++) {
		const uint64_t flows = add_flow(shifts, shifts->lids[i],
						shifts->lids[(i + by) % shifts->n], &n_loaded);

		most = flows > most ? flows : most;
	}
	while (n_loaded)
		shifts->load[shifts->loaded[--n_loaded]] = 0;
	return most;
}

int hd_busiest_shifts(const struct hd_tables *tables, uint64_t *flows, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct shifts shifts = {
		.tables = tables,
		.lids = malloc((fabric->n_endports + (size_t)1) * sizeof(uint32_t)),
		.load = calloc(fabric->n_ports + (size_t)1, sizeof(uint32_t)),
		.loaded = malloc((fabric->n_ports + (size_t)1) * sizeof(uint32_t)),
		.fastest = counted_by(fabric),
	};
	int ret = shifts.lids && shifts.load && shifts.loaded ? 0 : hd_error_nomem(err);

	*flows = 0;
	if (!ret)
		list_hosts(&shifts);
	for (uint64_t k = 0; !ret && shifts.n > 1 && k < HD_BUSIEST_SHIFTS; k++)
		*flows += busiest_of_shift(&shifts,
					   1 + (uint32_t)(k * (shifts.n - 1) / HD_BUSIEST_SHIFTS));
	free(shifts.lids);
	free(shifts.load);
	free(shifts.loaded);
	return ret;
}

/* On which side of a cut a switch is; 0: on none. */
enum { IS_NEAR = 1, IS_FAR };

/* What the bounds are made of. */
struct bounds {
	const struct hd_fabric *fabric;
	const uint8_t *distances;
	uint32_t *end_ports;      /* [switch] */
	uint64_t n_flows, length; /* all flows; their hops together */
	uint64_t n_end_ports;     /* that the switch in the middle reaches */
	uint64_t flows;           /* the greatest bound */
	uint32_t fastest;         /* counted_by() */
	struct channel {
		uint32_t from, to, mbps;
	} * channels; /* links between switches, in each direction */
	size_t n_channels;
	uint8_t *side; /* scratch, [switch] */
};

/* What a link takes of flows that links share: its rate; 1 where flows do not count by rate. */
static uint32_t share_mbps(const struct bounds *bounds, uint32_t s, unsigned number)
{
	return bounds->fastest
		       ? hd_port_mbps(bounds->fabric, hd_port_index(bounds->fabric, s, number),
				      bounds->fastest)
		       : 1;
}

/* Links of @mbps together share @flows. */
static void take_share(struct bounds *bounds, uint64_t flows, uint64_t mbps)
{
	const uint32_t fastest = bounds->fastest ? bounds->fastest : 1;
	const uint64_t share = mbps ? (flows * fastest + mbps - 1) / mbps : 0;

	bounds->flows = share > bounds->flows ? share : bounds->flows;
}

/* What is on the other switches, as seen from one. */
struct view {
	uint64_t n_end_ports, length; /* those that are reached; hops to them */
	uint64_t mbps;                /* of its links to them, together */
};

static struct view view_from(const struct bounds *bounds, uint32_t s)
{
	const struct hd_fabric *fabric = bounds->fabric;
	const uint8_t *row = bounds->distances + (size_t)s * fabric->n_switches;
	struct view view = { 0 };

	hd_for_each_switch(to, fabric) {
		if (to == s || row[to] >= HD_UNREACHABLE)
			continue;
		view.n_end_ports += bounds->end_ports[to];
		view.length += (uint64_t)row[to] * bounds->end_ports[to];
	}
	hd_for_each_number(number, fabric, s) {
		const uint32_t peer = hd_peer_node(fabric, s, number);

		if (peer < fabric->n_switches && peer != s)
			view.mbps += share_mbps(bounds, s, number);
	}
	return view;
}

/*
 * The links of a switch share the flows of its end ports, the links of the fabric the hops of all
 * flows. Returns the switch from which end ports are nearest, of those from which most are reached.
 */
static uint32_t share_among_switches(struct bounds *bounds)
{
	uint64_t mbps = 0, most = 0, least = UINT64_MAX;
	uint32_t middle = 0;

	hd_for_each_switch(s, bounds->fabric) {
		const struct view view = view_from(bounds, s);
		const uint64_t mine = bounds->end_ports[s], reached = view.n_end_ports + mine;

		bounds->n_flows += mine * view.n_end_ports;
		bounds->length += mine * view.length;
		mbps += view.mbps;
		take_share(bounds, mine * view.n_end_ports, view.mbps);
		if (reached < most || (reached == most && view.length >= least))
			continue;
		most = reached;
		least = view.length;
		middle = s;
	}
	take_share(bounds, bounds->length, mbps);
	bounds->n_end_ports = most;
	return middle;
}

/*
 * The links that leave the switches nearer to @s than to @peer, those as near too if @with_equal,
 * share the flows that leave them.
 */
static void share_among_halves(struct bounds *bounds, uint32_t s, uint32_t peer, bool with_equal)
{
	const struct hd_fabric *fabric = bounds->fabric;
	const uint8_t *near = bounds->distances + (size_t)s * fabric->n_switches;
	const uint8_t *far = bounds->distances + (size_t)peer * fabric->n_switches;
	uint8_t *side = bounds->side;
	uint64_t n_end_ports = 0, mbps = 0;

	hd_for_each_switch(at, fabric) {
		const bool is_far = near[at] >= far[at] + with_equal;

		side[at] = is_far ? IS_FAR : near[at] < HD_UNREACHABLE ? IS_NEAR : 0;
		n_end_ports += side[at] == IS_NEAR ? bounds->end_ports[at] : 0;
	}
	for (size_t i = 0; i < bounds->n_channels; i++)
		if (side[bounds->channels[i].from] == IS_NEAR &&
		    side[bounds->channels[i].to] == IS_FAR)
			mbps += bounds->channels[i].mbps;
	take_share(bounds, n_end_ports * (bounds->n_end_ports - n_end_ports), mbps);
}

static void find_bounds(struct bounds *bounds)
{
	const struct hd_fabric *fabric = bounds->fabric;
	const uint32_t middle = share_among_switches(bounds);

	hd_for_each_number(number, fabric, middle) {
		const uint32_t peer = hd_peer_node(fabric, middle, number);

		if (peer >= fabric->n_switches || peer == middle)
			continue;
		share_among_halves(bounds, middle, peer, false);
		share_among_halves(bounds, middle, peer, true);
	}
}

static void list_channels(struct bounds *bounds)
{
	const struct hd_fabric *fabric = bounds->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			const uint32_t to = hd_peer_node(fabric, s, number);

			if (to < fabric->n_switches)
				bounds->channels[bounds->n_channels++] =
					(struct channel){ s, to, share_mbps(bounds, s, number) };
		}
}

int hd_busiest_link_bound(const struct hd_fabric *fabric, uint64_t *flows, double *hops,
			  struct hd_error *err)
{
	struct bounds bounds = {
		.fabric = fabric,
		.end_ports = calloc(fabric->n_switches + (size_t)1, sizeof(*bounds.end_ports)),
		.channels = malloc((fabric->n_ports + (size_t)1) * sizeof(*bounds.channels)),
		.side = malloc(fabric->n_switches + (size_t)1),
	};
	uint8_t *distances = NULL;
	int ret = bounds.end_ports && bounds.channels && bounds.side
			  ? hd_switch_distances(fabric, &distances, err)
			  : hd_error_nomem(err);

	if (!ret && fabric->n_switches) {
		bounds.distances = distances;
		bounds.fastest = counted_by(fabric);
		count_end_ports(fabric, bounds.end_ports);
		list_channels(&bounds);
		find_bounds(&bounds);
	}
	*flows = bounds.flows;
	*hops = bounds.n_flows ? (double)bounds.length / (double)bounds.n_flows : 0;
	free(bounds.end_ports);
	free(bounds.channels);
	free(bounds.side);
	free(distances);
	return ret;
}
