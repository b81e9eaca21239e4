/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routing engines: which way. One file each, exporting a const struct hd_engine, listed in
 * engines/engines.c and nowhere else. An engine fills LFTs and tells what it knows about the
 * shape; hd_route() adds the lanes. Engines do not prove: callers run the check on the result.
 */
#ifndef HD_ENGINES_ENGINE_H
#define HD_ENGINES_ENGINE_H

#include "vlarb/vlarb.h"
#include "support/policy.h"
#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_engine;
struct hd_error;
struct hd_kept_routes;
struct hd_kept_routes_now;
struct hd_lanes_outcome;

/* What a user asks of an engine. Zero and NULL mean the defaults. */
struct hd_route_request {
	const char *layers;               /* layer rule; NULL: the engine's first */
	const char *queues;               /* "xordet:4"; NULL: one queue */
	const struct hd_classes *classes; /* service classes; NULL: none */
	enum hd_vlarb_policy vlarb;       /* how lanes share a link, those of a class its part */
	unsigned vlarb_cap; /* entries of each VL arbitration table; 0: HD_VLARB_CAP */
	const struct hd_vlarb_room *vlarb_rooms; /* [port] instead of vlarb_cap; or NULL */
	bool bubble;      /* switches have bubble flow control: no layers for rings are needed */
	unsigned max_vls; /* data VLs to use at most; 0: what the links have */
	const struct hd_params *params; /* of engine->policy.options; NULL: their defaults */

	/*
	 * Tables before a change of the fabric, and the engine that made them with the same other
	 * wishes: their lanes stay where they still serve (engines/stable_lanes.h). NULL: lanes are made
	 * anew. @kept gets what became of them, or is NULL.
	 */
	const struct hd_tables *previous;
	const struct hd_engine *previous_by;
	const struct hd_tables *const *older; /* [n_older] of the same engine before these, the
						 newest first: nodes that were away meanwhile come
						 back to the path SLs that they had */
	size_t n_older;
	struct hd_lanes_outcome *kept;

	/*
	 * For many fabrics that are one without some links. Of the whole one, @keep gets what its routes
	 * were; of what is left of it, @with has that (engines/kept_routes.h). Tables are the same with
	 * it as without.
	 */
	struct hd_kept_routes *keep;
	struct hd_kept_routes_now *with;

	/*
	 * For engines that take another one. accept() is asked about the tables of each that does
	 * not refuse, HD_EREFUSED with the reason sends it on to the next; tell() gets a line for
	 * each refusal; both get @watcher. @chosen gets the engine in the end. Each may be NULL.
	 */
	int (*accept)(void *watcher, const struct hd_tables *tables, struct hd_error *err);
	void (*tell)(void *watcher, const char *line);
	void *watcher;
	const struct hd_engine **chosen;
};

/* The result of an engine. */
struct hd_routes {
	struct hd_tables *tables;      /* made by hd_route(); the engine fills lft */
	struct hd_structure structure; /* what the engine knows of the shape */
};

struct hd_engine {
	struct hd_policy policy;        /* first */
	const char *const *layer_rules; /* names, the default first, ended by NULL */
	/* The layer rule with which tables may have credit loops, for comparisons; NULL: none. */
	const char *loops_with;
	bool any_sl;  /* sound whatever SL an application uses, as long as tables use one alone */
	unsigned lmc; /* the LMC that its routes make use of: generated fabrics get it unless
		         users ask for another, or as much of it as there are LIDs for */
	const char *host_policy; /* how hosts should choose among a destination's LIDs, a name of
				    host.policy; scenarios have it by default; NULL: the base LID */
	const char *scheduler;   /* how switches must choose among VLs for the lanes to be of
				    use, a name of switch.scheduler; scenarios have it by
				    default; NULL: any way will do */
	/*
	 * Fills @routes. HD_EREFUSED: not the shape that this engine serves, and why, in one line;
	 * HD_EINVAL: options that make no sense; HD_ENOMEM.
	 */
	int (*route)(const struct hd_fabric *fabric, const struct hd_route_request *request,
		     struct hd_routes *routes, struct hd_error *err);
	/* In place of route(): has another engine route. The same errors. */
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
 * whatever the number of threads. The result refers to @fabric. Free with hd_tables_free().
 * HD_EREFUSED: the engine or the lanes refuse; HD_EINVAL: an unknown rule or option; HD_ENOMEM.
 */
int hd_route(const struct hd_engine *engine, const struct hd_fabric *fabric,
	     const struct hd_route_request *request, struct hd_tables **tables,
	     struct hd_error *err);

/*
 * The same. @structure gets what the engine knows of the shape of the fabric as it is, so that the
 * performance model and its traffic need not find it out again; to be cleared by the caller.
 */
int hd_route_structure(const struct hd_engine *engine, const struct hd_fabric *fabric,
		       const struct hd_route_request *request, struct hd_tables **tables,
		       struct hd_structure *structure, struct hd_error *err);

#endif
