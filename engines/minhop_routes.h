/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Balanced shortest paths, for engines that differ in their lanes. */
#ifndef HD_ENGINES_MINHOP_ROUTES_H
#define HD_ENGINES_MINHOP_ROUTES_H

#include "engines/ar_options.h"
#include "engines/engine.h"

/*
 * Fills the LFTs of @routes; with @state, also AR port sets of all ports that lead closer.
 * HD_ENOMEM.
 */
int hd_minhop_fill(const struct hd_fabric *fabric, enum hd_ar_state state, struct hd_routes *routes,
		   struct hd_error *err);

/* The same as a hd_engine.route, without port sets; takes no options. */
int hd_minhop_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		    struct hd_routes *routes, struct hd_error *err);

#endif
