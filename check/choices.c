// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/choices.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* All SLs, as places. */
#define ANY_SL 0xFFFFu

struct choices {
	const struct hd_check_network *network;
	const struct hd_fabric *fabric;

	/* of the LID that is followed */
	uint32_t lid, root;
	/*
	 * [switch] ports that lead on, and those that lead nowhere. The root delivers: where its
	 * LFT does not, that is wrong without any choice, and the check of LFTs says so. Only a set
	 * of its own, which makes no sense, has ports here.
	 */
	struct hd_port_set *sets;

	/* of the flows that are followed */
	bool *reached;     /* [switch] */
	uint32_t *waiting; /* [switch] links into the switch that were not followed yet */
	uint32_t *order;   /* switches, each behind all that lead to it */
	uint32_t n_order, n_reached;
	uint32_t *depth;  /* [switch] links between switches on the longest way there */
	uint64_t *states; /* [port * n_words] of what comes in there */

	/* the first place where it goes wrong: a switch's out-port; HD_NONE: nowhere */
	uint32_t hole, circle, drop;
	uint32_t n_holes, n_circling, n_drops;
};

static int choices_init(struct choices *c, const struct hd_check_network *network,
			struct hd_error *err)
{
	const size_t n = network->fabric->n_switches + (size_t)1;

	*c = (struct choices){ .network = network, .fabric = network->fabric };
	c->sets = calloc(n, sizeof(*c->sets));
	c->reached = malloc(n * sizeof(*c->reached));
	c->waiting = malloc(n * sizeof(*c->waiting));
	c->order = malloc(n * sizeof(*c->order));
	c->depth = malloc(n * sizeof(*c->depth));
	c->states = malloc((network->fabric->n_ports + (size_t)1) * network->n_words *
			   sizeof(*c->states));
	return c->sets && c->reached && c->waiting && c->order && c->depth && c->states
		       ? 0
		       : hd_error_nomem(err);
}

static void choices_clear(struct choices *c)
{
	free(c->sets);
	free(c->reached);
	free(c->waiting);
	free(c->order);
	free(c->depth);
	free(c->states);
}

/* Takes up @lid; false: no switch has a set for it, and its LFT entries are all that there is. */
static bool take_lid(struct choices *c, uint32_t lid)
{
	const struct hd_tables *tables = c->network->tables;
	bool any = false;

	c->lid = lid;
	c->root = c->fabric->lids[lid].via_switch;
	hd_for_each_switch(s, c->fabric) {
		const struct hd_port_set *set = hd_ar_ports(tables, s, lid);
		const unsigned port = hd_lft(tables, s)[lid];

		c->sets[s] = set ? *set : (struct hd_port_set){ { 0 } };
		any |= set != NULL;
		if (s != c->root)
			hd_port_set_add(&c->sets[s], port);
		else
			hd_port_set_remove(&c->sets[s], c->fabric->lids[lid].via_port);
	}
	return any && c->root != HD_NONE;
}

static const struct hd_far_end *far_end(const struct choices *c, uint32_t s, unsigned port)
{
	static const struct hd_far_end nowhere = { .node = HD_NONE };

	/* 255 is the default port of an entry that has none */
	if (port > c->fabric->nodes[s].n_ports)
		return &nowhere;
	return &c->network->far_end[hd_port_index(c->fabric, s, port)];
}

/* Finds the switches that packets from those that are marked as reached get to. */
static void find_reached(struct choices *c)
{
	c->n_reached = 0;
	hd_for_each_switch(s, c->fabric) {
		c->waiting[s] = 0;
		c->depth[s] = 0;
		if (c->reached[s])
			c->order[c->n_reached++] = s;
	}
	for (uint32_t i = 0; i < c->n_reached; i++) {
		const uint32_t s = c->order[i];
		bool is_hole = false;

		hd_for_each_in_set(port, &c->sets[s]) {
			const struct hd_far_end *end = far_end(c, s, port);

			if (end->node == HD_NONE) {
				if (c->hole == HD_NONE)
					c->hole = hd_port_index(
						c->fabric, s,
						port > c->fabric->nodes[s].n_ports ? 0 : port);
				is_hole = true;
				continue;
			}
			c->waiting[end->node]++;
			if (c->reached[end->node])
				continue;
			c->reached[end->node] = true;
			c->order[c->n_reached++] = end->node;
		}
		if (s != c->root && hd_lft(c->network->tables, s)[c->lid] == HD_NO_PATH) {
			/* the loop above ends before port 255 */
			if (c->hole == HD_NONE)
				c->hole = hd_port_index(c->fabric, s, 0);
			is_hole = true;
		}
		c->n_holes += is_hole;
	}
}

