// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every group is made into a fabric of its own - with the same port numbers, and LIDs by position -
 * that other engines route.
 */
#include "engines/group_paths.h"

#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"
#include "fabric/builder.h"
#include "support/error.h"
#include "tables/tables.h"

static int add_switches(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
			uint32_t group, struct hd_builder *builder, struct hd_error *err)
{
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++) {
		const struct hd_node *node = &fabric->nodes[d->switches[i]];
		struct hd_node_spec spec = {
			.type = HD_SWITCH,
			.guid = node->guid,
			.n_ports = node->n_ports,
			.name = hd_node_name(fabric, d->switches[i]),
		};
		uint32_t id;
		int ret = hd_builder_add(builder, &spec, &id, err);

		if (ret)
			return ret;
		hd_builder_port(builder, id, 0)->lid = (uint16_t)(id + 1);
	}
	return 0;
}

static int link_switches(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
			 uint32_t group, struct hd_builder *builder, struct hd_error *err)
{
	for (uint32_t i = d->first[group]; i < d->first[group + 1]; i++) {
		uint32_t s = d->switches[i];

		hd_for_each_number(number, fabric, s) {
			uint32_t at = hd_port_index(fabric, s, number);
			const struct hd_port *peer;
			int ret;

			if (d->port_class[at] != HD_PORT_LOCAL)
				continue;
			peer = &fabric->ports[fabric->ports[at].peer];
			ret = hd_builder_link(builder, d->position[s], number,
					      d->position[peer->node], peer->number, err);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/*
 * Makes a fabric of one group. Positions ascend by GUID, as the switches of a fabric do: they are
 * its indices.
 */
static int extract(const struct hd_fabric *fabric, const struct hd_dragonfly *d, uint32_t group,
		   struct hd_fabric **result, struct hd_error *err)
{
	struct hd_builder *builder = hd_builder_new();
	int ret;

	if (!builder)
		return hd_error_nomem(err);
	ret = add_switches(fabric, d, group, builder, err);
	if (!ret)
		ret = link_switches(fabric, d, group, builder, err);
	if (ret) {
		hd_builder_free(builder);
		return ret;
	}
	return hd_builder_finish(builder, result, err);
}

/* Whether dimension order makes no cycle with one layer, and no link is missing. */
static bool is_straight(const struct hd_structure *structure)
{
	const struct hd_grid *grid = structure->grid;

	if (!grid || structure->is_degraded || grid->n_missing_links || grid->n_missing_switches)
		return false;
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (grid->kind[d] == HD_GRID_RING && grid->size[d] > 3)
			return false;
	return true;
}

static int run(const struct hd_engine *engine, const struct hd_fabric *fabric,
	       struct hd_routes *routes, struct hd_error *err)
{
	struct hd_params *params = hd_params_new(engine->policy.options);
	struct hd_route_request request = { .params = params };
	int ret = params ? hd_tables_new(fabric, &routes->tables, err) : hd_error_nomem(err);

	if (!ret)
		ret = engine->route(fabric, &request, routes, err);
	hd_params_free(params);
	return ret;
}

static void clear(struct hd_routes *routes)
{
	hd_tables_free(routes->tables);
	hd_structure_clear(&routes->structure);
	*routes = (struct hd_routes){ 0 };
}

/* Copies the routes of one group into @local, from its first switch on. */
static int copy_routes(const struct hd_tables *tables, const struct hd_dragonfly *d, uint32_t group,
		       uint8_t *local, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(i, fabric) {
		uint8_t *row = local + (size_t)d->switches[d->first[group] + i] * d->a;

		hd_for_each_switch(to, fabric) {
			row[to] = i == to ? HD_NO_PATH : hd_lft(tables, i)[to + 1];
			if (i != to && row[to] == HD_NO_PATH)
				return hd_error_set(
					err, HD_EREFUSED,
					"group %u is in parts: no path between %.64s and %.64s in "
					"it",
					group, hd_node_name(fabric, i), hd_node_name(fabric, to));
		}
	}
	return 0;
}

static int route_group(const struct hd_fabric *fabric, const struct hd_dragonfly *d, uint32_t group,
		       uint8_t *local, struct hd_error *err)
{
	struct hd_fabric *part;
	struct hd_routes routes = { 0 };
	int ret = extract(fabric, d, group, &part, err);

	if (ret)
		return ret;
	ret = run(&hd_engine_hdor, part, &routes, err);
	if (ret == HD_EREFUSED || (!ret && !is_straight(&routes.structure))) {
		clear(&routes);
		ret = run(&hd_engine_updn, part, &routes, err);
	}
	if (!ret)
		ret = copy_routes(routes.tables, d, group, local, err);
	clear(&routes);
	hd_fabric_free(part);
	return ret;
}

int hd_group_paths_find(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			uint8_t **result, struct hd_error *err)
{
	uint8_t *local;
	int ret = 0;

	*result = NULL;
	if (!dragonfly->n_missing_local)
		return 0;
	local = malloc((size_t)fabric->n_switches * dragonfly->a);
	if (!local)
		return hd_error_nomem(err);
	memset(local, HD_NO_PATH, (size_t)fabric->n_switches * dragonfly->a);
	for (uint32_t group = 0; group < dragonfly->n_groups && !ret; group++)
		ret = route_group(fabric, dragonfly, group, local, err);
	if (ret)
		free(local);
	else
		*result = local;
	return ret;
}
