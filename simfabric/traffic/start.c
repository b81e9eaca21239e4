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

static int find_hosts(struct hd_haul *haul, struct hd_error *err)
{
	const struct hd_fabric *fabric = haul->emulator->fabric;

	hd_haul_forget_tallies(haul);
	free(haul->hosts);
	free(haul->host_ports);
	haul->n_hosts = 0;
	haul->hosts = calloc(fabric->n_ports + (size_t)1, sizeof(*haul->hosts));
	haul->host_ports = malloc((fabric->n_ports + (size_t)1) * sizeof(*haul->host_ports));
	if (!haul->hosts || !haul->host_ports)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric) {
		if (hd_is_switch(fabric, fabric->ports[p].node) || fabric->ports[p].peer == HD_NONE)
			continue;
		haul->hosts[haul->n_hosts].port = p;
		haul->hosts[haul->n_hosts].preferred = HD_HAUL_ANY;
		haul->hosts[haul->n_hosts].ordered = HD_HAUL_ANY;
		haul->host_ports[haul->n_hosts++] = p;
	}
	return haul->n_hosts > 1 ? 0 : hd_error_set(err, HD_EINVAL, "the fabric has no two hosts");
}

/* Sets rates of links where the user gave none; matchings are as in `heddle sim`. */
static void set_rates(struct hd_haul *haul)
{
	const struct hd_scenario *scenario = haul->options.scenario;
	struct hd_setup *setup = &haul->options.setup;
	uint32_t fastest = UINT32_MAX;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		haul->unit_ticks[i] = setup->model.links[i].unit_ticks;
	if (scenario->keys[HD_LINK_BANDWIDTH].is_set)
		return;
	hd_haul_unit_ticks(haul->emulator, haul->structure.port_class, haul->unit_ticks);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (haul->unit_ticks[i] < fastest)
			fastest = haul->unit_ticks[i];
	if (hd_scenario_quantity(scenario, 0, HD_SWITCH_CYCLE)->is_empty)
		setup->model.cycle = fastest;
}

static int make_traffic(struct hd_haul *haul, struct hd_error *err)
{
	const struct hd_traffic_setting setting = {
		.fabric = haul->emulator->fabric,
		.n_hosts = haul->n_hosts,
		.host_ports = haul->host_ports,
		.structure = &haul->structure,
		.unit_ticks = haul->unit_ticks[HD_LINK_TERMINAL],
		.seed = haul->options.seed,
		.file_max = HD_TEXT_FILE_MAX,
	};

	return hd_traffic_new(&setting, haul->options.setup.phases, haul->options.setup.n_phases,
			      &haul->traffic, err);
}

/*
 * Reads path SLs from a regular file, since a server is not to wait for others, with a line for each pair of a
 * port's and any LID at most.
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
static int read_sls(struct hd_haul *haul, struct hd_error *err)
{
	const char *given = haul->options.path_sls;
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
	ret = hd_haul_view_new(haul->emulator, &haul->sls, err);
	if (!ret)
		ret = read_sl_file(haul->sls->tables, path, err);
	free(path);
	return ret;
}

int hd_haul_start(struct hd_haul *haul, struct hd_haul_options *options, struct hd_error *err)
{
	int ret;

	if (hd_haul_is_on(haul->state)) {
		hd_haul_options_clear(options);
		return hd_error_set(err, HD_EINVAL, "there is traffic already");
	}
	hd_haul_options_clear(&haul->options);
	haul->options = *options;
	*options = (struct hd_haul_options){ 0 };
	haul->before = (struct hd_haul_status){ 0 };
	haul->base = haul->now = 0;
	haul->n_slices = 0;
	haul->trouble[0] = '\0';
	haul->started = haul->emulator->until;
	haul->next_look = 0;
	ret = find_hosts(haul, err);
	if (!ret)
		ret = hd_structure_find_groups(&haul->structure, haul->emulator->fabric, err);
	if (!ret) {
		set_rates(haul);
		haul->step = haul->unit_ticks[HD_LINK_TERMINAL];
		ret = make_traffic(haul, err);
	}
	if (!ret)
		ret = hd_haul_begin_tallies(haul, err);
	if (!ret)
		ret = read_sls(haul, err);
	if (!ret)
		ret = hd_haul_make_model(haul, err);
	if (!ret && !hd_haul_arm(haul))
		ret = hd_error_nomem(err);
	if (ret) {
		hd_haul_end(haul);
		hd_haul_options_clear(&haul->options);
		haul->state = HD_HAUL_NONE;
		return ret;
	}
	haul->state = HD_HAUL_RUNNING;
	return 0;
}
