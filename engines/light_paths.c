// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/light_paths.h"

#include <stdlib.h>

#include "fabric/distances.h"
#include "support/error.h"

#define SHARED (UINT64_C(1) << 40) /* more than all paths together weigh */

/* Lists links in an order that depends on port numbers only where links are parallel. */
static void list_links(struct hd_light_paths *paths)
{
	const struct hd_fabric *fabric = paths->fabric;
	uint32_t n = 0;

	hd_for_each_switch(s, fabric) {
		paths->first[s] = n;
		paths->hosts[s] = 0;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number), at;

			paths->hosts[s] += peer != HD_NONE && peer >= fabric->n_switches;
			if (peer >= fabric->n_switches || peer == s)
				continue;
			for (at = n++; at > paths->first[s] && paths->links[at - 1].peer > peer;
			     at--)
				paths->links[at] = paths->links[at - 1];
			paths->links[at] =
				(struct hd_light_link){ .peer = peer, .port = (uint8_t)number };
		}
	}
	paths->first[fabric->n_switches] = n;
	hd_for_each_switch(s, fabric)
		for (uint32_t i = paths->first[s]; i < paths->first[s + 1]; i++)
			paths->link[hd_port_index(fabric, s, paths->links[i].port)] = i;
}

/* The links of @s that lead closer, of those to avoid or of the others, in @closer. */
static uint32_t list_closer(const struct hd_light_paths *paths, uint32_t s, const uint8_t *distance,
			    bool is_avoided, uint32_t *closer)
{
	uint32_t n = 0;

	for (uint32_t k = paths->first[s]; k < paths->first[s + 1]; k++) {
		if (paths->avoided && paths->avoided[k] != is_avoided)
			continue;
		closer[n] = k;
		n += distance[paths->links[k].peer] + 1 == distance[s];
	}
	return n;
}

void hd_light_paths_towards(struct hd_light_paths *paths, const uint8_t *distance)
{
	const uint32_t n = paths->fabric->n_switches;
	uint32_t begin[HD_UNREACHABLE + 1] = { 0 }, n_closer = 0;

	for (uint32_t s = 0; s < n; s++)
		if (distance[s] < HD_UNREACHABLE)
			begin[distance[s] + 1]++;
	for (unsigned d = 0; d < HD_UNREACHABLE; d++)
		begin[d + 1] += begin[d];
	paths->n_order = begin[HD_UNREACHABLE];
	for (uint32_t s = 0; s < n; s++)
		if (distance[s] < HD_UNREACHABLE)
			paths->order[begin[distance[s]]++] = s;
	for (uint32_t i = 0; i < paths->n_order; i++) {
		uint32_t s = paths->order[i];

		paths->first_closer[i] = n_closer;
		n_closer += list_closer(paths, s, distance, false, paths->closer + n_closer);
		if (paths->avoided && n_closer == paths->first_closer[i])
			n_closer += list_closer(paths, s, distance, true, paths->closer + n_closer);
	}
	paths->first_closer[paths->n_order] = n_closer;
}

void hd_light_paths_route(struct hd_light_paths *paths, const struct hd_route_target *target,
			  unsigned n_earlier, struct hd_tables *tables)
{
	hd_lft(tables, target->via_switch)[target->lid] = target->via_port;
	paths->weight[target->via_switch] = 0;
	for (uint32_t i = 1; i < paths->n_order; i++) {
		const uint32_t s = paths->order[i];
		uint8_t *lft = hd_lft(tables, s);
		uint32_t best = HD_NONE;
		uint64_t least = UINT64_MAX;

		for (uint32_t k = paths->first_closer[i]; k < paths->first_closer[i + 1]; k++) {
			const struct hd_light_link *link = &paths->links[paths->closer[k]];
			uint64_t weight = link->load + paths->weight[link->peer];

			for (unsigned e = 1; e <= n_earlier; e++)
				if (lft[target->lid - e] == link->port)
					weight += SHARED;
			if (weight < least) {
				least = weight;
				best = paths->closer[k];
			}
		}
		paths->weight[s] = least;
		paths->chosen[s] = best;
		paths->through[s] = paths->hosts[s];
		lft[target->lid] = paths->links[best].port;
	}
	for (uint32_t i = paths->n_order; i-- > 1;) {
		const uint32_t s = paths->order[i];
		struct hd_light_link *link = &paths->links[paths->chosen[s]];

		link->load += paths->through[s];
		paths->through[link->peer] += paths->through[s];
	}
}

