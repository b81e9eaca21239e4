// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * heddle convert: a snapshot's dumps packed for heddle, or plain for other programs; traces as GOAL
 * schedules, and back.
 */
#include <stdio.h>

#include "support/error.h"
#include "tables/snapshot.h"
#include "tools/command.h"
#include "tools/convert_goal.h"
#include "tools/open_input.h"
#include "tools/report.h"

enum {
	KEY_FABRIC = HD_KEY_OWN,
	KEY_OPENSM,
};

struct arguments {
	struct hd_common common;
	const char *directories[2]; /* the second NULL: that of the first */
	const char *fabric;
	bool opensm;
};

static const struct argp_option options[] = {
	{ "opensm", KEY_OPENSM, NULL, 0,
	  "Write the plain text that OpenSM, infiniband-diags and ibdmchk read", 0 },
	{ "fabric", KEY_FABRIC, "NETFILE", 0, "The fabric, if SNAPSHOT has no fabric.net", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "SNAPSHOT", "NEW", NULL };
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_OPENSM:
		arguments->opensm = true;
		return 0;
	case KEY_FABRIC:
		arguments->fabric = arg;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		return hd_usage_arguments(state, key, names, 1, arg, arguments->directories);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SNAPSHOT [NEW]",
	.doc = "Packs the dumps of SNAPSHOT, or writes them as other programs read them. The "
	       "result "
	       "is the snapshot NEW, or SNAPSHOT itself. If NEW ends with .goal, .bin or .trace, "
	       "SNAPSHOT is a trace or a GOAL schedule, and NEW the schedule as text, in "
	       "LogGOPSim's binary form, or as a trace."
	       "\v"
	       "Examples:\n"
	       "  heddle convert tables plain --opensm\n"
	       "  heddle convert my.trace my.goal",
	.children = children,
};

static int convert(struct arguments *arguments, struct hd_error *err)
{
	const char *from = arguments->directories[0], *to = arguments->directories[1];
	struct hd_snapshot *snapshot;
	int ret;

	if (to && hd_convert_is_goal(to)) {
		ret = hd_convert_goal(from, to, err);
		if (!ret)
			hd_report_field("written", "%s", to);
		return ret;
	}
	/* what is passed over would be lost */
	if (!to)
		arguments->common.strict = true;
	ret = hd_input_snapshot(from, arguments->fabric, &arguments->common, &snapshot, err);
	if (ret)
		return ret;
	ret = hd_snapshot_write_as(to ? to : from, snapshot->tables, &snapshot->provenance,
				   arguments->opensm ? HD_PACK_NONE : HD_PACK_DUMPS, err);
	if (!ret)
		hd_report_field("written", "%s, %s", to ? to : from,
				arguments->opensm ? "plain" : "packed");
	hd_snapshot_free(snapshot);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct hd_error err;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	return convert(&arguments, &err) ? hd_command_fail(&err) : HD_EXIT_YES;
}

const struct hd_command hd_command_convert = {
	.name = "convert",
	.summary = "pack the dumps of a snapshot, or unpack them; convert traces",
	.run = run,
};
