/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The routes of OSHA and SASHA: two LIDs of every host, by different orders of dimensions. */
#ifndef HD_ENGINES_TWO_ORDERS_H
#define HD_ENGINES_TWO_ORDERS_H

#include "engines/engine.h"

/*
 * Base LIDs by XYZ..., those at LMC offset 1 by YXZ... . As the route() of struct hd_engine;
 * HD_EREFUSED: the LMC of end nodes is not 1.
 */
int hd_two_orders_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_routes *routes, struct hd_error *err);

#endif
