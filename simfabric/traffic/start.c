// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Starts traffic: finds its hosts, rates and path SLs, and makes its first model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/traffic/carried_links.h"
#include "simfabric/traffic/carried_private.h"
#include "support/error.h"
#include "support/text.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"

/* Of a line of path-sl.dump, with room for comments. */
#define SL_LINE_MAX 64

static int find_hosts(struct hd_carried *carried, struct hd_error *err)
{
	const struct hd_fabric *fabric = carried->emulator->fabric;

	hd_carried_forget_tallies(carried);
	free(carried->hosts);
	free(carried->host_ports);
	carried->n_hosts = 0;
	carried->hosts = calloc(fabric->n_ports + (size_t)1, sizeof(*carried->hosts));
	carried->host_ports = malloc((fabric->n_ports + (size_t)1) * sizeof(*carried->host_ports));
	if (!carried->hosts || !carried->host_ports)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric) {
		if (hd_is_switch(fabric, fabric->ports[p].node) || fabric->ports[p].peer == HD_NONE)
			continue;
		carried->hosts[carried->n_hosts].port = p;
		carried->hosts[carried->n_hosts].preferred = HD_CARRIED_ANY;
		carried->hosts[carried->n_hosts].ordered = HD_CARRIED_ANY;
		carried->host_ports[carried->n_hosts++] = p;
	}
	return carried->n_hosts > 1 ? 0
				    : hd_error_set(err, HD_EINVAL, "the fabric has no two hosts");
}

/* Sets rates of links where the user gave none; matchings are as in `heddle sim`. */
static void set_rates(struct hd_carried *carried)
{
	const struct hd_scenario *scenario = carried->options.scenario;
	struct hd_setup *setup = &carried->options.setup;
	uint32_t fastest = UINT32_MAX;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		carried->unit_ticks[i] = setup->model.links[i].unit_ticks;
	if (scenario->keys[HD_LINK_BANDWIDTH].is_set)
		return;
	hd_carried_unit_ticks(carried->emulator, carried->structure.port_class,
			      carried->unit_ticks);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (carried->unit_ticks[i] < fastest)
			fastest = carried->unit_ticks[i];
	if (hd_scenario_quantity(scenario, 0, HD_SWITCH_CYCLE)->is_empty)
		setup->model.cycle = fastest;
}

static int make_traffic(struct hd_carried *carried, struct hd_error *err)
{
	const struct hd_traffic_setting setting = {
		.fabric = carried->emulator->fabric,
		.n_hosts = carried->n_hosts,
		.host_ports = carried->host_ports,
		.structure = &carried->structure,
		.unit_ticks = carried->unit_ticks[HD_LINK_TERMINAL],
		.seed = carried->options.seed,
		.file_max = HD_TEXT_FILE_MAX,
	};

	return hd_traffic_new(&setting, carried->options.setup.phases,
			      carried->options.setup.n_phases, &carried->traffic, err);
}

/*
 * Reads path SLs from a regular file, since a server is not to wait for others, with a line for
 * each pair of a port's and any LID at most.
 */
static int read_sl_file(struct hd_tables *tables, const char *path, struct hd_error *err)
{
	size_t most = ((size_t)tables->fabric->n_ports + 1) * tables->lft_stride * SL_LINE_MAX;
	struct hd_text text;
	int ret = hd_text_read_file(path, most < HD_TEXT_MAX ? most : HD_TEXT_MAX, &text, err);

	if (!ret)
		ret = hd_dump_path_sl.parse(tables, path, text.data, text.size, err);
	hd_text_free(&text);
	return ret;
}

/* Reads path SLs from their file; they must fit the current LIDs. */
static int read_sls(struct hd_carried *carried, struct hd_error *err)
{
	const char *given = carried->options.path_sls;
	char *path;
	int ret;

	if (!given)
		return 0;
	if (hd_snapshot_is_directory(given)) {
		if (asprintf(&path, "%s/%s", given, hd_dump_path_sl.file) < 0)
			return hd_error_nomem(err);
	} else {
		path = strdup(given);
		if (!path)
			return hd_error_nomem(err);
	}
	ret = hd_carried_view_new(carried->emulator, &carried->sls, err);
	if (!ret)
		ret = read_sl_file(carried->sls->tables, path, err);
	free(path);
	return ret;
}

int hd_carried_start(struct hd_carried *carried, struct hd_carried_options *options,
		     struct hd_error *err)
{
	int ret;

	if (hd_carried_is_on(carried->state)) {
		hd_carried_options_clear(options);
		return hd_error_set(err, HD_EINVAL, "there is traffic already");
	}
	hd_carried_options_clear(&carried->options);
	carried->options = *options;
	*options = (struct hd_carried_options){ 0 };
	carried->before = (struct hd_carried_status){ 0 };
	carried->base = carried->now = 0;
	carried->n_slices = 0;
	carried->trouble[0] = '\0';
	carried->started = carried->emulator->until;
	carried->next_look = 0;
	ret = find_hosts(carried, err);
	if (!ret)
		ret = hd_structure_find_groups(&carried->structure, carried->emulator->fabric, err);
	if (!ret) {
		set_rates(carried);
		carried->step = carried->unit_ticks[HD_LINK_TERMINAL];
		ret = make_traffic(carried, err);
	}
	if (!ret)
		ret = hd_carried_begin_tallies(carried, err);
	if (!ret)
		ret = read_sls(carried, err);
	if (!ret)
		ret = hd_carried_make_model(carried, err);
	if (!ret && !hd_carried_arm(carried))
		ret = hd_error_nomem(err);
	if (ret) {
		hd_carried_end(carried);
		hd_carried_options_clear(&carried->options);
		carried->state = HD_CARRIED_NONE;
		return ret;
	}
	carried->state = HD_CARRIED_RUNNING;
	return 0;
}
