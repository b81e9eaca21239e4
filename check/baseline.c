// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define TILE      64                  /* destinations whose columns are read together */
#define MOST_USES (UINT64_C(1) << 27) /* 256 MB for each thread */

/* The base's own room for tiles of columns. */
struct tile {
	uint8_t *columns, *classes;
};

static int tile_init(struct tile *tile, uint32_t n_switches, struct hd_error *err)
{
	const size_t n = (n_switches + (size_t)1) * TILE;

	*tile = (struct tile){ malloc(n), malloc(n) };
	return tile->columns && tile->classes ? 0 : hd_error_nomem(err);
}

/* Reads the LFT entries of at most TILE destinations, and their classes where sources differ. */
static void read_tile(const struct hd_flow_view *view, const struct hd_tables *tables,
		      const struct hd_flow_lanes *lanes, const uint16_t *lids, uint32_t n,
		      const struct tile *tile)
{
	for (uint32_t s = 0; s < view->n; s++) {
		const uint8_t *lft = hd_lft(tables, s);

		for (uint32_t i = 0; i < n; i++)
			tile->columns[i * (size_t)view->n + s] = lft[lids[i]];
		if (!lanes->classes || !lanes->class_row)
			continue;
		lft = lanes->classes + lanes->class_row[s] * view->stride;
		for (uint32_t i = 0; i < n; i++)
			tile->classes[i * (size_t)view->n + s] = lft[lids[i]];
	}
}

/* Whether the flows to LIDs @i and @k of a tile go the same ways on the same lanes. */
static bool are_alike(const struct hd_flow_view *view, const struct hd_flow_lanes *lanes,
		      const uint16_t *lids, const struct tile *tile, uint32_t i, uint32_t k)
{
	const struct hd_lid *places = view->fabric->lids;
	const uint32_t n = view->n, last = places[lids[i]].via_switch;
	const uint8_t *a = tile->columns + i * (size_t)n, *b = tile->columns + k * (size_t)n;

	if (places[lids[k]].via_switch != last || memcmp(a, b, last) != 0 ||
	    memcmp(a + last + 1, b + last + 1, n - last - 1) != 0)
		return false;
	if (!lanes->classes)
		return true;
	if (!lanes->class_row)
		return lanes->classes[lids[i]] == lanes->classes[lids[k]];
	return memcmp(tile->classes + i * (size_t)n, tile->classes + k * (size_t)n, n) == 0;
}

/* Adds the flows to the LIDs of a tile to those of the base. */
static void add_tile(struct hd_baseline *base, const uint16_t *lids, uint32_t n,
		     const struct tile *tile, struct hd_flow_scratch *scratch)
{
	const struct hd_flow_view *view = &base->view;

	read_tile(view, base->tables, &base->lanes, lids, n, tile);
	for (uint32_t i = 0, end; i < n; i = end) {
		struct hd_flow_column column = {
			.out = tile->columns + i * (size_t)view->n,
			.stride = 1,
			.lids = lids + i,
		};
		uint32_t n_lost = 0;

		for (end = i + 1; end < n && are_alike(view, &base->lanes, lids, tile, i, end);)
			end++;
		column.n = end - i;
		for (uint32_t s = 0; s < view->n; s++)
			n_lost += !hd_flow_sums_add(&base->sums, view, &base->lanes, &column, s,
						    false, scratch);
		for (uint32_t k = i; k < end; k++)
			base->n_lost[lids[k]] = n_lost;
	}
}

bool hd_baseline_edge_of(const struct hd_baseline *base, const struct hd_flow_use *use,
			 struct hd_channel_edge *edge)
{
	const uint32_t port = base->view.fabric->nodes[use->node].first_port + use->out;

	*edge = (struct hd_channel_edge){
		.node = use->node,
		.in = (uint8_t)use->in,
		.out = (uint8_t)use->out,
		.from = (uint8_t)use->lane,
		.to = (uint8_t)hd_row_vl(hd_flow_row(&base->lanes, use->row), use->class),
	};
	return use->in && use->out && base->sums.links[port].node != HD_NONE &&
	       edge->to < base->view.n_lanes;
}

