// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle topo: describes a fabric, takes links and switches out of it, writes it as a netfile. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/distances.h"
#include "fabric/fabric_parts.h"
#include "fabric/netfile.h"
#include "support/error.h"
#include "support/output.h"
#include "tables/open.h"
#include "tools/command.h"
#include "tools/draw/draw.h"
#include "tools/faults/failures.h"
#include "tools/gaps_print.h"
#include "tools/open_input.h"
#include "tools/places/places.h"
#include "tools/port_errors.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/served_by.h"
#include "tools/shapes.h"
#include "tools/slow_print.h"
#include "tools/survey.h"

#define MOST_ON_TERMINAL 10 /* cables of a list */
#define MOST_PARTS       8  /* that are described each by itself: planes */
#define LEAST_OF_PART    3  /* switches that each of these parts has at least */

enum {
	KEY_FAIL_LINKS = HD_KEY_OWN,
	KEY_FAIL_SWITCHES,
	KEY_SEED,
	KEY_ASSIGN_LIDS,
	KEY_LMC,
	KEY_SM,
	KEY_GROUPS,
	KEY_NO_HOSTS,
	KEY_SVG,
	KEY_DOT,
	KEY_GRAPHML,
	KEY_SLURM,
	KEY_K8S,
	KEY_JSON,
	KEY_ENGINES,
	KEY_ALL,
};

struct arguments {
	struct hd_common common;
	const char *fabric;
	const char *output;
	const char *fail_links;
	const char *fail_switches;
	const char *sm;
	const char *groups, *no_hosts;
	const char *svg;
	const char *dot, *graphml;
	enum hd_place_form places;
	unsigned n_forms; /* of places that were asked for */
	uint64_t seed;
	uint64_t lmc;
	bool assign_lids;
	bool json;
	bool engines;
	bool all;
};

/* The topology of a fabric, or of a part of it, and the engines for it. */
struct topology {
	const struct hd_fabric *fabric;
	struct hd_fabric *own; /* that fabric, if it is a part */
	struct hd_shapes shapes;
	struct hd_gaps gaps;
	struct hd_served_by served_by;
};

/* What is printed about a fabric. */
struct description {
	const struct hd_fabric *fabric;
	struct hd_survey survey;
	struct hd_slow_links slow;
	struct hd_error_counters errors;
	struct topology topologies[MOST_PARTS]; /* of parts, the largest first, or one of all */
	uint32_t n_topologies;
	bool is_divided; /* the topologies are of parts */
};

static const struct argp_option options[] = {
	{ "output", 'o', "NETFILE", 0, "Write the fabric as a netfile (-: standard output)", 0 },
	{ "fail-links", KEY_FAIL_LINKS, "N|LIST", 0,
	  "Remove N links between switches, chosen at random (--seed), or those "
	  "listed: SWITCH[PORT],SWITCH[PORT]...",
	  0 },
	{ "fail-switches", KEY_FAIL_SWITCHES, "N|LIST", 0,
	  "Remove N switches, chosen at random (--seed), or those listed (names or GUIDs)", 0 },
	{ "seed", KEY_SEED, "S", 0, "Seed of random choices (default 1)", 0 },
	{ "assign-lids", KEY_ASSIGN_LIDS, NULL, 0,
	  "Assign new LIDs, as OpenSM does on a fresh fabric", 0 },
	{ "lmc", KEY_LMC, "M", 0, "Give end nodes 2^M LIDs (0-7; implies --assign-lids)", 0 },
	{ "sm", KEY_SM, "NODE", 0, "Node that OpenSM runs on (implies --assign-lids)", 0 },
	{ "groups", KEY_GROUPS, "FILE", 0,
	  "Groups of a dragonfly, lines \"GUID GROUP\", instead of recognising them", 0 },
	{ "no-hosts", KEY_NO_HOSTS, "FILE", 0,
	  "End nodes of a fat tree that are no hosts, such as gateways and storage: "
	  "one GUID on each line",
	  0 },
	{ "svg", KEY_SVG, "FILE", 0,
	  "Draw the fabric. Colours of links show failures, or loads if FABRIC is a snapshot", 0 },
	{ "dot", KEY_DOT, "FILE", 0, "Draw the fabric for graphviz", 0 },
	{ "graphml", KEY_GRAPHML, "FILE", 0,
	  "Write nodes and links as GraphML (-: standard output)", 0 },
	{ "slurm", KEY_SLURM, "tree|block|yaml", 0,
	  "Print instead which hosts are near one another, as Slurm's topology.conf of "
	  "topology/tree or topology/block, or topology.yaml, has it",
	  0 },
	{ "k8s", KEY_K8S, NULL, 0, "Print the same instead as labels of Kubernetes nodes", 0 },
	{ "engines", KEY_ENGINES, NULL, 0,
	  "Route with each engine that serves the topology; print its lanes and its busiest link",
	  0 },
	{ "all", KEY_ALL, NULL, 0,
	  "List all missing, slow and odd cables on a terminal, too, not the first ten of each",
	  0 },
	{ "json", KEY_JSON, NULL, 0, "Describe in JSON", 0 },
	{ 0 }
};

