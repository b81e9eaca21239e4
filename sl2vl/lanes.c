// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "sl2vl/vlarb.h"
#include "support/error.h"

void hd_layering_clear(struct hd_layering *layering)
{
	free(layering->patterns);
	free(layering->pattern);
	free(layering->class_of);
	*layering = (struct hd_layering){ 0 };
}

void hd_destination_ids(const struct hd_fabric *fabric, uint32_t *ids, uint32_t *n_hosts,
			uint32_t *n_switches)
{
	*n_hosts = *n_switches = 0;
	memset(ids, 0, (fabric->top_lid + (size_t)1) * sizeof(*ids));
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		const struct hd_port *port = &fabric->ports[p];
		bool is_switch = hd_is_switch(fabric, port->node);
		uint32_t id;

		if (!port->lid || (!is_switch && port->peer == HD_NONE))
			continue;
		id = is_switch ? (*n_switches)++ : (*n_hosts)++;
		for (uint32_t offset = 0; offset < 1u << port->lmc; offset++)
			ids[port->lid + offset] = id;
	}
}

/* One composition under way: every pattern as an SL2VL row and as the set of VLs in use in it. */
struct composition {
	struct hd_tables *tables;
	const struct hd_layering *layering;
	unsigned n_queues, n_sls;
	hd_sl2vl_row *rows; /* [pattern] */
	uint16_t *vls;      /* [pattern] bit v: some SL in use takes VL v */
	unsigned max_vls;
	const struct hd_queues *queues;
	uint32_t vlarb_of_vls[1 << HD_MAX_VLS]; /* HD_NONE: not made yet */
};

static hd_sl2vl_row compose_row(const struct composition *c, const uint8_t *layer_of_class,
				uint16_t *vls)
{
	hd_sl2vl_row row = 0;

	*vls = 0;
	for (unsigned s = 0; s < HD_MAX_SLS; s++) {
		unsigned sl = s % c->n_sls;
		unsigned vl = layer_of_class[sl / c->n_queues] * c->n_queues + sl % c->n_queues;

		row |= (uint64_t)vl << (4 * s);
		*vls |= (uint16_t)(1u << vl);
	}
	return row;
}

static int refuse_vls(const struct composition *c, uint32_t port, unsigned has, uint16_t vls,
		      struct hd_error *err)
{
	char label[320];

	return hd_error_set(
		err, HD_EREFUSED,
		"%u layers x %u queues (%s) need %u VLs, of which %s needs %d and has %u",
		c->layering->n_layers, c->n_queues, c->queues->rule->name,
		c->layering->n_layers * c->n_queues,
		hd_port_label(c->tables->fabric, port, label, sizeof(label)),
		32 - __builtin_clz(vls), has);
}

/* Bounds the VLs of a linked port and gives it an arbitration over them. */
static int finish_port(struct composition *c, uint32_t port, uint16_t vls, struct hd_error *err)
{
	unsigned has = hd_link_vls(c->tables->fabric, port);
	uint32_t *known = &c->vlarb_of_vls[vls];
	struct hd_vlarb vlarb;
	int ret;

	if (c->max_vls && c->max_vls < has)
		has = c->max_vls;
	if (vls >> has)
		return refuse_vls(c, port, has, vls, err);
	if (*known == HD_NONE) {
		hd_vlarb_equal(vls, &vlarb);
		ret = hd_tables_set_vlarb(c->tables, port, &vlarb, err);
		if (ret)
			return ret;
		*known = c->tables->vlarb_of_port[port];
	}
	c->tables->vlarb_of_port[port] = *known;
	return 0;
}

