// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/busiest.h"

#include <stdlib.h>
#include <string.h>

#include "engines/lft_column.h"
#include "fabric/distances.h"
#include "support/error.h"

/* Whether @lid is the base LID of an end port that is linked to a switch. */
static bool is_counted(const struct hd_fabric *fabric, uint32_t lid)
{
	const struct hd_lid *at = &fabric->lids[lid];

	return at->port != HD_NONE && at->via_switch != HD_NONE && at->via_port &&
	       fabric->ports[at->port].lid == lid;
}

static uint64_t count_end_ports(const struct hd_fabric *fabric, uint32_t *of_switch)
{
	uint64_t n = 0;

	hd_for_each_lid(lid, fabric)
		if (is_counted(fabric, lid)) {
			of_switch[fabric->lids[lid].via_switch]++;
			n++;
		}
	return n;
}

int hd_busiest_link(const struct hd_tables *tables, uint64_t *flows, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint8_t *cost = malloc(fabric->n_ports + (size_t)1);
	uint64_t *load = calloc(fabric->n_ports + (size_t)1, sizeof(*load));
	uint32_t *sources = calloc(fabric->n_switches + (size_t)1, sizeof(*sources));
	struct hd_lft_column column = { 0 };
	int ret = cost && load && sources ? 0 : hd_error_nomem(err);

	if (!ret) {
		memset(cost, 1, fabric->n_ports);
		count_end_ports(fabric, sources);
		ret = hd_lft_column_init(&column, tables, cost, err);
	}
	*flows = 0;
	hd_for_each_lid(lid, fabric) {
		if (ret || !is_counted(fabric, lid))
			continue;
		hd_lft_column_load(&column, (uint16_t)lid);
		hd_lft_column_add_flows(&column, sources, load);
	}
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++)
		*flows = load[p] > *flows ? load[p] : *flows;
	hd_lft_column_clear(&column);
	free(cost);
	free(load);
	free(sources);
	return ret;
}

/* The least flows of the busiest of @n_links that share @flows. */
static uint64_t share_of(uint64_t flows, uint64_t n_links)
{
	return n_links ? (flows + n_links - 1) / n_links : 0;
}

int hd_busiest_link_bound(const struct hd_fabric *fabric, uint64_t *flows, struct hd_error *err)
{
	const uint32_t n = fabric->n_switches;
	uint32_t *end_ports = calloc(n + (size_t)1, sizeof(*end_ports));
	uint64_t n_end_ports, n_all_links = 0, length = 0, share;
	uint8_t *distances = NULL;
	int ret = end_ports ? hd_switch_distances(fabric, &distances, err) : hd_error_nomem(err);

	*flows = 0;
	if (ret) {
		free(end_ports);
		return ret;
	}
	n_end_ports = count_end_ports(fabric, end_ports);
	hd_for_each_switch(s, fabric) {
		const uint8_t *row = distances + (size_t)s * n;
		uint64_t n_links = 0, mine = 0;

		hd_for_each_number(number, fabric, s)
			n_links += hd_peer_node(fabric, s, number) < n &&
				   hd_peer_node(fabric, s, number) != s;
		for (uint32_t to = 0; end_ports[s] && to < n; to++)
			mine += row[to] < HD_UNREACHABLE ? (uint64_t)row[to] * end_ports[to] : 0;
		length += mine * end_ports[s];
		n_all_links += n_links;
		share = share_of(end_ports[s] * (n_end_ports - end_ports[s]), n_links);
		*flows = share > *flows ? share : *flows;
	}
	share = share_of(length, n_all_links);
	*flows = share > *flows ? share : *flows;
	free(end_ports);
	free(distances);
	return 0;
}