static error_t parse_slurm(struct argp_state *state, const char *arg, enum hd_place_form *form)
{
	static const char *const forms[] = {
		[HD_PLACES_TREE] = "tree", [HD_PLACES_BLOCK] = "block", [HD_PLACES_YAML] = "yaml"
	};

	for (enum hd_place_form i = HD_PLACES_TREE; i <= HD_PLACES_YAML; i++) {
		if (strcmp(arg, forms[i]))
			continue;
		*form = i;
		return 0;
	}
	return hd_usage_error(state, "--slurm: '%s' is none of tree, block, yaml", arg);
}

static bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

/* How many of the options want standard output. */
static unsigned n_on_stdout(const struct arguments *arguments)
{
	return arguments->json + arguments->n_forms + is_stdout(arguments->output) +
	       is_stdout(arguments->graphml);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case 'o':
		arguments->output = arg;
		return 0;
	case KEY_FAIL_LINKS:
		arguments->fail_links = arg;
		return 0;
	case KEY_FAIL_SWITCHES:
		arguments->fail_switches = arg;
		return 0;
	case KEY_SEED:
		return hd_usage_number(state, "--seed", arg, 0, UINT64_MAX, &arguments->seed);
	case KEY_ASSIGN_LIDS:
		arguments->assign_lids = true;
		return 0;
	case KEY_LMC:
		arguments->assign_lids = true;
		return hd_usage_number(state, "--lmc", arg, 0, HD_MAX_LMC, &arguments->lmc);
	case KEY_SM:
		arguments->assign_lids = true;
		arguments->sm = arg;
		return 0;
	case KEY_GROUPS:
		arguments->groups = arg;
		return 0;
	case KEY_NO_HOSTS:
		arguments->no_hosts = arg;
		return 0;
	case KEY_SVG:
		arguments->svg = arg;
		return 0;
	case KEY_DOT:
		arguments->dot = arg;
		return 0;
	case KEY_GRAPHML:
		arguments->graphml = arg;
		return 0;
	case KEY_SLURM:
		arguments->n_forms++;
		return parse_slurm(state, arg, &arguments->places);
	case KEY_K8S:
		arguments->n_forms++;
		arguments->places = HD_PLACES_K8S;
		return 0;
	case KEY_ENGINES:
		arguments->engines = true;
		return 0;
	case KEY_ALL:
		arguments->all = true;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_argument(state, key, "FABRIC", arg, &arguments->fabric);
		if (status || key == ARGP_KEY_ARG)
			return status;
		if (n_on_stdout(arguments) > 1)
			return hd_usage_error(state,
					      "only one of --json, --slurm, --k8s, '-o -' and "
					      "'--graphml -' can have standard output");
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
	.doc = "Describes FABRIC: counts, diameter, LIDs, its topology, and missing parts. FABRIC "
	       "is a netfile (- for standard input), a generator spec or a snapshot.\v"
	       "Example:\n"
	       "  heddle topo dragonfly:a=4,p=2,h=2 --fail-links 2 -o degraded.net",
	.children = children,
};

static int read_fabric(const struct arguments *arguments, struct hd_fabric **fabric,
		       struct hd_error *err)
{
	int ret = hd_input_fabric(arguments->fabric, &arguments->common, fabric, err);

	if (!ret && (arguments->fail_links || arguments->fail_switches))
		ret = hd_failures_apply(fabric, arguments->fail_links, arguments->fail_switches,
					arguments->seed, err);
	if (!ret && arguments->assign_lids)
		ret = hd_input_assign_lids(fabric, arguments->sm, (unsigned)arguments->lmc, err);
	return ret;
}