void hd_light_paths_unroute(struct hd_light_paths *paths, const struct hd_route_target *target,
			    const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = paths->fabric;

	hd_for_each_switch(from, fabric)
		for (uint32_t s = from; s != target->via_switch;) {
			const uint8_t port = hd_lft(tables, s)[target->lid];
			struct hd_light_link *link;

			if (port == HD_NO_PATH)
				break;
			link = &paths->links[paths->link[hd_port_index(fabric, s, port)]];
			link->load -= paths->hosts[from];
			s = link->peer;
		}
}

int hd_light_paths_route_pass(struct hd_light_paths *paths, const uint8_t *distances,
			      const struct hd_route_targets *targets, unsigned pass, bool again,
			      struct hd_tables *tables, struct hd_error *err)
{
	const uint32_t n = paths->fabric->n_switches;
	uint32_t *first = calloc(n + (size_t)2, sizeof(*first));
	uint32_t *list =
		malloc((targets->first[pass + 1] - targets->first[pass] + 1) * sizeof(*list));

	if (!first || !list) {
		free(first);
		free(list);
		return hd_error_nomem(err);
	}
	/*
	 * first[s + 1] is where targets of s are put next, so at the end it is where those of s + 1
	 * begin
	 */
	for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++)
		first[targets->list[i].via_switch + 2]++;
	for (uint32_t s = 0; s < n; s++)
		first[s + 2] += first[s + 1];
	for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++)
		list[first[targets->list[i].via_switch + 1]++] = (uint32_t)i;
	for (uint32_t s = 0; s < n; s++) {
		if (first[s] == first[s + 1])
			continue;
		hd_light_paths_towards(paths, distances + (size_t)s * n);
		for (uint32_t k = first[s]; k < first[s + 1]; k++) {
			if (again)
				hd_light_paths_unroute(paths, &targets->list[list[k]], tables);
			hd_light_paths_route(paths, &targets->list[list[k]], 0, tables);
		}
	}
	free(first);
	free(list);
	return 0;
}

static bool allocate(struct hd_light_paths *paths)
{
	const size_t n = paths->fabric->n_switches + (size_t)1,
		     n_ports = paths->fabric->n_ports + 1;

	paths->links = malloc(n_ports * sizeof(*paths->links));
	paths->first = malloc((n + 1) * sizeof(*paths->first));
	paths->link = malloc(n_ports * sizeof(*paths->link));
	paths->hosts = malloc(n * sizeof(*paths->hosts));
	paths->order = malloc(n * sizeof(*paths->order));
	paths->first_closer = malloc((n + 1) * sizeof(*paths->first_closer));
	paths->closer = malloc(n_ports * sizeof(*paths->closer));
	paths->weight = malloc(n * sizeof(*paths->weight));
	paths->through = malloc(n * sizeof(*paths->through));
	paths->chosen = malloc(n * sizeof(*paths->chosen));
	return paths->links && paths->first && paths->link && paths->hosts && paths->order &&
	       paths->first_closer && paths->closer && paths->weight && paths->through &&
	       paths->chosen;
}

void hd_light_paths_clear(struct hd_light_paths *paths)
{
	free(paths->links);
	free(paths->first);
	free(paths->link);
	free(paths->hosts);
	free(paths->order);
	free(paths->first_closer);
	free(paths->closer);
	free(paths->weight);
	free(paths->through);
	free(paths->chosen);
}

int hd_light_paths_init(struct hd_light_paths *paths, const struct hd_fabric *fabric,
			struct hd_error *err)
{
	*paths = (struct hd_light_paths){ .fabric = fabric };
	if (!allocate(paths))
		return hd_error_nomem(err);
	list_links(paths);
	return 0;
}

void hd_light_paths_unload(struct hd_light_paths *paths)
{
	for (uint32_t i = 0; i < paths->first[paths->fabric->n_switches]; i++)
		paths->links[i].load = 0;
}
