// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* GOAL schedules as a traffic pattern. docs/traffic.md explains them. */
#include "sim/traffic/goal_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "sim/traffic/placement.h"
#include "support/error.h"
#include "support/text.h"

#define TICKS_OF_NANOSECOND 1000

void hd_goal_pattern_free(void *data)
{
	struct hd_goal_run *run = data;

	hd_goal_run_free(run);
	free(run);
}

uint32_t hd_goal_pattern_class_of(const void *data, uint32_t host)
{
	return ((const struct hd_goal_run *)data)->has_rank[host] ? 0 : HD_NONE;
}

/* Ranks do not send by the phase's load. */
double hd_goal_pattern_load(const void *data, uint32_t class, double load)
{
	(void)data;
	(void)class;
	(void)load;
	return 0;
}

bool hd_has_suffix(const char *file, const char *suffix)
{
	static const char *const packed[] = { ".gz", ".xz", ".zst" };
	size_t length = strlen(file), end = strlen(suffix);

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (length > strlen(packed[i]) &&
		    strcmp(file + length - strlen(packed[i]), packed[i]) == 0) {
			length -= strlen(packed[i]);
			break;
		}
	return length > end && memcmp(file + length - end, suffix, end) == 0;
}

int hd_goal_read_file(const char *file, uint32_t most, struct hd_goal *goal, struct hd_error *err)
{
	struct hd_text text = { 0 };
	int ret = hd_text_read_most(file, HD_GOAL_FILE_MAX, &text, err);

	*goal = (struct hd_goal){ 0 };
	if (!ret)
		ret = (hd_goal_is_binary(text.data, text.size)
			       ? hd_goal_parse_binary
			       : hd_goal_parse_text)(file, text.data, text.size, most, goal, err);
	hd_text_free(&text);
	return ret;
}

/* The options that say how the schedule runs. */
static int read_options(const struct hd_pattern_setup *setup, struct hd_goal_run *run,
			struct hd_error *err)
{
	const uint32_t cycle = setup->setting->cycle_ticks;
	uint64_t unit = 0;
	int ret = 0;

	run->tick = cycle ? cycle : TICKS_OF_NANOSECOND;
	ret = hd_params_number(setup->params, "unit", 1, UINT32_MAX, &unit, err);
	run->unit = (uint32_t)unit;
	if (!ret)
		ret = hd_loggop_read(setup->setting->host_model, run->tick,
				     (double)setup->setting->unit_ticks / (double)run->unit,
				     &run->loggop, err);
	if (!ret && hd_params_is_set(setup->params, "ticks"))
		ret = hd_params_number(setup->params, "ticks", 1, UINT32_MAX, &run->tick, err);
	run->packet = setup->size;
	run->in_turn = setup->setting->interleaves;
	run->n_hosts = setup->setting->n_hosts;
	return ret;
}

static int place(const struct hd_pattern_setup *setup, const struct hd_placement *placement,
		 struct hd_goal_run *run, struct hd_error *err)
{
	const uint32_t n = run->goal.n_ranks, tasks = placement->tasks;
	const uint32_t hosts = (n + tasks - 1) / tasks;
	uint32_t *list = hd_placement_list(placement, hosts, setup->random);

	run->n_instances = placement->instances;
	run->n_ranks = n * run->n_instances;
	run->host_of = malloc(run->n_ranks * sizeof(*run->host_of));
	run->has_rank = calloc(run->n_hosts, sizeof(*run->has_rank));
	if (!list || !run->host_of || !run->has_rank) {
		free(list);
		return hd_error_nomem(err);
	}
	for (uint32_t i = 0; i < run->n_ranks; i++) {
		run->host_of[i] = list[i / n * hosts + i % n / tasks];
		run->has_rank[run->host_of[i]] = true;
	}
	free(list);
	return 0;
}

int hd_goal_pattern_init(const struct hd_pattern_setup *setup, hd_goal_read read, void **data,
			 struct hd_error *err)
{
	const char *file = hd_params_get(setup->params, "file");
	struct hd_goal_run *run = calloc(1, sizeof(*run));
	struct hd_placement placement;
	int ret;

	if (!run)
		return hd_error_nomem(err);
	*data = run;
	if (!file)
		return hd_error_set(err, HD_EINVAL, "option 'file' must be given");
	run->file = strdup(file);
	if (!run->file)
		return hd_error_nomem(err);
	ret = read_options(setup, run, err);
	if (ret)
		return ret;
	ret = hd_placement_read(setup, &placement, err);
	if (!ret)
		ret = read(setup, file, placement.n_usable / placement.instances * placement.tasks,
			   &run->goal, err);
	if (!ret)
		ret = place(setup, &placement, run, err);
	hd_placement_clear(&placement);
	return ret ? ret : hd_goal_run_make(run, err);
}

static int read_schedule(const struct hd_pattern_setup *setup, const char *name, uint32_t most,
			 struct hd_goal *goal, struct hd_error *err)
{
	(void)setup;
	return hd_goal_read_file(name, most, goal, err);
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	return hd_goal_pattern_init(setup, read_schedule, data, err);
}

static const struct hd_option options[] = {
	{ "file", NULL, "", "a GOAL schedule, text or LogGOPSim's binary form" },
	{ "ticks", NULL, "ticks",
	  "length of the schedule's unit of time; default: a nanosecond, or a cycle" },
	{ "unit", "64", "bytes", "how many bytes a unit has; messages round up" },
	HD_PLACEMENT_OPTIONS,
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_goal = {
	.policy = { .name = "goal",
		    .summary = "a GOAL schedule: ranks that send, receive and compute",
		    .reference =
			    "Hoefler, Siebert and Lumsdaine, Group operation assembly language "
			    "(2009)",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	HD_GOAL_PATTERN_HOOKS,
};
