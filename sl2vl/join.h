/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Joins flow classes and queue classes that both depend on the destination alone. Where one tells
 * something of the other, as the half of a torus tells the band of a destination, many pairs have
 * no destination. Then SLs number the pairs that there are, instead of all (sl2vl/lanes.h).
 */
#ifndef HD_SL2VL_JOIN_H
#define HD_SL2VL_JOIN_H

#include "sl2vl/lanes.h"

/*
 * Makes @layering, whose classes depend on the destination alone, the product of itself with
 * @queueing: its layers are then the lanes, and there is one queue. If more pairs than @max_sls are
 * in use, the rarest destinations take the queue that most destinations of their flow class have,
 * one destination in eight at most: missing switches shift the borders of bands a little, and a
 * queue is no matter of deadlocks. HD_EREFUSED: too few SLs, or the queue depends on the out-port;
 * HD_ENOMEM.
 */
int hd_lanes_join(const struct hd_fabric *fabric, struct hd_layering *layering,
		  const struct hd_queueing *queueing, unsigned max_sls, struct hd_error *err);

#endif
