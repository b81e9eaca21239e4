// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ways up a tree: where the tables lead a packet up, switches with VC allocation may choose another
 * port, as BookSim2's "nca" and "anca" do. All ports count that lead one level up to a switch from
 * where the tables' way is as long as from the next one. Tables must lead up and then down, for
 * every switch and host. Then so does every choice: links up are ordered by level, as are links
 * down, and none up comes after one down, so that there is no cycle with a single VL.
 */
#include "sim/switches/vc.h"

#include <stdlib.h>
#include <string.h>

#include "sim/switches/route_table.h"
#include "support/error.h"
#include "support/random.h"

#define FAR 255 /* hops: the tables do not lead there */

struct hd_vc_up {
	uint8_t *levels; /* [switch] links to the next host's switch */
	uint8_t *hops;   /* [switch * n_hosts + host] switches that follow, by the tables */
	struct hd_random *random; /* [switch] */
};

void hd_vc_up_free(struct hd_vc_up *up)
{
	if (!up)
		return;
	free(up->levels);
	free(up->hops);
	free(up->random);
	free(up);
}

/* The switch behind @port of a switch; HD_NONE: a host is there, or nothing. */
static uint32_t next_switch(const struct hd_model *model, uint32_t port)
{
	const uint32_t p = model->network.fabric_port[port];
	uint32_t peer;

	if (p == HD_NONE)
		return HD_NONE;
	peer = model->network.port_of[model->network.fabric->ports[p].peer];
	return hd_is_switch_port(model, peer) ? hd_switch_of(model, peer) : HD_NONE;
}

/* Breadth first from the switches with hosts; @queue has room for all switches. */
static void find_levels(const struct hd_model *model, uint8_t *levels, uint32_t *queue)
{
	uint32_t n = 0;

	memset(levels, FAR, model->network.n_switches);
	for (uint32_t host = 0; host < model->injection.n_hosts; host++) {
		const uint32_t p = model->network.fabric_port[model->injection.hosts[host].port];
		const uint32_t peer = model->network.port_of[model->network.fabric->ports[p].peer];

		if (!hd_is_switch_port(model, peer) || !levels[hd_switch_of(model, peer)])
			continue;
		levels[hd_switch_of(model, peer)] = 0;
		queue[n++] = hd_switch_of(model, peer);
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t first = hd_first_port(model, queue[i]);

		for (uint32_t k = 0; k < model->network.n_locals[queue[i]]; k++) {
			const uint32_t to = next_switch(model, first + k);

			if (to == HD_NONE || levels[to] != FAR || levels[queue[i]] == FAR - 1)
				continue;
			levels[to] = (uint8_t)(levels[queue[i]] + 1);
			queue[n++] = to;
		}
	}
}

/* By the tables: the switch after @at for @lid; HD_NONE: none, or a host. */
static uint32_t table_switch(const struct hd_model *model, uint32_t at, uint16_t lid)
{
	const unsigned out = hd_forwarding_hop(&model->network.forwarding, at, lid);

	return out == HD_HOP_NONE ? HD_NONE : next_switch(model, hd_first_port(model, at) + out);
}

/* Whether the tables lead from @at to @lid level, or down and then up. */
static bool goes_astray(const struct hd_model *model, const uint8_t *levels, uint32_t at,
			uint16_t lid)
{
	const uint32_t next = table_switch(model, at, lid);
	uint32_t after;

	if (next == HD_NONE || levels[next] > levels[at])
		return false;
	after = table_switch(model, next, lid);
	return levels[next] == levels[at] || (after != HD_NONE && levels[after] > levels[next]);
}

/* Fills in hops on the tables' way from @at to @host; @stack has room for all switches. */
static void count_hops(const struct hd_model *model, struct hd_vc_up *up, uint32_t at,
		       uint32_t host, uint32_t *stack)
{
	const uint16_t lid = model->injection.destinations[host].lid;
	uint8_t *hops = up->hops;
	const size_t n_hosts = model->injection.n_hosts;
	uint32_t n = 0;

	while (at != HD_NONE && n < model->network.n_switches) {
		stack[n++] = at;
		if (hops[at * n_hosts + host] != FAR ||
		    hd_forwarding_hop(&model->network.forwarding, at, lid) == HD_HOP_NONE)
			break;
		at = table_switch(model, at, lid);
		if (at == HD_NONE)
			hops[stack[n - 1] * n_hosts + host] = 0;
	}
	for (; n > 1 && hops[stack[n - 1] * n_hosts + host] < FAR - 1; n--)
		hops[stack[n - 2] * n_hosts + host] =
			(uint8_t)(hops[stack[n - 1] * n_hosts + host] + 1);
}

static int fill(const struct hd_model *model, struct hd_vc_up *up, uint32_t *stack,
		struct hd_error *err)
{
	find_levels(model, up->levels, stack);
	memset(up->hops, FAR, model->network.n_switches * (size_t)model->injection.n_hosts);
	for (uint32_t host = 0; host < model->injection.n_hosts; host++) {
		const struct destination *to = &model->injection.destinations[host];

		for (uint32_t at = 0; at < model->network.n_switches; at++) {
			if (to->lmc || goes_astray(model, up->levels, at, to->lid))
				return hd_error_set(
					err, HD_EINVAL,
					"vc:up= goes with tables that lead up and then down from "
					"every switch, as in trees, and without LMC");
			count_hops(model, up, at, host, stack);
		}
	}
	return 0;
}

int hd_vc_up_new(const struct hd_model *model, struct hd_vc_up **up, struct hd_error *err)
{
	const size_t n = model->network.n_switches + (size_t)1;
	uint32_t *stack = malloc(n * sizeof(*stack));
	struct hd_vc_up *new = *up = calloc(1, sizeof(*new));
	int ret = HD_ENOMEM;

	if (new) {
		new->levels = malloc(n);
		new->hops = malloc(n * (model->injection.n_hosts + (size_t)1));
		new->random = malloc(n * sizeof(*new->random));
	}
	if (stack && new &&new->levels &&new->hops &&new->random)
		ret = fill(model, new, stack, err);
	else
		hd_error_nomem(err);
	free(stack);
	for (uint32_t at = 0; !ret && at < model->network.n_switches; at++)
		hd_random_init(&new->random[at], model->options.seed, at);
	return ret;
}

uint32_t hd_vc_up_port(const struct hd_model *model, uint32_t at, uint32_t host, uint32_t out)
{
	const struct hd_vc *own = hd_vc(model);
	const struct hd_vc_up *up = own->up;
	const size_t n_hosts = model->injection.n_hosts;
	const uint32_t first = hd_first_port(model, at), next = next_switch(model, out);
	const uint8_t hops = up->hops[at * n_hosts + host];
	uint32_t ports[256], one, other;
	unsigned n = 0;

	if (next == HD_NONE || up->levels[next] < up->levels[at])
		return out;
	for (uint32_t port = first; port < first + model->network.n_locals[at]; port++) {
		const uint32_t to = next_switch(model, port);

		if (to != HD_NONE && up->levels[to] == up->levels[at] + 1 &&
		    up->hops[to * n_hosts + host] + 1 == hops)
			ports[n++] = port;
	}
	if (!n)
		return out;
	one = ports[hd_random_below(&up->random[at], n)];
	if (own->options.up == HD_VC_UP_RANDOM)
		return one;
	other = ports[hd_random_below(&up->random[at], n)];
	return own->ports[one].used > own->ports[other].used ? other : one;
}
