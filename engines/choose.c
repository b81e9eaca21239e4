// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/choose.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"
#include "engines/lft_column.h"
#include "support/error.h"
#include "topologies/recognise.h"

#define COMPARED (UINT64_C(1) << 24) /* LIDs times ports up to which loads are compared */

static void add(struct hd_choices *choices, const struct hd_engine *engine, const char *why)
{
	choices->list[choices->n].engine = engine;
	snprintf(choices->list[choices->n].why, sizeof(choices->list[0].why), "%s", why);
	choices->n++;
}

static void add_grid(struct hd_choices *choices, const struct hd_grid *grid)
{
	char shape[96], why[128];

	snprintf(why, sizeof(why), "the shape is %s", hd_grid_describe(grid, shape, sizeof(shape)));
	add(choices, &hd_engine_hdor, why);
}

static void add_dragonfly(struct hd_choices *choices, const struct hd_dragonfly *dragonfly)
{
	if (dragonfly->is_full)
		add(choices, &hd_engine_dla,
		    "the shape is a dragonfly whose groups are fully connected");
	else
		add(choices, &hd_engine_d3r,
		    "the shape is a dragonfly whose groups are not fully connected");
}

static void add_tree(struct hd_choices *choices, const struct hd_fat_tree *tree)
{
	char why[128];

	snprintf(why, sizeof(why), "the shape is a fat tree of %u levels%s", tree->n_levels,
		 hd_fat_tree_is_perfect(tree) ? "" : ", not a perfect one");
	add(choices, &hd_engine_dmodc, why);
	choices->is_irregular = !hd_fat_tree_is_perfect(tree);
}

void hd_choices_list(const struct hd_shapes *shapes, struct hd_choices *choices)
{
	const struct hd_grid *grid = shapes->grid;
	/* a perfect HyperX of two dimensions is a dragonfly, too; hdor needs fewer VLs */
	const bool is_perfect = grid && !grid->n_missing_links && !grid->n_missing_switches;

	*choices = (struct hd_choices){ 0 };
	if (is_perfect)
		add_grid(choices, grid);
	if (shapes->dragonfly)
		add_dragonfly(choices, shapes->dragonfly);
	if (grid && !is_perfect)
		add_grid(choices, grid);
	if (shapes->plus)
		add(choices, &hd_engine_dfplus, "the shape is a Dragonfly+");
	if (shapes->tree)
		add_tree(choices, shapes->tree);
	add(choices, &hd_engine_any, "it serves any fabric, with one VL");
	add(choices, &hd_engine_updn, "it serves any fabric, with one VL and little memory");
}

static int find_choices(const struct hd_fabric *fabric, struct hd_choices *choices,
			struct hd_error *err)
{
	struct hd_shapes shapes;
	int ret = hd_recognise(fabric, NULL, &shapes, err);

	hd_choices_list(&shapes, choices);
	hd_shapes_clear(&shapes);
	return ret;
}

static bool has_rule(const struct hd_engine *engine, const char *name)
{
	for (const char *const *rule = engine->layer_rules; *rule; rule++)
		if (strcmp(*rule, name) == 0)
			return true;
	return false;
}

/* Flows of the busiest link between switches, of all pairs of end nodes. HD_ENOMEM. */
static int find_busiest(const struct hd_tables *tables, uint64_t *busiest, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint8_t *cost = malloc(fabric->n_ports + (size_t)1);
	uint64_t *load = calloc(fabric->n_ports + (size_t)1, sizeof(*load));
	uint32_t *sources = calloc(fabric->n_switches + (size_t)1, sizeof(*sources));
	struct hd_lft_column column = { 0 };
	int ret = cost && load && sources ? 0 : hd_error_nomem(err);

	if (!ret) {
		memset(cost, 1, fabric->n_ports);
		ret = hd_lft_column_init(&column, tables, cost, err);
	}
	*busiest = 0;
	for (unsigned pass = 0; !ret && pass < 2; pass++)
		hd_for_each_lid(lid, fabric) {
			const struct hd_lid *at = &fabric->lids[lid];

			if (at->port == HD_NONE || at->via_switch == HD_NONE || !at->via_port ||
			    fabric->ports[at->port].lid != lid)
				continue;
			if (!pass) {
				sources[at->via_switch]++;
				continue;
			}
			hd_lft_column_load(&column, (uint16_t)lid);
			hd_lft_column_add_flows(&column, sources, load);
		}
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++)
		*busiest = load[p] > *busiest ? load[p] : *busiest;
	hd_lft_column_clear(&column);
	free(cost);
	free(load);
	free(sources);
	return ret;
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

