// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/choose.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/busiest.h"
#include "engines/engines.h"
#include "support/error.h"
#include "support/options.h"
#include "sl2vl/class_queues.h"
#include "topologies/canonical.h"
#include "topologies/recognise.h"

static void add(struct hd_choices *choices, const struct hd_engine *engine, const char *why)
{
	struct hd_choice *choice = &choices->list[choices->n++];

	*choice = (struct hd_choice){ .engine = engine, .place = choices->n - 1 };
	snprintf(choice->name, sizeof(choice->name), "%s", engine->policy.name);
	snprintf(choice->why, sizeof(choice->why), "%s", why);
}

static void add_grid(struct hd_choices *choices, const struct hd_grid *grid)
{
	char shape[96], why[128];

	snprintf(why, sizeof(why), "the topology is %s",
		 hd_grid_describe(grid, shape, sizeof(shape)));
	add(choices, &hd_engine_hdor, why);
}

static void add_low(struct hd_choices *choices, const struct hd_low_diameter *low)
{
	char why[128];

	snprintf(why, sizeof(why), "the topology is a %s", hd_low_diameter_title(low));
	add(choices, &hd_engine_layered, why);
}

static void add_dragonfly(struct hd_choices *choices, const struct hd_dragonfly *dragonfly)
{
	if (dragonfly->is_full)
		add(choices, &hd_engine_dla,
		    "the topology is a dragonfly whose groups are fully connected");
	else
		add(choices, &hd_engine_d3r,
		    "the topology is a dragonfly whose groups are not fully connected");
}

static void add_tree(struct hd_choices *choices, const struct hd_fat_tree *tree)
{
	char why[128];

	snprintf(why, sizeof(why), "the topology is a fat tree of %u levels%s", tree->n_levels,
		 hd_fat_tree_is_perfect(tree) ? "" : ", not a perfect one");
	add(choices, &hd_engine_dmodc, why);
}

void hd_choices_list(const struct hd_shapes *shapes, struct hd_choices *choices)
{
	const struct hd_grid *grid = shapes->grid;
	/* of a HyperX that is a dragonfly, too, hdor needs fewer VLs */
	const bool grid_first = hd_shapes_prefer_grid(shapes);

	*choices = (struct hd_choices){ 0 };
	if (shapes->low)
		add_low(choices, shapes->low);
	if (grid_first)
		add_grid(choices, grid);
	if (shapes->dragonfly)
		add_dragonfly(choices, shapes->dragonfly);
	if (grid && !grid_first)
		add_grid(choices, grid);
	if (shapes->plus)
		add(choices, &hd_engine_dfplus, "the topology is a Dragonfly+");
	if (shapes->tree)
		add_tree(choices, shapes->tree);
	add(choices, &hd_engine_any, "it serves any fabric, with one VL");
	add(choices, &hd_engine_updn, "it serves any fabric, with one VL and little memory");
	if (shapes->tree || shapes->is_trivial)
		return;
	add(choices, &hd_engine_df_sssp, "shortest paths, with a lane for every hop");
	add(choices, &hd_engine_df_minhop, "shortest paths, with a lane for every hop");
}

static bool has_rule(const struct hd_engine *engine, const char *name)
{
	for (const char *const *rule = engine->layer_rules; *rule; rule++)
		if (strcmp(*rule, name) == 0)
			return true;
	return false;
}

/* A trial of one engine. */
struct trial {
	struct hd_tables *tables;
	struct hd_structure structure;
};

static void clear_trial(struct trial *trial)
{
	hd_tables_free(trial->tables);
	hd_structure_clear(&trial->structure);
	*trial = (struct trial){ 0 };
}

__attribute__((format(printf, 2, 3))) static void tell(const struct hd_route_request *request,
						       const char *format, ...)
{
	char text[1200];
	va_list list;

	if (!request->tell)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	request->tell(request->watcher, text);
}

static int make_params(const struct hd_choice *choice, struct hd_params **params,
		       struct hd_error *err)
{
	*params = NULL;
	if (!choice->option)
		return 0;
	*params = hd_params_new(choice->engine->policy.options);
	if (!*params)
		return hd_error_nomem(err);
	return hd_params_set_pair(*params, choice->engine->policy.name, choice->option, err);
}

