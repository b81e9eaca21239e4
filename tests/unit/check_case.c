// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Small fabrics with arbitrary tables from bytes; see check_oracle.h. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/check_oracle.h"
#include "fabric/builder.h"

static unsigned take(struct bytes *bytes)
{
	return bytes->used < bytes->size ? bytes->data[bytes->used++] : 0;
}

static unsigned take_below(struct bytes *bytes, unsigned n)
{
	return take(bytes) % n;
}

struct making {
	struct bytes *bytes;
	struct hd_builder *builder;
	unsigned n_switches, n_nodes;
	unsigned n_ports[32];
	bool used[32][8];
};

static void link_some(struct making *m)
{
	unsigned n_links = take_below(m->bytes, 16);

	for (unsigned i = 0; i < n_links; i++) {
		uint32_t a = take_below(m->bytes, m->n_nodes), b = take_below(m->bytes, m->n_nodes);
		unsigned p = 1 + take_below(m->bytes, m->n_ports[a]);
		unsigned q = 1 + take_below(m->bytes, m->n_ports[b]);

		if ((a == b && p == q) || m->used[a][p] || m->used[b][q])
			continue;
		m->used[a][p] = m->used[b][q] = true;
		hd_builder_link(m->builder, a, p, b, q, NULL);
	}
}

/* Ports, links that make sure of some paths, then others; LIDs with holes, some absent. */
static struct hd_fabric *make_fabric(struct bytes *bytes)
{
	struct making m = { .bytes = bytes, .builder = hd_builder_new() };
	struct hd_fabric *fabric = NULL;
	unsigned lid = 1, shape = take(bytes) | (take(bytes) & 2 ? 7 : 0);
	unsigned holes = take(bytes) & take(bytes);

	if (!m.builder)
		abort();
	m.n_switches = take_below(bytes, 6);
	m.n_nodes = m.n_switches + take_below(bytes, 7);
	if (!m.n_nodes)
		m.n_nodes = 1;
	for (unsigned n = 0; n < m.n_nodes; n++) {
		bool is_switch = n < m.n_switches;
		struct hd_node_spec spec = { .type = is_switch ? HD_SWITCH : HD_CA,
					     .guid = 0x1000 * (n + 1),
					     .n_ports = is_switch
								? 2 + take_below(bytes, 5)
								: 1 + (take_below(bytes, 5) == 4) };
		uint32_t id;

		m.n_ports[n] = spec.n_ports;
		if (hd_builder_add(m.builder, &spec, &id, NULL))
			abort();
		for (unsigned p = 0; p <= spec.n_ports; p++) {
			struct hd_port *port = hd_builder_port(m.builder, id, p);

			port->vls =
				(uint8_t)(holes & 1 ? 1 + take_below(bytes, 15) : 1 + (shape >> 5));
			if (is_switch != (p == 0) || (holes & 2 && take_below(bytes, 8) == 7))
				continue;
			if (holes & 4 && p > 0)
				port->lmc = (uint8_t)take_below(bytes, 3);
			lid += holes & 8 ? take_below(bytes, 3) : 0;
			port->lid = (uint16_t)lid;
			lid += 1u << port->lmc;
		}
	}
	/* a ring or a line of switches, and adapters to them in turn */
	for (unsigned n = 1; n < m.n_switches && shape & 1; n++) {
		m.used[n - 1][2] = m.used[n][1] = true;
		hd_builder_link(m.builder, n - 1, 2, n, 1, NULL);
	}
	if (shape & 2 && m.n_switches > 2 && shape & 1) {
		m.used[m.n_switches - 1][2] = m.used[0][1] = true;
		hd_builder_link(m.builder, m.n_switches - 1, 2, 0, 1, NULL);
	}
	for (unsigned n = m.n_switches; n < m.n_nodes && shape & 4 && m.n_switches; n++) {
		unsigned s = n % m.n_switches;

		for (unsigned p = 3; p <= m.n_ports[s]; p++)
			if (!m.used[s][p] && !m.used[n][1]) {
				m.used[s][p] = m.used[n][1] = true;
				hd_builder_link(m.builder, s, p, n, 1, NULL);
			}
	}
	link_some(&m);
	hd_builder_finish(m.builder, &fabric, NULL);
	return fabric;
}

