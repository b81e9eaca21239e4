/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The plan of a fabric for which there is none: the cables of the perfect shape that is nearest to
 * it. Recognisers (topologies/recognise.h) know which switch has which place in the shape; of
 * several shapes that is taken from which the fabric differs least. Links that do not fit those
 * around them (plan/suspects.h) keep recognisers from some shapes, so these are sought without such
 * links, too.
 *
 *	grid        every two neighbours of a dimension, by as many cables as is usual there
 *	dragonfly   every two switches of a group, and every two groups
 *	Dragonfly+  every leaf and spine of a group, and every two groups
 *	fat tree    the parents that siblings have in common
 *	Slim Fly    every two switches that its graph links; PolarFly, too
 *
 * Where pairs of a kind have different numbers of cables, so that no number is usual, only a pair
 * without any lacks one. Cables within groups that are not fully linked, and those to end nodes,
 * are not in such a plan.
 */
#ifndef HD_PLAN_INFER_H
#define HD_PLAN_INFER_H

#include "plan/cable_plan.h"

/*
 * @shape, of @size bytes, gets the name of the shape with its sizes. Free the plan with
 * hd_cable_plan_free(). HD_EINVAL: @now has no shape that is known; HD_ENOMEM.
 */
int hd_cable_plan_infer(const struct hd_fabric *now, struct hd_cable_plan **plan, char *shape,
			size_t size, struct hd_error *err);

struct hd_shapes;

/*
 * The same where the shapes of @now are known. @only_these: it is one of them. @is_other: it is
 * none of them, but that of @now without links that do not fit.
 */
int hd_cable_plan_infer_from(const struct hd_fabric *now, const struct hd_shapes *shapes,
			     bool only_these, struct hd_cable_plan **plan, char *shape, size_t size,
			     bool *is_other, struct hd_error *err);

#endif