static int write_netfile(const struct hd_fabric *fabric, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	ret = hd_netfile_write(fabric, output.stream, err);
	if (ret) {
		/* the function that wrote knows the stream, not its name */
		snprintf(err->file, sizeof(err->file), "%s",
			 strcmp(path, "-") == 0 ? "<stdout>" : path);
		hd_output_abort(&output);
		return ret;
	}
	return hd_output_commit(&output, err);
}

/* What the user says of groups and hosts, no other shape knows. */
static int find_gaps(const struct hd_fabric *fabric, const struct arguments *arguments,
		     const struct hd_shapes *shapes, struct hd_gaps *gaps, struct hd_error *err)
{
	return hd_gaps_find(fabric, shapes, arguments->groups || arguments->no_hosts, gaps, err);
}

/* @are_known: the shapes were recognised before. */
static int describe_topology(const struct hd_fabric *fabric, const struct arguments *arguments,
			     bool are_known, struct topology *topology, struct hd_error *err)
{
	int ret = 0;

	topology->fabric = fabric;
	if (!are_known)
		ret = hd_shapes_find(fabric, arguments->groups, arguments->no_hosts,
				     &topology->shapes, err);
	if (!ret)
		ret = find_gaps(fabric, arguments, &topology->shapes, &topology->gaps, err);
	return ret ? ret
		   : hd_served_by_find(fabric, arguments->engines ? HD_SERVED_ALL : HD_SERVED_NAME,
				       NULL, NULL, &topology->served_by, err);
}

/* How many parts are large enough to be planes. */
static uint32_t count_planes(const struct hd_parts *parts)
{
	uint32_t n = 0;

	while (n < parts->n && n < MOST_PARTS && parts->size[parts->order[n]] >= LEAST_OF_PART)
		n++;
	return n;
}

/* Describes parts each by itself: planes have topologies, all of them together have none. */
static int describe_parts(const struct hd_fabric *fabric, const struct arguments *arguments,
			  const struct hd_parts *parts, struct description *description,
			  struct hd_error *err)
{
	const uint32_t n = count_planes(parts);
	int ret = 0;

	hd_shapes_clear(&description->topologies[0].shapes);
	description->is_divided = true;
	description->n_topologies = n;
	for (uint32_t i = 0; !ret && i < n; i++) {
		struct topology *topology = &description->topologies[i];

		ret = hd_parts_take(fabric, parts, parts->order[i], &topology->own, err);
		if (!ret)
			ret = describe_topology(topology->own, arguments, false, topology, err);
	}
	return ret;
}

static int describe_topologies(const struct hd_fabric *fabric, const struct arguments *arguments,
			       struct description *description, struct hd_error *err)
{
	struct topology *whole = &description->topologies[0];
	struct hd_parts parts = { 0 };
	bool is_named = arguments->groups || arguments->no_hosts;
	int ret;

	description->n_topologies = 1;
	ret = hd_shapes_find(fabric, arguments->groups, arguments->no_hosts, &whole->shapes, err);
	if (!ret && description->survey.n_parts > 1 && !is_named &&
	    !hd_is_recognised(&whole->shapes))
		ret = hd_parts_find(fabric, &parts, err);
	if (!ret && count_planes(&parts))
		ret = describe_parts(fabric, arguments, &parts, description, err);
	else if (!ret)
		ret = describe_topology(fabric, arguments, true, whole, err);
	hd_parts_clear(&parts);
	return ret;
}

static int describe(const struct hd_fabric *fabric, const struct arguments *arguments,
		    struct description *description, struct hd_error *err)
{
	int ret;

	*description = (struct description){ .fabric = fabric };
	ret = hd_survey(fabric, &description->survey, err);
	if (!ret)
		ret = hd_slow_links_find(fabric, &description->slow, err);
	if (!ret)
		ret = hd_input_port_errors(arguments->fabric, fabric, &arguments->common,
					   &description->errors, err);
	return ret ? ret : describe_topologies(fabric, arguments, description, err);
}

static void description_clear(struct description *description)
{
	for (uint32_t i = 0; i < description->n_topologies; i++) {
		hd_gaps_clear(&description->topologies[i].gaps);
		hd_shapes_clear(&description->topologies[i].shapes);
		hd_fabric_free(description->topologies[i].own);
	}
	hd_slow_links_clear(&description->slow);
	hd_error_counters_clear(&description->errors);
}

