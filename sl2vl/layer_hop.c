// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layer = hop index (DF-DN: Schneider, Bibartiu and Hoefler, 2016): a packet is in layer 0 on the
 * link that leaves its first switch, in layer 1 on the next one, and so on, so that layers only rise
 * and no cycle is possible, whatever the routes. Links from and to end nodes are in layer 0.
 *
 * A switch does not see how far a packet has come. It sees in-port, out-port and SL; so flows that
 * pass one (switch, in, out) at different hops need different classes. Classes are given first fit:
 * the longest flows first, since they are bound in most places, each the lowest class whose layers,
 * as far as earlier flows have fixed them, are those of the flow's hops.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

#define LID_BLOCK 64 /* one cache line of an LFT row */

/* A class of a flow that has none yet: its length with this bit. */
#define OPEN 0x80u

/*
 * The layers of all classes at one (switch, in, out), class c in bits 4c .. 4c + 3. 0: not fixed.
 * Layer 0 never has to be: packets come to their first switch from other ports than to later ones.
 */
typedef uint64_t layer_row;

#define EACH_CLASS UINT64_C(0x1111111111111111)

/* The far end of a link. */
struct end {
	uint32_t node;
	uint32_t number;
};

struct colouring {
	const struct hd_layer_input *input;
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	struct end *far;   /* [port] node is HD_NONE without a link */
	layer_row *layers; /* indexed as tables->sl2vl, switches only */
	uint8_t *class_of; /* [switch * lft_stride + lid] */
	unsigned longest;  /* links between switches on the longest path */
	unsigned n_classes;
};

/* A packet on its way. */
struct place {
	uint32_t node;
	unsigned in, out;
};

/* Moves on over the link of the out-port; false: there is no switch, or the flow goes no further. */
static bool move(const struct colouring *c, uint32_t lid, struct place *place)
{
	const struct end *far = &c->far[c->fabric->nodes[place->node].first_port + place->out];

	if (far->node >= c->fabric->n_switches)
		return false;
	place->node = far->node;
	place->in = far->number;
	place->out = hd_lft(c->tables, far->node)[lid];
	return true;
}

static bool has_port(const struct colouring *c, const struct place *place)
{
	return place->out <= c->fabric->nodes[place->node].n_ports;
}

/* Links between switches from @s to @lid; 0 where the LFTs do not lead there. */
static unsigned path_length(const struct colouring *c, uint32_t s, uint32_t lid)
{
	const uint32_t last = c->fabric->lids[lid].via_switch;
	struct place place = { .node = s, .out = hd_lft(c->tables, s)[lid] };
	unsigned length = 0;

	while (place.node != last) {
		if (!has_port(c, &place) || !move(c, lid, &place) ||
		    ++length > c->fabric->n_switches)
			return 0;
	}
	return length;
}

static bool is_destination(const struct colouring *c, uint32_t lid)
{
	return lid <= c->fabric->top_lid && c->fabric->lids[lid].via_switch != HD_NONE;
}

/* Leaves the length of every path, at most OPEN - 1, in class_of. */
static void measure(struct colouring *c)
{
	const size_t stride = c->tables->lft_stride;
	unsigned longest = 0;

#pragma omp parallel for schedule(dynamic) reduction(max : longest) if (c->fabric->n_switches > 64)
	for (size_t block = 0; block < stride; block += LID_BLOCK)
		for (uint32_t lid = (uint32_t)block; lid < block + LID_BLOCK; lid++)
			for (uint32_t s = 0; s < c->fabric->n_switches; s++) {
				unsigned length =
					is_destination(c, lid) ? path_length(c, s, lid) : 0;

				longest = length > longest ? length : longest;
				c->class_of[s * stride + lid] =
					length < 2 ? 0
						   : (uint8_t)(OPEN | (length < OPEN ? length : 0));
			}
	c->longest = longest;
}

/* Bit 4c is set where nibble c of @row is not 0. */
static layer_row not_zero(layer_row row)
{
	row |= row >> 2;
	row |= row >> 1;
	return row & EACH_CLASS;
}

/* Gives the flow from @s to @lid the first class that fits. False: none does. */
static bool colour(struct colouring *c, uint32_t s, uint32_t lid)
{
	layer_row *rows[HD_MAX_VLS];
	const uint32_t last = c->fabric->lids[lid].via_switch;
	struct place place = { .node = s, .out = hd_lft(c->tables, s)[lid] };
	layer_row taken = 0;
	unsigned class, hop = 0;

	while (move(c, lid, &place) && place.node != last) {
		layer_row *row =
			c->layers + hd_sl2vl_index(c->tables, place.node, place.in, place.out);

		rows[hop++] = row;
		taken |= not_zero(*row) & not_zero(*row ^ hop * EACH_CLASS);
	}
	taken = ~taken & EACH_CLASS;
	if (!taken)
		return false;
	class = (unsigned)__builtin_ctzll(taken) / 4;
	while (hop) {
		layer_row *row = rows[--hop];

		*row = hd_row_set(*row, class, hop + 1);
	}
	c->class_of[s * c->tables->lft_stride + lid] = (uint8_t) class;
	if (class >= c->n_classes)
		c->n_classes = class + 1;
	return c->n_classes <= c->input->max_classes;
}

static int refuse_flow(const struct colouring *c, uint32_t s, uint32_t lid, struct hd_error *err)
{
	return hd_error_set(
		err, HD_EREFUSED,
		"the flow from switch %.64s to LID %u needs another flow class, of which "
		"there are %u: all have other layers on its way",
		hd_node_name(c->fabric, s), lid, c->input->max_classes);
}

