// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * From a fabric to tables: the engine fills LFTs, detours fill its gaps, a layer rule and a queue
 * rule make lanes, VL arbitration is fitted to the ports, and lanes of the tables before are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/engine.h"
#include "engines/baseline_routes.h"
#include "engines/stable_lanes.h"
#include "engines/repair.h"
#include "vlarb/class_layout.h"
#include "sl2vl/class_queues.h"
#include "sl2vl/join.h"
#include "sl2vl/lanes.h"
#include "sl2vl/rules.h"
#include "sl2vl/split.h"
#include "support/error.h"

/* Tells a rule that the engine itself misspells, before a rule is asked for. */
static int check_layer_rules(const struct hd_engine *engine, struct hd_error *err)
{
	for (const char *const *name = engine->layer_rules; *name; name++)
		if (!hd_layer_rule_find(*name))
			return hd_error_set(err, HD_EINVAL,
					    "engine %s names layer rule '%s', which does not exist",
					    engine->policy.name, *name);
	return 0;
}

static int find_layer_rule(const struct hd_engine *engine, const char *name,
			   const struct hd_layer_rule **rule, struct hd_error *err)
{
	int ret = check_layer_rules(engine, err);

	if (ret)
		return ret;
	if (!name)
		name = engine->layer_rules[0];
	for (size_t i = 0; engine->layer_rules[i]; i++)
		if (strcmp(engine->layer_rules[i], name) == 0) {
			*rule = hd_layer_rule_find(name);
			return 0;
		}
	if (hd_layer_rule_find(name))
		return hd_error_set(err, HD_EINVAL, "engine %s does not go with layer rule '%s'",
				    engine->policy.name, name);
	return hd_error_set(err, HD_EINVAL, "there is no layer rule '%s'", name);
}

/* Adds the layers that detours need, unless the baseline shows that they need none. */
static int add_layers(const struct hd_route_request *request, const struct hd_layer_input *input,
		      struct hd_layering *layering, struct hd_error *err)
{
	bool are_sound = false;
	int ret = 0;

	if (request->variant)
		ret = hd_variant_routes_try_layers(request->variant, input->tables, layering,
						   &are_sound, err);
	return ret || are_sound ? ret : hd_split_flows(input, layering, NULL, err);
}

/* Makes layers by @rule, and adds those that the detours of a degraded fabric need. */
static int make_layers(const struct hd_layer_rule *rule, const struct hd_route_request *request,
		       struct hd_layer_input *input, struct hd_layering *layering,
		       struct hd_error *err)
{
	for (;; input->thrift++) {
		int ret = rule->build(input, layering, err);

		if (ret || !input->structure->is_degraded)
			return ret;
		ret = add_layers(request, input, layering, err);
		if (ret != HD_EREFUSED || !layering->can_save)
			return ret;
		hd_layering_clear(layering);
	}
}

/* Makes VL arbitration fit the ports; shares of classes with it. */
static int fit_vlarb(struct hd_tables *tables, const struct hd_route_request *request,
		     struct hd_error *err)
{
	const unsigned cap = request->vlarb_cap ? request->vlarb_cap : HD_VLARB_CAP;

	if (tables->classes)
		return hd_vlarb_share_by_classes(tables, request->vlarb_rooms, cap, err);
	return hd_vlarb_fit_ports(tables, request->vlarb_rooms, cap, err);
}

/*
 * What the engine made with the SLs and VLs that classes had before, in @laid, where they had
 * others.
 */
static int lay_out(const struct hd_route_request *request, const struct hd_tables *fresh,
		   struct hd_tables **laid, struct hd_error *err)
{
	int ret = hd_class_layout_take(fresh, request->previous, laid, err);

	if (!ret && *laid)
		ret = fit_vlarb(*laid, request, err);
	return ret;
}

/* The lanes of the tables before, where they serve, in @result; NULL: they do not. */
static int find_kept(const struct hd_route_request *request, const struct hd_routes *routes,
		     struct hd_tables **result, struct hd_lanes_outcome *outcome,
		     struct hd_error *err)
{
	const struct hd_earlier earlier = { request->previous, request->older, request->n_older };
	struct hd_tables *laid, *kept = NULL;
	int ret = lay_out(request, routes->tables, &laid, err);

	if (!ret)
		ret = hd_stable_lanes(laid ? laid : routes->tables, &routes->structure, &earlier,
				      &kept, outcome, err);
	if (!ret && kept && outcome->has_new_vlarb)
		ret = fit_vlarb(kept, request, err);
	if (!ret && !kept && outcome->is_kept) {
		*result = laid;
		return 0;
	}
	hd_tables_free(laid);
	if (!ret)
		*result = kept;
	else
		hd_tables_free(kept);
	return ret;
}

