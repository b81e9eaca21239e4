// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Calls what allocates, and frees it: all_calls DIRECTORY. Exit status: 0 all went well, 3 some
 * call was out of memory, 1 another failure.
 */
#include <stdio.h>
#include <stdlib.h>

#include "heddle/heddle.h"

struct all {
	struct heddle_fabric *fabric, *whole, *less, *made;
	struct heddle_tables *before, *after, *read;
	struct heddle_sim *sim;
	struct heddle_error error;
	char path[256];
};

static enum heddle_status fabrics(struct all *all)
{
	const struct heddle_new_node nodes[] = { { .type = HEDDLE_HOST },
						 { .type = HEDDLE_SWITCH } };
	const struct heddle_new_link link = { .node = 0, .peer = 1 };
	struct heddle_fail_request fail = HEDDLE_FAIL_REQUEST_INIT;
	struct heddle_shape shape = HEDDLE_SHAPE_INIT;
	const uint32_t cable = 3;
	enum heddle_status status;

	fail.links = &cable;
	fail.n_links = 1;
	status = heddle_fabric_open("dragonfly:a=3,p=1,h=1", NULL, &all->fabric, &all->error);
	if (!status)
		status = heddle_fabric_make(nodes, 2, &link, 1, &all->made, &all->error);
	if (!status)
		status = heddle_shape_find(all->fabric, &shape, &all->error);
	if (!status)
		status = heddle_fabric_assign_lids(all->fabric, NULL, &all->whole, &all->error);
	if (!status)
		status = heddle_fabric_fail(all->whole, &fail, &all->less, &all->error);
	return status;
}

static enum heddle_status tables(struct all *all)
{
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	enum heddle_status status;

	request.engine = "dla";
	status = heddle_route(all->whole, &request, &all->before, &all->error);
	request.previous = all->before;
	if (!status)
		status = heddle_route(all->less, &request, &all->after, &all->error);
	if (!status)
		status = heddle_tables_write(all->before, all->path, &all->error);
	if (!status)
		status = heddle_tables_open(all->path, NULL, &all->read, &all->error);
	return status;
}

static enum heddle_status questions(struct all *all)
{
	struct heddle_sim_request request = HEDDLE_SIM_REQUEST_INIT;
	struct heddle_hop hops[4];
	enum heddle_status status;
	size_t n;

	request.scenario = "[traffic]\nload = 0.1, 0.2\n[run]\nwarmup = 1us\nmeasure = 5us\n";
	request.tables = all->before;
	status = heddle_check(all->after, NULL, NULL, &all->error);
	if (!status)
		status = heddle_load(all->after, NULL, 0, NULL, &all->error);
	if (!status)
		status = heddle_path(all->before, 1, 2, HEDDLE_PATH_SL, hops, 4, &n, &all->error);
	if (!status)
		status = heddle_diff(all->before, all->read, NULL, &all->error);
	if (!status)
		status = heddle_change_plan(all->before, all->after, NULL, &all->error);
	if (!status)
		status = heddle_sim_run(&request, &all->sim, &all->error);
	return status;
}

int main(int argc, char **argv)
{
	struct all all = { .fabric = NULL };
	enum heddle_status status;

	snprintf(all.path, sizeof(all.path), "%s/tables", argc > 1 ? argv[1] : ".");
	status = fabrics(&all);
	if (!status)
		status = tables(&all);
	if (!status)
		status = questions(&all);
	if (status)
		printf("%s\n", all.error.text);
	heddle_fabric_free(all.fabric);
	heddle_fabric_free(all.whole);
	heddle_fabric_free(all.less);
	heddle_fabric_free(all.made);
	heddle_tables_free(all.before);
	heddle_tables_free(all.after);
	heddle_tables_free(all.read);
	heddle_sim_free(all.sim);
	return !status ? 0 : status == HEDDLE_NO_MEMORY ? 3 : 1;
}
