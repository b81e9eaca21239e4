// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the shape that routes from group to group need, and hands it on. */
#include <stdio.h>
#include <stdlib.h>

#include "engines/group_routes.h"
#include "support/error.h"
#include "support/options.h"

/* "group 3 (of switch G3S0)" */
static const char *group_label(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
			       uint32_t group, char *buffer, size_t size)
{
	snprintf(buffer, size, "group %u (of switch %.64s)", group,
		 hd_node_name(fabric, d->switches[d->first[group]]));
	return buffer;
}

/* Refuses groups that lack more than an eighth of their links, and names them. */
static int check_shape(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
		       enum hd_groups_kind kind, struct hd_error *err)
{
	const uint64_t n_global = d->n_groups * (d->n_groups - UINT64_C(1)) / 2;
	char one[128], other[128];

	if (d->n_groups + (size_t)d->a >= UINT16_MAX)
		return hd_error_set(err, HD_EREFUSED, "%u groups of %u switches are too many",
				    d->n_groups, d->a);
	if (kind == HD_GROUPS_FULL && !d->is_full) {
		uint32_t a = d->missing_local[0], b = d->missing_local[1];

		return hd_error_set(err, HD_EREFUSED,
				    "%s is not fully connected: no link between %.64s and %.64s "
				    "(%u such pairs in all)",
				    group_label(fabric, d, d->group[a], one, sizeof(one)),
				    hd_node_name(fabric, a), hd_node_name(fabric, b),
				    d->n_missing_local);
	}
	if (d->n_missing_global > n_global / 8)
		return hd_error_set(
			err, HD_EREFUSED, "no link between %s and %s (%u such pairs in all)",
			group_label(fabric, d, d->missing_global[0], one, sizeof(one)),
			group_label(fabric, d, d->missing_global[1], other, sizeof(other)),
			d->n_missing_global);
	return 0;
}

int hd_group_routes_recognise(const struct hd_fabric *fabric, const struct hd_params *params,
			      enum hd_groups_kind kind, struct hd_dragonfly **dragonfly,
			      struct hd_error *err)
{
	const char *path = hd_params_get(params, "groups");
	struct hd_dragonfly_hints hints = { 0 };
	uint64_t *group_of_switch = NULL;
	int ret;

	if (path) {
		ret = hd_dragonfly_read_groups(path, fabric, &group_of_switch, err);
		if (ret)
			return ret;
		hints.group_of_switch = group_of_switch;
	}
	ret = hd_dragonfly_recognise(fabric, &hints, dragonfly, err);
	free(group_of_switch);
	if (!ret)
		ret = check_shape(fabric, *dragonfly, kind, err);
	return ret;
}