static void print_topology(const struct description *description, uint32_t i)
{
	const struct topology *topology = &description->topologies[i];
	char part[32], first[HD_LABEL_SIZE];

	snprintf(part, sizeof(part), "part %" PRIu32, i + 1);
	if (description->is_divided)
		hd_report_field(part, "%" PRIu32 " switches, the first %s",
				topology->fabric->n_switches,
				hd_node_label(topology->fabric, 0, first, sizeof(first)));
	hd_shapes_tell(topology->fabric, &topology->shapes, NULL);
	hd_gaps_tell(topology->fabric, &topology->gaps);
	hd_served_by_tell(&topology->served_by, NULL);
}

static void print_text(const struct description *description, bool all)
{
	const struct hd_fabric *fabric = description->fabric;
	uint32_t most = all || !isatty(STDOUT_FILENO) ? UINT32_MAX : MOST_ON_TERMINAL;

	hd_survey_tell(fabric, &description->survey, NULL);
	hd_port_errors_print(fabric, &description->errors);
	for (uint32_t i = 0; i < description->n_topologies; i++)
		print_topology(description, i);
	if (description->is_divided && description->survey.n_parts > description->n_topologies)
		hd_report_field("other parts", "%" PRIu32 ", not described",
				description->survey.n_parts - description->n_topologies);
	for (uint32_t i = 0; i < description->n_topologies; i++)
		hd_gaps_print(&description->topologies[i].gaps, most);
	hd_slow_links_print(fabric, &description->slow, most);
}

static json_t *json_span(const struct hd_extent *span)
{
	if (span->least > span->most)
		return json_null();
	return json_pack("[i, i]", span->least, span->most);
}

static json_t *json_lids(const struct hd_fabric *fabric, const struct hd_survey *survey)
{
	json_t *lids = json_object();

	json_object_set_new(lids, "in_use", json_integer(survey->n_lids));
	json_object_set_new(lids, "lowest", json_integer(survey->lowest_lid));
	json_object_set_new(lids, "highest", json_integer(fabric->top_lid));
	json_object_set_new(lids, "lmc", json_span(&survey->lmc));
	json_object_set_new(lids, "ports_without", json_integer(survey->n_without_lid));
	return lids;
}

static void json_topology(const struct topology *topology, json_t *root)
{
	hd_shapes_json(&topology->shapes, root);
	hd_gaps_json(&topology->gaps, root);
	hd_served_by_json(&topology->served_by, root);
}

static json_t *json_parts(const struct description *description)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < description->n_topologies; i++) {
		const struct topology *topology = &description->topologies[i];
		json_t *part = json_object();

		json_object_set_new(part, "switches", json_integer(topology->fabric->n_switches));
		json_object_set_new(part, "first", hd_json_text(hd_node_name(topology->fabric, 0)));
		json_topology(topology, part);
		json_array_append_new(list, part);
	}
	return list;
}

static void print_json(const struct description *description)
{
	const struct hd_survey *survey = &description->survey;
	json_t *root = hd_json_begin();

	json_object_set_new(root, "switches", json_integer(survey->n_switches));
	json_object_set_new(root, "switch_ports", json_span(&survey->switch_ports));
	json_object_set_new(root, "adapters", json_integer(survey->n_adapters));
	json_object_set_new(root, "routers", json_integer(survey->n_routers));
	json_object_set_new(root, "switch_links", json_integer(survey->n_switch_links));
	json_object_set_new(root, "end_links", json_integer(survey->n_end_links));
	json_object_set_new(root, "unlinked_ports", json_integer(survey->n_unlinked));
	json_object_set_new(root, "parts", json_integer(survey->n_parts));
	json_object_set_new(root, "diameter", json_integer(survey->diameter));
	json_object_set_new(root, "mean_distance", json_real(survey->mean_distance));
	json_object_set_new(root, "data_vls", json_span(&survey->vls));
	json_object_set_new(root, "lids", json_lids(description->fabric, survey));
	hd_slow_links_json(description->fabric, &description->slow, root);
	hd_port_errors_json(description->fabric, &description->errors, root);
	json_topology(&description->topologies[0], root);
	if (description->is_divided)
		json_object_set_new(root, "described_parts", json_parts(description));
	hd_json_print(root);
}

/*
 * Draws the fabric as given, with its failed parts marked; of a snapshot, with its load. @shapes
 * are those of @given.
 */
