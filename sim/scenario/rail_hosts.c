// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/rail_hosts.h"

#include <stdlib.h>

#include "fabric/fabric.h"
#include "sim/scenario/near_hosts.h"
#include "support/error.h"
#include "topologies/locality.h"

/* A host, and where it stands among those of its rail group. */
struct rail_host {
	uint32_t host;
	uint32_t group; /* the first host of the group has this number */
	uint32_t rail;  /* so has the first host of its switch */
	uint32_t node;  /* among those of its group */
	bool whole;     /* all hosts of the node are free */
	bool taken;
};

struct rails {
	const struct hd_fabric *fabric;
	const uint32_t *host_ports;
	uint32_t n_hosts;
	struct hd_locality locality;
	struct rail_host *hosts;
	uint32_t *
		first; /* [of switches, machines, places] the first host there; HD_NONE: none yet */
	uint32_t *count; /* the same: hosts there until now */
};

/* The first host of those with @key, of which @host is one, in their order. */
static uint32_t first_with(struct rails *r, uint32_t key, uint32_t host)
{
	if (r->first[key] == HD_NONE)
		r->first[key] = host;
	return r->first[key];
}

static void forget(struct rails *r, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		r->first[i] = HD_NONE;
		r->count[i] = 0;
	}
}

static uint32_t switch_of(const struct rails *r, uint32_t host)
{
	const uint32_t port = r->fabric->ports[r->host_ports[host]].peer;

	return r->fabric->ports[port].node;
}

static uint32_t machine_of(const struct rails *r, uint32_t host)
{
	return hd_near_hosts_machine(&r->locality, r->fabric,
				     r->fabric->ports[r->host_ports[host]].node);
}

/* Groups of @rails switches, in the order of their first hosts. */
static void group_by_number(struct rails *r, uint32_t rails)
{
	uint32_t n_switches = 0, begin = 0;

	for (uint32_t host = 0; host < r->n_hosts; host++) {
		struct rail_host *at = &r->hosts[host];

		if (at->rail == host) {
			if (n_switches++ % rails == 0)
				begin = host;
			at->group = begin;
		}
		at->group = r->hosts[at->rail].group;
	}
}

/* The place whose switches are the rail group of @host; HD_NONE: its own switch is. */
static uint32_t group_place(const struct rails *r, uint32_t host)
{
	const struct hd_near_place *places = r->locality.places;
	const uint32_t machine = machine_of(r, host);
	uint32_t place = machine == HD_NONE ? HD_NONE : r->locality.place_of[machine];

	/* a place of several planes has a switch in each */
	if (place == HD_NONE || r->locality.n_planes > 1 || places[place].n_switches > 1 ||
	    places[place].parent == HD_NONE)
		return place;
	return places[place].parent;
}

static void group_by_place(struct rails *r)
{
	forget(r, r->locality.n_places);
	for (uint32_t host = 0; host < r->n_hosts; host++) {
		const uint32_t place = group_place(r, host);

		r->hosts[host].group =
			place == HD_NONE ? r->hosts[host].rail : first_with(r, place, host);
	}
}

/*
 * The k-th host of each switch are a node, where adapters have no machine in common; others are of
 * their machine's. A node is as whole as its adapters are free.
 */
static void find_nodes(struct rails *r, const bool *taken)
{
	forget(r, r->n_hosts);
	for (uint32_t host = 0; host < r->n_hosts; host++)
		r->hosts[host].node = r->count[r->hosts[host].rail]++;
	forget(r, r->locality.n_machines);
	for (uint32_t host = 0; host < r->n_hosts; host++) {
		const uint32_t machine = machine_of(r, host);

		if (machine != HD_NONE)
			r->hosts[host].node = r->hosts[first_with(r, machine, host)].node;
	}
	for (uint32_t host = 0; host < r->n_hosts; host++) {
		r->hosts[host].taken = taken[host];
		r->hosts[host].whole = true;
	}
}

