// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle route: computes tables, proves them, writes a snapshot. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "engines/stable_lanes.h"
#include "support/error.h"
#include "tables/snapshot.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/route_options.h"
#include "tools/service.h"
#include "tools/verdict.h"

enum {
	KEY_FORCE = HD_KEY_OWN,
	KEY_JSON,
	KEY_PLAIN,
	KEY_PREVIOUS,
};

struct arguments {
	struct hd_common common;
	struct hd_routing_arguments routing;
	const char *output;
	const char *previous[1 + HD_MOST_OLDER]; /* the last one first */
	size_t n_previous;
	bool force;
	bool json;
	bool plain;
};

/* Everything between the command line and what is printed. */
struct work {
	struct hd_fabric *fabric;
	struct hd_params *params;
	struct hd_tables *tables;
	const struct hd_engine *engine;                  /* whose routes they are */
	const char *option;                              /* which engine heddle gave it, or NULL */
	struct hd_snapshot *previous[1 + HD_MOST_OLDER]; /* NULL: none was given */
	const struct hd_tables *older[HD_MOST_OLDER];
	struct hd_lanes_outcome kept;
	struct hd_check_result result;
	bool checked;
	bool written;
	double route_seconds, check_seconds;
};

static const struct argp_option options[] = {
	{ "output", 'o', "SNAPSHOT", 0, "Write a snapshot to this directory", 0 },
	{ "previous", KEY_PREVIOUS, "SNAPSHOT", 0,
	  "Keep the path SLs and SL2VL tables of this snapshot, which is older than a "
	  "change of the fabric, wherever they stay safe. Given again: an earlier "
	  "snapshot, with the path SLs of nodes that were away since",
	  0 },
	{ "force", KEY_FORCE, NULL, 0,
	  "Write the snapshot even if the tables are unsound (the exit status stays 1)", 0 },
	{ "plain", KEY_PLAIN, NULL, 0,
	  "Write all dumps of the snapshot as plain text, for OpenSM, however long they are", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print the result in JSON", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		state->child_inputs[1] = &arguments->routing;
		return 0;
	case 'o':
		arguments->output = arg;
		return 0;
	case KEY_PREVIOUS:
		if (arguments->n_previous > HD_MOST_OLDER)
			return hd_usage_error(state, "--previous: more than %d snapshots",
					      1 + HD_MOST_OLDER);
		arguments->previous[arguments->n_previous++] = arg;
		return 0;
	case KEY_FORCE:
		arguments->force = true;
		return 0;
	case KEY_PLAIN:
		arguments->plain = true;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp },
					      { .argp = &hd_routing_argp },
					      { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FABRIC",
	.doc = "Computes LFTs, SL2VL tables and path SLs for FABRIC, proves them, and writes them "
	       "as a "
	       "snapshot. Exit status: 0 sound, 1 unsound or refused by the engine, 2 unusable "
	       "input."
	       "\v"
	       "Examples:\n"
	       "  heddle route dragonfly:a=4,p=2,h=2 -e dla -q xordet:4 -o snapshot\n"
	       "  heddle route less.net -e hdor --previous whole -o less",
	.children = children,
};

static void tell(void *watcher, const char *line)
{
	const struct arguments *arguments = watcher;

	hd_note(&arguments->common, "%s", line);
}

/* Tables that fail the proof are for the next engine to do better. */
static int accept_tables(void *watcher, const struct hd_tables *tables, struct hd_error *err)
{
	const struct arguments *arguments = watcher;
	const struct hd_check_options check = { .max_vls = (unsigned)arguments->routing.max_vls };
	char summary[512];

	return hd_check_demand(tables, &check, summary, sizeof(summary), err);
}

/* The layer rule by which lanes were made. */
static const char *layers_of(const struct arguments *arguments, const struct work *work)
{
	return arguments->routing.layers ? arguments->routing.layers : work->engine->layer_rules[0];
}

static bool is_same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Whether the previous tables were made as these shall be; else lanes cannot stay. */
static int compare_provenance(const struct arguments *arguments, struct work *work,
			      struct hd_route_request *request, struct hd_error *err)
{
	const struct hd_routing_arguments *routing = &arguments->routing;
	const struct hd_provenance *was = &work->previous[0]->provenance;
	const struct hd_engine *engine = was->engine ? hd_engine_find(was->engine) : NULL;
	const bool is_same_engine =
		engine && (engine == routing->engine || routing->engine->choose);
	char *pairs = hd_routing_join_pairs(routing);

	if (!pairs)
		return hd_error_nomem(err);
	if (!was->engine)
		hd_note(&arguments->common,
			"%s does not say which engine made it: SLs and VLs are reassigned",
			arguments->previous[0]);
	else if (!is_same_engine || (!routing->engine->choose && !is_same(was->options, pairs)) ||
		 !is_same(was->queues, hd_routing_queues(routing)) ||
		 !is_same(was->layers, routing->layers ? routing->layers : engine->layer_rules[0]))
		hd_note(&arguments->common,
			"%s was made with engine %s, layers %s, queues %s%s%s: SLs and VLs are "
			"reassigned",
			arguments->previous[0], was->engine, was->layers ? was->layers : "?",
			was->queues ? was->queues : "?", was->options && *was->options ? ", " : "",
			was->options ? was->options : "");
	else
		request->previous_by = engine;
	free(pairs);
	return 0;
}

/* What was routed before the change. */
static int read_previous(const struct arguments *arguments, struct work *work,
			 struct hd_route_request *request, struct hd_error *err)
{
	const struct hd_reading how = { 0 };
	int ret = 0;

	if (!arguments->n_previous)
		return 0;
	for (size_t i = 0; !ret && i < arguments->n_previous; i++)
		ret = hd_snapshot_read(arguments->previous[i], NULL, &how, &work->previous[i], err);
	if (ret)
		return ret;
	request->previous = work->previous[0]->tables;
	for (size_t i = 1; i < arguments->n_previous; i++)
		work->older[i - 1] = work->previous[i]->tables;
	request->older = work->older;
	request->n_older = arguments->n_previous - 1;
	request->kept = &work->kept;
	return compare_provenance(arguments, work, request, err);
}

static int route(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	const struct hd_routing_arguments *routing = &arguments->routing;
	struct hd_route_request request = hd_routing_request(routing, work->params);
	struct hd_progress progress;
	int ret;

	work->engine = routing->engine;
	request.chosen = &work->engine;
	request.chosen_option = &work->option;
	request.accept = accept_tables;
	request.tell = tell;
	request.watcher = (void *)arguments;
	ret = read_previous(arguments, work, &request, err);
	if (ret)
		return ret;
	hd_progress_begin(&progress, &arguments->common, "routing");
	ret = hd_route(routing->engine, work->fabric, &request, &work->tables, err);
	work->route_seconds = hd_progress_end(&progress);
	return hd_routing_explain(routing, ret, err);
}

static int prove(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	const struct hd_check_options check = { .max_vls = (unsigned)arguments->routing.max_vls };
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "proving");
	ret = hd_check(work->tables, &check, &work->result, err);
	work->check_seconds = hd_progress_end(&progress);
	work->checked = ret == 0;
	return ret;
}