/* Counts the switches that are on circles, or between two of them. */
static void count_circling(struct choices *c)
{
	bool changed = true;

	/* what is left waits for itself; a switch whose ways all leave that is on no circle */
	while (changed) {
		changed = false;
		hd_for_each_switch(s, c->fabric) {
			bool leads_on = false;

			if (!c->reached[s] || !c->waiting[s])
				continue;
			hd_for_each_in_set(port, &c->sets[s]) {
				const struct hd_far_end *end = far_end(c, s, port);

				leads_on |= end->node != HD_NONE && c->waiting[end->node];
			}
			if (leads_on)
				continue;
			c->waiting[s] = 0;
			changed = true;
		}
	}
	hd_for_each_switch(s, c->fabric) {
		if (!c->waiting[s])
			continue;
		c->n_circling++;
		hd_for_each_in_set(port, &c->sets[s]) {
			const struct hd_far_end *end = far_end(c, s, port);

			if (c->circle == HD_NONE && end->node != HD_NONE && c->waiting[end->node])
				c->circle = hd_port_index(c->fabric, s, port);
		}
	}
}

/* Puts switches in order, each behind all that lead to it; false: there are circles. */
static bool order_switches(struct choices *c)
{
	c->n_order = 0;
	hd_for_each_switch(s, c->fabric)
		if (c->reached[s] && !c->waiting[s])
			c->order[c->n_order++] = s;
	for (uint32_t i = 0; i < c->n_order; i++) {
		const uint32_t s = c->order[i];

		hd_for_each_in_set(port, &c->sets[s]) {
			const uint32_t next = far_end(c, s, port)->node;

			if (next == HD_NONE)
				continue;
			if (c->depth[next] <= c->depth[s])
				c->depth[next] = c->depth[s] + 1;
			if (--c->waiting[next] == 0)
				c->order[c->n_order++] = next;
		}
	}
	return c->n_order == c->n_reached;
}

/* The ports of sources at @s, and port 0; HD_NONE: none comes in by @in. */
static uint32_t source_at(const struct choices *c, uint32_t s, unsigned in)
{
	const uint32_t port = hd_port_index(c->fabric, s, in);
	const uint32_t peer = c->fabric->ports[port].peer;

	if (in == 0)
		return hd_network_is_end(c->network, port) ? port : HD_NONE;
	if (peer == HD_NONE || c->network->far_end[port].node != HD_NONE)
		return HD_NONE;
	return hd_network_is_end(c->network, peer) ? peer : HD_NONE;
}

/* The SLs of the flows of @source that are followed. */
static unsigned sls_of(const struct choices *c, uint32_t source, uint32_t only, unsigned sls)
{
	if (source == HD_NONE || (only != HD_NONE && source != only))
		return 0;
	return hd_flow_sls(c->network, source, c->lid) & sls;
}

/* What sources send into their switches. */
static void inject(struct choices *c, uint32_t only, unsigned sls)
{
	static const uint16_t vl_0[HD_MAX_VLS + 1] = { ANY_SL };
	const struct hd_check_network *network = c->network;

	hd_for_each_switch(s, c->fabric)
		for (unsigned in = 0; in <= c->fabric->nodes[s].n_ports; in++) {
			const uint32_t source = source_at(c, s, in);
			const unsigned taken = sls_of(c, source, only, sls);
			const size_t port = hd_port_index(c->fabric, s, in);
			const uint16_t *masks = vl_0;

			if (!taken || (s == c->root && !hd_port_set_count(&c->sets[s])))
				continue;
			c->reached[s] = true;
			if (in)
				masks = hd_source_masks(network, source);
			hd_state_forward(network, masks, taken,
					 &c->states[port * network->n_words]);
		}
}

