// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/check_oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/walk.h"
#include "support/error.h"

#define VLS 16

static void *allocate(size_t n, size_t size)
{
	void *array = calloc(n + 1, size);

	if (!array)
		abort();
	return array;
}

/* What is learnt from all flows; channel = port * VLS + VL. */
struct knowledge {
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	const struct hd_check_options *options;
	struct oracle *oracle;
	size_t n_channels;
	bool *used;                      /* [channel] */
	bool *depends;                   /* [channel * n_channels + channel] */
	size_t n_columns;                /* LIDs, then entries of MFTs */
	bool *bad[HD_CHECK_CREDIT_LOOP]; /* [port * n_columns + column] */
	unsigned sls;
	struct hd_hop *hops;
};

static bool is_end(const struct hd_fabric *fabric, uint32_t port)
{
	const struct hd_port *p = &fabric->ports[port];

	if (fabric->nodes[p->node].type == HD_SWITCH)
		return p->number == 0 && p->lid;
	return p->lid && p->peer != HD_NONE;
}

/* The same for flows that are judged. */
static bool is_judged(const struct knowledge *k, uint32_t port)
{
	return is_end(k->fabric, port) &&
	       (k->options->scope == HD_CHECK_ALL ||
		k->fabric->nodes[k->fabric->ports[port].node].type != HD_SWITCH);
}

/* @column: a LID, or that of an MLID. */
static void mark_bad(struct knowledge *k, enum hd_check_failure failure, uint32_t port,
		     size_t column)
{
	bool *bad = &k->bad[failure][port * k->n_columns + column];

	k->oracle->n_bad[failure] += !*bad;
	*bad = true;
}

/* The port that stands for the node of @hop on the way from @source. */
static uint32_t place_of(const struct knowledge *k, const struct hd_hop *hop, uint32_t source)
{
	return hop->node < k->fabric->n_switches ? hd_port_index(k->fabric, hop->node, 0) : source;
}

static uint32_t channel_of(const struct knowledge *k, const struct hd_hop *hop)
{
	return hd_port_index(k->fabric, hop->node, hop->out) * VLS + hop->vl;
}

