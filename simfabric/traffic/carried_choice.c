// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets that choose among the ports of the switches' sets, by the routing "ar" of the model. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "simfabric/traffic/carried_private.h"
#include "tables/ar.h"

void hd_carried_forget_choice(struct hd_carried *carried)
{
	hd_routed_free(carried->routed);
	hd_shape_free(carried->shape);
	carried->routed = NULL;
	carried->shape = NULL;
}

/* LID 0 and LIDs that nobody has may have any state: blocks are padded with zeros, "bounded". */
static bool has_state(const struct hd_tables *tables, enum hd_ar_state state)
{
	for (uint32_t s = 0; s < tables->fabric->n_switches; s++)
		hd_for_each_lid(lid, tables->fabric)
			if (tables->ar->state[s * tables->lft_stride + lid] == state)
				return true;
	return false;
}

/* The routing that the sets of the view ask for. */
static int make(const struct hd_carried_view *view, const struct hd_structure *structure,
		struct hd_shape **shape, struct hd_routed **routed, struct hd_error *err)
{
	struct hd_routed_spec spec = { .adaptive = hd_routing_ar.policy.name };
	enum hd_routed_part culprit;
	char text[64];
	int ret;

	/* an ageing time of 0 is not said: the routing's own */
	if (view->age && has_state(view->tables, HD_AR_BOUNDED)) {
		snprintf(text, sizeof(text), "%s:age=%" PRIu32 "us", spec.adaptive, view->age);
		spec.adaptive = text;
	}
	ret = hd_shape_new(view->tables, structure, shape, err);
	if (!ret)
		ret = hd_routed_new(&spec, *shape, routed, &culprit, err);
	return ret;
}

int hd_carried_choose(struct hd_carried *carried, struct hd_error *err)
{
	struct hd_shape *shape = NULL, *old_shape = carried->shape;
	struct hd_routed *routed = NULL, *old_routed = carried->routed;
	int ret = 0;

	if (!carried->emulator->options.ar)
		return 0;
	if (carried->view->tables->ar)
		ret = make(carried->view, &carried->structure, &shape, &routed, err);
	if (!ret)
		ret = hd_model_choose_by(carried->model, routed, err);
	if (ret) {
		hd_routed_free(routed);
		hd_shape_free(shape);
		return ret;
	}
	hd_routed_free(old_routed);
	hd_shape_free(old_shape);
	carried->shape = shape;
	carried->routed = routed;
	return 0;
}