/*
 * HD_EREFUSED: the engine does not go with the layer rule that is asked for, or refuses. @by_lfts:
 * without lanes.
 */
static int route_by(const struct hd_fabric *fabric, const struct hd_choice *choice, bool by_lfts,
		    const struct hd_route_request *request, struct trial *trial,
		    struct hd_error *err)
{
	const struct hd_engine *engine = choice->engine;
	struct hd_route_request own = *request;
	struct hd_params *params;
	int ret;

	*trial = (struct trial){ 0 };
	if (own.layers && !has_rule(engine, own.layers))
		return hd_error_set(err, HD_EREFUSED, "it does not go with layer rule '%s'",
				    own.layers);
	ret = make_params(choice, &params, err);
	own.params = params;
	if (!ret && by_lfts)
		ret = hd_route_lfts(engine, fabric, &own, &trial->tables, err);
	else if (!ret)
		ret = hd_route_structure(engine, fabric, &own, &trial->tables, &trial->structure,
					 err);
	hd_params_free(params);
	return ret;
}

int hd_route_choice(const struct hd_choice *choice, const struct hd_fabric *fabric,
		    const struct hd_route_request *request, struct hd_tables **tables,
		    struct hd_error *err)
{
	struct trial trial;
	int ret = route_by(fabric, choice, false, request, &trial, err);

	*tables = trial.tables;
	hd_structure_clear(&trial.structure);
	return ret;
}

/* Whether @choice comes first whatever the others are like: see key_of(). */
static bool is_enough(const struct hd_choice *choice, uint64_t bound)
{
	if (!choice->is_compared || choice->refusal[0])
		return false;
	return 50 * choice->busiest <= 51 * bound ||
	       (choice->is_previous && 4 * choice->busiest <= 5 * bound);
}

/*
 * Routes @fabric by the engine of @choice, and notes what comes out. No busiest link can have less
 * than @bound flows. Where @choice is the first one in any case if it is enough, nobody asks how
 * few flows its busiest link can have.
 */
static int measure(const struct hd_fabric *fabric, const struct hd_route_request *request,
		   bool by_lfts, uint64_t bound, struct hd_choice *choice, struct hd_error *err)
{
	struct hd_route_request own = *request;
	struct trial trial;
	int ret;

	if (choice->is_previous && !choice->place)
		own.enough = bound + bound / 4; /* as is_enough() has it */
	ret = route_by(fabric, choice, by_lfts, &own, &trial, err);
	choice->is_compared = !ret || ret == HD_EREFUSED;
	if (!ret)
		ret = hd_busiest_link(trial.tables, &choice->busiest, err);
	if (!ret && !by_lfts)
		choice->vls = hd_tables_most_vls(trial.tables);
	/* shifts tell a tree's engine that is not enough from any, which comes after it */
	if (!ret && (choice->engine == &hd_engine_any || !is_enough(choice, bound)))
		ret = hd_busiest_shifts(trial.tables, &choice->shifts, err);
	clear_trial(&trial);
	if (ret != HD_EREFUSED)
		return ret;
	snprintf(choice->refusal, sizeof(choice->refusal), "%.255s", err->text);
	return 0;
}

/* How much there is to do at least for an engine: LIDs times links of switches. */
static uint64_t work_of(const struct hd_fabric *fabric)
{
	uint64_t n_lids = 0, n_links = 0;

	hd_for_each_lid(lid, fabric)
		n_lids += fabric->lids[lid].port != HD_NONE;
	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s)
			n_links += hd_peer_node(fabric, s, number) < fabric->n_switches;
	return n_lids * n_links;
}

/* On long paths engine any has more ways to compare, and each of them is longer. */
static bool is_large_for(uint64_t work, double hops)
{
	const double stretch = hops > HD_CHOOSE_HOPS ? hops / HD_CHOOSE_HOPS : 1;

	return (double)work * stretch * stretch > (double)HD_CHOOSE_WORK;
}

/*
 * Measures the engines until one is as good as any can be, and in any case the one of the tables of
 * before. Engine any tries the routes of updn, too, and has none that are worse.
 */