/* Returns whether the LFTs lead from @source to @lid. */
static bool follow_route(struct knowledge *k, uint32_t source, uint16_t lid)
{
	const struct hd_walk_options options = { .routes_only = true };
	const struct hd_flow flow = { .source = source, .lid = lid };
	size_t n = 0, n_switches = 0;
	enum hd_check_failure failure =
		hd_walk_with(k->tables, &flow, &options, k->hops, k->fabric->n_switches + 2, &n);

	if (failure == HD_CHECK_FORWARD_LOOP) {
		const struct hd_hop *last = &k->hops[n - 1], *hop = last;

		k->oracle->n_looping++;
		do
			mark_bad(k, failure, place_of(k, hop--, source), lid);
		while (hop->node != last->node);
		return false;
	}
	if (failure == HD_CHECK_NOT_COVERED) {
		k->oracle->n_uncovered++;
		return false;
	}
	if (failure != HD_CHECK_SOUND) {
		mark_bad(k, failure, place_of(k, &k->hops[n - 1], source), lid);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		n_switches += k->hops[i].node < k->fabric->n_switches;
	if (n_switches > k->oracle->max_hops + 1)
		k->oracle->max_hops = (unsigned)n_switches - 1;
	return true;
}

static void follow_lanes(struct knowledge *k, uint32_t source, uint16_t lid, unsigned sl)
{
	const struct hd_walk_options options = { .max_vls = k->options->max_vls };
	const struct hd_flow flow = { .source = source, .lid = lid, .sl = (uint8_t)sl };
	size_t n = 0;
	enum hd_check_failure failure =
		hd_walk_with(k->tables, &flow, &options, k->hops, k->fabric->n_switches + 2, &n);

	if (failure == HD_CHECK_DROPPED)
		mark_bad(k, failure, place_of(k, &k->hops[n - 1], source), lid);
	/* the last hop is the destination, or drops */
	for (size_t i = 0; i + 1 < n; i++) {
		k->used[channel_of(k, &k->hops[i])] = true;
		if (i > 0 && k->hops[i - 1].out)
			k->depends[channel_of(k, &k->hops[i - 1]) * k->n_channels +
				   channel_of(k, &k->hops[i])] = true;
	}
}

static unsigned sls_of_flow(const struct knowledge *k, uint32_t source, uint16_t lid)
{
	uint32_t owner = k->fabric->lids[lid].port;
	const struct hd_port *p = &k->fabric->ports[source];
	unsigned sl = hd_path_sl(k->tables, source, lid);
	unsigned sls = sl < 16 ? 1u << sl : 0;

	if (k->options->all_sls)
		return 0xFFFF;
	for (unsigned offset = 0; k->options->reversed_sl && offset < 1u << p->lmc; offset++) {
		sl = hd_path_sl(k->tables, owner, p->lid + offset);
		sls |= sl < 16 ? 1u << sl : 0;
	}
	return sls;
}

static void follow_unicast(struct knowledge *k)
{
	hd_for_each_port(p, k->fabric)
		for (uint32_t lid = 1; is_judged(k, p) && lid <= k->fabric->top_lid; lid++) {
			uint32_t owner = k->fabric->lids[lid].port;
			unsigned sls;

			if (owner == HD_NONE || owner == p || !is_judged(k, owner))
				continue;
			k->oracle->n_flows++;
			sls = sls_of_flow(k, p, (uint16_t)lid);
			k->sls |= sls;
			if (!follow_route(k, p, (uint16_t)lid))
				continue;
			for (unsigned sl = 0; sl < 16; sl++)
				if (sls >> sl & 1)
					follow_lanes(k, p, (uint16_t)lid, sl);
		}
}

/* Multicast: a packet in @node that came by @in on channel @from (or none: -1). */
struct copying {
	struct knowledge *k;
	const struct hd_mft_entry *const *entry; /* [switch] of the MLID, or NULL */
	bool *on_way;                            /* [port] in the recursion now */
	bool *done;                              /* [channel] copied on before */
	bool *circles;                           /* [switch] */
	bool circle;
	bool record;
	unsigned sl;
	size_t column; /* of the MLID, in what is bad */
};

static bool in_mask(const struct hd_mft_entry *entry, unsigned port)
{
	return entry->ports[port / 64] >> (port % 64) & 1;
}

/* Marks what a packet that circles reaches, now that it circles at @node. */
static void mark_circling(struct copying *c, uint32_t node, unsigned in, bool *seen)
{
	const struct hd_fabric *fabric = c->k->fabric;

	for (unsigned out = 1; c->entry[node] && out <= fabric->nodes[node].n_ports; out++) {
		uint32_t port = hd_port_index(fabric, node, out), peer = fabric->ports[port].peer;

		if (out == in || !in_mask(c->entry[node], out) || peer == HD_NONE ||
		    fabric->ports[peer].node >= fabric->n_switches)
			continue;
		c->circles[node] = true;
		if (seen[port])
			continue;
		seen[port] = true;
		mark_circling(c, fabric->ports[peer].node, fabric->ports[peer].number, seen);
	}
}

static void copy_packet(struct copying *c, uint32_t node, unsigned in, int64_t from)
{
	struct knowledge *k = c->k;
	const struct hd_fabric *fabric = k->fabric;

	for (unsigned out = 0; c->entry[node] && out <= fabric->nodes[node].n_ports; out++) {
		uint32_t port = hd_port_index(fabric, node, out), peer = fabric->ports[port].peer;
		unsigned vls = hd_link_vls(fabric, port), vl;
		size_t channel;

		if (out == in || !in_mask(c->entry[node], out) || (out && peer == HD_NONE))
			continue;
		if (from >= 0 && c->record)
			k->used[from] = true;
		if (out == 0)
			continue;
		if (k->options->max_vls && vls > k->options->max_vls)
			vls = k->options->max_vls;
		vl = hd_row_vl(k->tables->sl2vl[hd_sl2vl_index(k->tables, node, in, out)], c->sl);
		if (vl >= vls && c->record) {
			mark_bad(k, HD_CHECK_DROPPED, hd_port_index(fabric, node, 0), c->column);
			continue;
		}
		channel = (size_t)port * VLS + vl;
		if (c->record) {
			k->used[channel] = true;
			if (from >= 0)
				k->depends[(size_t)from * k->n_channels + channel] = true;
		}
		if (fabric->ports[peer].node >= fabric->n_switches)
			continue;
		if (c->on_way[port]) {
			bool *seen = allocate(fabric->n_ports, sizeof(bool));

			c->circle = true;
			/* the link itself is on the circle */
			c->circles[node] = true;
			mark_circling(c, fabric->ports[peer].node, fabric->ports[peer].number,
				      seen);
			free(seen);
			continue;
		}
		if (c->done[channel])
			continue;
		c->done[channel] = true;
		c->on_way[port] = true;
		copy_packet(c, fabric->ports[peer].node, fabric->ports[peer].number,
			    (int64_t)channel);
		c->on_way[port] = false;
	}
}

/* Sends from every source of the MLID. */
static void send_copies(struct copying *c)
{
	struct knowledge *k = c->k;
	const struct hd_fabric *fabric = k->fabric;

	memset(c->done, 0, k->n_channels);
	hd_for_each_port(p, fabric) {
		uint32_t attached = is_end(fabric, p) && fabric->ports[p].number &&
						    fabric->ports[p].peer != HD_NONE
					    ? fabric->ports[p].peer
					    : p;
		uint32_t node = fabric->ports[attached].node;
		unsigned in = fabric->ports[attached].number, vls, vl;
		bool leads_on = false;

		if (!is_judged(k, p) || node >= fabric->n_switches || !c->entry[node] ||
		    !in_mask(c->entry[node], in))
			continue;
		for (unsigned out = 0; out <= fabric->nodes[node].n_ports; out++)
			leads_on |= out != in && in_mask(c->entry[node], out) &&
				    (!out || fabric->ports[hd_port_index(fabric, node, out)].peer !=
						     HD_NONE);
		k->sls |= 1u << c->sl;
		if (!leads_on)
			continue;
		if (in == 0) {
			copy_packet(c, node, 0, -1);
			continue;
		}
		vls = hd_link_vls(fabric, p);
		if (k->options->max_vls && vls > k->options->max_vls)
			vls = k->options->max_vls;
		vl = hd_row_vl(k->tables->sl2vl[hd_sl2vl_host_index(
				       k->tables, fabric->ports[p].node, fabric->ports[p].number)],
			       c->sl);
		if (vl >= vls && c->record)
			mark_bad(k, HD_CHECK_DROPPED, p, c->column);
		else
			copy_packet(c, node, in, (int64_t)p * VLS + vl);
	}
}

static void follow_multicast(struct knowledge *k)
{
	const struct hd_tables *tables = k->tables;
	const struct hd_mft_entry **entry = allocate(k->fabric->n_switches, sizeof(*entry));
	struct copying c = { .k = k, .entry = entry };

	c.on_way = allocate(k->fabric->n_ports, sizeof(bool));
	c.circles = allocate(k->fabric->n_switches, sizeof(bool));
	c.done = allocate(k->n_channels, sizeof(bool));
	for (size_t first = 0, end = 0; first < tables->n_mft; first = end) {
		memset(entry, 0, k->fabric->n_switches * sizeof(*entry));
		memset(c.circles, 0, k->fabric->n_switches);
		c.column = k->fabric->top_lid + (size_t)1 + first;
		for (end = first;
		     end < tables->n_mft && tables->mft[end].mlid == tables->mft[first].mlid; end++)
			entry[tables->mft[end].switch_index] = &tables->mft[end];
		c.circle = c.record = false;
		c.sl = 0;
		send_copies(&c);
		hd_for_each_switch(s, k->fabric)
			if (c.circles[s])
				mark_bad(k, HD_CHECK_FORWARD_LOOP, hd_port_index(k->fabric, s, 0),
					 c.column);
		c.record = !c.circle;
		for (c.sl = 0; c.sl < (k->options->all_sls ? 16 : 1); c.sl++)
			if (c.record)
				send_copies(&c);
			else
				k->sls |= k->sls & 1 ? 1u << c.sl : 0;
	}
	free(entry);
	free(c.on_way);
	free(c.circles);
	free(c.done);
}

static size_t shortest_cycle(const struct knowledge *k)
{
	size_t best = SIZE_MAX, n = k->n_channels;
	size_t *distance = allocate(n, sizeof(*distance));
	size_t *queue = allocate(n, sizeof(*queue));

	for (size_t start = 0; start < n; start++) {
		size_t head = 0, tail = 0;

		if (!k->used[start])
			continue;
		memset(distance, 0, n * sizeof(*distance));
		queue[tail++] = start;
		while (head < tail) {
			size_t v = queue[head++];

			for (size_t w = 0; w < n; w++) {
				if (!k->depends[v * n + w])
					continue;
				if (w == start && distance[v] + 1 < best)
					best = distance[v] + 1;
				if (w != start && !distance[w]) {
					distance[w] = distance[v] + 1;
					queue[tail++] = w;
				}
			}
		}
	}
	free(distance);
	free(queue);
	return best == SIZE_MAX ? 0 : best;
}

/* Whether some entry of @port's arbitration serves @vl. */
static bool is_served(const struct hd_tables *tables, uint32_t port, unsigned vl)
{
	const struct hd_vlarb *vlarb = &tables->vlarbs[tables->vlarb_of_port[port]];
	bool served = false;

	for (unsigned i = 0; i < vlarb->n_high; i++)
		served |= vlarb->high[i].vl == vl && vlarb->high[i].weight > 0;
	for (unsigned i = 0; i < vlarb->n_low; i++)
		served |= vlarb->low[i].vl == vl && vlarb->low[i].weight > 0;
	return served;
}

static void find_starved(struct knowledge *k)
{
	hd_for_each_port(p, k->fabric) {
		bool is_known = k->tables->vlarb_of_port[p] != HD_NONE, above = false;

		for (unsigned vl = 0; vl < VLS && hd_link_vls(k->fabric, p) > 1; vl++) {
			if (!k->used[(size_t)p * VLS + vl])
				continue;
			above |= vl > 0;
			k->oracle->n_bad[HD_CHECK_STARVED] +=
				is_known && !is_served(k->tables, p, vl);
		}
		k->oracle->n_unknown_vlarbs += above && !is_known;
	}
}

void run_oracle(const struct hd_tables *tables, const struct hd_check_options *options,
		struct oracle *oracle)
{
	struct knowledge k = { .tables = tables,
			       .fabric = tables->fabric,
			       .options = options,
			       .oracle = oracle,
			       .n_channels = (size_t)tables->fabric->n_ports * VLS,
			       .n_columns = tables->fabric->top_lid + (size_t)1 + tables->n_mft };

	memset(oracle, 0, sizeof(*oracle));
	k.used = allocate(k.n_channels, sizeof(bool));
	k.depends = allocate(k.n_channels * k.n_channels, sizeof(bool));
	k.hops = allocate(k.fabric->n_switches + 2, sizeof(*k.hops));
	for (int i = 0; i < HD_CHECK_CREDIT_LOOP; i++)
		k.bad[i] = allocate(k.fabric->n_ports * k.n_columns, sizeof(bool));
	follow_unicast(&k);
	follow_multicast(&k);
	find_starved(&k);
	for (size_t c = 0; c < k.n_channels; c++) {
		oracle->channels += k.used[c];
		if (k.used[c] && c % VLS >= oracle->vls)
			oracle->vls = c % VLS + 1;
		for (size_t on = 0; k.used[c] && on < k.n_channels; on++)
			oracle->dependencies += k.depends[c * k.n_channels + on];
	}
	oracle->sls = (unsigned)__builtin_popcount(k.sls);
	oracle->cycle = shortest_cycle(&k);
	free(k.used);
	free(k.depends);
	free(k.hops);
	for (int i = 0; i < HD_CHECK_CREDIT_LOOP; i++)
		free(k.bad[i]);
}

bool flow_takes_both(const struct hd_tables *tables, const struct hd_flow *flow, uint32_t from,
		     unsigned from_vl, uint32_t to, unsigned to_vl)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_hop *hops = allocate(fabric->n_switches + 2, sizeof(*hops));
	size_t n = 0;
	bool found = false;

	hd_walk(tables, flow, hops, fabric->n_switches + 2, &n);
	for (size_t i = 0; i + 1 < n && !found; i++)
		found = hd_port_index(fabric, hops[i].node, hops[i].out) == from &&
			hops[i].vl == from_vl &&
			hd_port_index(fabric, hops[i + 1].node, hops[i + 1].out) == to &&
			hops[i + 1].vl == to_vl;
	free(hops);
	return found;
}