/* Gives @routes the lanes of the tables before, where these serve. */
static int keep_lanes(const struct hd_engine *engine, const struct hd_route_request *request,
		      struct hd_routes *routes, struct hd_error *err)
{
	struct hd_lanes_outcome outcome = { .reason = "" };
	struct hd_tables *kept = NULL;
	int ret = 0;

	if (request->previous && request->previous_by == engine)
		ret = find_kept(request, routes, &kept, &outcome, err);
	if (ret == HD_EREFUSED) {
		outcome = (struct hd_lanes_outcome){
			.reason = "a link has no VL arbitration for the old lanes"
		};
		ret = 0;
	}
	if (kept) {
		hd_tables_free(routes->tables);
		routes->tables = kept;
	}
	if (request->kept)
		*request->kept = outcome;
	return ret;
}

int hd_route(const struct hd_engine *engine, const struct hd_fabric *fabric,
	     const struct hd_route_request *request, struct hd_tables **tables,
	     struct hd_error *err)
{
	struct hd_structure structure;
	int ret = hd_route_structure(engine, fabric, request, tables, &structure, err);

	hd_structure_clear(&structure);
	return ret;
}

/* Gives gaps detours, and keeps what there was before. */
static int make_detours(const struct hd_route_request *request, struct hd_routes *routes,
			struct hd_error *err)
{
	const bool is_degraded = routes->structure.is_degraded;
	struct hd_variant *loads = NULL;
	int ret = 0;

	if (request->baseline)
		ret = hd_baseline_routes_add_lfts(request->baseline, routes->tables, !is_degraded,
						  err);
	if (ret || !is_degraded)
		return ret;
	if (request->variant)
		ret = hd_variant_routes_loads(request->variant, &loads, err);
	if (ret)
		return ret;
	if (loads)
		return hd_repair_rest(routes->tables, &routes->structure, loads, err);
	return hd_repair(routes->tables, &routes->structure, NULL, err);
}

/* LFTs: those of the engine, with detours where its rule has no next hop. */
static int make_routes(const struct hd_engine *engine, const struct hd_fabric *fabric,
		       const struct hd_route_request *request, struct hd_routes *routes,
		       struct hd_error *err)
{
	struct hd_route_request complete = *request;
	struct hd_params *params = NULL;
	int ret;

	if (!request->params) {
		complete.params = params = hd_params_new(engine->policy.options);
		if (!params)
			return hd_error_nomem(err);
	}
	if (request->variant && engine->keeps_rows)
		ret = hd_variant_routes_tables(request->variant, fabric, &routes->tables, err);
	else
		ret = hd_tables_new(fabric, &routes->tables, err);
	if (!ret)
		ret = hd_tables_set_classes(routes->tables, request->classes, err);
	if (!ret)
		ret = engine->route(fabric, &complete, routes, err);
	if (!ret)
		ret = make_detours(request, routes, err);
	hd_params_free(params);
	return ret;
}

int hd_route_lfts(const struct hd_engine *engine, const struct hd_fabric *fabric,
		  const struct hd_route_request *request, struct hd_tables **tables,
		  struct hd_error *err)
{
	struct hd_routes routes = { 0 };
	int ret = make_routes(engine, fabric, request, &routes, err);

	hd_structure_clear(&routes.structure);
	if (ret)
		hd_tables_free(routes.tables);
	*tables = ret ? NULL : routes.tables;
	return ret;
}

/*
 * SL2VL rows and path SLs where layers and queues are joined (sl2vl/join.h). @is_joined: they fit,
 * whatever detours did then.
 */
static int make_joint_lanes(const struct hd_route_request *request,
			    const struct hd_layer_rule *rule, const struct hd_queueing *queueing,
			    struct hd_routes *routes, struct hd_layering *layering, bool *is_joined,
			    struct hd_error *err)
{
	static const struct hd_queues one = { .rule = &hd_queue_single, .n_queues = 1 };
	struct hd_layer_input input = { .tables = routes->tables,
					.structure = &routes->structure,
					.bubble = request->bubble,
					.any_class = true };
	struct hd_queueing single = { 0 };
	int ret = hd_queueing_build(&one, routes->tables, &routes->structure, &single, err);