static int measure_all(const struct hd_fabric *fabric, const struct hd_route_request *request,
		       uint64_t work, struct hd_choices *choices, struct hd_error *err)
{
	bool is_served = false, has_any = false, has_enough = false;
	uint64_t bound;
	double hops;
	int ret = hd_busiest_link_bound(fabric, &bound, &hops, err);
	const bool is_large = is_large_for(work, hops);

	choices->is_large = is_large;

	for (unsigned i = 0; !ret && i < choices->n; i++) {
		struct hd_choice *choice = &choices->list[i];
		const bool is_updn = choice->engine == &hd_engine_updn;
		const bool is_needless =
			has_enough || (is_large && is_served && !is_updn) || (is_updn && has_any);

		if (is_needless && !choice->is_previous)
			continue;
		ret = measure(fabric, request, is_large, bound, choice, err);
		has_enough |= !ret && is_enough(choice, bound);
		is_served |= !choice->refusal[0];
		has_any |= choice->engine == &hd_engine_any && !choice->refusal[0];
	}
	return ret;
}

/* What a choice is tried by, the least first. */
static uint64_t key_of(const struct hd_choice *choice, uint64_t least)
{
	if (choice->refusal[0])
		return UINT64_MAX;
	if (!choice->is_compared)
		return UINT64_MAX - 1;
	if (choice->is_previous && 4 * choice->busiest <= 5 * least)
		return 0;
	return 50 * choice->busiest <= 51 * least ? 1 : choice->busiest + 2;
}

static bool is_before(const struct hd_choice *a, const struct hd_choice *b, uint64_t least)
{
	const uint64_t mine = key_of(a, least), theirs = key_of(b, least);

	return mine != theirs ? mine < theirs : a->place < b->place;
}

static uint64_t least_of(const struct hd_choices *choices)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < choices->n; i++) {
		const struct hd_choice *choice = &choices->list[i];

		if (choice->is_compared && !choice->refusal[0] && choice->busiest < least)
			least = choice->busiest;
	}
	return least;
}

static struct hd_choice *find_choice(struct hd_choices *choices, const struct hd_engine *engine)
{
	for (unsigned i = 0; i < choices->n; i++)
		if (choices->list[i].engine == engine)
			return &choices->list[i];
	return NULL;
}

/*
 * Sorts the choices; those of equal keys as they suit the shape. Where updn was compared in the
 * place of any, which has no busier link, any stays before it.
 */
static void sort_choices(struct hd_choices *choices)
{
	const uint64_t least = least_of(choices);
	const struct hd_choice *any = find_choice(choices, &hd_engine_any);
	struct hd_choice *updn = find_choice(choices, &hd_engine_updn);

	if (any && updn && !any->is_compared && !updn->is_previous && updn->busiest > least)
		updn->is_compared = false;
	for (unsigned i = 1; least < UINT64_MAX && i < choices->n; i++) {
		const struct hd_choice choice = choices->list[i];
		unsigned at = i;

		for (; at && is_before(&choice, &choices->list[at - 1], least); at--)
			choices->list[at] = choices->list[at - 1];
		choices->list[at] = choice;
	}
}

static void put_first(struct hd_choices *choices, unsigned i)
{
	const struct hd_choice choice = choices->list[i];

	memmove(choices->list + 1, choices->list, i * sizeof(choice));
	choices->list[0] = choice;
}

/*
 * Puts dmodc before any where its busiest link has at most a twentieth more flows, but in rounds of
 * an all-to-all, where each host sends to one other, at least a tenth less.
 */
static void prefer_rounds(struct hd_choices *choices)
{
	const struct hd_choice *any = &choices->list[0];
	const struct hd_choice *tree = find_choice(choices, &hd_engine_dmodc);

	if (any->engine != &hd_engine_any || any->is_previous || !any->is_compared || !tree ||
	    !tree->is_compared || tree->refusal[0])
		return;
	if (20 * tree->busiest > 21 * any->busiest || 10 * tree->shifts > 9 * any->shifts)
		return;
	put_first(choices, (unsigned)(tree - any));
}

/*
 * Whether an engine of the topology that has more VLs accepts more than any, though its busiest link
 * has more flows: packets wait in more queues (docs/defaults.md).
 */