static int write_snapshot(const struct arguments *arguments, struct work *work,
			  struct hd_error *err)
{
	char *joined = hd_routing_join_pairs(&arguments->routing);
	struct hd_provenance provenance = {
		.engine = (char *)work->engine->policy.name,
		.layers = (char *)layers_of(arguments, work),
		.queues = (char *)hd_routing_queues(&arguments->routing),
		.options = work->option ? (char *)work->option : joined,
		.source = (char *)arguments->routing.fabric,
		.n_sls = work->result.sls,
		.n_vls = work->result.vls,
	};
	struct hd_progress progress;
	int ret;

	if (!joined)
		return hd_error_nomem(err);
	hd_progress_begin(&progress, &arguments->common, "writing");
	ret = hd_snapshot_write_as(arguments->output, work->tables, &provenance,
				   arguments->plain ? HD_PACK_NONE : HD_PACK_LONG, err);
	hd_note_verbose(&arguments->common, "wrote %s in %.3f s", arguments->output,
			hd_progress_end(&progress));
	work->written = ret == 0;
	free(joined);
	return ret;
}

/* What became of the lanes of the previous tables. */
static void print_kept(const struct hd_lanes_outcome *kept)
{
	if (!kept->is_kept)
		hd_report_field("lanes", "SLs and VLs reassigned%s%s", kept->reason[0] ? ": " : "",
				kept->reason);
	else if (kept->is_fresh)
		hd_report_field("lanes", "reassigned by the engine; the old path SLs stay safe");
	else
		hd_report_field("lanes",
				"kept; %" PRIu64 " entries are detours, %" PRIu32
				" destinations have new routes",
				kept->n_detours, kept->n_columns);
}

