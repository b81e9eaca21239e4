// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The better of two rules that serve any routes: a layer for every hop (layer_hop.c), which takes
 * as many as the longest path has links, and flows spread over layers (layer_layered.c), which
 * takes as many as cycles need. Short paths want the first, long ones the second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"

/*
 * Rule layered takes longer than all else together, and found no way to spread the paths of three
 * hops of a Slim Fly over two layers: it took four.
 */
#define ENOUGH 3

/*
 * Flows, above which rule layered is not asked what else would fit: it takes seconds for a million.
 */
#define MOST_FLOWS (UINT64_C(1) << 20)

static int build_fewest(const struct hd_layer_input *input, struct hd_layering *layering,
			struct hd_error *err)
{
	struct hd_layer_input less = *input;
	struct hd_layering other = { 0 };
	struct hd_error hop, why;
	int ret = hd_layer_hop.build(input, layering, &hop);

	if (ret && ret != HD_EREFUSED)
		return hd_error_nomem(err);
	if (!ret && layering->n_layers <= ENOUGH)
		return 0;
	if (!ret)
		less.max_layers = layering->n_layers - 1;
	if (ret)
		hd_layering_clear(layering);
	if (hd_layer_layered.build(&less, &other, &why)) {
		hd_layering_clear(&other);
		return ret ? hd_error_set(err, HD_EREFUSED, "%.500s; %.500s", hop.text, why.text)
			   : 0;
	}
	hd_layering_clear(layering);
	*layering = other;
	return 0;
}

static unsigned most_lmc(const struct hd_fabric *fabric)
{
	unsigned most = 0;

	for (uint32_t i = 0; i < fabric->n_endports; i++)
		if (fabric->ports[fabric->endports[i]].lmc > most)
			most = fabric->ports[fabric->endports[i]].lmc;
	return most;
}

/* Takes the routes to LIDs that hosts have with an LMC above @lmc out of @lft. */
static void take_out(const struct hd_tables *tables, unsigned lmc, uint8_t *lft)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_lid(lid, fabric) {
		const uint32_t port = fabric->lids[lid].port;

		if (port == HD_NONE || !((lid - fabric->ports[port].lid) >> lmc))
			continue;
		hd_for_each_switch(s, fabric)
			lft[s * tables->lft_stride + lid] = HD_NO_PATH;
	}
}

static bool is_small(const struct hd_tables *tables)
{
	return (uint64_t)tables->fabric->n_switches * tables->fabric->top_lid <= MOST_FLOWS;
}

/* Whether one of the rules fits; @n gets its classes and layers. */
static bool fits(const struct hd_layer_input *input, unsigned n[2])
{
	struct hd_layering layering = { 0 };
	struct hd_error err;
	int ret;

	if (is_small(input->tables))
		ret = build_fewest(input, &layering, &err);
	else
		ret = hd_layer_hop.build(input, &layering, &err);
	n[0] = layering.n_classes;
	n[1] = layering.n_layers;
	hd_layering_clear(&layering);
	return !ret;
}

/* Puts before the reason in @err which LMC fits, and whether this one does with more VLs. */
static void advise(const struct hd_layer_input *input, struct hd_error *err)
{
	struct hd_tables part = *input->tables;
	struct hd_layer_input other = *input;
	const size_t size = part.lft_stride * part.fabric->n_switches;
	const struct hd_error why = *err;
	unsigned lmc = most_lmc(part.fabric), n[2];
	char advice[160] = "";
	size_t length = 0;

	/* with queues or service classes, layers are not VLs */
	if (input->max_classes < HD_MAX_SLS)
		return;
	other.max_layers = HD_MAX_VLS;
	if (input->max_layers < HD_MAX_VLS && is_small(&part) && fits(&other, n))
		length = (size_t)snprintf(advice, sizeof(advice),
					  "LMC %u fits with %u SLs and %u VLs; ", lmc, n[0], n[1]);
	other = *input;
	other.tables = &part;
	part.lft = malloc(size + 1);
	if (part.lft)
		memcpy(part.lft, input->tables->lft, size);
	while (part.lft && lmc-- > 0) {
		take_out(input->tables, lmc, part.lft);
		if (!fits(&other, n))
			continue;
		snprintf(advice + length, sizeof(advice) - length,
			 "LMC %u fits with about %u SLs and %u VLs; ", lmc, n[0], n[1]);
		break;
	}
	free(part.lft);
	if (advice[0])
		hd_error_set(err, HD_EREFUSED, "%snow %.600s", advice, why.text);
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	int ret = build_fewest(input, layering, err);

	if (ret == HD_EREFUSED)
		advise(input, err);
	return ret;
}

const struct hd_layer_rule hd_layer_fewest = {
	.policy.name = "fewest",
	.policy.summary = "any routes: rule hop or rule layered, whichever takes fewer layers",
	.build = build,
};