static bool has_better_vls(const struct hd_choice *choice, const struct hd_choice *any)
{
	const bool is_dla = choice->engine == &hd_engine_dla;

	if (choice->place >= any->place || !choice->is_compared || choice->refusal[0] ||
	    choice->vls <= any->vls)
		return false;
	return is_dla ? 3 * choice->busiest <= 4 * any->busiest
		      : 8 * choice->busiest <= 9 * any->busiest;
}

/* Puts the first engine of the topology that has better VLs before any with one layer. */
static void prefer_vls(struct hd_choices *choices)
{
	const struct hd_choice *any = &choices->list[0];
	unsigned i = 1;

	if (any->engine != &hd_engine_any || any->option || any->is_previous || !any->vls)
		return;
	while (i < choices->n && !has_better_vls(&choices->list[i], any))
		i++;
	if (i < choices->n)
		put_first(choices, i);
}

/* Whether the fabric is a torus or a mesh that lacks parts, or one with other links beside. */
static bool is_degraded_torus(const struct hd_shapes *shapes)
{
	const struct hd_grid *grid = shapes->grid;

	if (!grid || hd_shapes_are_whole(shapes))
		return false;
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (grid->kind[d] != HD_GRID_LINE && grid->kind[d] != HD_GRID_RING)
			return false;
	return true;
}

/* Whether engine any made the tables of before with several layers. */
static int had_layers(const struct hd_route_request *request, bool *result, struct hd_error *err)
{
	struct hd_class_queues queues;
	int ret;

	*result = request->stays_option != NULL;
	if (!request->previous)
		return 0;
	ret = hd_class_queues_parse(request->queues, request->classes, &queues, err);
	if (!ret)
		*result = (unsigned)__builtin_popcount(hd_tables_sls_used(request->previous)) >
			  hd_class_queues_guess(&queues);
	return ret;
}

/*
 * Puts any with several layers before any with one, whose busiest link has about as many flows. It
 * accepts up to three times the load on tori that lack links, since packets wait in more queues.
 * Where any comes first, its busiest link may have a twentieth more flows.
 */
static int add_layers_to_any(const struct hd_fabric *fabric, const struct hd_route_request *own,
			     const struct hd_route_request *request, struct hd_choices *choices,
			     struct hd_error *err)
{
	struct hd_choice *any = find_choice(choices, &hd_engine_any);
	struct hd_choice layered;
	bool stays = false;
	int ret = 0;

	if (!any || any->refusal[0] || choices->n == HD_MOST_CHOICES)
		return 0;
	if (any->is_previous)
		ret = had_layers(request, &stays, err);
	if (ret || any->is_previous != stays)
		return ret;
	layered = *any;
	layered.is_compared = false;
	layered.option = "vls=4";
	snprintf(layered.name, sizeof(layered.name), "%s:%s", hd_engine_any.policy.name,
		 layered.option);
	snprintf(
		layered.why, sizeof(layered.why),
		"it serves any fabric; of a torus or mesh that lacks parts, several VLs take more");
	if (any == choices->list && any->is_compared && !stays) {
		ret = measure(fabric, own, choices->is_large, 0, &layered, err);

		if (ret || layered.refusal[0] || 20 * layered.busiest > 21 * any->busiest ||
		    (layered.vls && layered.vls <= any->vls))
			return ret;
	}
	memmove(any + 1, any, (size_t)(choices->list + choices->n - any) * sizeof(*any));
	*any = layered;
	choices->n++;
	return 0;
}

static void mark_previous(struct hd_choices *choices, const struct hd_route_request *request)
{
	const struct hd_engine *engine = request->previous ? request->previous_by : request->stays;

	for (unsigned i = 0; i < choices->n; i++)
		choices->list[i].is_previous = engine && choices->list[i].engine == engine;
}

/* Whether the tables of before are by an engine which suits the shape less than the first one. */
static bool has_other_previous(const struct hd_choices *choices)
{
	for (unsigned i = 1; i < choices->n; i++)
		if (choices->list[i].is_previous)
			return true;
	return false;
}

