// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/view.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tables/classes.h"

static int add_links(struct hd_check_network *network, unsigned max_vls, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;

	network->limit = calloc(fabric->n_ports + (size_t)1, sizeof(*network->limit));
	network->far_end = malloc((fabric->n_ports + (size_t)1) * sizeof(*network->far_end));
	if (!network->limit || !network->far_end)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;
		unsigned vls = hd_link_vls(fabric, p);

		if (max_vls && vls > max_vls)
			vls = max_vls;
		network->limit[p] = (uint8_t)(vls < HD_MAX_VLS ? vls : HD_MAX_VLS);
		network->far_end[p] = (struct hd_far_end){ .node = HD_NONE };
		if (peer != HD_NONE && hd_is_switch(fabric, fabric->ports[peer].node))
			network->far_end[p] = (struct hd_far_end){
				.node = fabric->ports[peer].node,
				.in = fabric->ports[peer].number,
			};
	}
	return 0;
}

/* How many sources take each row of @tables' path SLs; NULL: out of memory. */
static uint32_t *count_row_sources(const struct hd_check_network *network,
				   const struct hd_tables *tables)
{
	uint32_t *n = calloc(tables->n_sl_rows + (size_t)1, sizeof(*n));

	hd_for_each_port(p, network->fabric)
		if (n && hd_network_is_end(network, p))
			n[tables->sl_row_of_port[p]]++;
	return n;
}

/* The SLs that path records of @tables give for some flow, but for flows of a port to itself. */
static unsigned find_path_sls(const struct hd_check_network *network,
			      const struct hd_tables *tables, const uint32_t *row_sources)
{
	unsigned used = 0;

	for (uint32_t row = 0; row < tables->n_sl_rows; row++) {
		const uint8_t *sls = tables->sl_rows + row * tables->lft_stride;

		if (!row_sources[row])
			continue;
		hd_for_each_lid(lid, network->fabric) {
			if (sls[lid] >= HD_MAX_SLS || used >> sls[lid] & 1 ||
			    !hd_network_follows_lid(network, lid))
				continue;
			if (row_sources[row] > 1 || hd_network_own_row(network, tables, lid) != row)
				used |= 1u << sls[lid];
		}
	}
	return used;
}

/* The classes whose flows are judged, which tables of before share; NULL: there are none. */
static const struct hd_classes *classes_of(const struct hd_check_network *network)
{
	return network->one_class ? NULL : network->tables->classes;
}

/* Adds to the place of each path SL those that the flow has in other classes. */
static void add_classes(struct hd_check_network *network, const struct hd_classes *classes)
{
	const unsigned first = classes->list[classes->fallback].first_sl;

	for (unsigned sl = first; sl < first + classes->n_sls; sl++)
		for (unsigned c = 0; c < classes->n; c++)
			network->places[sl] |= network->places[hd_class_sl(classes, c, sl)];
}

static void find_sls_used(struct hd_check_network *network)
{
	/* one source sends nothing, but to who has failed */
	if (network->n_sources < (network->failed ? 1 : 2))
		return;
	if (network->all_sls) {
		network->sls_used = 0xFFFF;
		return;
	}
	network->sls_used = hd_classes_sls(
		classes_of(network), find_path_sls(network, network->tables, network->row_sources));
	if (network->before)
		network->sls_used |= hd_classes_sls(
			classes_of(network),
			find_path_sls(network, network->before, network->row_sources_before));
}

static void number_sls(struct hd_check_network *network)
{
	const struct hd_classes *classes = classes_of(network);
	unsigned used = network->sls_used;

	if (network->tables->n_mft)
		used |= network->all_sls ? 0xFFFF : hd_classes_sls(classes, 1);
	if (!used)
		used = 1; /* so that states have a size */
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (used >> sl & 1) {
			network->places[sl] = (uint16_t)(1u << network->n_sls);
			network->sls[network->n_sls++] = (uint8_t)sl;
		}
	if (classes)
		add_classes(network, classes);
}

/* Whether LFTs and SL2VL tell paths, and how many pLFTs there are. */
static void find_private(struct hd_check_network *network)
{
	unsigned most = hd_ar_most_plfts(network->tables);

	network->is_private = hd_ar_is_private(network->tables);
	if (network->before) {
		const unsigned before = hd_ar_most_plfts(network->before);

		network->is_private |= hd_ar_is_private(network->before);
		most = before > most ? before : most;
	}
	while (1u << network->plft_shift < most)
		network->plft_shift++;
}

int hd_network_init(struct hd_check_network *network, const struct hd_tables *tables,
		    const struct hd_check_options *options, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	bool any_end = false;
	int ret;

	memset(network, 0, sizeof(*network));
	network->tables = tables;
	network->fabric = fabric;
	network->hosts_only = options->scope == HD_CHECK_HOSTS;
	network->all_sls = options->all_sls;
	network->one_class = options->one_class;
	network->reversed_sl = options->reversed_sl && !options->all_sls;
	network->before = options->before;
	network->failed = options->before ? options->failed : NULL;
	network->n_down = options->local_repair;
	find_private(network);
	network->n_plfts = 1u << network->plft_shift;
	network->row_sources = count_row_sources(network, tables);
	if (network->before)
		network->row_sources_before = count_row_sources(network, network->before);
	if (!network->row_sources || (network->before && !network->row_sources_before))
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric) {
		any_end |= hd_is_end_port(fabric, p);
		network->n_sources += hd_network_is_end(network, p);
	}
	if (!any_end)
		return hd_error_set(err, HD_EINVAL,
				    "no linked end port has a LID: there is nothing to check");
	find_sls_used(network);
	number_sls(network);
	ret = add_links(network, options->max_vls, err);
	if (!ret)
		ret = hd_network_add_patterns(network, err);
	if (!ret)
		ret = hd_network_add_sources(network, err);
	if (!ret && network->n_plfts > 1)
		ret = hd_network_add_plfts(network, err);
	return ret;
}

void hd_network_clear(struct hd_check_network *network)
{
	free(network->limit);
	free(network->far_end);
	free(network->pattern);
	free(network->masks);
	free(network->plft_bits);
	free(network->next_plfts);
	free(network->sources);
	free(network->first_source);
	free(network->first_group);
	free(network->groups);
	free(network->inject);
	free(network->direct);
	free(network->row_sources);
	free(network->row_sources_before);
	memset(network, 0, sizeof(*network));
}

unsigned hd_reversed_sls(const struct hd_check_network *network, uint32_t owner_row, uint32_t port)
{
	const struct hd_port *p = &network->fabric->ports[port];
	const uint8_t *sls =
		network->tables->sl_rows + owner_row * network->tables->lft_stride + p->lid;
	unsigned places = 0;

	for (unsigned offset = 0; offset < 1u << p->lmc; offset++)
		places |= network->places[sls[offset]];
	return places;
}

unsigned hd_flow_sls(const struct hd_check_network *network, uint32_t port, uint32_t lid)
{
	uint32_t owner = network->fabric->lids[lid].port;
	unsigned places;

	if (owner == port)
		return 0;
	if (network->all_sls)
		return (1u << network->n_sls) - 1;
	places = network->places[hd_path_sl(network->tables, port, lid)];
	if (network->before)
		places |= network->places[hd_path_sl(network->before, port, lid)];
	if (network->reversed_sl)
		places |= hd_reversed_sls(network, network->tables->sl_row_of_port[owner], port);
	return places;
}