/* Packets that came in by @in of @s go on by @out. */
static void forward(struct choices *c, uint32_t s, unsigned in, unsigned out,
		    struct hd_usage *usage)
{
	const struct hd_check_network *network = c->network;
	const uint64_t *state =
		&c->states[hd_port_index(c->fabric, s, in) * (size_t)network->n_words];
	const struct hd_far_end *end = far_end(c, s, out);
	const size_t row = hd_sl2vl_index(network->tables, s, in, out);
	const uint16_t *masks;
	uint64_t *next;

	if (end->node == HD_NONE)
		return;
	next = &c->states[hd_port_index(c->fabric, end->node, end->in) * (size_t)network->n_words];
	masks = hd_pattern_masks(network, network->pattern[row]);
	for (unsigned w = 0; usage && w < network->n_words; w++)
		hd_usage_add(&usage->states[row * network->n_words + w], state[w]);
	for (unsigned vl = 0; vl < network->n_vls; vl++) {
		const unsigned sls = hd_state_sls(network, state, vl);

		hd_state_forward(network, masks, sls, next);
		if (sls & masks[network->n_vls] && c->drop == HD_NONE)
			c->drop = hd_port_index(c->fabric, s, out);
	}
}

static bool is_empty(const struct choices *c, uint32_t s, unsigned in)
{
	const unsigned n_words = c->network->n_words;
	const uint64_t *state = &c->states[hd_port_index(c->fabric, s, in) * (size_t)n_words];
	uint64_t any = 0;

	for (unsigned w = 0; w < n_words; w++)
		any |= state[w];
	return !any;
}

static void propagate(struct choices *c, struct hd_usage *usage)
{
	for (uint32_t i = 0; i < c->n_order; i++) {
		const uint32_t s = c->order[i], before = c->drop;

		c->drop = HD_NONE;
		for (unsigned in = 0; in <= c->fabric->nodes[s].n_ports; in++) {
			if (is_empty(c, s, in))
				continue;
			hd_for_each_in_set(out, &c->sets[s])
				forward(c, s, in, out, usage);
		}
		c->n_drops += c->drop != HD_NONE;
		if (before != HD_NONE)
			c->drop = before;
	}
}

/* The root hands packets on to @lid; false: it drops some. */
static bool deliver(const struct choices *c, uint32_t lid, struct hd_usage *usage)
{
	const struct hd_check_network *network = c->network;
	bool keeps = true;

	for (unsigned in = 1; in <= c->fabric->nodes[c->root].n_ports; in++) {
		const uint32_t port = hd_port_index(c->fabric, c->root, in);
		const size_t row =
			hd_sl2vl_index(network->tables, c->root, in, c->fabric->lids[lid].via_port);
		const uint64_t *state = &c->states[port * (size_t)network->n_words];
		const uint16_t *masks = hd_pattern_masks(network, network->pattern[row]);

		for (unsigned w = 0; usage && w < network->n_words; w++)
			hd_usage_add(&usage->states[row * network->n_words + w], state[w]);
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			keeps &= !(hd_state_sls(network, state, vl) & masks[network->n_vls]);
	}
	return keeps;
}

/*
 * Follows the flows to the LID on @sls (places), of @only or, with HD_NONE, of all sources that are
 * not at the root.
 */
static void follow(struct choices *c, uint32_t only, unsigned sls, struct hd_usage *usage)
{
	memset(c->reached, 0, c->fabric->n_switches * sizeof(*c->reached));
	memset(c->states, 0, c->fabric->n_ports * (size_t)c->network->n_words * sizeof(*c->states));
	c->hole = c->circle = c->drop = HD_NONE;
	c->n_holes = c->n_circling = c->n_drops = 0;
	inject(c, only, sls);
	find_reached(c);
	if (!order_switches(c))
		count_circling(c);
	propagate(c, usage);
}

/* What tells whether two LIDs of a switch are alike to all others. */
struct likeness {
	struct hd_port_set *sets;
	uint16_t *sls; /* [source] */
	uint32_t root; /* HD_NONE: there was no LID yet */
};