int hd_choose(const struct hd_fabric *fabric, const struct hd_route_request *request,
	      struct hd_choices *choices, struct hd_error *err)
{
	const uint64_t work = work_of(fabric);
	struct hd_route_request own = *request;
	struct hd_fabric *copy = NULL;
	struct hd_shapes shapes;
	bool is_sure, has_layers;
	int ret = hd_recognise(fabric, NULL, &shapes, err);

	hd_choices_list(&shapes, choices);
	mark_previous(choices, request);
	is_sure = !ret && work > HD_CHOOSE_WORK && hd_shapes_are_whole(&shapes) &&
		  !has_other_previous(choices);
	has_layers = !ret && is_degraded_torus(&shapes);
	hd_shapes_clear(&shapes);
	choices->is_large = is_sure;
	if (ret || is_sure)
		return ret;
	ret = hd_fabric_canonical(fabric, &copy, err);
	if (ret && ret != HD_ERANGE) /* alignment took LIDs that are all needed: as it is, then */
		return ret;
	own.previous = NULL;
	own.previous_by = NULL;
	own.older = NULL;
	own.n_older = 0;
	own.kept = NULL;
	own.stays = NULL;
	own.stays_option = NULL;
	own.baseline = NULL;
	own.variant = NULL;
	own.vlarb_rooms = NULL; /* by ports of the fabric, and of no matter to ways */
	own.accept = NULL;
	own.tell = NULL;
	own.chosen = NULL;
	own.chosen_option = NULL;
	ret = measure_all(copy ? copy : fabric, &own, work, choices, err);
	sort_choices(choices);
	prefer_rounds(choices);
	if (!ret && has_layers)
		ret = add_layers_to_any(copy ? copy : fabric, &own, request, choices, err);
	prefer_vls(choices);
	hd_fabric_free(copy);
	return ret;
}

static void tell_refusal(const struct hd_route_request *request, const struct hd_choice *choice,
			 const char *reason)
{
	tell(request, "engine %s refuses: %s", choice->name, reason);
}

/* Tells which engines refuse, or have busier links than the one that comes first. */
static void tell_loads(const struct hd_route_request *request, const struct hd_choices *choices)
{
	const struct hd_choice *first = &choices->list[0];

	for (unsigned i = 0; i < choices->n; i++) {
		const struct hd_choice *choice = &choices->list[i];

		/* those that suit the shape less need no word */
		if (choice->place >= first->place && !first->refusal[0])
			continue;
		if (choice->refusal[0])
			tell_refusal(request, choice, choice->refusal);
		else if (choice->is_compared)
			tell(request,
			     "engine %s: the busiest link has %" PRIu64 " flows, with %s %" PRIu64,
			     choice->name, choice->busiest, first->name, first->busiest);
	}
}

/* Routes by @choice. HD_EREFUSED: it refuses, or its tables are not accepted. */
static int route_and_ask(const struct hd_fabric *fabric, const struct hd_route_request *request,
			 const struct hd_choice *choice, struct trial *trial, struct hd_error *err)
{
	int ret = route_by(fabric, choice, false, request, trial, err);

	if (!ret && request->accept)
		ret = request->accept(request->watcher, trial->tables, err);
	if (!ret)
		return 0;
	clear_trial(trial);
	if (ret == HD_EREFUSED)
		tell_refusal(request, choice, err->text);
	return ret;
}

int hd_choose_and_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_tables **tables, struct hd_structure *structure,
			struct hd_error *err)
{
	struct hd_choices choices;
	struct trial trial = { 0 };
	int ret = hd_choose(fabric, request, &choices, err);

	if (ret)
		return ret;
	tell_loads(request, &choices);
	ret = HD_EREFUSED;
	for (unsigned i = 0; ret == HD_EREFUSED && i < choices.n; i++) {
		const struct hd_choice *choice = &choices.list[i];

		if (choice->refusal[0]) {
			hd_error_set(err, HD_EREFUSED, "%s", choice->refusal);
			continue;
		}
		ret = route_and_ask(fabric, request, choice, &trial, err);
		if (!ret && request->chosen)
			*request->chosen = choice->engine;
		if (!ret && request->chosen_option)
			*request->chosen_option = choice->option;
	}
	if (ret)
		return ret;
	*tables = trial.tables;
	*structure = trial.structure;
	return 0;
}
