// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/fuzz/odd_fabric.h"

#include <stdlib.h>

#include "fabric/builder.h"
#include "fabric/lids.h"
#include "topologies/topology.h"

static const char *const shapes[] = {
	"dragonfly:a=3,p=1,h=1",
	"dragonfly:a=2,p=2,h=1",
	"dragonfly:a=4,p=1,h=2,g=5",
	"dragonfly:a=4,p=1,h=1,g=2",
	"kns:k=4,n=2",
	"kns:k=3,n=2",
	"torus:4x4",
	"torus:5x3",
	"torus:3x3x3",
	"torus:6",
	"mesh:3x4",
	"hyperx:3x3",
	"tree:k=2,n=3",
	"dragonflyplus:leaves=2,spines=2,hosts=1,h=1",
	"slimfly:q=3,p=1",
	"polarfly:q=2,p=1",
	"pgft:m=2x2,w=1x2,p=1x2",
	"dragonfly:a=1,p=1,h=3",
	"hyperx:4x4,p=2",
	"multiplane:tree:k=2,n=2,planes=2",
};
#define N_SHAPES   (sizeof(shapes) / sizeof(shapes[0]))
#define NO_SHAPE   128 /* and from there on */
#define N_SWITCHES 12  /* at most, without a shape */

/* Ports of switches without a shape; and how many switches there are at most. */
static const uint8_t most_ports[] = { 24, 4, 8, 66 };
static const uint8_t most_switches[] = { N_SWITCHES, N_SWITCHES, N_SWITCHES, 3 };

/* Makes fabrics without a shape. */
struct maker {
	struct hd_builder *builder;
	unsigned n, n_ports, next[N_SWITCHES];
	uint32_t n_ends;
};

static uint32_t add_node(struct maker *maker, enum hd_node_type type, uint64_t guid,
			 unsigned n_ports)
{
	const struct hd_node_spec spec = { .type = type, .guid = guid, .n_ports = n_ports };
	uint32_t id;

	if (hd_builder_add(maker->builder, &spec, &id, NULL))
		abort();
	return id;
}

/* Links port @number of the end node @id to switch @s, if that has a port left. */
static void link_end(struct maker *maker, uint32_t id, unsigned number, unsigned s)
{
	if (maker->next[s] < maker->n_ports)
		hd_builder_link(maker->builder, s, ++maker->next[s], id, number, NULL);
}

/* Switches @a and @b, which may be one. */
static void link_switches(struct maker *maker, unsigned a, unsigned b)
{
	unsigned *next = maker->next;

	if (next[a] + 1 + (a == b) > maker->n_ports || next[b] + 1 > maker->n_ports)
		return;
	next[a]++;
	next[b]++;
	hd_builder_link(maker->builder, a, next[a] - (a == b), b, next[b], NULL);
}

/* An end node of two ports: at two switches, at one twice or once, or at another end node. */
static void add_odd_end(struct maker *maker, unsigned kind, unsigned a, unsigned b)
{
	const uint64_t guid = 0x20000 + 0x10 * maker->n_ends++;
	const uint32_t id = add_node(maker, kind & 4 ? HD_ROUTER : HD_CA, guid, 2);

	switch (kind & 3) {
	case 0:
		link_end(maker, id, 1, a);
		link_end(maker, id, 2, b);
		break;
	case 1:
		link_end(maker, id, 2, b);
		break;
	case 2:
		hd_builder_link(maker->builder, id, 1, add_node(maker, HD_CA, 0x30000 + guid, 2), 2,
				NULL);
		link_end(maker, id, 2, a);
		break;
	default:
		break; /* it is linked to nothing */
	}
}

/* Links as many ports of two switches as they have left. */
static void fill_ports(struct maker *maker, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < maker->n_ports; i++)
		link_switches(maker, a, b);
}

/*
 * Up to 12 switches, with up to 3 hosts each, linked as the bytes say. Two bytes at a time: the
 * first one's switch is linked to the second one's; from 192 on, other things are added.
 */
static struct hd_builder *make_any(const uint8_t *data, size_t size)
{
	struct maker maker = { .builder = hd_builder_new() };
	const unsigned first = size ? data[0] : 0, hosts = size > 1 ? data[1] : 0x55;
	unsigned kind;

	if (!maker.builder)
		abort();
	kind = first / N_SWITCHES % sizeof(most_ports);
	maker.n = 1 + first % N_SWITCHES % most_switches[kind];
	maker.n_ports = most_ports[kind];
	for (unsigned s = 0; s < maker.n; s++)
		add_node(&maker, HD_SWITCH, 0x100 + s, maker.n_ports);
	for (unsigned s = 0; s < maker.n; s++)
		for (unsigned h = 0; h < (hosts >> (s % 4 * 2)) % 4; h++)
			link_end(&maker, add_node(&maker, HD_CA, 0x10000 + 0x10 * s + h, 1), 1, s);
	for (size_t i = 2; i + 1 < size; i += 2) {
		const unsigned a = data[i] % maker.n, b = data[i + 1] % maker.n;

		if (data[i] < 192)
			link_switches(&maker, a, b);
		else if (data[i + 1] >= 192)
			fill_ports(&maker, a, b);
		else
			add_odd_end(&maker, data[i + 1] / 24, a, b);
	}
	return maker.builder;
}