/* The multicast flow's switches have both ports, the second behind the first. */
static bool multicast_takes_both(const struct hd_tables *tables, uint16_t mlid, uint32_t from,
				 uint32_t to)
{
	const struct hd_port *a = &tables->fabric->ports[from], *b = &tables->fabric->ports[to];
	int found = 0;

	for (size_t i = 0; i < tables->n_mft; i++)
		if (tables->mft[i].mlid == mlid)
			found += (tables->mft[i].switch_index == a->node &&
				  in_mask(&tables->mft[i], a->number)) +
				 (tables->mft[i].switch_index == b->node &&
				  in_mask(&tables->mft[i], b->number));
	return found >= 2 && tables->fabric->ports[a->peer].node == b->node &&
	       tables->fabric->ports[a->peer].number != b->number;
}

static const char *check_witness(const struct hd_tables *tables,
				 const struct hd_check_result *result)
{
	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *a = &result->witness[i];
		const struct hd_witness *b = &result->witness[(i + 1) % result->n_witness];

		if (a->flow.lid > HD_MAX_LID
			    ? !multicast_takes_both(tables, a->flow.lid, a->port, b->port)
			    : !flow_takes_both(tables, &a->flow, a->port, a->vl, b->port, b->vl))
			return "a witness flow does not take its channels";
	}
	return NULL;
}

