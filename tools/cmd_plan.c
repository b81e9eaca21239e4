// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle plan: what of a fabric is cabled otherwise than planned, and how to mend it. */
#include "tools/cmd_plan.h"

#include <stdlib.h>
#include <string.h>

#include "plan/infer.h"
#include "plan/match.h"
#include "support/error.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/progress.h"

enum {
	KEY_JSON = HD_KEY_OWN,
	KEY_INFERRED,
	KEY_LOAD,
};

struct arguments {
	struct hd_common common;
	const char *names[2]; /* PLAN, NOW; NOW alone if the plan is inferred */
	bool json, inferred, load;
};

static const struct argp_option options[] = {
	{ "inferred", KEY_INFERRED, NULL, 0,
	  "Instead of PLAN, take the perfect topology that is nearest to NOW", 0 },
	{ "load", KEY_LOAD, NULL, 0,
	  "Route the fabric as it is, with the moves of each of the first 10 findings, and with "
	  "all moves; print the flows of the busiest link",
	  0 },
	{ "json", KEY_JSON, NULL, 0, "Print in JSON", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "PLAN", "NOW", NULL };
	static const char *const inferred_names[] = { "NOW", NULL };
	struct arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case KEY_LOAD:
		arguments->load = true;
		return 0;
	case KEY_INFERRED:
		arguments->inferred = true;
		return 0;
	case ARGP_KEY_ARG:
		return hd_usage_arguments(state, key, names, 2, arg, arguments->names);
	case ARGP_KEY_END:
		/* the option may stand behind the arguments */
		if (arguments->inferred && arguments->names[1])
			return hd_usage_error(state, "--inferred takes NOW alone");
		status =
			hd_usage_arguments(state, key, arguments->inferred ? inferred_names : names,
					   arguments->inferred ? 1 : 2, arg, arguments->names);
		if (status || arguments->inferred)
			return status;
		if (strcmp(arguments->names[0], "-") == 0 && strcmp(arguments->names[1], "-") == 0)
			return hd_usage_error(state, "PLAN and NOW both want standard input");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "PLAN NOW\n--inferred NOW",
	.doc = "Compares the cables of the fabric NOW with PLAN: a netfile, a topology file "
	       "(.topo), a generator spec, UFM's NDT, or CSV of lines \"switch,port,switch,port\". "
	       "Prints cables that are missing, extra, swapped, moved, slow and narrow, and the "
	       "shortest list of moves that mends them. Nodes are matched by name, GUID and "
	       "structure. Exit status: 0 the same, 1 different, 2 unusable input.\v"
	       "Example:\n"
	       "  heddle plan cluster.topo now.net",
	.children = children,
};

static int infer(const struct arguments *arguments, struct hd_comparison *comparison,
		 struct hd_error *err)
{
	int ret = hd_input_fabric(arguments->names[0], &arguments->common, &comparison->now, err);

	comparison->now_name = arguments->names[0];
	return ret ? ret
		   : hd_cable_plan_infer(comparison->now, &comparison->plan, comparison->shape,
					 sizeof(comparison->shape), err);
}

static int open_both(const struct arguments *arguments, struct hd_comparison *comparison,
		     struct hd_error *err)
{
	int ret = hd_input_plan(arguments->names[0], &arguments->common, &comparison->plan, err);

	comparison->plan_name = arguments->names[0];
	comparison->now_name = arguments->names[1];
	return ret ? ret
		   : hd_input_fabric(arguments->names[1], &arguments->common, &comparison->now,
				     err);
}

static int compare(const struct arguments *arguments, struct hd_comparison *comparison,
		   struct hd_error *err)
{
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "comparing");
	ret = arguments->inferred ? 0
				  : hd_cable_plan_match(comparison->plan, comparison->now,
							&comparison->match, err);
	if (!ret)
		ret = hd_differ(comparison->plan, arguments->inferred ? NULL : &comparison->match,
				comparison->now, &comparison->differences, err);
	if (!ret && hd_free_ports_find(comparison->plan, comparison->now, &comparison->differences,
				       &comparison->ports))
		ret = hd_error_nomem(err);
	hd_progress_end(&progress);
	return ret;
}

static int find_loads(const struct arguments *arguments, struct hd_comparison *comparison,
		      struct hd_error *err)
{
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "routing");
	ret = hd_loads_after_moves_find(comparison->plan, comparison->now, &comparison->differences,
					&comparison->loads, err);
	hd_progress_end(&progress);
	return ret;
}

static int run(int argc, char **argv)
{
	struct hd_comparison comparison = { 0 };
	struct arguments arguments = { 0 };
	struct hd_error err;
	int ret, status;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	ret = arguments.inferred ? infer(&arguments, &comparison, &err)
				 : open_both(&arguments, &comparison, &err);
	if (!ret)
		ret = compare(&arguments, &comparison, &err);
	if (!ret && arguments.load)
		ret = find_loads(&arguments, &comparison, &err);
	if (!ret && arguments.json)
		hd_plan_json(&comparison);
	else if (!ret)
		hd_plan_print(&comparison);
	status = comparison.differences.n_findings || (comparison.plan && comparison.plan->n_absent)
			 ? HD_EXIT_NO
			 : HD_EXIT_YES;
	hd_free_ports_clear(&comparison.ports);
	hd_differences_clear(&comparison.differences);
	hd_plan_match_clear(&comparison.match);
	hd_cable_plan_free(comparison.plan);
	hd_fabric_free(comparison.now);
	return ret ? hd_command_fail(&err) : status;
}

const struct hd_command hd_command_plan = {
	.name = "plan",
	.summary = "compare the cables of a fabric with a plan; how to mend them",
	.run = run,
};
