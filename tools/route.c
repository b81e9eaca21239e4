// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle route: computes tables, proves them, writes a snapshot. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "engines/engine.h"
#include "support/error.h"
#include "tables/open.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/verdict.h"

enum {
	KEY_LMC = HD_KEY_OWN,
	KEY_SM,
	KEY_MAX_VLS,
	KEY_VLARB,
	KEY_FORCE,
	KEY_JSON,
};

struct arguments {
	struct hd_common common;
	const char *fabric;
	const struct hd_engine *engine;
	char **pairs; /* of -O, engine options */
	size_t n_pairs;
	const char *layers;
	const char *queues;
	const char *sm;
	const char *output;
	enum hd_vlarb_policy vlarb;
	uint64_t lmc;
	uint64_t max_vls;
	bool has_lmc;
	bool force;
	bool json;
};

/* Everything between the command line and what is printed. */
struct work {
	struct hd_fabric *fabric;
	struct hd_params *params;
	struct hd_tables *tables;
	struct hd_check_result result;
	bool checked;
	bool written;
	double route_seconds, check_seconds;
};

static const struct argp_option options[] = {
	{ "engine", 'e', "ENGINE", 0, "Routing engine (heddle list engines)", 0 },
	{ "option", 'O', "KEY=VALUE", 0, "Option of the engine (heddle list engines ENGINE)", 0 },
	{ "layers", 'l', "LAYERS", 0, "Layer rule (default: the engine's first)", 0 },
	{ "queues", 'q', "QUEUES:N", 0, "Queue rule and number of queues (default single:1)", 0 },
	{ "lmc", KEY_LMC, "M", 0,
	  "Assign LIDs anew, 2^M for each end node (0-7; without it, a fabric that has none "
	  "gets what the engine makes use of)",
	  0 },
	{ "sm", KEY_SM, "NODE", 0, "Assign LIDs anew, as OpenSM does when it runs on NODE", 0 },
	{ "max-vls", KEY_MAX_VLS, "N", 0, "Use no more than N data VLs (1-15)", 0 },
	{ "vlarb", KEY_VLARB, "POLICY", 0,
	  "How lanes share a link: equal (default), or by the flows that each carries", 0 },
	{ "output", 'o', "SNAPSHOT", 0, "Write a snapshot to this directory", 0 },
	{ "force", KEY_FORCE, NULL, 0,
	  "Write the snapshot even if the tables are unsound (the exit status stays 1)", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print the result in JSON", 0 },
	{ 0 }
};

static error_t parse_engine(const char *name, struct arguments *arguments, struct argp_state *state)
{
	arguments->engine = hd_engine_find(name);
	if (!arguments->engine)
		return hd_usage_error(state, "no engine '%s' (see heddle list engines)", name);
	return 0;
}

static error_t parse_vlarb(const char *text, struct arguments *arguments, struct argp_state *state)
{
	struct hd_error err;

	if (hd_vlarb_parse(text, &arguments->vlarb, &err))
		return hd_usage_error(state, "--vlarb: %s", err.text);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case 'e':
		return parse_engine(arg, arguments, state);
	case 'O':
		arguments->pairs[arguments->n_pairs++] = arg;
		return 0;
	case 'l':
		arguments->layers = arg;
		return 0;
	case 'q':
		arguments->queues = arg;
		return 0;
	case 'o':
		arguments->output = arg;
		return 0;
	case KEY_LMC:
		arguments->has_lmc = true;
		return hd_usage_number(state, "--lmc", arg, 0, HD_MAX_LMC, &arguments->lmc);
	case KEY_SM:
		arguments->sm = arg;
		return 0;
	case KEY_MAX_VLS:
		return hd_usage_number(state, "--max-vls", arg, 1, HD_MAX_VLS, &arguments->max_vls);
	case KEY_VLARB:
		return parse_vlarb(arg, arguments, state);
	case KEY_FORCE:
		arguments->force = true;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			return hd_usage_error(state, "one FABRIC, not also '%s'", arg);
		arguments->fabric = arg;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->fabric)
			return hd_usage_error(state, "no FABRIC given");
		if (!arguments->engine)
			return hd_usage_error(state, "no engine given (-e ENGINE)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FABRIC",
	.doc = "Computes LFTs, SL2VL tables and path SLs for FABRIC, proves them, and writes them "
	       "as a "
	       "snapshot. Exit status: 0 sound, 1 unsound or refused by the engine, 2 unusable "
	       "input."
	       "\v"
	       "Example:\n"
	       "  heddle route dragonfly:a=4,p=2,h=2 -e dla -q xordet:4 -o snapshot",
	.children = children,
};

/* A fabric that has LIDs may lack some: nothing will be routed there. */
static void note_missing_lids(const struct hd_common *common, const struct hd_fabric *fabric)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];

		n += !port->lid && (hd_is_switch(fabric, port->node) || port->peer != HD_NONE);
	}
	if (n)
		hd_note(common,
			"%" PRIu32 " ports have no LID and get no routes (--lmc assigns LIDs)", n);
}

static int read_fabric(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	unsigned lmc = arguments->has_lmc ? (unsigned)arguments->lmc : arguments->engine->lmc;
	int ret = hd_fabric_open(arguments->fabric, &work->fabric, err);

	/* without LIDs there is nothing to route to */
	if (!ret && (arguments->has_lmc || arguments->sm || work->fabric->top_lid == 0))
		do {
			ret = hd_input_assign_lids(&work->fabric, arguments->sm, lmc, err);
		} while (ret == HD_ERANGE && !arguments->has_lmc && lmc-- > 0);
	if (!ret)
		note_missing_lids(&arguments->common, work->fabric);
	return ret;
}