/* What packets of the end ports at @s have behind @out, by class. */
static void find_injected(const struct hd_flow_view *view, const struct hd_flow_lanes *lanes,
			  uint32_t s, unsigned out, uint64_t *injected)
{
	const struct hd_fabric *fabric = view->fabric;
	const size_t width = fabric->nodes[s].n_ports + (size_t)1;

	for (unsigned in = 0; in < width; in++) {
		const uint32_t port = hd_port_index(fabric, s, in);
		const uint32_t source = in ? fabric->ports[port].peer : port;
		hd_sl2vl_row row;

		if (source == HD_NONE || !hd_is_end_port(fabric, source))
			continue;
		row = hd_flow_row(lanes, view->first_row[s] + out * width + in);
		for (unsigned class = 0; class < view->n_classes; class ++)
			if (hd_row_vl(row, class) < view->n_lanes)
				injected[class] |=
					UINT64_C(1)
					<< (hd_row_vl(row, class) << view->shift | class);
	}
}

static int list_injected(struct hd_flow_view *view, const struct hd_flow_lanes *lanes,
			 struct hd_error *err)
{
	const struct hd_fabric *fabric = view->fabric;

	view->injected =
		calloc(((size_t)fabric->n_ports << view->shift) + 1, sizeof(*view->injected));
	if (!view->injected)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s)
			if (hd_peer_node(fabric, s, out) < fabric->n_switches)
				find_injected(view, lanes, s, out,
					      view->injected +
						      ((size_t)hd_port_index(fabric, s, out)
						       << view->shift));
	return 0;
}

/* Lists the LIDs that a switch leads to, by switch: a counting sort. */
static int list_lids(struct hd_flow_view *view, struct hd_error *err)
{
	const struct hd_fabric *fabric = view->fabric;
	uint32_t *first = calloc(view->n + (size_t)2, sizeof(*first));

	view->lids = malloc((fabric->top_lid + (size_t)1) * sizeof(*view->lids));
	if (!first || !view->lids) {
		free(first);
		return hd_error_nomem(err);
	}
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].port != HD_NONE && fabric->lids[lid].via_switch != HD_NONE)
			first[fabric->lids[lid].via_switch + 1]++;
	for (uint32_t s = 0; s < view->n; s++)
		first[s + 1] += first[s];
	view->n_lids = first[view->n];
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].port != HD_NONE && fabric->lids[lid].via_switch != HD_NONE)
			view->lids[first[fabric->lids[lid].via_switch]++] = (uint16_t)lid;
	free(first);
	return 0;
}

static void find_sources(struct hd_flow_view *view, const struct hd_baseline_request *request)
{
	const struct hd_fabric *fabric = view->fabric;

	hd_for_each_switch(s, fabric)
		for (unsigned number = 0; number <= fabric->nodes[s].n_ports; number++) {
			const uint32_t port = hd_port_index(fabric, s, number);
			const uint32_t source = number ? fabric->ports[port].peer : port;

			if (source == HD_NONE)
				continue;
			view->starts[s] |= hd_is_end_port(fabric, source);
			view->hosts[s] += number && request->is_host(fabric, source);
		}
	for (uint32_t i = 0; i < view->n_lids; i++)
		view->has_load[view->lids[i]] = request->has_load(fabric, view->lids[i]);
}

/* Lists the switches of rows. HD_ENOMEM. */
static int list_switches(struct hd_flow_view *view, struct hd_error *err)
{
	const size_t n = view->first_row[view->n] / HD_FLOW_ROWS + 1;
	uint32_t s = 0;

	view->switch_at = malloc(n * sizeof(*view->switch_at));
	if (!view->switch_at)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++) {
		while (s < view->n && view->first_row[s + 1] <= i * HD_FLOW_ROWS)
			s++;
		view->switch_at[i] = s;
	}
	return 0;
}

