/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Common options of subcommands that route: FABRIC -e ENGINE [-O key=value] [-l] [-q] [--lmc] ...
 */
#ifndef HD_TOOLS_ROUTE_OPTIONS_H
#define HD_TOOLS_ROUTE_OPTIONS_H

#include "engines/engine.h"
#include "tables/classes.h"
#include "tools/command.h"

struct hd_routing_arguments {
	const char *fabric; /* as on the command line */
	const struct hd_engine *engine;
	char *spec;   /* of -e: what `engine` and the first of the pairs point into */
	char **pairs; /* of -e and -O, engine options */
	size_t n_pairs, n_of_spec, most_options; /* of them, the first ones of -e; of -O at most */
	const char *layers;
	const char *queues;
	const char *sm;
	const char *classes_file;
	struct hd_classes *classes; /* of that file, once hd_routing_open() has read it */
	enum hd_vlarb_policy vlarb;
	uint64_t lmc;
	uint64_t max_vls;
	uint64_t vlarb_cap;
	bool has_lmc;
};

/*
 * Takes these options and the argument FABRIC; a child, whose input is a struct
 * hd_routing_arguments.
 */
extern const struct argp hd_routing_argp;

/*
 * Takes "ENGINE" or "ENGINE:key=value,key=value", an option of a command line. HD_EINVAL: no such
 * engine; HD_ENOMEM.
 */
int hd_routing_take_engine(const char *text, struct hd_routing_arguments *routing,
			   struct hd_error *err);

/* To be called after parsing, also after an error. */
void hd_routing_clear(struct hd_routing_arguments *routing);

/*
 * Opens the fabric, and gives it LIDs if it has none; notes ports without LIDs. Reads the class
 * file, if one is given.
 */
int hd_routing_open(struct hd_routing_arguments *routing, const struct hd_common *common,
		    struct hd_fabric **fabric, struct hd_error *err);

/* The pairs as one text, "key=value key=value", from malloc(); NULL when out of memory. */
char *hd_routing_join_pairs(const struct hd_routing_arguments *routing);

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
