// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/rails.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/locality.h"
#include "topologies/no_hosts.h"

/* A port of an adapter whose host has given it a name: "node7 mlx5_0", port 1. */
struct end {
	uint32_t port;
	const char *name;
	size_t length; /* of the host's name */
	unsigned number;
	uint32_t label; /* rank of what is behind the host's name, with the number */
};

/* A host: ends[first .. first + n - 1], by label. */
struct host {
	uint32_t first, n;
	uint32_t n_alike; /* hosts with the same labels; 0: not the first of them */
};

struct finder {
	const struct hd_fabric *fabric;
	const uint32_t *level;
	uint32_t *rail;
	struct end *ends;
	uint32_t n_ends;
	struct host *hosts;
	struct host **order;
	uint32_t n_hosts;
};

/* HCA-2 comes before HCA-10. */
static int compare_labels(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	const int order = strverscmp(x->name + x->length, y->name + y->length);

	return order ? order : (int)x->number - (int)y->number;
}

static int compare_hosts(const struct end *x, const struct end *y)
{
	const size_t least = x->length < y->length ? x->length : y->length;
	const int order = memcmp(x->name, y->name, least);

	return order || x->length == y->length ? order : x->length < y->length ? -1 : 1;
}

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	const int order = compare_hosts(x, y);

	if (order)
		return order;
	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static void list_ends(struct finder *finder)
{
	const struct hd_fabric *fabric = finder->fabric;

	hd_for_each_end_node(n, fabric) {
		const char *name = hd_node_name(fabric, n);

		if (hd_is_aggregation_node(fabric, n) || hd_is_vendor_name(name) || name[0] == ' ')
			continue;
		hd_for_each_number(number, fabric, n) {
			const uint32_t peer = hd_peer_node(fabric, n, number);

			if (peer != HD_NONE && hd_is_switch(fabric, peer))
				finder->ends[finder->n_ends++] =
					(struct end){ .port = hd_port_index(fabric, n, number),
						      .name = name,
						      .length = strcspn(name, " "),
						      .number = number };
		}
	}
}

/* Labels get their ranks among those of all hosts; then ends stand by host and label. */
static void rank_labels(struct finder *finder)
{
	uint32_t rank = 0;

	qsort(finder->ends, finder->n_ends, sizeof(*finder->ends), compare_labels);
	for (uint32_t i = 0; i < finder->n_ends; i++) {
		rank += i && compare_labels(&finder->ends[i - 1], &finder->ends[i]) != 0;
		finder->ends[i].label = rank;
	}
	qsort(finder->ends, finder->n_ends, sizeof(*finder->ends), compare_ends);
}

static void list_hosts(struct finder *finder)
{
	for (uint32_t i = 0; i < finder->n_ends; i++) {
		if (!i || compare_hosts(&finder->ends[i - 1], &finder->ends[i]) != 0)
			finder->hosts[finder->n_hosts++] = (struct host){ .first = i };
		finder->hosts[finder->n_hosts - 1].n++;
	}
}

/* By labels, those with most ports first. */
static int compare_lists(const struct end *ends, const struct host *x, const struct host *y)
{
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	for (uint32_t i = 0; i < x->n; i++) {
		const uint32_t a = ends[x->first + i].label, b = ends[y->first + i].label;

		if (a != b)
			return a < b ? -1 : 1;
	}
	return 0;
}

static int compare_order(const void *a, const void *b, void *ends)
{
	return compare_lists(ends, *(struct host *const *)a, *(struct host *const *)b);
}

/* The host whose labels most hosts of several ports have; NULL: there is none. */
static const struct host *find_usual(struct finder *finder)
{
	const struct host *usual = NULL;
	struct host *first = NULL;

	for (uint32_t h = 0; h < finder->n_hosts; h++)
		finder->order[h] = &finder->hosts[h];
	qsort_r(finder->order, finder->n_hosts, sizeof(*finder->order), compare_order,
		finder->ends);
	for (uint32_t h = 0; h < finder->n_hosts; h++) {
		if (!first || compare_lists(finder->ends, first, finder->order[h]) != 0)
			first = finder->order[h];
		first->n_alike++;
		if (first->n > 1 && (!usual || first->n_alike > usual->n_alike))
			usual = first;
	}
	return usual;
}

