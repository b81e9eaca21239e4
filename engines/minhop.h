/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The routes of engine minhop, for engines that give them other lanes. */
#ifndef HD_ENGINES_MINHOP_H
#define HD_ENGINES_MINHOP_H

#include "engines/engine.h"

/* As hd_engine.route; takes no options. */
int hd_minhop_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		    struct hd_routes *routes, struct hd_error *err);

#endif
