// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Models of the tables of a moment, one after the other: what they count goes into one status. */
#include "simfabric/traffic/carried_private.h"

struct hd_model_census hd_haul_census(const struct hd_haul *haul)
{
	return haul->model ? hd_model_census(haul->model) : (struct hd_model_census){ 0 };
}

struct hd_model_circling hd_haul_circling(const struct hd_haul *haul)
{
	return haul->model ? hd_model_circling(haul->model) : (struct hd_model_circling){ 0 };
}

void hd_haul_forget_model(struct hd_haul *haul)
{
	struct hd_model_census census = hd_haul_census(haul);
	struct hd_model_circling circling = hd_haul_circling(haul);
	struct hd_haul_status *before = &haul->before;

	if (haul->model)
		hd_haul_counters_add(haul->counters, haul->model);
	before->generated += census.generated;
	before->delivered += census.delivered;
	before->dropped += census.dropped;
	before->unsent += haul->n_unsent;
	before->broken += haul->n_broken;
	before->looped += circling.packets;
	before->circled += circling.lost;
	before->lost += census.queued + census.under_way;
	before->simulated = haul->base + haul->now;
	haul->n_unsent = haul->n_broken = 0;
	hd_model_free(haul->model);
	hd_haul_counters_free(haul->counters);
	hd_haul_view_free(haul->view);
	haul->model = NULL;
	haul->counters = NULL;
	haul->view = NULL;
}

int hd_haul_make_view(struct hd_haul *haul, struct hd_haul_view **view, struct hd_error *err)
{
	int ret = hd_haul_view_new(haul->emulator, view, err);

	if (ret)
		return ret;
	if (!haul->sls)
		hd_haul_view_set_sl(*view, haul->options.sl);
	else
		ret = hd_haul_view_copy_sls(*view, haul->sls, err);
	if (!ret)
		ret = hd_haul_view_wire(*view, haul->emulator, err);
	if (ret) {
		hd_haul_view_free(*view);
		*view = NULL;
	}
	return ret;
}

int hd_haul_make_model(struct hd_haul *haul, struct hd_error *err)
{
	const struct hd_model_user user = { .next = hd_haul_next,
					    .delivered = hd_haul_delivered,
					    .dropped = hd_haul_dropped,
					    .context = haul };
	struct hd_model_options options = haul->options.setup.model;
	int ret;

	options.port_class = haul->structure.port_class;
	options.count_waits = true;
	options.live = true;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options.links[i].unit_ticks = haul->unit_ticks[i];
	haul->base += haul->now;
	haul->now = 0;
	haul->is_paused = false;
	haul->changes = haul->emulator->changes;
	ret = hd_haul_make_view(haul, &haul->view, err);
	if (!ret)
		ret = hd_haul_counters_new(haul->emulator, haul->view, options.port_class,
					   haul->unit_ticks, &haul->counters, err);
	if (!ret)
		ret = hd_model_new(haul->view->tables, &options, &user, &haul->model, err);
	if (!ret)
		ret = hd_haul_meet_hosts(haul, err);
	if (ret)
		return ret;
	hd_for_each_port(p, &haul->view->fabric)
		hd_model_set_link(haul->model, p, haul->view->active[p]);
	hd_haul_see_hosts(haul, haul->view);
	hd_haul_follow_agents(haul, true);
	haul->before.tables++;
	return 0;
}
