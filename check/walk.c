// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/walk.h"

struct walk {
	const struct hd_tables *tables;
	const struct hd_walk_options *options;
	unsigned sl;
	struct hd_hop *hops;
	size_t capacity;
	size_t n_hops;
};

static bool append(struct walk *walk, uint32_t node, unsigned in, unsigned out)
{
	if (walk->n_hops == walk->capacity)
		return false;
	walk->hops[walk->n_hops++] =
		(struct hd_hop){ .node = node, .in = (uint8_t)in, .out = (uint8_t)out };
	return true;
}

/* Sets the VL of the last hop, which leaves through @port; false when the packet is dropped. */
static bool take_lane(struct walk *walk, uint32_t port, size_t row)
{
	struct hd_hop *hop = &walk->hops[walk->n_hops - 1];
	unsigned vls = hd_link_vls(walk->tables->fabric, port);

	if (walk->options->max_vls && walk->options->max_vls < vls)
		vls = walk->options->max_vls;
	hop->vl = (uint8_t)hd_row_vl(walk->tables->sl2vl[row], walk->sl);
	return walk->options->routes_only || (hop->vl < vls && hop->vl != HD_VL_DROP);
}

/* Forwards from switch to switch, from in-port @in of @node on. */
static enum hd_check_failure forward(struct walk *walk, uint32_t node, unsigned in, uint32_t lid)
{
	const struct hd_fabric *fabric = walk->tables->fabric;
	uint32_t owner = fabric->lids[lid].port;

	for (uint32_t n = 0; n <= fabric->n_switches; n++) {
		unsigned out = hd_lft(walk->tables, node)[lid];
		uint32_t port, peer;

		if (!append(walk, node, in, out))
			return HD_CHECK_FORWARD_LOOP;
		if (!hd_lft_is_known(walk->tables, node))
			return HD_CHECK_NOT_COVERED;
		if (out == 0 && fabric->ports[owner].node == node)
			return HD_CHECK_SOUND;
		if (out == 0 || out > fabric->nodes[node].n_ports)
			return HD_CHECK_NO_PATH;
		port = hd_port_index(fabric, node, out);
		peer = fabric->ports[port].peer;
		if (peer == HD_NONE ||
		    (peer != owner && !hd_is_switch(fabric, fabric->ports[peer].node)))
			return HD_CHECK_NO_PATH;
		if (!take_lane(walk, port, hd_sl2vl_index(walk->tables, node, in, out)))
			return HD_CHECK_DROPPED;
		node = fabric->ports[peer].node;
		in = fabric->ports[peer].number;
		if (peer == owner)
			return append(walk, node, in, 0) ? HD_CHECK_SOUND : HD_CHECK_FORWARD_LOOP;
	}
	return HD_CHECK_FORWARD_LOOP;
}

static enum hd_check_failure leave_adapter(struct walk *walk, uint32_t source, uint32_t lid)
{
	const struct hd_fabric *fabric = walk->tables->fabric;
	uint32_t node = fabric->ports[source].node;
	uint32_t peer = fabric->ports[source].peer;
	unsigned number = fabric->ports[source].number;

	if (!append(walk, node, 0, number))
		return HD_CHECK_FORWARD_LOOP;
	if (peer == HD_NONE ||
	    (peer != fabric->lids[lid].port && !hd_is_switch(fabric, fabric->ports[peer].node)))
		return HD_CHECK_NO_PATH;
	if (!take_lane(walk, source, hd_sl2vl_host_index(walk->tables, node, number)))
		return HD_CHECK_DROPPED;
	node = fabric->ports[peer].node;
	number = fabric->ports[peer].number;
	if (hd_is_switch(fabric, node))
		return forward(walk, node, number, lid);
	return append(walk, node, number, 0) ? HD_CHECK_SOUND : HD_CHECK_FORWARD_LOOP;
}

enum hd_check_failure hd_walk_with(const struct hd_tables *tables, const struct hd_flow *flow,
				   const struct hd_walk_options *options, struct hd_hop *hops,
				   size_t capacity, size_t *n_hops)
{
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_port *source = &fabric->ports[flow->source];
	struct walk walk = { .tables = tables,
			     .options = options,
			     .sl = flow->sl & 15,
			     .hops = hops,
			     .capacity = capacity };
	enum hd_check_failure failure;

	if (flow->lid > fabric->top_lid || fabric->lids[flow->lid].port == HD_NONE)
		failure = append(&walk, source->node, 0, source->number) ? HD_CHECK_NO_PATH
									 : HD_CHECK_FORWARD_LOOP;
	else if (fabric->lids[flow->lid].port == flow->source)
		failure =
			append(&walk, source->node, 0, 0) ? HD_CHECK_SOUND : HD_CHECK_FORWARD_LOOP;
	else if (hd_is_switch(fabric, source->node))
		failure = forward(&walk, source->node, 0, flow->lid);
	else
		failure = leave_adapter(&walk, flow->source, flow->lid);
	*n_hops = walk.n_hops;
	return failure;
}

enum hd_check_failure hd_walk(const struct hd_tables *tables, const struct hd_flow *flow,
			      struct hd_hop *hops, size_t capacity, size_t *n_hops)
{
	const struct hd_walk_options options = { 0 };

	return hd_walk_with(tables, flow, &options, hops, capacity, n_hops);
}