static int view_init(struct hd_flow_view *view, const struct hd_baseline_request *request,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = request->tables->fabric;
	const size_t n = fabric->n_switches + (size_t)1;
	int ret;

	*view = (struct hd_flow_view){
		.fabric = fabric,
		.stride = request->tables->lft_stride,
		.first_row = request->tables->sl2vl_first,
		.n = fabric->n_switches,
		.to_ends = request->to_ends,
		.n_lanes = request->n_lanes,
		.n_classes = request->n_classes,
		.has_load = calloc(fabric->top_lid + (size_t)1, sizeof(*view->has_load)),
		.hosts = calloc(n, sizeof(*view->hosts)),
		.starts = calloc(n, sizeof(*view->starts)),
	};
	if (!view->has_load || !view->hosts || !view->starts)
		return hd_error_nomem(err);
	ret = list_lids(view, err);
	if (!ret)
		ret = list_switches(view, err);
	if (ret)
		return ret;
	find_sources(view, request);
	if (!request->lanes.rows)
		return 0;
	while (1u << view->shift < view->n_classes)
		view->shift++;
	view->n_states = view->n_lanes << view->shift;
	if (view->n_states > HD_FLOW_STATES || hd_flow_n_uses(view) > MOST_USES)
		return hd_error_set(err, HD_ERANGE, "too many states to keep");
	return list_injected(view, &request->lanes, err);
}

/* The order of channels, by all uses that there are. */
static int order_channels(struct hd_baseline *base, struct hd_error *err)
{
	const size_t n = hd_flow_n_uses(&base->view);
	int ret = hd_channels_init(&base->channels, base->tables, base->view.n_lanes, err);
	uint8_t *core;
	bool is_acyclic;

	if (ret)
		return ret;
	for (size_t use = 0; use < n; use++) {
		struct hd_channel_edge edge;
		struct hd_flow_use parts;

		if (!base->sums.uses[use])
			continue;
		parts = hd_flow_use_of(&base->view, (uint32_t)use);
		if (hd_baseline_edge_of(base, &parts, &edge))
			hd_channels_add(&base->channels, &edge);
	}
	core = malloc(base->channels.n_vertices + (size_t)1);
	if (!core)
		return hd_error_nomem(err);
	is_acyclic = hd_channels_rank(&base->channels, core);
	free(core);
	return is_acyclic ? 0 : hd_error_set(err, HD_ERANGE, "the dependencies have a cycle");
}

static int add_all(struct hd_baseline *base, struct hd_error *err)
{
	struct hd_flow_scratch scratch = { 0 };
	struct tile tile;
	int ret = tile_init(&tile, base->view.n, err);

	if (!ret)
		ret = hd_flow_scratch_init(&scratch, base->view.n, err);
	if (!ret) {
		for (uint32_t i = 0; i < base->view.n_lids; i += TILE) {
			const uint32_t n = base->view.n_lids - i;

			add_tile(base, base->view.lids + i, n < TILE ? n : TILE, &tile, &scratch);
		}
		if (scratch.is_bad)
			ret = hd_error_set(err, HD_ERANGE, "a flow leaves the lanes");
	}
	hd_flow_scratch_clear(&scratch);
	free(tile.columns);
	free(tile.classes);
	return ret;
}

int hd_baseline_init(struct hd_baseline *base, const struct hd_baseline_request *request,
		     struct hd_error *err)
{
	int ret;

	*base = (struct hd_baseline){ .tables = request->tables, .lanes = request->lanes };
	ret = view_init(&base->view, request, err);
	if (!ret)
		ret = hd_flow_sums_init(&base->sums, &base->view, err);
	if (ret)
		return ret;
	base->n_lost = calloc(base->view.fabric->top_lid + (size_t)1, sizeof(*base->n_lost));
	if (!base->n_lost)
		return hd_error_nomem(err);
	ret = add_all(base, err);
	if (!ret && base->lanes.rows)
		ret = order_channels(base, err);
	return ret;
}

void hd_baseline_clear(struct hd_baseline *base)
{
	struct hd_flow_view *view = &base->view;

	free(view->lids);
	free(view->switch_at);
	free(view->has_load);
	free(view->hosts);
	free(view->starts);
	free(view->injected);
	hd_flow_sums_clear(&base->sums);
	free(base->n_lost);
	hd_channels_clear(&base->channels);
	*base = (struct hd_baseline){ 0 };
}
