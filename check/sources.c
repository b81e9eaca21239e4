// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The sources of every switch, in groups whose packets to a destination carry the same SLs. A
 * group enters an out-port as one: the union of its sources' SL2VL patterns is a pattern too.
 */
#include <stdlib.h>
#include <string.h>

#include "check/view.h"
#include "support/error.h"

/* The source that comes into @node by port @in, or HD_NONE. */
static uint32_t source_at(const struct hd_check_network *network, uint32_t node, unsigned in)
{
	uint32_t port = hd_port_index(network->fabric, node, in);
	uint32_t peer = network->fabric->ports[port].peer;

	if (in == 0)
		return hd_network_is_end(network, port) ? port : HD_NONE;
	if (peer == HD_NONE || network->far_end[port].node != HD_NONE)
		return HD_NONE;
	return hd_network_is_end(network, peer) ? peer : HD_NONE;
}

/* SLs (as places) of which @source itself drops all, by its rows of now and of before. */
static uint16_t lost_of(const struct hd_check_network *network, uint32_t source)
{
	const uint16_t *masks = hd_source_masks(network, source);
	unsigned taken = 0;

	for (unsigned vl = 0; vl < network->n_vls; vl++)
		taken |= masks[vl];
	return (uint16_t)(masks[network->n_vls] & ~taken);
}

struct row_of_source {
	uint32_t sl_row;
	uint32_t order;
	uint32_t port;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row_of_source *x = a, *y = b;

	if (x->sl_row != y->sl_row)
		return x->sl_row < y->sl_row ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void group_switch(struct hd_check_network *network, uint32_t node, uint32_t *n_groups,
			 uint32_t *n_placed)
{
	unsigned n_ports = network->fabric->nodes[node].n_ports;
	struct row_of_source found[HD_MAX_PORTS + 1];
	unsigned n_found = 0;

	for (unsigned in = 0; in <= n_ports; in++) {
		uint32_t port = source_at(network, node, in);

		if (port == HD_NONE)
			continue;
		found[n_found] = (struct row_of_source){ 0, n_found, port };
		if (!network->all_sls)
			found[n_found].sl_row = network->tables->sl_row_of_port[port];
		n_found++;
	}
	qsort(found, n_found, sizeof(found[0]), compare_rows);
	network->first_source[node] = *n_placed;
	network->first_group[node] = *n_groups;
	for (unsigned i = 0; i < n_found; i++) {
		/* with reversed SLs, the SLs depend on the source itself */
		if (i == 0 || network->reversed_sl || found[i].sl_row != found[i - 1].sl_row) {
			network->groups[(*n_groups)++] = (struct hd_source_group){
				.sl_row = found[i].sl_row,
				.first = *n_placed,
				.outs = network->n_outs,
			};
			network->n_outs += n_ports + 1;
		}
		network->sources[(*n_placed)++] = found[i].port;
		network->groups[*n_groups - 1].end = *n_placed;
		network->groups[*n_groups - 1].lost |= lost_of(network, found[i].port);
	}
}

/*
 * The union of the patterns of @group's sources at out-port @out, without the SLs that adapters
 * drop.
 */
static void unite(const struct hd_check_network *network, uint32_t node,
		  const struct hd_source_group *group, unsigned out, uint16_t *united)
{
	memset(united, 0, (network->n_vls + 1) * sizeof(*united));
	for (uint32_t i = group->first; i < group->end; i++) {
		uint32_t source = network->sources[i];
		unsigned lost = lost_of(network, source);
		unsigned in = hd_source_in(network->fabric, source);
		const uint16_t *masks = hd_pattern_masks(
			network, network->pattern[hd_sl2vl_index(network->tables, node, in, out)]);

		for (unsigned set = 0; set <= network->n_vls; set++)
			united[set] |= (uint16_t)(masks[set] & ~lost);
	}
}

/* The number of the pattern @united: a recent one, or a new one. */
static bool number_union(struct hd_check_network *network, const uint16_t *united, size_t *capacity,
			 uint32_t *number)
{
	size_t n_masks = network->n_vls + (size_t)1;
	uint32_t oldest = network->n_patterns > 32 ? network->n_patterns - 32 : 1;

	for (uint32_t i = network->n_patterns; i > oldest; i--)
		if (memcmp(network->masks + (i - 1) * n_masks, united, n_masks * sizeof(*united)) ==
		    0) {
			*number = i - 1;
			return true;
		}
	if (network->n_patterns == *capacity) {
		size_t grown = *capacity * 2;
		void *masks = realloc(network->masks, grown * n_masks * sizeof(*united));

		if (!masks)
			return false;
		network->masks = masks;
		*capacity = grown;
	}
	memcpy(network->masks + network->n_patterns * n_masks, united, n_masks * sizeof(*united));
	*number = network->n_patterns++;
	return true;
}

static bool add_unions(struct hd_check_network *network)
{
	size_t capacity = network->n_patterns;

	hd_for_each_switch(node, network->fabric)
		for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1];
		     g++)
			hd_for_each_number(out, network->fabric, node) {
				uint32_t port = hd_port_index(network->fabric, node, out);
				uint16_t united[HD_MAX_VLS + 1];

				if (network->far_end[port].node == HD_NONE)
					continue;
				unite(network, node, &network->groups[g], out, united);
				if (!number_union(network, united, &capacity,
						  &network->inject[network->groups[g].outs + out]))
					return false;
			}
	return true;
}

static void add_direct(struct hd_check_network *network)
{
	const struct hd_fabric *fabric = network->fabric;

	hd_for_each_port(p, fabric)
		if (!hd_is_switch(fabric, fabric->ports[p].node) && hd_network_is_end(network, p) &&
		    network->far_end[p].node == HD_NONE)
			network->direct[network->n_direct++] = p;
}

int hd_network_add_sources(struct hd_check_network *network, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const size_t n = network->n_sources + (size_t)1;
	uint32_t n_groups = 0, n_placed = 0;

	network->sources = malloc(n * sizeof(uint32_t));
	network->direct = malloc(n * sizeof(uint32_t));
	network->groups = malloc(n * sizeof(*network->groups));
	network->first_source = malloc((fabric->n_switches + (size_t)1) * sizeof(uint32_t));
	network->first_group = malloc((fabric->n_switches + (size_t)1) * sizeof(uint32_t));
	if (!network->sources || !network->direct || !network->groups || !network->first_source ||
	    !network->first_group)
		return hd_error_nomem(err);
	hd_for_each_switch(node, fabric)
		group_switch(network, node, &n_groups, &n_placed);
	network->first_source[fabric->n_switches] = n_placed;
	network->first_group[fabric->n_switches] = n_groups;
	add_direct(network);
	network->inject = calloc(network->n_outs + 1, sizeof(*network->inject));
	if (!network->inject || !add_unions(network))
		return hd_error_nomem(err);
	return 0;
}
