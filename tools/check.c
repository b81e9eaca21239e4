// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle check: proves a snapshot. */
#include <stdio.h>

#include "check/check.h"
#include "support/error.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/verdict.h"

enum {
	KEY_ALL_SLS = HD_KEY_OWN,
	KEY_REVERSED_SL,
	KEY_MAX_VLS,
	KEY_FABRIC,
	KEY_JSON,
};

struct arguments {
	struct hd_common common;
	const char *snapshot;
	const char *netfile;
	struct hd_check_options options;
	bool json;
};

static const struct argp_option options[] = {
	{ "all-sls", KEY_ALL_SLS, NULL, 0, "Let every flow use any of the 16 SLs", 0 },
	{ "reversed-sl", KEY_REVERSED_SL, NULL, 0,
	  "Let a flow use the SL of the opposite direction too", 0 },
	{ "max-vls", KEY_MAX_VLS, "N", 0, "Take data VLs from N on for dropped (1-15)", 0 },
	{ "fabric", KEY_FABRIC, "NETFILE", 0,
	  "The fabric, for a dump directory of OpenSM (default fabric.net in SNAPSHOT)", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print the verdict in JSON", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	uint64_t number = 0;
	error_t ret;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_ALL_SLS:
		arguments->options.all_sls = true;
		return 0;
	case KEY_REVERSED_SL:
		arguments->options.reversed_sl = true;
		return 0;
	case KEY_MAX_VLS:
		ret = hd_usage_number(state, "--max-vls", arg, 1, HD_MAX_VLS, &number);
		arguments->options.max_vls = (unsigned)number;
		return ret;
	case KEY_FABRIC:
		arguments->netfile = arg;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			return hd_usage_error(state, "one SNAPSHOT, not also '%s'", arg);
		arguments->snapshot = arg;
		return 0;
	case ARGP_KEY_END:
		return arguments->snapshot ? 0 : hd_usage_error(state, "no SNAPSHOT given");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SNAPSHOT",
	.doc = "Proves SNAPSHOT: every LID reachable from every end port, no loop, no packet "
	       "dropped, "
	       "no credit loop among unicast, switch LIDs and multicast. Exit status: 0 sound, "
	       "1 unsound, 2 unusable input."
	       "\v"
	       "Example:\n"
	       "  heddle check --all-sls snapshot",
	.children = children,
};

static int print_text(const struct hd_check_result *result, const struct hd_fabric *fabric,
		      struct hd_error *err)
{
	hd_report_field("reachable", "%s", result->reachable ? "yes" : "no");
	hd_verdict_print_resources(result);
	return hd_verdict_print(result, fabric, err);
}

static int prove(const struct arguments *arguments, const struct hd_snapshot *snapshot,
		 int *verdict, struct hd_error *err)
{
	struct hd_check_result result;
	struct hd_progress progress;
	double seconds;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "proving");
	ret = hd_check(snapshot->tables, &arguments->options, &result, err);
	seconds = hd_progress_end(&progress);
	if (ret)
		return ret;
	hd_note_verbose(&arguments->common, "checked in %.3f s", seconds);
	if (arguments->json) {
		json_t *root = hd_json_begin();

		hd_verdict_json(&result, snapshot->fabric, root);
		hd_json_print(root);
	} else {
		ret = print_text(&result, snapshot->fabric, err);
	}
	*verdict = result.failure == HD_CHECK_SOUND ? HD_EXIT_YES : HD_EXIT_NO;
	hd_check_clear(&result);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct hd_snapshot *snapshot;
	int verdict = HD_EXIT_NO;
	struct hd_error err;
	int ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	ret = hd_input_snapshot(arguments.snapshot, arguments.netfile, &arguments.common, &snapshot,
				&err);
	if (!ret)
		ret = prove(&arguments, snapshot, &verdict, &err);
	hd_snapshot_free(snapshot);
	return ret ? hd_command_fail(&err) : verdict;
}

const struct hd_command hd_command_check = {
	.name = "check",
	.summary = "prove a snapshot reachable and free of credit loops",
	.run = run,
};