static int compare_nodes(const void *a, const void *b)
{
	const struct rail_host *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->whole != y->whole)
		return x->whole ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->rail != y->rail)
		return x->rail < y->rail ? -1 : 1;
	return x->host < y->host ? -1 : x->host > y->host;
}

static bool same_node(const struct rail_host *x, const struct rail_host *y)
{
	return x->group == y->group && x->node == y->node;
}

/* A node of which a host is taken is not whole. @r->hosts are in order. */
static void mark_parts(struct rails *r)
{
	for (uint32_t i = 0, end; i < r->n_hosts; i = end) {
		bool whole = true;

		for (end = i; end < r->n_hosts && same_node(&r->hosts[i], &r->hosts[end]); end++)
			whole = whole && !r->hosts[end].taken;
		for (uint32_t j = i; j < end; j++)
			r->hosts[j].whole = whole;
	}
}

/*
 * Where the smallest group with @n free hosts begins in @r->hosts; 0, the first, if there is none.
 */
static uint32_t smallest_group(const struct rails *r, uint32_t n)
{
	uint32_t best = 0, n_best = UINT32_MAX;

	for (uint32_t i = 0, end; i < r->n_hosts; i = end) {
		uint32_t n_free = 0;

		for (end = i; end < r->n_hosts && r->hosts[end].group == r->hosts[i].group; end++)
			n_free += !r->hosts[end].taken;
		if (n_free >= n && n_free < n_best) {
			best = i;
			n_best = n_free;
		}
	}
	return best;
}

static int prepare(struct rails *r, uint32_t rails, const bool *taken, struct hd_error *err)
{
	const struct hd_locality *locality = &r->locality;
	uint32_t most = r->fabric->n_nodes > r->n_hosts ? r->fabric->n_nodes : r->n_hosts;

	most = most > locality->n_places ? most : locality->n_places;
	most = most > locality->n_machines ? most : locality->n_machines;
	r->hosts = calloc(r->n_hosts + (size_t)1, sizeof(*r->hosts));
	r->first = malloc((most + (size_t)1) * sizeof(*r->first));
	r->count = malloc((most + (size_t)1) * sizeof(*r->count));
	if (!r->hosts || !r->first || !r->count)
		return hd_error_nomem(err);
	forget(r, r->fabric->n_nodes);
	for (uint32_t host = 0; host < r->n_hosts; host++) {
		r->hosts[host].host = host;
		r->hosts[host].rail = first_with(r, switch_of(r, host), host);
	}
	if (rails)
		group_by_number(r, rails);
	else
		group_by_place(r);
	find_nodes(r, taken);
	qsort(r->hosts, r->n_hosts, sizeof(*r->hosts), compare_nodes);
	mark_parts(r);
	qsort(r->hosts, r->n_hosts, sizeof(*r->hosts), compare_nodes);
	return 0;
}

int hd_rail_hosts_choose(const struct hd_fabric *fabric, const uint32_t *host_ports,
			 uint32_t n_hosts, bool *taken, uint32_t n, uint32_t rails, uint32_t *list,
			 uint32_t *n_listed, struct hd_error *err)
{
	struct rails r = { .fabric = fabric, .host_ports = host_ports, .n_hosts = n_hosts };
	int ret = hd_locality_find(fabric, NULL, NULL, &r.locality, err);

	if (!ret)
		ret = prepare(&r, rails, taken, err);
	for (uint32_t i = ret ? n_hosts : smallest_group(&r, n), left = n_hosts;
	     left && *n_listed < n && !ret; left--, i = (i + 1) % n_hosts) {
		const struct rail_host *at = &r.hosts[i];

		if (at->taken)
			continue;
		taken[at->host] = true;
		list[(*n_listed)++] = at->host;
	}
	hd_locality_clear(&r.locality);
	free(r.hosts);
	free(r.first);
	free(r.count);
	return ret;
}
