// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

enum { NOT_SEEN, ON_WAY, TOLD, UNTOLD };

struct coverage {
	const struct hd_check_network *network;
	uint8_t *fate; /* [switch] what becomes of packets to the LID there, of the enum above */
	uint32_t *way; /* switches from the one that is looked at on */
};

/* Where switch @s sends packets to @lid: a switch, or HD_NONE where they arrive or are lost. */
static uint32_t next_switch(const struct hd_check_network *network, uint32_t s, uint32_t lid)
{
	const unsigned out = hd_lft(network->tables, s)[lid];

	if (out > network->fabric->nodes[s].n_ports)
		return HD_NONE;
	return network->far_end[hd_port_index(network->fabric, s, out)].node;
}

/* Finds the fate of packets to @lid at all switches. */
static void follow(struct coverage *coverage, uint32_t lid)
{
	const struct hd_check_network *network = coverage->network;

	memset(coverage->fate, NOT_SEEN, network->fabric->n_switches);
	hd_for_each_switch(first, network->fabric) {
		uint32_t n = 0, s = first;
		uint8_t fate;

		while (s != HD_NONE && coverage->fate[s] == NOT_SEEN &&
		       hd_lft_is_known(network->tables, s)) {
			coverage->fate[s] = ON_WAY;
			coverage->way[n++] = s;
			s = next_switch(network, s, lid);
		}
		if (s == HD_NONE)
			fate = TOLD;
		else if (!hd_lft_is_known(network->tables, s))
			fate = coverage->fate[s] = UNTOLD;
		else
			fate = coverage->fate[s] == UNTOLD ? UNTOLD : TOLD;
		while (n)
			coverage->fate[coverage->way[--n]] = fate;
	}
}

/* Flows to @lid that are not covered. */
static uint64_t count(struct coverage *coverage, uint32_t lid)
{
	const struct hd_check_network *network = coverage->network;
	const uint32_t home = network->fabric->lids[lid].via_switch;
	uint64_t n = 0;

	follow(coverage, lid);
	hd_for_each_switch(s, network->fabric)
		if (coverage->fate[s] == UNTOLD)
			/* a port's packets to itself do not leave it */
			n += network->first_source[s + 1] - network->first_source[s] - (s == home);
	return n;
}

int hd_coverage_count(const struct hd_check_network *network, bool base_lids, uint64_t *n_uncovered,
		      uint64_t *n_flows, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	struct coverage coverage = { .network = network };
	int ret = 0;

	*n_uncovered = *n_flows = 0;
	if (!network->tables->n_lft_unknown)
		return 0;
	coverage.fate = malloc(fabric->n_switches);
	coverage.way = malloc(fabric->n_switches * sizeof(*coverage.way));
	if (!coverage.fate || !coverage.way)
		ret = hd_error_nomem(err);
	for (uint32_t lid = 1; !ret && lid <= fabric->top_lid; lid++) {
		if (!hd_network_has_lid(network, lid) ||
		    (base_lids && fabric->ports[fabric->lids[lid].port].lid != lid))
			continue;
		*n_flows += network->n_sources - 1;
		*n_uncovered += count(&coverage, lid);
	}
	free(coverage.fate);
	free(coverage.way);
	return ret;
}
