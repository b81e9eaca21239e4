// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The better of two rules that serve any routes: a layer for every hop (layer_hop.c), which takes as
 * many as the longest path has links, and flows spread over layers (layer_layered.c), which takes as
 * many as cycles need. Short paths want the first, long ones the second.
 */
#include "sl2vl/rules.h"
#include "support/error.h"

/*
 * Rule layered takes longer than all else together, and found no way to spread the paths of three
 * hops of a Slim Fly over two layers: it took four.
 */
#define ENOUGH 3

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
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

const struct hd_layer_rule hd_layer_fewest = {
	.policy.name = "fewest",
	.policy.summary = "any routes: rule hop or rule layered, whichever takes fewer layers",
	.build = build,
};