/* Tells an engine that refuses, or whose tables are refused. Returns @ret. */
static int refused(const struct hd_route_request *request, const struct hd_engine *engine,
		   struct trial *trial, int ret, const struct hd_error *err)
{
	clear_trial(trial);
	if (ret == HD_EREFUSED)
		tell(request, "engine %s refuses: %s", engine->policy.name, err->text);
	return ret;
}

/* HD_EREFUSED, and says so: the engine refuses. */
static int route_by(const struct hd_fabric *fabric, const struct hd_engine *engine,
		    const struct hd_route_request *request, struct trial *trial,
		    struct hd_error *err)
{
	struct hd_route_request own = *request;
	int ret;

	*trial = (struct trial){ 0 };
	own.params = NULL;
	if (own.layers && !has_rule(engine, own.layers))
		ret = hd_error_set(err, HD_EREFUSED, "it does not go with layer rule '%s'",
				   own.layers);
	else
		ret = hd_route_structure(engine, fabric, &own, &trial->tables, &trial->structure,
					 err);
	return ret ? refused(request, engine, trial, ret, err) : 0;
}

/* HD_EREFUSED, and says so: the tables are not accepted. */
static int ask(const struct hd_route_request *request, const struct hd_engine *engine,
	       struct trial *trial, struct hd_error *err)
{
	int ret = request->accept ? request->accept(request->watcher, trial->tables, err) : 0;

	return ret ? refused(request, engine, trial, ret, err) : 0;
}

/*
 * Takes the backstop's tables in place of @best where links are far more even by them. Only then is
 * it asked whether they are accepted: what was accepted last are the tables that are taken.
 */
static int compare(const struct hd_fabric *fabric, const struct hd_route_request *request,
		   const struct hd_engine *engine, struct trial *best,
		   const struct hd_engine **chosen, struct hd_error *err)
{
	struct trial other;
	uint64_t busiest = 0, others = 0;
	int ret = route_by(fabric, engine, request, &other, err);

	if (ret)
		return ret == HD_EREFUSED ? 0 : ret;
	ret = find_busiest(best->tables, &busiest, err);
	if (!ret)
		ret = find_busiest(other.tables, &others, err);
	if (ret || 4 * busiest <= 5 * others) {
		clear_trial(&other);
		return ret;
	}
	ret = ask(request, engine, &other, err);
	if (ret)
		return ret == HD_EREFUSED ? 0 : ret;
	tell(request, "engine %s: the busiest link has %" PRIu64 " flows, with %s %" PRIu64,
	     (*chosen)->policy.name, busiest, engine->policy.name, others);
	clear_trial(best);
	*best = other;
	*chosen = engine;
	return 0;
}

int hd_choose_and_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_tables **tables, struct hd_structure *structure,
			struct hd_error *err)
{
	struct hd_choices choices;
	const struct hd_engine *chosen = NULL;
	struct trial best = { 0 };
	int ret = find_choices(fabric, &choices, err);

	for (unsigned i = 0; !ret && !chosen && i < choices.n; i++) {
		ret = route_by(fabric, choices.list[i].engine, request, &best, err);
		if (!ret)
			ret = ask(request, choices.list[i].engine, &best, err);
		if (ret == HD_EREFUSED && i + 1 < choices.n)
			ret = 0;
		else if (!ret)
			chosen = choices.list[i].engine;
	}
	if (!ret && chosen != &hd_engine_any && chosen != &hd_engine_updn && choices.is_irregular &&
	    (uint64_t)fabric->top_lid * fabric->n_ports < COMPARED)
		ret = compare(fabric, request, &hd_engine_any, &best, &chosen, err);
	if (ret) {
		clear_trial(&best);
		return ret;
	}
	*tables = best.tables;
	*structure = best.structure;
	if (request->chosen)
		*request->chosen = chosen;
	return 0;
}