static int print_text(const struct arguments *arguments, const struct work *work,
		      struct hd_error *err)
{
	int ret;

	hd_report_field("engine", "%s%s%s, layers %s, queues %s%s", work->engine->policy.name,
			work->option ? ":" : "", work->option ? work->option : "",
			layers_of(arguments, work), hd_routing_queues(&arguments->routing),
			work->engine == arguments->routing.engine ? "" : " (taken by heddle)");
	hd_report_field("fabric", "%" PRIu32 " switches, %" PRIu32 " end nodes, LIDs to %" PRIu32,
			work->fabric->n_switches, work->fabric->n_nodes - work->fabric->n_switches,
			work->fabric->top_lid);
	if (work->previous[0])
		print_kept(&work->kept);
	hd_verdict_print_sets(work->tables);
	hd_service_tell(work->tables, NULL);
	hd_service_print_error(work->tables);
	hd_verdict_tell_resources(&work->result, NULL);
	hd_report_field("time", "%.6f s to route, %.6f s to check", work->route_seconds,
			work->check_seconds);
	ret = hd_verdict_print(&work->result, work->fabric, err);
	if (ret || !arguments->output)
		return ret;
	if (work->written)
		hd_report_field("written", "%s", arguments->output);
	else
		hd_report_field("not written", "%s (--force writes unsound tables)",
				arguments->output);
	return 0;
}

static void print_json(const struct arguments *arguments, const struct work *work)
{
	json_t *root = hd_json_begin();

	json_object_set_new(root, "engine", json_string(work->engine->policy.name));
	json_object_set_new(root, "layers", hd_json_text(layers_of(arguments, work)));
	json_object_set_new(root, "queues", hd_json_text(hd_routing_queues(&arguments->routing)));
	if (work->previous[0])
		json_object_set_new(root, "lanes_kept", json_boolean(work->kept.is_kept));
	hd_verdict_json_sets(work->tables, root);
	hd_service_json(work->tables, true, root);
	hd_verdict_json(&work->result, work->fabric, root);
	json_object_set_new(root, "route_seconds", json_real(work->route_seconds));
	json_object_set_new(root, "check_seconds", json_real(work->check_seconds));
	json_object_set_new(root, "written", json_boolean(work->written));
	hd_json_print(root);
}

static int compute(struct arguments *arguments, struct work *work, struct hd_error *err)
{
	bool sound;
	int ret = hd_routing_params(&arguments->routing, &work->params, err);

	if (!ret)
		ret = hd_routing_open(&arguments->routing, &arguments->common, &work->fabric, err);
	if (!ret)
		ret = route(arguments, work, err);
	if (!ret)
		ret = prove(arguments, work, err);
	if (ret)
		return ret;
	sound = work->result.failure == HD_CHECK_SOUND;
	if (arguments->output && (sound || arguments->force))
		ret = write_snapshot(arguments, work, err);
	if (ret)
		return ret;
	if (!arguments->json)
		return print_text(arguments, work, err);
	print_json(arguments, work);
	return 0;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct work work = { 0 };
	int status = HD_EXIT_UNUSABLE;
	struct hd_error err;

	if (hd_command_parse(&argp, argc, argv, &arguments) == 0) {
		if (compute(&arguments, &work, &err))
			status = hd_command_fail(&err);
		else
			status = work.result.failure == HD_CHECK_SOUND ? HD_EXIT_YES : HD_EXIT_NO;
	}
	if (work.checked)
		hd_check_clear(&work.result);
	hd_tables_free(work.tables);
	for (size_t i = 0; i < arguments.n_previous; i++)
		hd_snapshot_free(work.previous[i]);
	hd_fabric_free(work.fabric);
	hd_params_free(work.params);
	hd_routing_clear(&arguments.routing);
	return status;
}

const struct hd_command hd_command_route = {
	.name = "route",
	.summary = "compute tables with an engine, prove them, write a snapshot",
	.run = run,
};
