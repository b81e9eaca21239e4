/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What all subcommands that route share: FABRIC -e ENGINE [-O key=value] [-l] [-q] [--lmc] ... */
#ifndef HD_TOOLS_ROUTING_H
#define HD_TOOLS_ROUTING_H

#include "engines/engine.h"
#include "tools/command.h"

struct hd_routing_arguments {
	const char *fabric; /* as on the command line */
	const struct hd_engine *engine;
	char **pairs; /* of -O, engine options */
	size_t n_pairs;
	const char *layers;
	const char *queues;
	const char *sm;
	enum hd_vlarb_policy vlarb;
	uint64_t lmc;
	uint64_t max_vls;
	uint64_t vlarb_cap;
	bool has_lmc;
};

/* Takes these options and the argument FABRIC; a child, whose input is a struct hd_routing_arguments. */
extern const struct argp hd_routing_argp;

/* To be called after parsing, whatever the outcome. */
void hd_routing_clear(struct hd_routing_arguments *routing);

/* Opens the fabric and gives it LIDs where it has none; notes ports without LIDs. */
int hd_routing_open(const struct hd_routing_arguments *routing, const struct hd_common *common,
		    struct hd_fabric **fabric, struct hd_error *err);

/* The engine's options. Free @params with hd_params_free(). HD_EINVAL, HD_ENOMEM. */
int hd_routing_params(const struct hd_routing_arguments *routing, struct hd_params **params,
		      struct hd_error *err);

/* The request to the engine. */
struct hd_route_request hd_routing_request(const struct hd_routing_arguments *routing,
					   const struct hd_params *params);

/* Adds to @err, of the outcome @ret of hd_route(), which engine refuses. Returns @ret. */
int hd_routing_explain(const struct hd_routing_arguments *routing, int ret, struct hd_error *err);

/* The layer rule and the queue rule with their defaults. */
const char *hd_routing_layers(const struct hd_routing_arguments *routing);
const char *hd_routing_queues(const struct hd_routing_arguments *routing);

#endif