/* The hops of a loop lead to one another; those of unicast are what the LFTs say. */
static const char *check_loop(const struct hd_tables *tables, const struct hd_check_result *result)
{
	const struct hd_check_finding *found = &result->found[HD_CHECK_FORWARD_LOOP];
	const struct hd_fabric *fabric = tables->fabric;

	if (!found->n != !result->n_loop)
		return "a loop without hops, or hops without a loop";
	for (size_t i = 0; i < result->n_loop; i++) {
		const struct hd_hop *hop = &result->loop[i];
		const struct hd_hop *next = &result->loop[(i + 1) % result->n_loop];
		uint32_t port = hd_port_index(fabric, hop->node, hop->out);

		if (hop->node >= fabric->n_switches ||
		    fabric->ports[port].peer != hd_port_index(fabric, next->node, next->in) ||
		    (found->flow.lid <= HD_MAX_LID &&
		     hd_lft(tables, hop->node)[found->flow.lid] != hop->out))
			return "the loop is none";
	}
	return NULL;
}

static const char *check_bad_flow(const struct hd_tables *tables,
				  const struct hd_check_options *options,
				  const struct hd_check_result *result,
				  enum hd_check_failure failure)
{
	const struct hd_check_finding *found = &result->found[failure];
	const struct hd_walk_options walk = { .routes_only = failure < HD_CHECK_DROPPED,
					      .max_vls = options->max_vls };
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_hop *hops;
	size_t n = 0;
	bool agrees;