uint32_t odd_fabric_links(const struct hd_fabric *fabric, uint32_t *links)
{
	uint32_t n = 0;

	hd_for_each_port(p, fabric)
		if (hd_is_switch_link(fabric, p) && fabric->ports[p].peer > p)
			links[n++] = p;
	return n;
}

/*
 * A perfect shape. Two bytes at a time, two links are taken out, or their ends exchanged; a pair of
 * equal bytes from 240 on takes out every link of a switch, or of all switches.
 */
static struct hd_builder *make_shape(const char *spec, const uint8_t *data, size_t size)
{
	struct hd_builder *builder;
	struct hd_fabric *fabric;
	uint32_t *links, n;
	bool *without;

	if (hd_topology_build(spec, &fabric, NULL))
		abort();
	links = malloc(fabric->n_ports * sizeof(*links));
	without = calloc(fabric->n_ports, sizeof(*without));
	if (!links || !without)
		abort();
	n = odd_fabric_links(fabric, links);
	for (size_t i = 0; i + 1 < size; i += 2) {
		without[links[data[i] % n]] = without[links[data[i + 1] % 128 % n]] = true;
		if (data[i] != data[i + 1] || data[i] < 240)
			continue;
		hd_for_each_port(p, fabric)
			if (hd_is_switch(fabric, fabric->ports[p].node) &&
			    fabric->ports[p].peer != HD_NONE &&
			    (data[i] == 255 || fabric->ports[p].node % 15 == data[i] % 15u))
				without[p] = data[i] != 255 || hd_is_switch_link(fabric, p);
	}
	if (hd_builder_copy(fabric, NULL, without, &builder, NULL))
		abort();
	for (size_t i = 0; i + 1 < size; i += 2) {
		const struct hd_port *a = &fabric->ports[links[data[i] % n]];
		const struct hd_port *b = &fabric->ports[links[data[i + 1] % 128 % n]];

		/* a port that is linked already keeps its link */
		if (data[i + 1] >= 128 && a != b)
			hd_builder_link(builder, a->node, a->number, b->node, b->number, NULL);
	}
	free(links);
	free(without);
	hd_fabric_free(fabric);
	return builder;
}

struct hd_fabric *odd_fabric_new(unsigned shape, const uint8_t *data, size_t size)
{
	struct hd_builder *builder;
	struct hd_fabric *fabric;

	shape = shape < NO_SHAPE ? shape % (N_SHAPES + 1) : 0;
	builder = shape ? make_shape(shapes[shape - 1], data, size) : make_any(data, size);
	if (hd_builder_finish(builder, &fabric, NULL))
		abort();
	return fabric;
}

/* LIDs three times as far apart, in steps that every LMC allows. */
static struct hd_fabric *spread_lids(const struct hd_fabric *fabric, bool some)
{
	struct hd_builder *builder;
	struct hd_fabric *spread;

	if (hd_builder_copy(fabric, NULL, NULL, &builder, NULL))
		abort();
	hd_for_each_port(p, fabric) {
		const struct hd_port *old = &fabric->ports[p];
		struct hd_port *port = hd_builder_port(builder, old->node, old->number);

		if (old->lid)
			port->lid = (uint16_t)(3 * old->lid + 64);
		if (some && old->lid % 5 == 4)
			port->lid = port->lmc = 0;
	}
	return hd_builder_finish(builder, &spread, NULL) ? NULL : spread;
}

/* The last port of an end node that a switch leads to; HD_NONE: none. */
static uint32_t last_end(const struct hd_fabric *fabric)
{
	uint32_t last = HD_NONE;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s)
			if (hd_peer_node(fabric, s, number) != HD_NONE &&
			    !hd_is_switch(fabric, hd_peer_node(fabric, s, number)))
				last = fabric->ports[hd_port_index(fabric, s, number)].peer;
	return last;
}

struct hd_fabric *odd_fabric_with_lids(const struct hd_fabric *fabric, unsigned lmc,
				       enum odd_lids lids)
{
	struct hd_fabric *dense, *spread;

	if (hd_fabric_assign_lids(fabric, lids == ODD_LIDS_LAST ? last_end(fabric) : HD_NONE, lmc,
				  &dense, NULL))
		return NULL;
	if (lids == ODD_LIDS_OPENSM || lids == ODD_LIDS_LAST)
		return dense;
	spread = spread_lids(dense, lids == ODD_LIDS_SOME);
	hd_fabric_free(dense);
	return spread;
}