/* Whether the LID is like the one before; notes it. */
static bool is_alike(const struct choices *c, struct likeness *like)
{
	const struct hd_check_network *network = c->network;
	const size_t size = c->fabric->n_switches * sizeof(*c->sets);
	bool same = like->root == c->root;

	like->root = c->root;
	if (memcmp(like->sets, c->sets, size) != 0) {
		memcpy(like->sets, c->sets, size);
		same = false;
	}
	for (uint32_t i = 0; i < network->first_source[c->fabric->n_switches]; i++) {
		const bool here = i >= network->first_source[c->root] &&
				  i < network->first_source[c->root + 1];
		const uint16_t sls =
			here ? 0 : (uint16_t)hd_flow_sls(network, network->sources[i], c->lid);

		same &= sls == like->sls[i];
		like->sls[i] = sls;
	}
	return same;
}

static void add_result(const struct choices *c, uint32_t lid, struct hd_choices_result *result)
{
	hd_failure_add(&result->failures[HD_CHECK_NO_PATH], c->n_holes, lid);
	hd_failure_add(&result->failures[HD_CHECK_FORWARD_LOOP], c->n_circling, lid);
	hd_failure_add(&result->failures[HD_CHECK_DROPPED], c->n_drops, lid);
	if (c->depth[c->root] > result->max_hops)
		result->max_hops = c->depth[c->root];
}

int hd_choices_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_choices_result *result, struct hd_error *err)
{
	struct likeness like = { .root = HD_NONE };
	struct choices c;
	int ret;

	*result = (struct hd_choices_result){ .max_hops = 0 };
	for (int failure = 0; failure < HD_CHECK_CREDIT_LOOP; failure++)
		result->failures[failure].first_lid = HD_NONE;
	if (!network->tables->ar)
		return 0;
	ret = choices_init(&c, network, err);
	like.sets = calloc(network->fabric->n_switches + (size_t)1, sizeof(*like.sets));
	like.sls = calloc(network->n_sources + (size_t)1, sizeof(*like.sls));
	if (!ret && (!like.sets || !like.sls))
		ret = hd_error_nomem(err);
	for (uint32_t lid = 1; !ret && lid <= network->fabric->top_lid; lid++) {
		if (!hd_network_has_lid(network, lid) || !take_lid(&c, lid))
			continue;
		if (!is_alike(&c, &like))
			follow(&c, HD_NONE, ANY_SL, usage);
		add_result(&c, lid, result);
		hd_failure_add(&result->failures[HD_CHECK_DROPPED], !deliver(&c, lid, usage), lid);
	}
	free(like.sets);
	free(like.sls);
	choices_clear(&c);
	return ret;
}

static uint32_t bad_port(const struct choices *c, enum hd_check_failure failure)
{
	switch (failure) {
	case HD_CHECK_NO_PATH:
		return c->hole;
	case HD_CHECK_FORWARD_LOOP:
		return c->circle;
	case HD_CHECK_DROPPED:
		return c->drop;
	default:
		return HD_NONE;
	}
}

/* Walks from the circle's first port until a switch comes again. */
static int walk_circle(struct choices *c, struct hd_hop **loop, size_t *n_loop,
		       struct hd_error *err)
{
	struct hd_hop *hops = calloc(c->fabric->n_switches + (size_t)1, sizeof(*hops));
	uint32_t s = c->fabric->ports[c->circle].node, begin = 0, n = 0;
	uint8_t in = 0;

	if (!hops)
		return hd_error_nomem(err);
	/* depths are of no use any more: where each switch is in the walk */
	hd_for_each_switch(i, c->fabric)
		c->depth[i] = HD_NONE;
	while (c->depth[s] == HD_NONE) {
		c->depth[s] = n;
		hops[n] = (struct hd_hop){ .node = s, .in = in };
		hd_for_each_in_set(port, &c->sets[s]) {
			const struct hd_far_end *end = far_end(c, s, port);

			if (end->node == HD_NONE || !c->waiting[end->node])
				continue;
			hops[n++].out = (uint8_t)port;
			in = (uint8_t)end->in;
			s = end->node;
			break;
		}
	}
	begin = c->depth[s];
	hops[begin].in = in;
	memmove(hops, hops + begin, (n - begin) * sizeof(*hops));
	*loop = hops;
	*n_loop = n - begin;
	return 0;
}

