// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets on the tables' ways, on any VL up to the tables' at each hop. The escape of a packet is
 * the tables' VL of its next hop, from whichever VL it is on: the graph has an edge from each VL up
 * to the tables' of a link to the tables' VL of the next one, for all flows. Where layers never
 * fall on any way, an edge rises or is one of the tables' own, so that tables without a cycle have
 * none here either; where they fall, it is looked at.
 *
 * Flows to a LID that meet at a switch, with the same SL and by the same link, go on alike; so each
 * is followed to where others were, unless their VL on that link was lower.
 */
#include "sim/adaptive/proof_tables.h"

#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/proof_cycle.h"
#include "sim/adaptive/ways.h"
#include "support/error.h"

#define NOT_THERE   0 /* of `seen`; else the highest VL on the link + 2 */
#define FROM_A_HOST 1

struct search {
	const struct hd_routed *routed;
	const struct hd_shape *shape;
	struct hd_proof *proof;
	unsigned n_vls;
	size_t n_channels, edge_words;
	uint64_t *edges; /* [channel * edge_words] port * n_vls + VL of the next switch */
	uint8_t *seen;   /* [(switch's in-port) * HD_MAX_SLS + SL] of the LID that is looked at */

	/* Where a flow is looked for that falls on the cycle. */
	bool looks;
	uint32_t source; /* port */
};

static uint32_t channel_at(const struct search *s, uint32_t at, unsigned port, unsigned vl)
{
	return (uint32_t)(hd_shape_port(s->shape, at, port) * s->n_vls + vl);
}

static uint32_t channel_of(const struct search *s, const struct hd_proof_channel *channel)
{
	return channel_at(s, channel->at, channel->port, channel->vc);
}

/* Whether the cycle leads from @from, or one of the @vl channels behind it, to @next. */
static bool is_on_cycle(const struct search *s, uint32_t from, unsigned vl, uint32_t next)
{
	const struct hd_proof *proof = s->proof;

	for (size_t i = 0; i < proof->n_cycle; i++) {
		const uint32_t one = channel_of(s, &proof->cycle[i]);

		if (one >= from && one <= from + vl &&
		    channel_of(s, &proof->cycle[(i + 1) % proof->n_cycle]) == next)
			return true;
	}
	return false;
}

/* What a flow may take of a link: the tables' VL, and all VLs up to `top`. */
struct lanes {
	uint32_t first; /* channel of VL 0 */
	unsigned vl, top;
};

/* A packet that came on one of @from to @at goes on by @port, on the VL @vl if nothing else. */
static void follow_hop(struct search *s, uint32_t at, const struct lanes *from, unsigned port,
		       unsigned vl, const struct hd_passage *passage)
{
	const size_t bit = port * s->n_vls + vl;

	for (unsigned i = 0; i <= from->top && !s->looks; i++)
		s->edges[(from->first + i) * s->edge_words + bit / 64] |= UINT64_C(1) << bit % 64;
	if (!s->looks || s->proof->falls.source != HD_NONE || vl >= from->vl ||
	    !is_on_cycle(s, from->first, from->top, channel_at(s, at, port, vl)))
		return;
	s->proof->falls = (struct hd_proof_fall){
		.source = s->source,
		.at = at,
		.lid = passage->lid,
		.sl = passage->sl,
		.from = (uint8_t)from->vl,
		.to = (uint8_t)vl,
	};
}

/* What the routing gives a packet at @view; false: nothing. */
static bool find_lanes(const struct search *s, const struct hd_view *view, struct lanes *lanes,
		       unsigned *port)
{
	const struct hd_header header = { .via = HD_NONE };
	struct hd_offer offers[HD_MAX_OFFERS];
	const unsigned n = s->routed->routing->may(s->routed, view, &header, offers);
	uint32_t all = 0;

	*lanes = (struct lanes){ .vl = HD_NO_VC };
	for (unsigned i = 0; i < n; i++) {
		*port = (unsigned)__builtin_ctzll(offers[i].ports);
		all |= offers[i].vcs;
		if (offers[i].is_escape)
			lanes->vl = (unsigned)__builtin_ctz(offers[i].vcs);
	}
	if (lanes->vl == HD_NO_VC)
		return false;
	lanes->top = 31u - (unsigned)__builtin_clz(all);
	lanes->first = channel_at(s, view->at, *port, 0);
	return true;
}

