// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A flow is a pair of a source switch and a destination LID, and counts as many times as the switch
 * has end nodes. Flows to and from switches themselves are few packets and do not count. Flows are
 * taken switch by switch, LIDs in order. Unless there are very many, all are taken once more when
 * all have a class: each then leaves its channels and chooses again. Of equally good classes it
 * takes the first, from another class on each time.
 */
#include <stdlib.h>

#include "sl2vl/flex_classes.h"
#include "tables/lft_steps.h"
#include "support/error.h"
#include "support/memory.h"

/* With more flows than this, one round is even enough, and takes long enough. */
#define MANY_FLOWS (1u << 24)

/* Links of one flow that are looked at. */
#define MAX_LINKS 64

struct spread {
	const struct hd_layer_input *input;
	const struct hd_flex_scheme *scheme;
	struct hd_layering *layering;
	uint32_t *load; /* [port * n_layers + lane] flows; those from end nodes are counted under
			   port 0 of their switch */
};

struct path {
	unsigned n;
	uint32_t port[MAX_LINKS]; /* [link] the port by which it leaves its switch */
	uint16_t stage[MAX_LINKS];
};

static void list_links(const struct spread *spread, uint32_t s, uint32_t lid, struct path *path)
{
	struct hd_step step;

	path->n = 0;
	for (hd_steps_begin(&step, s, 0);
	     path->n < MAX_LINKS && hd_steps_next(spread->input->tables, lid, &step);) {
		path->port[path->n] = step.port;
		path->stage[path->n++] =
			spread->layering->pattern ? spread->layering->pattern[step.row] : 0;
	}
}

/* Classes that suit a flow, which has class @now. */
static uint16_t allowed_classes(const struct spread *spread, const struct path *path, unsigned now)
{
	const struct hd_flex_scheme *scheme = spread->scheme;
	uint16_t classes = (uint16_t)((1u << spread->layering->n_classes) - 1);

	if (!scheme->copies) {
		for (unsigned i = 1; i < path->n; i++)
			classes &= scheme->allowed[path->stage[i - 1]][path->stage[i]];
		return classes;
	}
	classes =
		(uint16_t)(((1u << scheme->copies) - 1) << (now / scheme->copies * scheme->copies));
	for (unsigned i = 0; i < path->n; i++)
		classes &= scheme->fits[path->stage[i]];
	return classes;
}

/* The numbers of flows on the lanes of @port. */
static uint32_t *port_load(const struct spread *spread, uint32_t port)
{
	return &spread->load[port * (size_t)spread->layering->n_layers];
}

/* Adds @weight (which may be minus it) to the channels of a flow. */
static void count(const struct spread *spread, uint32_t s, const struct path *path, unsigned class,
		  uint32_t weight)
{
	const struct hd_layering *layering = spread->layering;
	uint32_t source = hd_port_index(spread->input->tables->fabric, s, 0);

	port_load(spread, source)[layering->host_layer[class]] += weight;
	for (unsigned i = 0; i < path->n; i++)
		port_load(spread, path->port[i])[layering->patterns[path->stage[i]][class]] +=
			weight;
}

/* Adds to @sums, class by class, the flows of the channels at @lanes of a port. */
static void add_sums(const uint32_t *load, const uint8_t *lanes, unsigned n, uint32_t *sums)
{
	for (unsigned class = 0; class < n; class ++)
		sums[class] += load[lanes[class]];
}

static unsigned choose(const struct spread *spread, uint32_t s, const struct path *path,
		       uint16_t classes, unsigned turn)
{
	const struct hd_layering *layering = spread->layering;
	const unsigned n = layering->n_classes;
	uint32_t sums[HD_MAX_SLS] = { 0 };
	unsigned best = 0;
	uint32_t least = UINT32_MAX;

	add_sums(port_load(spread, hd_port_index(spread->input->tables->fabric, s, 0)),
		 layering->host_layer, n, sums);
	for (unsigned i = 0; i < path->n; i++)
		add_sums(port_load(spread, path->port[i]), layering->patterns[path->stage[i]], n,
			 sums);
	for (unsigned k = 0, class = turn % n; k < n; k++) {
		if ((classes >> class & 1) && sums[class] < least) {
			least = sums[class];
			best = class;
		}
		class = class + 1 == n ? 0 : class + 1;
	}
	return best;
}

static uint32_t count_end_nodes(const struct hd_fabric *fabric, uint32_t s)
{
	uint32_t n = 0;

	hd_for_each_number(port, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, port);

		n += peer != HD_NONE && peer >= fabric->n_switches;
	}
	return n;
}

static int refuse(const struct spread *spread, uint32_t s, uint32_t lid, struct hd_error *err)
{
	return hd_error_set(err, HD_EREFUSED,
			    "layer rule 'flex': the route from %.64s to LID %u does not go along "
			    "local, global and local links as it should",
			    hd_node_name(spread->input->tables->fabric, s), lid);
}

static int spread_switch(const struct spread *spread, uint32_t s, unsigned round,
			 struct hd_error *err)
{
	const struct hd_tables *tables = spread->input->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t end_nodes = count_end_nodes(fabric, s);
	uint8_t *class_of = spread->layering->class_of + s * tables->lft_stride;

	hd_for_each_lid(lid, fabric) {
		uint32_t port = fabric->lids[lid].port, weight;
		struct path path;
		uint16_t classes;

		if (port == HD_NONE)
			continue;
		list_links(spread, s, lid, &path);
		weight = hd_is_switch(fabric, fabric->ports[port].node) ? 0 : end_nodes;
		classes = allowed_classes(spread, &path, class_of[lid]);
		if (!classes)
			return refuse(spread, s, lid, err);
		if (round)
			count(spread, s, &path, class_of[lid], -weight);
		class_of[lid] = (uint8_t)choose(spread, s, &path, classes, s + lid);
		count(spread, s, &path, class_of[lid], weight);
	}
	return 0;
}

int hd_flex_spread(const struct hd_layer_input *input, const struct hd_flex_scheme *scheme,
		   struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const size_t size = fabric->n_switches * input->tables->lft_stride;
	struct spread spread = { .input = input, .scheme = scheme, .layering = layering };
	int ret = 0;

	if (!layering->class_of)
		layering->class_of = calloc(size + 1, 1);
	spread.load =
		calloc((fabric->n_ports + (size_t)1) * layering->n_layers, sizeof(*spread.load));
	if (!layering->class_of || !spread.load)
		ret = hd_error_nomem(err);
	for (unsigned round = 0; round < (size > MANY_FLOWS ? 1 : 2); round++)
		for (uint32_t s = 0; !ret && s < fabric->n_switches; s++)
			ret = spread_switch(&spread, s, round, err);
	free(spread.load);
	return ret;
}
