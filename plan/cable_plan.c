// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/cable_plan.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/names.h"
#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "fabric/topo_file.h"
#include "plan/read_csv.h"
#include "plan/read_topo.h"
#include "support/error.h"
#include "support/text.h"
#include "tables/open.h"
#include "tables/snapshot.h"

void hd_cable_plan_free(struct hd_cable_plan *plan)
{
	if (!plan)
		return;
	hd_fabric_free(plan->fabric);
	free(plan->cables);
	free(plan->group);
	free(plan->is_spine);
	free(plan->group_at);
	free(plan->n_global);
	free(plan);
}

int hd_cable_plan_of(struct hd_fabric *fabric, struct hd_cable_plan **result, struct hd_error *err)
{
	struct hd_cable_plan *plan = calloc(1, sizeof(*plan));

	*result = plan;
	if (plan)
		plan->cables = malloc((fabric->n_links + (size_t)1) * sizeof(*plan->cables));
	if (!plan || !plan->cables) {
		hd_fabric_free(fabric);
		hd_cable_plan_free(plan);
		*result = NULL;
		return hd_error_nomem(err);
	}
	plan->fabric = fabric;
	plan->has_names = true;
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p], *peer;

		if (port->peer == HD_NONE || port->peer < p)
			continue;
		peer = &fabric->ports[port->peer];
		plan->cables[plan->n_cables++] = (struct hd_cable){
			.node = { port->node, peer->node },
			.port = { port->number, peer->number },
			.width = port->width,
			.speed = port->speed,
		};
	}
	return 0;
}

/* All generated links are 4xHDR, which nobody planned. */
static void forget_rates(struct hd_cable_plan *plan)
{
	for (uint32_t i = 0; i < plan->n_cables; i++)
		plan->cables[i].width = plan->cables[i].speed = 0;
}

/* A topology file: by the types of its systems where these are known, or by its cables alone. */
static int read_topo(const char *what, const struct hd_text *text, struct hd_fabric **fabric,
		     struct hd_error *err)
{
	int ret = hd_topo_file_parse(what, text->data, text->size, fabric, err);

	if (ret != HD_ENOTFOUND)
		return ret;
	return hd_topo_cables_parse(what, text->data, text->size, fabric, err);
}

static int parse(const char *what, const struct hd_text *text, const struct hd_reading *how,
		 bool *is_list, struct hd_fabric **fabric, struct hd_error *err)
{
	bool is_text = !memchr(text->data, '\0', text->size);
	int ret;

	*is_list = true;
	if (is_text && hd_cable_csv_is(text->data, text->size))
		return hd_csv_parse(what, text->data, text->size, fabric, err);
	if (is_text && hd_topo_file_is(text->data, text->size))
		return read_topo(what, text, fabric, err);
	*is_list = false;
	ret = hd_netfile_parse(what, text->data, text->size, how, fabric, err);
	if (!ret && how && how->name_map)
		ret = hd_fabric_read_names(*fabric, how->name_map, how, err);
	return ret;
}

static int read_file(const char *what, const struct hd_reading *how, bool *is_list,
		     struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_text text;
	int ret = hd_text_read(what, &text, err);

	if (ret)
		return ret;
	ret = parse(strcmp(what, "-") == 0 ? "<stdin>" : what, &text, how, is_list, fabric, err);
	if (ret)
		hd_fabric_free(*fabric);
	hd_text_free(&text);
	return ret;
}

int hd_cable_plan_open(const char *what, const struct hd_reading *how, struct hd_cable_plan **plan,
		       struct hd_error *err)
{
	struct hd_fabric *fabric = NULL;
	bool spec = hd_fabric_is_spec(what), is_list = false;
	int ret;

	*plan = NULL;
	if (!*what || spec || hd_snapshot_is_directory(what))
		ret = hd_fabric_open(what, how, &fabric, err);
	else
		ret = read_file(what, how, &is_list, &fabric, err);
	if (!ret)
		ret = hd_cable_plan_of(fabric, plan, err);
	if (ret)
		return ret;
	(*plan)->has_guids = !is_list && !spec;
	(*plan)->has_names = !spec;
	if (spec)
		forget_rates(*plan);
	return 0;
}