	if (!found->n)
		return NULL;
	if (found->flow.source >= fabric->n_ports || found->port >= fabric->n_ports)
		return "no bad flow";
	if (found->flow.lid > HD_MAX_LID)
		return NULL;
	hops = allocate(fabric->n_switches + 2, sizeof(*hops));
	agrees = hd_walk_with(tables, &found->flow, &walk, hops, fabric->n_switches + 2, &n) ==
			 failure &&
		 fabric->ports[found->port].node == hops[n - 1].node;
	for (size_t i = 0; failure == HD_CHECK_STARVED && i + 1 < n; i++)
		agrees |= hd_port_index(fabric, hops[i].node, hops[i].out) == found->port &&
			  hops[i].vl == found->vl && !is_served(tables, found->port, found->vl);
	free(hops);
	return agrees ? NULL : "the bad flow does not fail as said";
}

/* Load by walking every pair of adapters' ports. */
static const char *compare_load(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_load load;
	struct hd_hop *hops = allocate(fabric->n_switches + 2, sizeof(*hops));
	uint32_t *flows = allocate((size_t)fabric->n_ports * VLS, sizeof(*flows));
	uint64_t n_flows = 0, n_lost = 0, n_uncovered = 0, total_hops = 0;
	const char *wrong = NULL;
	unsigned max_hops = 0;

	if (hd_load_compute(tables, &load, NULL)) {
		free(hops);
		free(flows);
		return "no load";
	}
	hd_for_each_port(p, fabric)
		hd_for_each_port(q, fabric) {
			const struct hd_walk_options routes = { .routes_only = true };
			struct hd_flow flow = { .source = p, .lid = fabric->ports[q].lid };
			enum hd_check_failure route;
			unsigned n_switches = 0;
			size_t n = 0;

			if (p == q || !is_end(fabric, p) || !is_end(fabric, q) ||
			    fabric->ports[p].number == 0 || fabric->ports[q].number == 0)
				continue;
			route = hd_walk_with(tables, &flow, &routes, hops, fabric->n_switches + 2,
					     &n);
			if (route == HD_CHECK_NOT_COVERED) {
				n_uncovered++;
				continue;
			}
			flow.sl = (uint8_t)hd_path_sl(tables, p, flow.lid);
			if (flow.sl > 15 || route != HD_CHECK_SOUND) {
				n_lost++;
				continue;
			}
			if (hd_walk(tables, &flow, hops, fabric->n_switches + 2, &n) ==
			    HD_CHECK_SOUND) {
				n_flows++;
				for (size_t i = 0; i < n; i++)
					n_switches += hops[i].node < fabric->n_switches;
				n_switches += n_switches == 0;
				total_hops += n_switches - 1;
				if (n_switches - 1 > max_hops)
					max_hops = n_switches - 1;
			} else {
				n_lost++;
			}
			for (size_t i = 0; i + 1 < n; i++)
				flows[hd_port_index(fabric, hops[i].node, hops[i].out) * VLS +
				      hops[i].vl]++;
		}
	hd_for_each_port(p, fabric)
		for (unsigned vl = 0; vl < VLS; vl++)
			if (flows[p * VLS + vl] !=
			    (vl < load.n_vls ? load.flows[p * load.n_vls + vl] : 0))
				wrong = "load of a channel";
	if (n_flows != load.n_flows || n_lost != load.n_lost || n_uncovered != load.n_uncovered)
		wrong = "flows that arrive or are lost";
	if (total_hops != load.total_hops || max_hops != load.max_hops)
		wrong = "hops of flows";
	hd_load_clear(&load);
	free(hops);
	free(flows);
	return wrong;
}

