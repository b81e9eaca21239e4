// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Models of the tables of a moment, one after the other: what they count goes into one status. */
#include "simfabric/traffic/carried_private.h"

struct hd_model_census hd_carried_census(const struct hd_carried *carried)
{
	return carried->model ? hd_model_census(carried->model) : (struct hd_model_census){ 0 };
}

struct hd_model_circling hd_carried_circling(const struct hd_carried *carried)
{
	return carried->model ? hd_model_circling(carried->model) : (struct hd_model_circling){ 0 };
}

void hd_carried_forget_model(struct hd_carried *carried)
{
	struct hd_model_census census = hd_carried_census(carried);
	struct hd_model_circling circling = hd_carried_circling(carried);
	struct hd_carried_status *before = &carried->before;

	if (carried->model)
		hd_carried_counters_add(carried->counters, carried->model);
	before->generated += census.generated;
	before->delivered += census.delivered;
	before->dropped += census.dropped;
	before->unsent += carried->n_unsent;
	before->broken += carried->n_broken;
	before->looped += circling.packets;
	before->circled += circling.lost;
	before->lost += census.queued + census.under_way;
	before->simulated = carried->base + carried->now;
	carried->n_unsent = carried->n_broken = 0;
	hd_model_free(carried->model);
	hd_carried_forget_choice(carried);
	hd_carried_counters_free(carried->counters);
	hd_carried_view_free(carried->view);
	carried->model = NULL;
	carried->counters = NULL;
	carried->view = NULL;
}

int hd_carried_make_view(struct hd_carried *carried, struct hd_carried_view **view,
			 struct hd_error *err)
{
	int ret = hd_carried_view_new(carried->emulator, view, err);

	if (ret)
		return ret;
	if (!carried->sls)
		hd_carried_view_set_sl(*view, carried->options.sl);
	else
		ret = hd_carried_view_copy_sls(*view, carried->sls, err);
	if (!ret)
		ret = hd_carried_view_wire(*view, carried->emulator, err);
	if (!ret)
		ret = hd_carried_view_take_sets(*view, carried->emulator, 1, err);
	if (ret) {
		hd_carried_view_free(*view);
		*view = NULL;
	}
	return ret;
}

int hd_carried_make_model(struct hd_carried *carried, struct hd_error *err)
{
	const struct hd_model_user user = { .next = hd_carried_next,
					    .delivered = hd_carried_delivered,
					    .dropped = hd_carried_dropped,
					    .context = carried };
	struct hd_model_options options = carried->options.setup.model;
	int ret;

	options.port_class = carried->structure.port_class;
	options.count_waits = true;
	options.live = true;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options.links[i].unit_ticks = carried->unit_ticks[i];
	carried->base += carried->now;
	carried->now = 0;
	carried->is_paused = false;
	carried->changes = carried->emulator->changes;
	ret = hd_carried_make_view(carried, &carried->view, err);
	if (!ret)
		ret = hd_carried_counters_new(carried->emulator, carried->view, options.port_class,
					      carried->unit_ticks, &carried->counters, err);
	if (!ret)
		ret = hd_model_new(carried->view->tables, &options, &user, &carried->model, err);
	if (!ret)
		ret = hd_carried_meet_hosts(carried, err);
	if (!ret)
		ret = hd_carried_choose(carried, err);
	if (ret)
		return ret;
	hd_for_each_port(p, &carried->view->fabric)
		hd_model_set_link(carried->model, p, carried->view->active[p]);
	hd_carried_see_hosts(carried, carried->view);
	hd_carried_follow_agents(carried, true);
	carried->before.tables++;
	return 0;
}
