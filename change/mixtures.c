// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/mixtures.h"

#include <stdlib.h>

#include "check/between.h"
#include "check/dependencies.h"
#include "support/error.h"

/* A network with what was seen of its mixtures. */
struct view {
	struct hd_check_network network;
	struct hd_usage usage;
	struct hd_between_result result;
};

/* Clear in any case. */
static int view_init(struct view *view, const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_error *err)
{
	const struct hd_check_options options = { .before = before };
	int ret;

	*view = (struct view){ .result.max_hops = 0 };
	ret = hd_network_init(&view->network, now, &options, err);
	if (!ret)
		ret = hd_usage_init(&view->usage, &view->network, err);
	if (!ret)
		ret = hd_between_follow(&view->network, &view->usage, &view->result, err);
	return ret;
}

static void view_clear(struct view *view)
{
	hd_usage_clear(&view->usage);
	hd_network_clear(&view->network);
}

int hd_mixtures_are_sound(const struct hd_tables *now, const struct hd_tables *before,
			  bool *is_sound, struct hd_error *err)
{
	struct hd_dependencies dependencies = { .n_vls = 0 };
	struct view view;
	uint32_t *cycle = NULL;
	size_t length = 0;
	int ret = view_init(&view, now, before, err);

	*is_sound = false;
	if (!ret && !view.result.forward_loop.n) {
		ret = hd_dependencies_init(&dependencies, &view.network, &view.usage, err);
		/* any cycle will do */
		if (!ret)
			ret = hd_shortest_cycle(&dependencies.graph, 1, &cycle, &length, err);
		*is_sound = !ret && !length;
		free(cycle);
		hd_dependencies_clear(&dependencies);
	}
	view_clear(&view);
	return ret;
}

int hd_mixtures_use_rows(const struct hd_tables *now, const struct hd_tables *before, uint16_t *sls,
			 struct hd_error *err)
{
	struct view view;
	int ret = view_init(&view, now, before, err);
	const struct hd_check_network *network = &view.network;
	const size_t n = now->sl2vl_first[now->fabric->n_switches];

	for (size_t row = 0; !ret && row < n; row++) {
		uint64_t state[HD_STATE_WORDS];
		unsigned places = 0;

		hd_usage_read(&view.usage, row, state);
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			places |= hd_state_sls(network, state, vl);
		sls[row] = 0;
		for (; places; places &= places - 1)
			sls[row] |= (uint16_t)(1u << network->sls[__builtin_ctz(places)]);
	}
	view_clear(&view);
	return ret;
}