const char *compare_with_oracle(const struct hd_tables *tables,
				const struct hd_check_options *options, char *buffer, size_t size)
{
	struct hd_check_result result;
	struct hd_error err = { 0 };
	struct oracle oracle;
	enum hd_check_failure expected = HD_CHECK_SOUND;
	const char *wrong = NULL;
	int ret = hd_check(tables, options, &result, &err);

	if (ret) {
		hd_for_each_port(p, tables->fabric)
			if (is_end(tables->fabric, p))
				return err.text[0] ? "hd_check failed" : "hd_check failed, mute";
		return ret == HD_EINVAL ? NULL : "hd_check failed otherwise";
	}
	run_oracle(tables, options, &oracle);
	if (oracle.n_uncovered)
		expected = HD_CHECK_NOT_COVERED;
	if (oracle.cycle)
		expected = HD_CHECK_CREDIT_LOOP;
	for (int failure = HD_CHECK_STARVED; failure > HD_CHECK_SOUND; failure--)
		if (oracle.n_bad[failure])
			expected = failure;
	if (result.failure != expected) {
		snprintf(buffer, size, "failure %d, should be %d", result.failure, expected);
		wrong = buffer;
	} else if (result.vlarb_gap.n != oracle.n_unknown_vlarbs) {
		snprintf(buffer, size, "%u ports without arbitration, should be %u",
			 result.vlarb_gap.n, oracle.n_unknown_vlarbs);
		wrong = buffer;
	} else if (result.n_uncovered != oracle.n_uncovered ||
		   (tables->n_lft_unknown && result.n_flows != oracle.n_flows)) {
		snprintf(buffer, size,
			 "%" PRIu64 " of %" PRIu64 " flows not covered, should be %" PRIu64
			 " of %" PRIu64,
			 result.n_uncovered, result.n_flows, oracle.n_uncovered, oracle.n_flows);
		wrong = buffer;
	} else if (result.n_looping != oracle.n_looping) {
		snprintf(buffer, size, "%" PRIu64 " looping flows, should be %" PRIu64,
			 result.n_looping, oracle.n_looping);
		wrong = buffer;
	} else if (result.channels != oracle.channels ||
		   result.dependencies != oracle.dependencies) {
		snprintf(buffer, size,
			 "channels %" PRIu64 " dependencies %" PRIu64 ", should be %" PRIu64
			 " %" PRIu64,
			 result.channels, result.dependencies, oracle.channels,
			 oracle.dependencies);
		wrong = buffer;
	} else if (result.sls != oracle.sls || result.vls != oracle.vls ||
		   result.max_hops != oracle.max_hops || result.n_witness != oracle.cycle) {
		snprintf(buffer, size, "sls %u vls %u hops %u cycle %zu, should be %u %u %u %zu",
			 result.sls, result.vls, result.max_hops, result.n_witness, oracle.sls,
			 oracle.vls, oracle.max_hops, oracle.cycle);
		wrong = buffer;
	}
	for (int failure = HD_CHECK_NO_PATH; !wrong && failure < HD_CHECK_CREDIT_LOOP; failure++) {
		wrong = check_bad_flow(tables, options, &result, failure);
		if (result.found[failure].n == oracle.n_bad[failure])
			continue;
		snprintf(buffer, size, "%d: bad %" PRIu64 ", should be %" PRIu64, failure,
			 result.found[failure].n, oracle.n_bad[failure]);
		wrong = buffer;
	}
	if (!wrong)
		wrong = check_witness(tables, &result);
	if (!wrong)
		wrong = check_loop(tables, &result);
	if (!wrong)
		wrong = compare_load(tables);
	/* must not crash, whatever the failure */
	hd_check_summary(&result, tables->fabric, buffer + size / 2, size / 2);
	hd_check_clear(&result);
	return wrong;
}
