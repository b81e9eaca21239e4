// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/busiest.h"

#include <stdlib.h>
#include <string.h>

#include "engines/lft_column.h"
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

uint64_t hd_busiest_link_bound(const struct hd_fabric *fabric)
{
	uint64_t n_end_ports = 0, bound = 0;

	hd_for_each_lid(lid, fabric)
		n_end_ports += is_counted(fabric, lid);
	hd_for_each_switch(s, fabric) {
		uint64_t n_links = 0, n_mine = 0;

		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

			if (peer == HD_NONE)
				continue;
			n_links += hd_is_switch(fabric, fabric->ports[peer].node) &&
				   fabric->ports[peer].node != s;
			n_mine += !hd_is_switch(fabric, fabric->ports[peer].node) &&
				  fabric->ports[peer].lid != 0;
		}
		if (n_links) {
			const uint64_t flows = n_mine * (n_end_ports - n_mine);

			bound = (flows + n_links - 1) / n_links > bound
					? (flows + n_links - 1) / n_links
					: bound;
		}
	}
	return bound;
}
