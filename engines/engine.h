/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routing engines. Each is one file that exports a const struct hd_engine, and engines/engines.c
 * lists all of them. An engine fills LFTs and tells what it knows about the topology; hd_route()
 * adds the lanes. Engines do not prove: callers run the check on the result.
 */
#ifndef HD_ENGINES_ENGINE_H
#define HD_ENGINES_ENGINE_H

#include "vlarb/vlarb.h"
#include "support/policy.h"
#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_engine;
struct hd_error;
struct hd_baseline_routes;
struct hd_variant_routes;
struct hd_lanes_outcome;

/* What a user asks of an engine. Zero and NULL mean the defaults. */
struct hd_route_request {
	const char *layers;               /* layer rule; NULL: the engine's first */
	const char *queues;               /* "xordet:4"; NULL: one queue */
	const struct hd_classes *classes; /* service classes; NULL: none */
	enum hd_vlarb_policy vlarb;       /* how lanes share a link, or the lanes of a class its
					     part */
	unsigned vlarb_cap; /* entries of each VL arbitration table; 0: HD_VLARB_CAP */
	const struct hd_vlarb_room *vlarb_rooms; /* [port] instead of vlarb_cap; or NULL */
	bool bubble;      /* switches have bubble flow control: rings need no layers */
	unsigned max_vls; /* most data VLs to use; 0: what the links have */
	const struct hd_params *params; /* of engine->policy.options; NULL: their defaults */

	/*
	 * Tables before a change of the fabric, and the engine that made them for the same other
	 * requests: their lanes stay where they still serve (engines/stable_lanes.h). NULL: lanes
	 * are made anew. @kept (or NULL) gets the outcome.
	 */
	const struct hd_tables *previous;
	const struct hd_engine *previous_by;
	const struct hd_tables *const *older; /* [n_older] tables of the same engine before these,
						 the newest first: nodes that come back get the path
						 SLs that they had; nothing else is read of them */
	size_t n_older;
	struct hd_lanes_outcome *kept;
	/*
	 * The engine of the tables before, and its option "key=value" or NULL, where engine heddle
	 * is to choose as after a change, but lanes are made anew: @previous is NULL.
	 */
	const struct hd_engine *stays;
	const char *stays_option;
	/*
	 * For a comparison of engines: whether the busiest link has more flows than this is all
	 * that matters, so an engine may end a search that evens out loads where it has not. 0:
	 * routes are wanted.
	 */
	uint64_t enough;

	/*
	 * For many fabrics that are one fabric without some links (engines/baseline_routes.h). For
	 * the whole fabric, the request fills @baseline. For a fabric without some links, the
	 * request uses @variant, and makes the same tables as without it. Each may be NULL.
	 */
	struct hd_baseline_routes *baseline;
	struct hd_variant_routes *variant;

	/*
	 * For engines that take another one. accept() is asked about the tables of each that does
	 * not refuse, HD_EREFUSED with the reason sends it on to the next; tell() gets a line for
	 * each refusal; both get @watcher. @chosen gets the engine in the end, @chosen_option its
	 * option "key=value", or NULL. Each may be NULL.
	 */
	int (*accept)(void *watcher, const struct hd_tables *tables, struct hd_error *err);
	void (*tell)(void *watcher, const char *line);
	void *watcher;
	const struct hd_engine **chosen;
	const char **chosen_option;
};

/* The result of an engine. */
struct hd_routes {
	struct hd_tables *tables;      /* made by hd_route(); the engine fills lft */
	struct hd_structure structure; /* what the engine knows of the topology */
};

struct hd_engine {
	struct hd_policy policy;        /* first */
	const char *const *layer_rules; /* names, the default first, ended by NULL */
	/* The layer rule, for comparisons, with which tables may have credit loops; NULL: none. */
	const char *loops_with;
	bool keeps_rows; /* route() fills all rows of LFTs that are there, and touches those that
			    become others (tables/lft_copy.h) */
	bool any_sl;     /* sound with any SL of applications, if the tables use one SL */
	unsigned lmc; /* the LMC that its routes use: generated fabrics get it unless users ask for
			 another, or a smaller one if LIDs do not suffice */
	const char *host_policy; /* how hosts should choose among a destination's LIDs, a value of
				    host.policy; the default of scenarios; NULL: the base LID */
	const char *scheduler;   /* how switches must choose among VLs so that the lanes are useful,
				    a value of switch.scheduler; the default of scenarios; NULL: any
				    scheduler */
	/*
	 * Fills @routes. HD_EREFUSED: the engine does not serve this topology, with the reason in
	 * one line; HD_EINVAL: invalid options; HD_ENOMEM.
	 */
	int (*route)(const struct hd_fabric *fabric, const struct hd_route_request *request,
		     struct hd_routes *routes, struct hd_error *err);
	/* In place of route(): calls another engine. The same errors. */
	int (*choose)(const struct hd_fabric *fabric, const struct hd_route_request *request,
		      struct hd_tables **tables, struct hd_structure *structure,
		      struct hd_error *err);
};

extern const struct hd_registry hd_engines;

/* The engine at @i, by name; NULL: after the last. */
static inline const struct hd_engine *hd_engine_at(size_t i)
{
	return (const struct hd_engine *)hd_engines.policies[i];
}

/* The engine @name; NULL: there is none. */
static inline const struct hd_engine *hd_engine_find(const char *name)
{
	return (const struct hd_engine *)hd_policy_find(&hd_engines, name);
}

/*
 * Computes the tables of @fabric. Deterministic: the same fabric and request give the same bytes,
 * for any number of threads. The result refers to @fabric. Free with hd_tables_free(). HD_EREFUSED:
 * the engine or the lanes refuse; HD_EINVAL: an unknown rule or option; HD_ENOMEM.
 */
int hd_route(const struct hd_engine *engine, const struct hd_fabric *fabric,
	     const struct hd_route_request *request, struct hd_tables **tables,
	     struct hd_error *err);

/* LFTs alone, with detours: no lanes, which may still refuse them. Not of engine heddle. */
int hd_route_lfts(const struct hd_engine *engine, const struct hd_fabric *fabric,
		  const struct hd_route_request *request, struct hd_tables **tables,
		  struct hd_error *err);

/*
 * The same as hd_route(). @structure gets what the engine knows of the fabric's topology, so that
 * the performance model and its traffic need not recognise it again. The caller clears it.
 */
int hd_route_structure(const struct hd_engine *engine, const struct hd_fabric *fabric,
		       const struct hd_route_request *request, struct hd_tables **tables,
		       struct hd_structure *structure, struct hd_error *err);

#endif