/* The flow of @passage from the switch @at on. */
static void follow_flow(struct search *s, uint32_t at, struct hd_passage *passage)
{
	const struct hd_shape *shape = s->shape;
	struct lanes from = { 0 }, next;
	uint8_t value = FROM_A_HOST;
	unsigned hops = 0, port;

	for (;;) {
		const struct hd_view view = { .shape = shape, .at = at, .passage = passage };
		uint8_t *seen =
			&s->seen[hd_shape_port(shape, at, passage->in) * HD_MAX_SLS + passage->sl];
		uint32_t there;

		if (*seen >= value || !find_lanes(s, &view, &next, &port))
			return;
		*seen = value;
		s->proof->states++;
		there = shape->neighbour[hd_shape_port(shape, at, port)];
		if (there == HD_NONE)
			return;
		if (value > FROM_A_HOST)
			follow_hop(s, at, &from, port, next.vl, passage);
		if (++hops > s->proof->max_hops)
			s->proof->max_hops = hops;
		from = next;
		value = (uint8_t)(next.top + 2);
		passage->in = shape->far_port[hd_shape_port(shape, at, port)];
		at = there;
	}
}

/* The local port of the switch to which @host, a port, is linked. */
static unsigned local_port(const struct hd_shape *shape, uint32_t at, uint32_t switch_port)
{
	for (unsigned port = 0; port < shape->n_locals[at]; port++)
		if (shape->fabric_port[hd_shape_port(shape, at, port)] == switch_port)
			return port;
	return HD_NO_PORT;
}

static bool is_host(const struct hd_fabric *fabric, uint32_t port)
{
	return fabric->ports[port].peer != HD_NONE && fabric->ports[port].lid &&
	       !hd_is_switch(fabric, fabric->ports[port].node) &&
	       hd_is_switch(fabric, fabric->ports[fabric->ports[port].peer].node);
}

/* A host as a source. */
struct source {
	uint32_t port, at;
	uint8_t in;
};

static void follow_all(struct search *s, const struct source *sources, size_t n)
{
	const struct hd_shape *shape = s->shape;
	const struct hd_tables *tables = shape->tables;

	for (uint32_t lid = 1; lid <= shape->fabric->top_lid && lid <= HD_MAX_LID; lid++) {
		const uint32_t owner = shape->fabric->lids[lid].port;

		if (owner == HD_NONE || !is_host(shape->fabric, owner))
			continue;
		memset(s->seen, NOT_THERE, shape->n_switches * (size_t)shape->n_ports * HD_MAX_SLS);
		for (size_t i = 0; i < n; i++) {
			struct hd_passage passage = { .lid = (uint16_t)lid, .in = sources[i].in };
			const unsigned sl = hd_path_sl(tables, sources[i].port, lid);

			if (sources[i].port == owner || sl >= HD_MAX_SLS)
				continue;
			passage.sl = (uint8_t)sl;
			s->source = sources[i].port;
			follow_flow(s, sources[i].at, &passage);
		}
	}
}

/* Hosts that send; @n of them in @sources. */
static void find_sources(const struct hd_shape *shape, struct source *sources, size_t *n)
{
	const struct hd_fabric *fabric = shape->fabric;

	*n = 0;
	for (uint32_t port = 0; port < fabric->n_ports; port++) {
		uint32_t peer = fabric->ports[port].peer, at;
		unsigned in;

		if (!is_host(fabric, port))
			continue;
		at = fabric->ports[peer].node;
		in = local_port(shape, at, peer);
		if (in != HD_NO_PORT)
			sources[(*n)++] = (struct source){ port, at, (uint8_t)in };
	}
}

int hd_proof_of_tables(const struct hd_routed *routed, struct hd_proof *proof, struct hd_error *err)
{
	const struct hd_shape *shape = routed->shape;
	struct search s = { .routed = routed, .shape = shape, .proof = proof, .n_vls = HD_MAX_VLS };
	struct source *sources = malloc((shape->fabric->n_ports + (size_t)1) * sizeof(*sources));
	size_t n = 0;
	int ret = 0;

	if (routed->vcs.n_range > s.n_vls)
		s.n_vls = routed->vcs.n_range;
	*proof = (struct hd_proof){ .stuck_target = HD_NONE, .falls.source = HD_NONE };
	s.n_channels = shape->n_switches * (size_t)shape->n_ports * s.n_vls;
	s.edge_words = (shape->n_ports * s.n_vls + 63) / 64;
	s.edges = calloc(s.n_channels * s.edge_words + 1, sizeof(*s.edges));
	s.seen = malloc(shape->n_switches * (size_t)shape->n_ports * HD_MAX_SLS + 1);
	if (!sources || !s.edges || !s.seen)
		ret = hd_error_nomem(err);
	if (!ret) {
		find_sources(shape, sources, &n);
		follow_all(&s, sources, n);
		ret = hd_proof_find_cycle(shape, s.edges, s.n_vls, s.edge_words, NULL, proof, err);
	}
	if (!ret && proof->n_cycle) {
		s.looks = true;
		follow_all(&s, sources, n);
	}
	proof->is_sound = !ret && !proof->n_cycle;
	free(sources);
	free(s.edges);
	free(s.seen);
	return ret;
}