/* Shortest paths with any choice between equal ones; the same for all LIDs of a switch if asked. */
static void route_shortest(struct bytes *bytes, struct hd_tables *tables, bool alike)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned tie[32] = { 0 };

	hd_for_each_lid(lid, fabric) {
		const struct hd_lid *place = &fabric->lids[lid];
		unsigned distance[32];

		if (place->via_switch == HD_NONE)
			continue;
		memset(distance, 0xFF, sizeof(distance));
		distance[place->via_switch] = 0;
		for (unsigned round = 0; round < fabric->n_switches; round++)
			hd_for_each_port(p, fabric) {
				uint32_t s = fabric->ports[p].node;
				uint32_t t = hd_peer_node(fabric, s, fabric->ports[p].number);

				if (s < fabric->n_switches && t < fabric->n_switches &&
				    distance[t] < 32 && distance[t] + 1 < distance[s])
					distance[s] = distance[t] + 1;
			}
		hd_lft(tables, place->via_switch)[lid] = place->via_port;
		hd_for_each_switch(s, fabric) {
			uint8_t ports[8];
			unsigned n = 0;

			hd_for_each_number(p, fabric, s) {
				uint32_t t = hd_peer_node(fabric, s, p);

				if (t < fabric->n_switches && distance[s] < 32 &&
				    distance[t] + 1 == distance[s])
					ports[n++] = (uint8_t)p;
			}
			if (!alike)
				tie[s] = take(bytes);
			if (n)
				hd_lft(tables, s)[lid] = ports[tie[s] % n];
		}
	}
}

/* Always on to the next switch of the ring. */
static void route_round(struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric)
			hd_lft(tables, s)[lid] =
				s == fabric->lids[lid].via_switch ? fabric->lids[lid].via_port : 2;
}

static void route(struct bytes *bytes, struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned way = take_below(bytes, 8), n_changes = take(bytes);

	if (way == 0)
		hd_for_each_switch(s, fabric)
			for (uint32_t lid = 0; lid <= fabric->top_lid; lid++)
				hd_lft(tables, s)[lid] =
					(uint8_t)take_below(bytes, fabric->nodes[s].n_ports + 2u);
	else if (way == 1)
		route_round(tables);
	else
		route_shortest(bytes, tables, way < 5);
	if (n_changes < 192 || !fabric->n_switches)
		return;
	for (unsigned i = 0; i < n_changes - 191 && i < 8; i++) {
		uint32_t s = take_below(bytes, fabric->n_switches);

		hd_lft(tables, s)[take_below(bytes, fabric->top_lid + 1)] =
			(uint8_t)take_below(bytes, 9);
	}
}

static hd_sl2vl_row make_row(struct bytes *bytes)
{
	hd_sl2vl_row row = 0;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl += 2) {
		unsigned byte = take(bytes);

		row = hd_row_set(hd_row_set(row, sl, byte & 15), sl + 1, byte >> 4);
	}
	return row;
}

static void make_lanes(struct bytes *bytes, struct hd_tables *tables)
{
	size_t n = tables->sl2vl_first[tables->fabric->n_nodes];
	unsigned way = take_below(bytes, 8), vls = 1 + take_below(bytes, 4);
	hd_sl2vl_row rows[4];

	if (way == 0)
		return;
	for (unsigned i = 0; i < 4; i++)
		rows[i] = make_row(bytes);
	for (size_t i = 0; i < n; i++) {
		hd_sl2vl_row row = way == 1   ? make_row(bytes)
				   : way == 2 ? hd_row_all(0)
					      : rows[take_below(bytes, 4)];

		/* ways 4 and up stay within some VLs, so that packets arrive */
		for (unsigned sl = 0; way > 3 && sl < HD_MAX_SLS; sl++)
			row = hd_row_set(row, sl, hd_row_vl(row, sl) % vls);
		tables->sl2vl[i] = row;
	}
}