static int draw_as(const struct arguments *arguments, const struct hd_fabric *given,
		   const struct hd_shapes *shapes, const struct hd_fabric *after,
		   const struct hd_tables *tables, struct hd_error *err)
{
	struct hd_drawing drawing = { 0 };
	struct hd_shapes drawn = *shapes;
	struct hd_gaps gaps;
	int ret = find_gaps(given, arguments, shapes, &gaps, err);

	/* a grid with absent cables is drawn as one, if it is the nearest topology */
	if (!ret && gaps.is_known && !gaps.is_other && !gaps.plan->n_groups && drawn.grid)
		drawn.dragonfly = NULL;
	if (!ret)
		ret = hd_drawing_of_shapes(given, after, tables, &drawn, &drawing, err);
	if (!ret)
		ret = hd_drawing_add_absent(&drawing, &gaps, err);
	if (!ret && arguments->svg)
		ret = hd_draw_write_svg(&drawing, arguments->svg, err);
	if (!ret && arguments->dot)
		ret = hd_draw_write_dot(&drawing, arguments->dot, err);
	if (!ret && arguments->graphml)
		ret = hd_draw_write_graphml(&drawing, arguments->graphml, err);
	hd_drawing_clear(&drawing);
	hd_gaps_clear(&gaps);
	return ret;
}

/* The same for a fabric whose shapes are not known yet. */
static int draw_new(const struct arguments *arguments, const struct hd_fabric *given,
		    const struct hd_fabric *after, const struct hd_tables *tables,
		    struct hd_error *err)
{
	struct hd_shapes shapes;
	int ret = hd_shapes_find(given, arguments->groups, arguments->no_hosts, &shapes, err);

	if (!ret)
		ret = draw_as(arguments, given, &shapes, after, tables, err);
	hd_shapes_clear(&shapes);
	return ret;
}

/* @shapes are those of @fabric, NULL where they are not known. */
static int draw(const struct arguments *arguments, const struct hd_fabric *fabric,
		const struct hd_shapes *shapes, struct hd_error *err)
{
	bool fails = arguments->fail_links || arguments->fail_switches;
	struct hd_snapshot *snapshot = NULL;
	struct hd_fabric *given = NULL;
	/* what is odd has been noted when the fabric was read first */
	const struct hd_reading how = { .strict = arguments->common.strict,
					.name_map = arguments->common.name_map };
	int ret;

	if (!fails && hd_snapshot_is_directory(arguments->fabric)) {
		ret = hd_input_snapshot(arguments->fabric, NULL, &arguments->common, &snapshot,
					err);
		if (!ret)
			ret = draw_new(arguments, snapshot->fabric, NULL, snapshot->tables, err);
		hd_snapshot_free(snapshot);
		return ret;
	}
	if (!fails && shapes)
		return draw_as(arguments, fabric, shapes, NULL, NULL, err);
	if (!fails)
		return draw_new(arguments, fabric, NULL, NULL, err);
	ret = strcmp(arguments->fabric, "-") == 0
		      ? hd_error_set(err, HD_EINVAL,
				     "failures cannot be drawn of a fabric on standard input")
		      : hd_fabric_open(arguments->fabric, &how, &given, err);
	if (!ret)
		ret = draw_new(arguments, given, fabric, NULL, err);
	hd_fabric_free(given);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { .seed = 1 };
	struct description description = { 0 };
	struct hd_progress progress;
	struct hd_fabric *fabric = NULL;
	bool describes;
	struct hd_error err;
	int ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	describes =
		!is_stdout(arguments.output) && !is_stdout(arguments.graphml) && !arguments.places;
	ret = read_fabric(&arguments, &fabric, &err);
	if (!ret && describes)
		ret = describe(fabric, &arguments, &description, &err);
	if (!ret && arguments.output)
		ret = write_netfile(fabric, arguments.output, &err);
	if (!ret && arguments.places)
		ret = hd_places_print(fabric, arguments.places, arguments.groups,
				      arguments.no_hosts, &arguments.common, &err);
	if (!ret && describes) {
		if (arguments.json)
			print_json(&description);
		else
			print_text(&description, arguments.all);
	}
	if (!ret && (arguments.svg || arguments.dot || arguments.graphml)) {
		hd_progress_begin(&progress, &arguments.common, "drawing");
		ret = draw(&arguments, fabric,
			   describes && !description.is_divided ? &description.topologies[0].shapes
								: NULL,
			   &err);
		hd_progress_end(&progress);
	}
	description_clear(&description);
	hd_fabric_free(fabric);
	return ret ? hd_command_fail(&err) : HD_EXIT_YES;
}

const struct hd_command hd_command_topo = {
	.name = "topo",
	.summary = "describe a fabric, remove links and switches, write a netfile",
	.run = run,
};