int hd_choices_find_bad_flow(const struct hd_check_network *network, enum hd_check_failure failure,
			     uint32_t lid, struct hd_check_finding *found, struct hd_hop **loop,
			     size_t *n_loop, struct hd_error *err)
{
	struct choices c;
	int ret = choices_init(&c, network, err);
	bool done = ret || !take_lid(&c, lid);

	for (uint32_t p = 0; !done && p < network->fabric->n_ports; p++) {
		unsigned sls = hd_network_is_end(network, p) ? hd_flow_sls(network, p, lid) : 0;

		for (; !done && sls; sls &= sls - 1) {
			follow(&c, p, sls & -sls, NULL);
			if (c.drop == HD_NONE && !deliver(&c, lid, NULL))
				c.drop = hd_port_index(c.fabric, c.root,
						       c.fabric->lids[lid].via_port);
			if (bad_port(&c, failure) == HD_NONE)
				continue;
			found->flow = (struct hd_flow){
				.source = p,
				.lid = (uint16_t)lid,
				.sl = network->sls[__builtin_ctz(sls)],
			};
			found->port = bad_port(&c, failure);
			if (failure == HD_CHECK_FORWARD_LOOP)
				ret = walk_circle(&c, loop, n_loop, err);
			done = true;
		}
	}
	choices_clear(&c);
	return ret;
}

/* Whether packets may take channel (@from, @from_vl) and (@to, @to_vl) right behind it. */
static bool passes(const struct choices *c, uint32_t from, unsigned from_vl, uint32_t to,
		   unsigned to_vl)
{
	const struct hd_check_network *network = c->network;
	const struct hd_port *out = &c->fabric->ports[to];
	const unsigned first =
		from == HD_NONE ? 0 : c->fabric->ports[c->fabric->ports[from].peer].number;
	const unsigned last = from == HD_NONE ? c->fabric->nodes[out->node].n_ports : first;

	if (!hd_port_set_has(&c->sets[out->node], out->number) &&
	    (out->node != c->root || c->fabric->lids[c->lid].via_port != out->number))
		return false;
	for (unsigned in = first; in <= last; in++) {
		const size_t row = hd_sl2vl_index(network->tables, out->node, in, out->number);
		const uint64_t *state = &c->states[hd_port_index(c->fabric, out->node, in) *
						   (size_t)network->n_words];
		const unsigned taken = hd_pattern_masks(network, network->pattern[row])[to_vl];

		for (unsigned vl = 0; vl < network->n_vls; vl++)
			if ((from == HD_NONE || vl == from_vl) &&
			    (hd_state_sls(network, state, vl) & taken))
				return true;
	}
	return false;
}

/* Of the LID's flows, the lowest that does. */
static bool find_source(struct choices *c, uint32_t from, unsigned from_vl, uint32_t to,
			unsigned to_vl, struct hd_flow *flow)
{
	const struct hd_check_network *network = c->network;

	hd_for_each_port(p, network->fabric) {
		unsigned sls = hd_network_is_end(network, p) ? hd_flow_sls(network, p, c->lid) : 0;

		for (; sls; sls &= sls - 1) {
			follow(c, p, sls & -sls, NULL);
			if (!passes(c, from, from_vl, to, to_vl))
				continue;
			*flow = (struct hd_flow){
				.source = p,
				.lid = (uint16_t)c->lid,
				.sl = network->sls[__builtin_ctz(sls)],
			};
			return true;
		}
	}
	return false;
}

int hd_choices_find_flow(const struct hd_check_network *network, uint32_t from, unsigned from_vl,
			 uint32_t to, unsigned to_vl, struct hd_flow *flow, struct hd_error *err)
{
	struct choices c;
	bool done = false;
	int ret;

	flow->source = HD_NONE;
	if (!network->tables->ar)
		return 0;
	ret = choices_init(&c, network, err);
	for (uint32_t lid = 1; !ret && !done && lid <= network->fabric->top_lid; lid++) {
		if (!hd_network_has_lid(network, lid) || !take_lid(&c, lid))
			continue;
		follow(&c, HD_NONE, ANY_SL, NULL);
		done = passes(&c, from, from_vl, to, to_vl) &&
		       find_source(&c, from, from_vl, to, to_vl, flow);
	}
	choices_clear(&c);
	return ret;
}