	if (!ret) {
		hd_lanes_budget(routes->tables->fabric, &single, request->classes, request->max_vls,
				&input);
		ret = rule->build_joint(&input, queueing, layering, err);
	}
	if (!ret)
		ret = hd_lanes_join(routes->tables->fabric, layering, queueing, input.max_classes,
				    err);
	*is_joined = !ret;
	if (!ret && routes->structure.is_degraded)
		ret = hd_split_flows(&input, layering, NULL, err);
	if (!ret && request->baseline)
		ret = hd_baseline_routes_add_layers(request->baseline, routes->tables, layering,
						    err);
	if (request->vlarb != HD_VLARB_LAYERS)
		memset(layering->turns, 0, sizeof(layering->turns));
	if (!ret)
		ret = hd_lanes_apply(routes->tables, layering, &single, request->max_vls, err);
	hd_queueing_clear(&single);
	return ret;
}

/* SL2VL rows and path SLs: layers by @rule, times the queues of @queues. */
static int make_lanes(const struct hd_engine *engine, const struct hd_route_request *request,
		      const struct hd_layer_rule *rule, const struct hd_class_queues *queues,
		      struct hd_routes *routes, struct hd_error *err)
{
	struct hd_layer_input input = { .tables = routes->tables,
					.structure = &routes->structure,
					.reference = engine->layer_rules[0],
					.bubble = request->bubble };
	struct hd_layering layering = { 0 };
	struct hd_queueing queueing = { 0 };
	int ret = hd_class_queues_build(queues, routes->tables, &routes->structure, &queueing, err);

	if (!ret) {
		hd_lanes_budget(routes->tables->fabric, &queueing, request->classes,
				request->max_vls, &input);
		ret = make_layers(rule, request, &input, &layering, err);
	}
	if (!ret && request->baseline)
		ret = hd_baseline_routes_add_layers(request->baseline, routes->tables, &layering,
						    err);
	if (request->vlarb != HD_VLARB_LAYERS)
		memset(layering.turns, 0, sizeof(layering.turns));
	if (!ret)
		ret = hd_lanes_apply(routes->tables, &layering, &queueing, request->max_vls, err);
	hd_layering_clear(&layering);
	if (ret == HD_EREFUSED && rule->build_joint && queueing.n_classes > 1) {
		struct hd_error joint;
		bool is_joined = false;

		ret = make_joint_lanes(request, rule, &queueing, routes, &layering, &is_joined,
				       &joint);
		if (ret && (is_joined || ret != HD_EREFUSED))
			*err = joint; /* else the first refusal is the plainer one */
		hd_layering_clear(&layering);
	}
	hd_queueing_clear(&queueing);
	return ret;
}

static int make_vlarb(const struct hd_route_request *request, struct hd_tables *tables,
		      struct hd_error *err)
{
	int ret = request->vlarb == HD_VLARB_FLOWS ? hd_vlarb_share_by_flows(tables, err) : 0;

	return ret ? ret : fit_vlarb(tables, request, err);
}

static bool has_links(const struct hd_fabric *fabric)
{
	hd_for_each_port(port, fabric)
		if (fabric->ports[port].peer != HD_NONE)
			return true;
	return false;
}

int hd_route_structure(const struct hd_engine *engine, const struct hd_fabric *fabric,
		       const struct hd_route_request *request, struct hd_tables **result,
		       struct hd_structure *structure, struct hd_error *err)
{
	const struct hd_layer_rule *rule = NULL;
	struct hd_routes routes = { 0 };
	struct hd_class_queues queues;
	int ret;

	*result = NULL;
	*structure = (struct hd_structure){ 0 };
	if (!fabric->top_lid)
		return hd_error_set(err, HD_EINVAL, "the fabric has no LIDs%s",
				    has_links(fabric) ? "" : ", as no port has a link");
	ret = find_layer_rule(engine, request->layers, &rule, err);
	if (!ret)
		ret = hd_class_queues_parse(request->queues, request->classes, &queues, err);
	if (ret)
		return ret;
	if (engine->choose)
		return engine->choose(fabric, request, result, structure, err);
	ret = make_routes(engine, fabric, request, &routes, err);
	if (!ret)
		ret = make_lanes(engine, request, rule, &queues, &routes, err);
	if (!ret)
		ret = make_vlarb(request, routes.tables, err);
	if (!ret)
		ret = keep_lanes(engine, request, &routes, err);
	if (!ret) {
		*result = routes.tables;
		*structure = routes.structure;
		return 0;
	}
	hd_tables_free(routes.tables);
	hd_structure_clear(&routes.structure);
	return ret;
}