/* The place of @label among those of @host; HD_NONE: it has no such label. */
static uint32_t place_of(const struct finder *finder, const struct host *host, uint32_t label)
{
	for (uint32_t i = 0; i < host->n; i++)
		if (finder->ends[host->first + i].label == label)
			return i;
	return HD_NONE;
}

/*
 * Rails of a host's ports: their places in the usual host where that has all their labels, so a
 * host that lacks an adapter has the rails of the others; else in the host itself.
 */
static void number_host(struct finder *finder, const struct host *host, const struct host *usual)
{
	const struct host *like = usual;

	if (host->n < 2)
		return;
	for (uint32_t i = 0; i < host->n; i++)
		if (place_of(finder, usual, finder->ends[host->first + i].label) == HD_NONE)
			like = host;
	for (uint32_t i = 0; i < host->n; i++) {
		const struct end *end = &finder->ends[host->first + i];

		finder->rail[end->port] = like == host ? i : place_of(finder, like, end->label);
	}
}

/* The rail that more than half of the rails at leaf @s have (Boyer and Moore); HD_NONE: none. */
static uint32_t rail_of_leaf(const struct finder *finder, uint32_t s)
{
	const struct hd_fabric *fabric = finder->fabric;
	const uint32_t *rails = finder->rail;
	uint32_t most = HD_NONE, lead = 0, n = 0, n_most = 0;

	hd_for_each_number(number, fabric, s) {
		const uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

		if (peer == HD_NONE || rails[peer] == HD_NONE)
			continue;
		if (!lead)
			most = rails[peer];
		lead += rails[peer] == most ? 1u : UINT32_MAX;
	}
	hd_for_each_number(number, fabric, s) {
		const uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

		if (peer == HD_NONE || rails[peer] == HD_NONE)
			continue;
		n++;
		n_most += rails[peer] == most;
	}
	return 2 * n_most > n ? most : HD_NONE;
}

/* The rail that all switches below @s have that are of a rail; HD_NONE: several, or none. */
static uint32_t rail_below(const struct finder *finder, uint32_t s)
{
	const struct hd_fabric *fabric = finder->fabric;
	uint32_t rail = HD_NONE;

	hd_for_each_number(number, fabric, s) {
		const uint32_t node = hd_peer_node(fabric, s, number);
		uint32_t other;

		if (node == HD_NONE || !hd_is_switch(fabric, node) ||
		    finder->level[node] + 1 != finder->level[s])
			continue;
		other = finder->rail[hd_port_index(fabric, node, 0)];
		if (rail != HD_NONE && other != HD_NONE && rail != other)
			return HD_NONE;
		rail = other == HD_NONE ? rail : other;
	}
	return rail;
}

/* From the leaves up. */
static void spread_rails(struct finder *finder, uint32_t n_levels)
{
	const struct hd_fabric *fabric = finder->fabric;

	for (uint32_t level = 0; level < n_levels; level++)
		hd_for_each_switch(s, fabric) {
			if (finder->level[s] == level)
				finder->rail[hd_port_index(fabric, s, 0)] =
					level ? rail_below(finder, s) : rail_of_leaf(finder, s);
		}
}

int hd_rails_find(const struct hd_fabric *fabric, const uint32_t *level, uint32_t n_levels,
		  uint32_t *rail, struct hd_error *err)
{
	const size_t n = fabric->n_ports + (size_t)1;
	struct finder finder = { .fabric = fabric, .level = level, .rail = rail };
	const struct host *usual;
	int ret = 0;

	finder.ends = malloc(n * sizeof(*finder.ends));
	finder.hosts = malloc(n * sizeof(*finder.hosts));
	finder.order = malloc(n * sizeof(*finder.order));
	if (!finder.ends || !finder.hosts || !finder.order)
		ret = hd_error_nomem(err);
	hd_for_each_port(p, fabric)
		rail[p] = HD_NONE;
	if (!ret) {
		list_ends(&finder);
		rank_labels(&finder);
		list_hosts(&finder);
		usual = find_usual(&finder);
		for (uint32_t h = 0; usual && h < finder.n_hosts; h++)
			number_host(&finder, &finder.hosts[h], usual);
		spread_rails(&finder, n_levels);
	}
	free(finder.ends);
	free(finder.hosts);
	free(finder.order);
	return ret;
}