static int set_params(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	char owner[64];
	int ret = 0;

	work->params = hd_params_new(arguments->engine->options);
	if (!work->params)
		return hd_error_nomem(err);
	snprintf(owner, sizeof(owner), "engine %s", arguments->engine->name);
	for (size_t i = 0; !ret && i < arguments->n_pairs; i++)
		ret = hd_params_set_pair(work->params, owner, arguments->pairs[i], err);
	return ret;
}

static int route(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	const struct hd_route_request request = {
		.layers = arguments->layers,
		.queues = arguments->queues,
		.vlarb = arguments->vlarb,
		.max_vls = (unsigned)arguments->max_vls,
		.params = work->params,
	};
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "routing");
	ret = hd_route(arguments->engine, work->fabric, &request, &work->tables, err);
	work->route_seconds = hd_progress_end(&progress);
	if (ret == HD_EREFUSED && !err->file[0]) {
		struct hd_error reason = *err;

		return hd_error_set(err, ret, "engine %s refuses: %s", arguments->engine->name,
				    reason.text);
	}
	return ret;
}

static int prove(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	const struct hd_check_options check = { .max_vls = (unsigned)arguments->max_vls };
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, &arguments->common, "proving");
	ret = hd_check(work->tables, &check, &work->result, err);
	work->check_seconds = hd_progress_end(&progress);
	work->checked = ret == 0;
	return ret;
}

static const char *layers_used(const struct arguments *arguments)
{
	return arguments->layers ? arguments->layers : arguments->engine->layer_rules[0];
}

static const char *queues_used(const struct arguments *arguments)
{
	return arguments->queues ? arguments->queues : "single:1";
}

/* "key=value key=value"; NULL when out of memory. */
static char *join_pairs(const struct arguments *arguments)
{
	size_t size = 1;
	char *joined, *end;

	for (size_t i = 0; i < arguments->n_pairs; i++)
		size += strlen(arguments->pairs[i]) + 1;
	joined = end = malloc(size);
	if (!joined)
		return NULL;
	for (size_t i = 0; i < arguments->n_pairs; i++) {
		if (i)
			*end++ = ' ';
		end = stpcpy(end, arguments->pairs[i]);
	}
	*end = '\0';
	return joined;
}

static int write_snapshot(const struct arguments *arguments, struct work *work,
			  struct hd_error *err)
{
	char *joined = join_pairs(arguments);
	struct hd_provenance provenance = {
		.engine = (char *)arguments->engine->name,
		.layers = (char *)layers_used(arguments),
		.queues = (char *)queues_used(arguments),
		.options = joined,
		.source = (char *)arguments->fabric,
		.n_sls = work->result.sls,
		.n_vls = work->result.vls,
	};
	struct hd_progress progress;
	int ret;

	if (!joined)
		return hd_error_nomem(err);
	hd_progress_begin(&progress, &arguments->common, "writing");
	ret = hd_snapshot_write(arguments->output, work->tables, &provenance, err);
	hd_note_verbose(&arguments->common, "wrote %s in %.3f s", arguments->output,
			hd_progress_end(&progress));
	work->written = ret == 0;
	free(joined);
	return ret;
}

static int print_text(const struct arguments *arguments, const struct work *work,
		      struct hd_error *err)
{
	int ret;

	hd_report_field("engine", "%s, layers %s, queues %s", arguments->engine->name,
			layers_used(arguments), queues_used(arguments));
	hd_report_field("fabric", "%" PRIu32 " switches, %" PRIu32 " end nodes, LIDs to %" PRIu32,
			work->fabric->n_switches, work->fabric->n_nodes - work->fabric->n_switches,
			work->fabric->top_lid);
	hd_verdict_print_resources(&work->result);
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

	json_object_set_new(root, "engine", json_string(arguments->engine->name));
	json_object_set_new(root, "layers", hd_json_text(layers_used(arguments)));
	json_object_set_new(root, "queues", hd_json_text(queues_used(arguments)));
	hd_verdict_json(&work->result, work->fabric, root);
	json_object_set_new(root, "route_seconds", json_real(work->route_seconds));
	json_object_set_new(root, "check_seconds", json_real(work->check_seconds));
	json_object_set_new(root, "written", json_boolean(work->written));
	hd_json_print(root);
}

static int compute(const struct arguments *arguments, struct work *work, struct hd_error *err)
{
	bool sound;
	int ret = set_params(arguments, work, err);

	if (!ret)
		ret = read_fabric(arguments, work, err);
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
	struct arguments arguments = { .pairs = calloc((size_t)argc, sizeof(char *)) };
	struct work work = { 0 };
	int status = HD_EXIT_UNUSABLE;
	struct hd_error err;

	if (!arguments.pairs) {
		hd_error_nomem(&err);
		return hd_command_fail(&err);
	}
	if (hd_command_parse(&argp, argc, argv, &arguments) == 0) {
		if (compute(&arguments, &work, &err))
			status = hd_command_fail(&err);
		else
			status = work.result.failure == HD_CHECK_SOUND ? HD_EXIT_YES : HD_EXIT_NO;
	}
	if (work.checked)
		hd_check_clear(&work.result);
	hd_tables_free(work.tables);
	hd_fabric_free(work.fabric);
	hd_params_free(work.params);
	free(arguments.pairs);
	return status;
}

const struct hd_command hd_command_route = {
	.name = "route",
	.summary = "compute tables with an engine, prove them, write a snapshot",
	.run = run,
};
