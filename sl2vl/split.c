// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/split.h"

#include <stdlib.h>
#include <string.h>

#include "check/channels.h"
#include "sl2vl/flow_paths.h"
#include "sl2vl/flow_turns.h"
#include "sl2vl/lid_columns.h"
#include "support/error.h"
#include "support/memory.h"

/* LFTs that are read side by side: a cache line of entries by destination, rows within a cache. */
#define AT_ONCE 64

/* A flow that may be on a cycle. */
struct suspect {
	uint32_t column, source;
	uint32_t n_links : 24;
	uint32_t own : 8; /* its class: to read the class again would be to wait for memory */
};

struct split {
	const struct hd_layer_input *input;
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	struct hd_layering *layering;
	unsigned n_layers, n_classes; /* layers and classes that the rule made */
	uint8_t parent[HD_MAX_SLS];   /* [class] the class whose layers it has at end nodes */
	struct hd_lid_columns columns;
	uint8_t *entries; /* [column n_switches + switch] LFT entries, side by side */
	struct hd_channels channels;
	uint8_t *core;

	struct hd_flow_paths paths;
	struct suspect *suspects;
	size_t n_suspects, suspects_capacity;
	struct hd_split_summary summary;
};

static unsigned own_class(const struct split *split, uint32_t source, uint32_t lid)
{
	const struct hd_layering *layering = split->layering;

	if (!layering->class_of)
		return 0;
	return layering
		->class_of[(layering->by_destination ? 0 : source * split->tables->lft_stride) +
			   lid];
}

static uint32_t lid_of(const struct split *split, uint32_t column)
{
	return split->columns.lids[split->columns.first[column]];
}

static struct hd_flow_entries entries_of(const struct split *split, uint32_t column)
{
	return (struct hd_flow_entries){
		.at = split->entries + (size_t)column * split->fabric->n_switches,
		.last = split->fabric->lids[lid_of(split, column)].via_switch,
	};
}

static void add_edges(struct split *split, size_t n_edges)
{
	for (size_t i = 0; i < n_edges; i++)
		hd_channels_add(&split->channels, &split->paths.edges[i]);
}

static bool may_be_on_cycle(const struct split *split, size_t n_edges)
{
	for (size_t i = 0; i < n_edges; i++)
		if (split->core[hd_channels_source(&split->channels, &split->paths.edges[i])] &&
		    split->core[hd_channels_target(&split->channels, &split->paths.edges[i])])
			return true;
	return false;
}

static int remember(struct split *split, const struct suspect *flow, struct hd_error *err)
{
	if (split->n_suspects == split->suspects_capacity) {
		size_t capacity = split->suspects_capacity ? 2 * split->suspects_capacity : 4096;
		struct suspect *grown =
			realloc(split->suspects, capacity * sizeof(*split->suspects));

		if (!grown)
			return hd_error_nomem(err);
		split->suspects = grown;
		split->suspects_capacity = capacity;
	}
	split->suspects[split->n_suspects++] = *flow;
	return 0;
}