/* Colours all flows of @length hops. */
static int colour_length(struct colouring *c, unsigned length, struct hd_error *err)
{
	const size_t stride = c->tables->lft_stride;

	for (size_t block = 0; block < stride; block += LID_BLOCK)
		for (uint32_t lid = (uint32_t)block; lid < block + LID_BLOCK; lid++)
			for (uint32_t s = 0; s < c->fabric->n_switches; s++)
				if (c->class_of[s * stride + lid] == (OPEN | length) &&
				    !colour(c, s, lid))
					return refuse_flow(c, s, lid, err);
	return 0;
}

/* Numbers distinct rows as they come: a hash table with one entry in two free. */
struct numbering {
	layer_row *row;
	uint16_t *number;
	unsigned n, bits;
};

static uint16_t number_row(struct numbering *numbering, layer_row row)
{
	size_t mask = ((size_t)1 << numbering->bits) - 1;
	size_t at = (size_t)(row * UINT64_C(0x9E3779B97F4A7C15) >> (64 - numbering->bits));

	/* number 0 is the row of zeros, which is never looked up */
	while (numbering->number[at] && numbering->row[at] != row)
		at = (at + 1) & mask;
	if (!numbering->number[at]) {
		numbering->row[at] = row;
		numbering->number[at] = (uint16_t)++numbering->n;
	}
	return numbering->number[at];
}

#define MOST_PATTERNS UINT16_MAX

static int number_rows(const struct colouring *c, struct numbering *numbering,
		       struct hd_layering *layering, struct hd_error *err)
{
	const size_t n_rows = c->tables->sl2vl_first[c->fabric->n_switches];

	for (size_t i = 0; i < n_rows; i++) {
		layering->pattern[i] = c->layers[i] ? number_row(numbering, c->layers[i]) : 0;
		if (numbering->n == MOST_PATTERNS)
			return hd_error_set(err, HD_EREFUSED,
					    "more than %u different uses of in- and out-ports",
					    MOST_PATTERNS);
	}
	return 0;
}

/* What no flow fixed is as in the first class that is: a packet of a wrong SL then mostly rises, too. */
static void unpack(layer_row row, uint8_t layers[HD_MAX_SLS])
{
	unsigned first = (unsigned)__builtin_ctzll(not_zero(row)) / 4;

	for (unsigned class = 0; class < HD_MAX_SLS; class ++) {
		unsigned layer = hd_row_vl(row, class);

		layers[class] = (uint8_t)(layer ? layer : hd_row_vl(row, first));
	}
}

static int make_patterns(const struct colouring *c, struct hd_layering *layering,
			 struct hd_error *err)
{
	const size_t n_rows = c->tables->sl2vl_first[c->fabric->n_switches];
	struct numbering numbering = { .bits = 17 };
	const size_t size = (size_t)1 << numbering.bits;
	int ret;

	numbering.row = malloc(size * sizeof(*numbering.row));
	numbering.number = calloc(size, sizeof(*numbering.number));
	layering->pattern = hd_alloc_large(n_rows * sizeof(*layering->pattern));
	ret = numbering.row && numbering.number && layering->pattern ? 0 : hd_error_nomem(err);
	if (!ret)
		ret = number_rows(c, &numbering, layering, err);
	if (!ret) {
		layering->n_patterns = numbering.n + 1;
		layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
		ret = layering->patterns ? 0 : hd_error_nomem(err);
	}
	for (size_t i = 0; !ret && i < size; i++)
		if (numbering.number[i])
			unpack(numbering.row[i], layering->patterns[numbering.number[i]]);
	free(numbering.row);
	free(numbering.number);
	return ret;
}

static bool allocate(struct colouring *c)
{
	const struct hd_fabric *fabric = c->fabric;
	const size_t n_rows = c->tables->sl2vl_first[fabric->n_switches];

	c->far = malloc((fabric->n_ports + (size_t)1) * sizeof(*c->far));
	c->layers = hd_alloc_large((n_rows + 1) * sizeof(*c->layers));
	c->class_of = hd_alloc_large(fabric->n_switches * c->tables->lft_stride + 1);
	if (!c->far || !c->layers || !c->class_of)
		return false;
	memset(c->layers, 0, n_rows * sizeof(*c->layers));
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		uint32_t peer = fabric->ports[p].peer;

		c->far[p] = peer == HD_NONE ? (struct end){ .node = HD_NONE }
					    : (struct end){ fabric->ports[peer].node,
							    fabric->ports[peer].number };
	}
	return true;
}

static int colour_flows(struct colouring *c, struct hd_error *err)
{
	int ret = 0;

	measure(c);
	if (c->longest > c->input->max_layers)
		return hd_error_set(
			err, HD_EREFUSED,
			"a path has %u hops between switches, which need %u layers, one "
			"for each, of which there are %u",
			c->longest, c->longest, c->input->max_layers);
	c->n_classes = 1;
	for (unsigned length = c->longest; length > 1 && !ret; length--)
		ret = colour_length(c, length, err);
	return ret;
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	struct colouring c = {
		.input = input,
		.tables = input->tables,
		.fabric = input->tables->fabric,
	};
	int ret = allocate(&c) ? colour_flows(&c, err) : hd_error_nomem(err);

	if (!ret) {
		layering->n_layers = c.longest ? c.longest : 1;
		layering->n_classes = c.n_classes;
		ret = make_patterns(&c, layering, err);
	}
	layering->class_of = c.class_of;
	free(c.far);
	free(c.layers);
	return ret;
}

const struct hd_layer_rule hd_layer_hop = {
	.name = "hop",
	.summary = "a layer for every hop between switches, whatever the routes",
	.reference =
		"DF-DN: Schneider, Bibartiu and Hoefler (2016), as Maglione-Mathey et al., DLA "
		"in OpenSM, section 2.3, describe it",
	.build = build,
};