static void make_path_sls(struct bytes *bytes, struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned way = take_below(bytes, 6), n_rows = 1 + take_below(bytes, 5);
	unsigned n_sls = 1 + take_below(bytes, 16);

	if (way == 0)
		return;
	if (hd_tables_set_sl_rows(tables, n_rows, NULL))
		abort();
	for (uint32_t row = 0; row < n_rows; row++)
		for (uint32_t lid = 0; lid <= fabric->top_lid; lid++) {
			unsigned sl = way == 1   ? lid % n_sls
				      : way == 2 ? row % n_sls
						 : take_below(bytes, n_sls);

			if (way == 5 && take_below(bytes, 16) == 15)
				sl = HD_NO_SL;
			tables->sl_rows[row * tables->lft_stride + lid] = (uint8_t)sl;
		}
	hd_for_each_port(p, fabric)
		tables->sl_row_of_port[p] = take_below(bytes, n_rows);
}

static void make_multicast(struct bytes *bytes, struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned n = take_below(bytes, 8);

	if (n > 3 || !fabric->n_switches)
		return;
	tables->mft = calloc(n * fabric->n_switches + 1, sizeof(*tables->mft));
	if (!tables->mft)
		abort();
	for (unsigned i = 0; i < n; i++)
		hd_for_each_switch(s, fabric) {
			struct hd_mft_entry *entry = &tables->mft[tables->n_mft];

			entry->mlid = (uint16_t)(0xC000 + i);
			entry->switch_index = s;
			entry->ports[0] = take(bytes) & ((2u << fabric->nodes[s].n_ports) - 1);
			tables->n_mft += entry->ports[0] != 0;
		}
}

/* Arbitration of some ports: mostly of all VLs, some with weight 0, in either table. */
static void make_vlarb(struct bytes *bytes, struct hd_tables *tables)
{
	if (take_below(bytes, 3) != 1)
		return;
	hd_for_each_port(p, tables->fabric) {
		unsigned left_out = take(bytes) & take(bytes) & take(bytes) & take(bytes);
		struct hd_vlarb vlarb = { 0 };

		if (take_below(bytes, 4) == 3)
			continue;
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
			struct hd_vlarb_entry entry = { .vl = (uint8_t)vl, .weight = 64 };

			if (left_out >> vl % 8 & 1)
				entry.weight = 0;
			if (left_out >> (vl + 1) % 8 & 1)
				vlarb.high[vlarb.n_high++] = entry;
			else
				vlarb.low[vlarb.n_low++] = entry;
		}
		if (hd_tables_set_vlarb(tables, p, &vlarb, NULL))
			abort();
	}
}

bool make_check_case(struct bytes bytes, struct check_case *c)
{
	unsigned options = take(&bytes);

	memset(c, 0, sizeof(*c));
	c->options.all_sls = (options & 7) == 7;
	c->options.reversed_sl = (options >> 3 & 3) == 3;
	c->options.max_vls = options >> 5 == 7 ? 1 + take_below(&bytes, 4) : 0;
	c->fabric = make_fabric(&bytes);
	if (!c->fabric)
		return false;
	if (hd_tables_new(c->fabric, &c->tables, NULL))
		abort();
	route(&bytes, c->tables);
	make_lanes(&bytes, c->tables);
	make_path_sls(&bytes, c->tables);
	make_multicast(&bytes, c->tables);
	c->options.scope = take_below(&bytes, 4) == 1 ? HD_CHECK_HOSTS : HD_CHECK_ALL;
	make_vlarb(&bytes, c->tables);
	return true;
}

void clear_check_case(struct check_case *c)
{
	hd_tables_free(c->tables);
	hd_fabric_free(c->fabric);
	memset(c, 0, sizeof(*c));
}