/* Rows of linked out-ports; the others keep what hd_tables_new() gave them. */
static int compose_switch(struct composition *c, uint32_t s, struct hd_error *err)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	const unsigned n_rows = fabric->nodes[s].n_ports + 1u;
	size_t first = c->tables->sl2vl_first[s];

	for (unsigned out = 0; out < n_rows; out++, first += n_rows) {
		uint32_t port = hd_port_index(fabric, s, out);
		hd_sl2vl_row *row = c->tables->sl2vl + first;
		uint16_t vls = 0;
		int ret;

		if (fabric->ports[port].peer == HD_NONE)
			continue;
		if (c->layering->pattern) {
			const uint16_t *pattern = c->layering->pattern + first;

			for (unsigned in = 0; in < n_rows; in++) {
				row[in] = c->rows[pattern[in]];
				vls |= c->vls[pattern[in]];
			}
		} else {
			for (unsigned in = 0; in < n_rows; in++)
				row[in] = c->rows[0];
			vls = c->vls[0];
		}
		ret = finish_port(c, port, vls, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int compose_hosts(struct composition *c, struct hd_error *err)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	uint16_t vls;
	const hd_sl2vl_row row = compose_row(c, c->layering->host_layer, &vls);

	for (uint32_t n = fabric->n_switches; n < fabric->n_nodes; n++)
		for (unsigned number = 1; number <= fabric->nodes[n].n_ports; number++) {
			uint32_t port = hd_port_index(fabric, n, number);
			int ret;

			if (fabric->ports[port].peer == HD_NONE)
				continue;
			c->tables->sl2vl[hd_sl2vl_host_index(c->tables, n, number)] = row;
			ret = finish_port(c, port, vls, err);
			if (ret)
				return ret;
		}
	return 0;
}

/* One path-SL row where all sources share the classes, one per source switch otherwise. */
static int compose_path_sls(struct composition *c, struct hd_error *err)
{
	struct hd_tables *tables = c->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *class_of = c->layering->class_of;
	uint32_t n_rows = class_of ? fabric->n_switches : 1;
	uint32_t n_hosts, n_switches;
	uint32_t *ids = malloc((fabric->top_lid + (size_t)1) * sizeof(*ids));
	int ret =
		ids ? hd_tables_set_sl_rows(tables, n_rows ? n_rows : 1, err) : hd_error_nomem(err);

	if (ret)
		goto out;
	hd_destination_ids(fabric, ids, &n_hosts, &n_switches);
	for (uint32_t lid = 1; lid <= fabric->top_lid; lid++) {
		const struct hd_lid *place = &fabric->lids[lid];
		unsigned queue;

		if (place->port == HD_NONE)
			continue;
		queue = c->queues->rule->queue(ids[lid],
					       hd_is_switch(fabric, fabric->ports[place->port].node)
						       ? n_switches
						       : n_hosts,
					       c->n_queues);
		for (uint32_t r = 0; r < n_rows; r++) {
			size_t at = r * tables->lft_stride + lid;

			tables->sl_rows[at] =
				(uint8_t)((class_of ? class_of[at] * c->n_queues : 0) + queue);
		}
	}
	for (uint32_t i = 0; class_of && i < fabric->n_endports; i++) {
		uint32_t port = fabric->endports[i], source = fabric->ports[port].node;

		if (!hd_is_switch(fabric, source))
			source = hd_peer_node(fabric, source, fabric->ports[port].number);
		if (source < fabric->n_switches)
			tables->sl_row_of_port[port] = source;
	}
out:
	free(ids);
	return ret;
}

static int compose(struct composition *c, struct hd_error *err)
{
	int ret = compose_hosts(c, err);

	for (uint32_t s = 0; !ret && s < c->tables->fabric->n_switches; s++)
		ret = compose_switch(c, s, err);
	if (!ret)
		ret = compose_path_sls(c, err);
	if (!ret)
		c->tables->has_sl2vl = c->tables->has_path_sls = c->tables->has_vlarb = true;
	return ret;
}

int hd_lanes_apply(struct hd_tables *tables, const struct hd_layering *layering,
		   const struct hd_queues *queues, unsigned max_vls, struct hd_error *err)
{
	const unsigned n_sls = layering->n_classes * queues->n_queues;
	const unsigned n_vls = layering->n_layers * queues->n_queues;
	struct composition *c;
	int ret;

	if (n_sls > HD_MAX_SLS)
		return hd_error_set(
			err, HD_EREFUSED,
			"%u flow classes x %u queues (%s) need %u SLs, of which there are %u",
			layering->n_classes, queues->n_queues, queues->rule->name, n_sls,
			HD_MAX_SLS);
	if (n_vls > (max_vls ? max_vls : HD_MAX_VLS))
		return hd_error_set(err, HD_EREFUSED,
				    "%u layers x %u queues (%s) need %u VLs, of which there are %u",
				    layering->n_layers, queues->n_queues, queues->rule->name, n_vls,
				    max_vls ? max_vls : HD_MAX_VLS);
	c = malloc(sizeof(*c));
	if (!c)
		return hd_error_nomem(err);
	c->tables = tables;
	c->layering = layering;
	c->queues = queues;
	c->n_queues = queues->n_queues;
	c->n_sls = n_sls;
	c->max_vls = max_vls;
	c->rows = malloc(layering->n_patterns * sizeof(*c->rows));
	c->vls = malloc(layering->n_patterns * sizeof(*c->vls));
	memset(c->vlarb_of_vls, 0xFF, sizeof(c->vlarb_of_vls));
	if (c->rows && c->vls) {
		for (unsigned i = 0; i < layering->n_patterns; i++)
			c->rows[i] = compose_row(c, layering->patterns[i], &c->vls[i]);
		ret = compose(c, err);
	} else {
		ret = hd_error_nomem(err);
	}
	free(c->rows);
	free(c->vls);
	free(c);
	return ret;
}
