// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle dump: a snapshot of a live fabric. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "tables/snapshot.h"
#include "tools/command.h"
#include "tools/live_arguments.h"
#include "tools/open_input.h"
#include "tools/progress.h"
#include "tools/report.h"

enum {
	KEY_PLAIN = HD_KEY_OWN_LIVE,
};

struct arguments {
	struct hd_common common;
	struct hd_live_arguments live;
	const char *output;
	bool plain;
};

static const struct argp_option options[] = {
	{ "output", 'o', "SNAPSHOT", 0, "The directory to write (required)", 0 },
	{ "plain", KEY_PLAIN, NULL, 0,
	  "Write all dumps of the snapshot as plain text, however long they are", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { NULL };
	struct arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		state->child_inputs[1] = &arguments->live;
		return 0;
	case 'o':
		arguments->output = arg;
		return 0;
	case KEY_PLAIN:
		arguments->plain = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_arguments(state, key, names, 0, arg, NULL);
		if (!status && key == ARGP_KEY_END && !arguments->output)
			return hd_usage_error(state, "no -o SNAPSHOT given");
		return status;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp },
					      { .argp = &hd_live_argp },
					      { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Reads the live fabric that this machine is on: its graph, the LFTs, SL2VL tables, "
	       "VL "
	       "arbitration and multicast tables that its nodes hold, and the path SLs that the "
	       "subnet "
	       "administration gives. Writes them as a snapshot. It changes nothing."
	       "\v"
	       "Example:\n"
	       "  heddle dump -o now && heddle check now && heddle diff planned now",
	.children = children,
};

static int read_fabric(const struct arguments *arguments, const struct hd_live_options *live,
		       struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "discovering");
	ret = hd_live_fabric(live, fabric, err);
	hd_note_verbose(&arguments->common, "discovered in %.3f s", hd_progress_end(&progress));
	if (!ret)
		ret = hd_input_name(*fabric, &arguments->common, err);
	return ret;
}

static int read_tables(const struct arguments *arguments, const struct hd_live_options *live,
		       const struct hd_fabric *fabric, struct hd_tables **tables,
		       struct hd_error *err)
{
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "reading tables");
	ret = hd_live_tables(live, fabric, tables, err);
	hd_note_verbose(&arguments->common, "read tables in %.3f s", hd_progress_end(&progress));
	return ret;
}

static int dump(const struct arguments *arguments, struct hd_error *err)
{
	const struct hd_live_options live = hd_live_options_of(&arguments->live);
	struct hd_provenance provenance = { .source = "a live fabric" };
	struct hd_fabric *fabric = NULL;
	struct hd_tables *tables = NULL;
	int ret = read_fabric(arguments, &live, &fabric, err);

	if (!ret)
		ret = read_tables(arguments, &live, fabric, &tables, err);
	if (!ret)
		ret = hd_snapshot_write_as(arguments->output, tables, &provenance,
					   arguments->plain ? HD_PACK_NONE : HD_PACK_LONG, err);
	if (!ret) {
		hd_report_field(
			"fabric", "%" PRIu32 " switches, %" PRIu32 " end nodes, LIDs to %" PRIu32,
			fabric->n_switches, fabric->n_nodes - fabric->n_switches, fabric->top_lid);
		if (tables->sl2vl_gap.n)
			hd_report_field("without SL2VL", "%" PRIu32 " end ports",
					tables->sl2vl_gap.n);
		hd_report_field("multicast", "%zu entries", tables->n_mft);
		hd_report_field("written", "%s", arguments->output);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct hd_error err;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	return dump(&arguments, &err) ? hd_command_fail(&err) : HD_EXIT_YES;
}

const struct hd_command hd_command_dump = {
	.name = "dump",
	.summary = "read the live fabric of this machine, write a snapshot",
	.run = run,
};