/* Adds the flows to the destination of column @c that are on no cycle, and remembers the others. */
static int sort_column(struct split *split, uint32_t c, struct hd_error *err)
{
	const uint32_t lid = lid_of(split, c);
	const struct hd_flow_entries entries = entries_of(split, c);

	hd_for_each_switch(s, split->fabric) {
		struct suspect flow = { .column = c, .source = s };
		unsigned class;
		size_t n_edges;
		int ret;

		if (!hd_flow_begins(&split->paths, s))
			continue;
		class = own_class(split, s, lid);
		flow.n_links = hd_flow_follow(&split->paths, s, &entries) & 0xFFFFFF;
		flow.own = class & 0xFF;
		n_edges = hd_flow_edges(&split->paths, class);
		if (!may_be_on_cycle(split, n_edges)) {
			add_edges(split, n_edges);
			continue;
		}
		ret = remember(split, &flow, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int sort_flows(struct split *split, struct hd_error *err)
{
	int ret = 0;

	hd_channels_empty(&split->channels);
	for (uint32_t c = 0; !ret && c < split->columns.n; c++)
		ret = sort_column(split, c, err);
	return ret;
}

/* Puts suspects with fewer links first; those with equally many stay in order. */
static int sort_suspects(struct split *split, struct hd_error *err)
{
	const size_t n_lengths = split->fabric->n_switches + (size_t)2;
	size_t *first = calloc(n_lengths, sizeof(*first));
	struct suspect *sorted = malloc((split->n_suspects + 1) * sizeof(*sorted));

	if (!first || !sorted) {
		free(first);
		free(sorted);
		return hd_error_nomem(err);
	}
	for (size_t i = 0; i < split->n_suspects; i++)
		first[split->suspects[i].n_links + 1]++;
	for (size_t length = 1; length < n_lengths; length++)
		first[length] += first[length - 1];
	for (size_t i = 0; i < split->n_suspects; i++)
		sorted[first[split->suspects[i].n_links]++] = split->suspects[i];
	free(first);
	free(split->suspects);
	split->suspects = sorted;
	return 0;
}

/* Whether the path that was followed last closes no cycle in @class; if so, the path is added. */
static bool fits(struct split *split, unsigned class)
{
	return hd_channels_try(&split->channels, split->paths.edges,
			       hd_flow_edges(&split->paths, class));
}

/* Whether the next class, not in use yet, is equal to one in use. */
static bool is_known(const struct split *split)
{
	const struct hd_layering *layering = split->layering;

	for (unsigned class = 0; class < layering->n_classes; class ++) {
		unsigned pattern = 0;

		while (pattern < layering->n_patterns &&
		       layering->patterns[pattern][class] ==
			       layering->patterns[pattern][layering->n_classes])
			pattern++;
		if (pattern == layering->n_patterns)
			return true;
	}
	return false;
}

/*
 * Tries the next class with, at every hop, the layer of class @parent plus @shift, or, if @shift is
 * HD_MAX_SLS, layer @layer. The class stays when the path that was followed last fits.
 */
static bool open_class(struct split *split, unsigned parent, unsigned shift, unsigned layer)
{
	struct hd_layering *layering = split->layering;
	unsigned class = layering->n_classes, top = 0;

	for (unsigned p = 0; p < layering->n_patterns; p++) {
		uint8_t *layers = layering->patterns[p];

		layers[class] = (uint8_t)(shift == HD_MAX_SLS ? layer : layers[parent] + shift);
		top = layers[class] > top ? layers[class] : top;
	}
	if (top >= split->input->max_layers || is_known(split) || !fits(split, class))
		return false;
	layering->host_layer[class] = layering->host_layer[parent];
	split->parent[class] = (uint8_t)parent;
	layering->n_classes++;
	if (top >= layering->n_layers)
		layering->n_layers = top + 1;
	return true;
}

/* Opens a class in which that path fits, with as few layers as possible. */
static bool open_some_class(struct split *split, unsigned own)
{
	if (split->layering->n_classes >= split->input->max_classes)
		return false;
	for (unsigned layer = 0; layer < split->n_layers; layer++)
		if (open_class(split, own, HD_MAX_SLS, layer))
			return true;
	for (unsigned more = 1; split->n_layers + more <= split->input->max_layers; more++)
		if (open_class(split, own, HD_MAX_SLS, split->n_layers - 1 + more) ||
		    open_class(split, own, more, 0))
			return true;
	return false;
}

/* Makes rows of classes by source switch, where the rule had one row for all switches or none. */
static int spread_classes(const struct split *split, struct hd_error *err)
{
	const size_t stride = split->tables->lft_stride;
	struct hd_layering *layering = split->layering;
	uint8_t *class_of;

	if (layering->class_of && !layering->by_destination)
		return 0;
	class_of = calloc(split->fabric->n_switches, stride);
	if (!class_of)
		return hd_error_nomem(err);
	for (uint32_t s = 0; layering->class_of && s < split->fabric->n_switches; s++)
		memcpy(class_of + s * stride, layering->class_of, stride);
	free(layering->class_of);
	layering->class_of = class_of;
	layering->by_destination = false;
	return 0;
}

/* Moves the flow to @class. */
static int move(struct split *split, const struct suspect *flow, unsigned class,
		struct hd_error *err)
{
	const struct hd_lid_columns *columns = &split->columns;
	const size_t stride = split->tables->lft_stride;
	struct hd_layering *layering = split->layering;
	int ret = spread_classes(split, err);

	if (ret)
		return ret;
	for (uint32_t i = columns->first[flow->column]; i < columns->first[flow->column + 1]; i++)
		layering->class_of[flow->source * stride + columns->lids[i]] = (uint8_t) class;
	split->summary.n_flows += columns->first[flow->column + 1] - columns->first[flow->column];
	return 0;
}

static int refuse(const struct split *split, const struct suspect *flow, uint32_t lid,
		  struct hd_error *err)
{
	const struct hd_fabric *fabric = split->fabric;

	return hd_error_set(err, HD_EREFUSED,
			    "credit loops: detours do not fit into the %u layers and %u flow "
			    "classes of the rule, "
			    "nor into the %u and %u that there are in all: the %u links from %.64s "
			    "to %.64s are "
			    "left",
			    split->n_layers, split->n_classes, split->input->max_layers,
			    split->input->max_classes, flow->n_links,
			    hd_node_name(fabric, flow->source),
			    hd_node_name(fabric, fabric->ports[fabric->lids[lid].port].node));
}

/* The first of the rule's classes in which that path fits; n_classes: none, or none is allowed. */
static unsigned find_class_of_others(struct split *split)
{
	unsigned class = split->input->any_class ? 0 : split->n_classes;

	while (class < split->n_classes && !fits(split, class))
		class ++;
	return class;
}

static int place(struct split *split, const struct suspect *flow, struct hd_error *err)
{
	const unsigned own = flow->own;
	unsigned class = split->n_classes;
	const struct hd_flow_entries entries = entries_of(split, flow->column);

	hd_flow_follow(&split->paths, flow->source, &entries);
	if (fits(split, own))
		return 0;
	while (class < split->layering->n_classes && !fits(split, class))
		class ++;
	if (class == split->layering->n_classes && !open_some_class(split, own)) {
		class = find_class_of_others(split);
		if (class == split->n_classes)
			return refuse(split, flow, lid_of(split, flow->column), err);
	}
	return move(split, flow, class, err);
}

/*
 * Rows towards end nodes get patterns of their own, in which added classes have the layers of their
 * parents.
 */
static int keep_end_nodes(struct split *split, struct hd_error *err)
{
	struct hd_layering *layering = split->layering;
	const struct hd_tables *tables = split->tables;
	const struct hd_fabric *fabric = split->fabric;
	size_t n_rows = tables->sl2vl_first[fabric->n_switches];
	unsigned n = layering->n_patterns;
	uint8_t(*grown)[HD_MAX_SLS];

	if (2 * n > UINT16_MAX)
		return hd_error_set(err, HD_EREFUSED, "%u patterns of layers are too many", 2 * n);
	grown = realloc(layering->patterns, 2 * n * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	layering->patterns = grown;
	layering->n_patterns = 2 * n;
	memcpy(grown + n, grown, n * sizeof(*grown));
	for (unsigned p = n; p < 2 * n; p++)
		for (unsigned class = split->n_classes; class < layering->n_classes; class ++)
			grown[p][class] = grown[p][split->parent[class]];
	if (!layering->pattern)
		layering->pattern = calloc(n_rows, sizeof(*layering->pattern));
	if (!layering->pattern)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric)
		for (unsigned out = 0; out <= fabric->nodes[s].n_ports; out++)
			if (split->channels.link_of_port[hd_port_index(fabric, s, out)] == HD_NONE)
				for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++)
					layering->pattern[hd_sl2vl_index(tables, s, in, out)] +=
						(uint16_t)n;
	return 0;
}

static int place_suspects(struct split *split, struct hd_error *err)
{
	int ret = sort_suspects(split, err);

	hd_channels_rank(&split->channels, split->core);
	for (size_t i = 0; !ret && i < split->n_suspects; i++)
		ret = place(split, &split->suspects[i], err);
	if (!ret && split->layering->n_classes > split->n_classes)
		ret = keep_end_nodes(split, err);
	split->summary.added_layers = split->layering->n_layers - split->n_layers;
	split->summary.added_classes = split->layering->n_classes - split->n_classes;
	return ret;
}

/* Lists the LFT entries by destination: flows of one destination are followed together. */
static int list_entries(struct split *split, struct hd_error *err)
{
	const uint32_t n = split->fabric->n_switches;

	split->entries = malloc((size_t)n * split->columns.n + 1);
	if (!split->entries)
		return hd_error_nomem(err);
	for (uint32_t begin = 0; begin < n; begin += AT_ONCE) {
		const uint32_t end = n - begin < AT_ONCE ? n : begin + AT_ONCE;

		for (uint32_t c = 0; c < split->columns.n; c++) {
			uint8_t *at = split->entries + (size_t)c * n;
			const uint32_t lid = lid_of(split, c);

			for (uint32_t s = begin; s < end; s++)
				at[s] = hd_lft(split->tables, s)[lid];
		}
	}
	return 0;
}

static int prepare(struct split *split, struct hd_error *err)
{
	const unsigned n_layers = split->input->max_layers > split->n_layers
					  ? split->input->max_layers
					  : split->n_layers;
	int ret = hd_lid_columns_find(&split->columns, split->tables, split->layering, err);

	if (!ret)
		ret = list_entries(split, err);
	if (!ret)
		ret = hd_channels_init(&split->channels, split->tables, n_layers, err);
	if (ret)
		return ret;
	split->core = malloc(split->channels.n_vertices + (size_t)1);
	if (!split->core)
		return hd_error_nomem(err);
	return hd_flow_paths_init(&split->paths, split->tables, split->layering, err);
}

static void release(struct split *split)
{
	hd_lid_columns_clear(&split->columns);
	free(split->entries);
	hd_channels_clear(&split->channels);
	free(split->core);
	hd_flow_paths_clear(&split->paths);
	free(split->suspects);
}

int hd_split_flows(const struct hd_layer_input *input, struct hd_layering *layering,
		   struct hd_split_summary *summary, struct hd_error *err)
{
	struct split split = {
		.input = input,
		.tables = input->tables,
		.fabric = input->tables->fabric,
		.layering = layering,
		.n_layers = layering->n_layers,
		.n_classes = layering->n_classes,
	};
	int ret = prepare(&split, err);

	if (!ret)
		ret = hd_flow_turns_add(&split.paths, &split.columns, split.entries,
					&split.channels, err);
	if (!ret && !hd_channels_rank(&split.channels, split.core)) {
		ret = sort_flows(&split, err);
		if (!ret)
			ret = hd_channels_remember(&split.channels, err);
		if (!ret)
			ret = place_suspects(&split, err);
	}
	if (summary)
		*summary = split.summary;
	release(&split);
	return ret;
}
