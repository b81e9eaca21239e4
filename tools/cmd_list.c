// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle list: everything that has a name, and every option with its default. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/engine.h"
#include "sim/adaptive/complexity.h"
#include "sim/adaptive/routing.h"
#include "sim/adaptive/selection.h"
#include "sim/model/model.h"
#include "sim/scenario/columns.h"
#include "sim/scenario/keys.h"
#include "sim/traffic/collective_plan.h"
#include "sim/traffic/loggop.h"
#include "sim/traffic/traffic.h"
#include "sl2vl/lanes.h"
#include "support/error.h"
#include "support/policy.h"
#include "tools/command.h"
#include "tools/report.h"
#include "topologies/topology.h"

/* Something with a name, as `heddle list` sees it. */
struct item {
	const char *name;
	const char *summary;
	const char *reference;           /* NULL or "": none */
	const char *example;             /* NULL: none */
	const char *note;                /* NULL: none */
	const struct hd_option *options; /* NULL: none */
	const char *const *layer_rules;  /* NULL: does not apply */
	bool no_default_rule;            /* the first of these is no default */
	const char *unit;                /* of a column of results; NULL: does not apply */
	const char *vcs, *trigger;       /* of an adaptive routing, by default; NULL: none */
	char operations[96];             /* of a collective algorithm; "": does not apply */
};

static bool is_said(const char *text)
{
	return text && *text;
}

/* What only one kind of policy has. */
static void engine_more(const struct hd_policy *policy, struct item *item)
{
	const struct hd_engine *engine = (const struct hd_engine *)policy;

	item->note = engine->any_sl ? "any SL may be used, with one queue"
				    : "needs the SLs of path records";
	item->layer_rules = engine->layer_rules;
	item->no_default_rule = engine->choose;
}

static void collective_more(const struct hd_policy *policy, struct item *item)
{
	for (unsigned op = 0; op < HD_COLLECTIVE_OPERATIONS; op++) {
		const size_t used = strlen(item->operations);

		if (hd_collective_serves(policy, (enum hd_collective_operation)op))
			snprintf(item->operations + used, sizeof(item->operations) - used, "%s%s",
				 used ? ", " : "", hd_collective_operations[op]);
	}
}

static void queue_more(const struct hd_policy *policy, struct item *item)
{
	if (((const struct hd_queue_rule *)policy)->power_of_two)
		item->note = "the number of queues must be a power of two";
}

static void topology_more(const struct hd_policy *policy, struct item *item)
{
	item->example = ((const struct hd_topology *)policy)->example;
}

static void routing_more(const struct hd_policy *policy, struct item *item)
{
	const struct hd_routing *routing = (const struct hd_routing *)policy;

	item->note = routing->needs_groups ? "needs a dragonfly" : NULL;
	item->vcs = routing->vcs;
	item->trigger = routing->trigger;
}

/* Fills @item with the @i-th of its kind; false when there are no more. */
typedef bool (*item_fn)(size_t i, struct item *item);

static bool key_item(size_t i, struct item *item)
{
	const struct hd_scenario_key *key = &hd_scenario_keys[i];

	if (i == HD_N_KEYS)
		return false;
	*item = (struct item){ .name = key->name,
			       .summary = key->option[0].help,
			       .options = key->option };
	return true;
}

static bool result_item(size_t i, struct item *item)
{
	if (i < HD_RESULT_COLUMNS) {
		const struct hd_result_column *column = &hd_result_columns[i];

		*item = (struct item){ .name = column->name,
				       .summary = column->help,
				       .unit = column->unit };
	} else {
		const struct hd_flow_column *column = &hd_flow_columns[i - HD_RESULT_COLUMNS];

		*item = (struct item){ .name = column->name,
				       .summary = column->help,
				       .unit = column->unit };
	}
	return item->name;
}

#define KINDS                                                                                \
	"adaptive, allocators, arbiters, arrivals, bufferings, collectives, engines, "       \
	"host-models, layers, patterns, queues, results, scenario, schedulers, selections, " \
	"switches, topologies, triggers, vcs"

static const struct kind {
	const struct hd_registry *registry; /* NULL: the other members say what is listed */
	void (*more)(const struct hd_policy *policy, struct item *item); /* NULL: nothing */
	const char *plural;
	const char *singular;
	item_fn get;
	bool has_defaults; /* names are keys themselves: the overview has their defaults, too */
} kinds[] = {
	{ .registry = &hd_routings, .more = routing_more },
	{ .registry = &hd_allocators },
	{ .registry = &hd_arbiters },
	{ .registry = &hd_arrivals },
	{ .registry = &hd_bufferings },
	{ .registry = &hd_collective_algorithms, .more = collective_more },
	{ .registry = &hd_engines, .more = engine_more },
	{ .registry = &hd_host_models },
	{ .registry = &hd_layer_rules },
	{ .registry = &hd_patterns },
	{ .registry = &hd_queue_rules, .more = queue_more },
	{ .plural = "results", .singular = "column of results", .get = result_item },
	{ .plural = "scenario",
	  .singular = "key of scenarios",
	  .get = key_item,
	  .has_defaults = true },
	{ .registry = &hd_schedulers },
	{ .registry = &hd_selections },
	{ .registry = &hd_switch_models },
	{ .registry = &hd_topologies, .more = topology_more },
	{ .registry = &hd_triggers },
	{ .registry = &hd_vc_rules },
};

static const char *plural_of(const struct kind *kind)
{
	return kind->registry ? kind->registry->plural : kind->plural;
}

static const char *singular_of(const struct kind *kind)
{
	return kind->registry ? kind->registry->singular : kind->singular;
}

static bool get_item(const struct kind *kind, size_t i, struct item *item)
{
	const struct hd_policy *policy;

	if (!kind->registry)
		return kind->get(i, item);
	policy = kind->registry->policies[i];
	if (!policy)
		return false;
	*item = (struct item){ .name = policy->name,
			       .summary = policy->summary,
			       .reference = policy->reference,
			       .options = policy->options };
	if (kind->more)
		kind->more(policy, item);
	return true;
}

struct arguments {
	struct hd_common common;
	const struct kind *kind;
	const char *name;
	const char *complexity; /* NULL: not asked for */
	bool json;
};

enum { KEY_JSON = HD_KEY_OWN, KEY_COMPLEXITY };

static const struct argp_option options[] = {
	{ "json", KEY_JSON, NULL, 0, "Print in JSON", 0 },
	{ "complexity", KEY_COMPLEXITY, "n=N,v=V[,g=G]", 0,
	  "With vcs: switching elements of crossbars in a grid of N dimensions, with V VCs (and an "
	  "escape) in G groups (default 1): counted, and by the XORDET paper's Table 4",
	  0 },
	{ 0 }
};

static error_t find_kind(const char *name, struct arguments *arguments, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(plural_of(&kinds[i]), name) == 0) {
			arguments->kind = &kinds[i];
			return 0;
		}
	return hd_usage_error(state, "cannot list '%s': " KINDS, name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "KIND (" KINDS ")", "NAME", NULL };
	struct arguments *arguments = state->input;
	const char *given[2] = { NULL };
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case KEY_COMPLEXITY:
		arguments->complexity = arg;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_arguments(state, key, names, 1, arg, given);
		if (!status && key == ARGP_KEY_END && arguments->complexity &&
		    (arguments->name || arguments->kind->registry != &hd_vc_rules))
			return hd_usage_error(state, "--complexity goes with vcs alone");
		if (status || key == ARGP_KEY_END)
			return status;
		arguments->name = given[1];
		return given[0] ? find_kind(arg, arguments, state) : 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "KIND [NAME]",
	.doc = "Lists the names of a KIND with their summaries; with NAME, every option with its "
	       "default, unit and meaning, and the source in the literature. A KIND is one "
	       "of " KINDS "."
	       "\v"
	       "Example:\n"
	       "  heddle list topologies dragonfly",
	.children = children,
};

static const char *or_dash(const char *text)
{
	return is_said(text) ? text : "-";
}

static int print_options(const struct hd_option *option, struct hd_error *err)
{
	struct hd_columns columns;

	if (!option || !option->key) {
		hd_report_field("options", "none");
		return 0;
	}
	puts("options");
	hd_columns_init(&columns, 4, 0);
	hd_columns_titles(&columns, "key", "default", "unit", "meaning");
	for (; option->key; option++) {
		hd_columns_add(&columns, "%s", option->key);
		hd_columns_add(&columns, "%s", or_dash(option->default_value));
		hd_columns_add(&columns, "%s", or_dash(option->unit));
		hd_columns_add(&columns, "%s", option->help);
	}
	return hd_columns_print(&columns, err);
}

static int print_item(const struct item *item, struct hd_error *err)
{
	hd_report_field("name", "%s", item->name);
	hd_report_field("summary", "%s", item->summary);
	if (is_said(item->reference))
		hd_report_field("reference", "%s", item->reference);
	if (item->example)
		hd_report_field("example", "%s", item->example);
	if (item->note)
		hd_report_field("note", "%s", item->note);
	if (item->unit)
		hd_report_field("unit", "%s", *item->unit ? item->unit : "none");
	if (item->vcs)
		hd_report_field("VC rule", "%s (default)", item->vcs);
	if (item->trigger)
		hd_report_field("trigger", "%s (default)", item->trigger);
	if (*item->operations)
		hd_report_field("operations", "%s", item->operations);
	for (size_t i = 0; item->layer_rules && item->layer_rules[i]; i++)
		hd_report_field("layer rule", "%s%s", item->layer_rules[i],
				i || item->no_default_rule ? "" : " (default)");
	if (item->options || item->layer_rules)
		return print_options(item->options, err);
	return 0;
}

static json_t *json_options(const struct hd_option *option)
{
	json_t *array = json_array();

	for (; option && option->key; option++)
		json_array_append_new(array,
				      json_pack("{s:s, s:s?, s:s?, s:s}", "key", option->key,
						"default", option->default_value, "unit",
						option->unit && *option->unit ? option->unit : NULL,
						"help", option->help));
	return array;
}

static json_t *json_item(const struct item *item)
{
	json_t *object = json_pack("{s:s, s:s}", "name", item->name, "summary", item->summary);

	if (is_said(item->reference))
		json_object_set_new(object, "reference", hd_json_text(item->reference));
	if (item->example)
		json_object_set_new(object, "example", hd_json_text(item->example));
	if (item->note)
		json_object_set_new(object, "note", hd_json_text(item->note));
	if (item->unit)
		json_object_set_new(object, "unit", json_string(item->unit));
	if (item->vcs)
		json_object_set_new(object, "vcs", json_string(item->vcs));
	if (item->trigger)
		json_object_set_new(object, "trigger", json_string(item->trigger));
	if (*item->operations)
		json_object_set_new(object, "operations", json_string(item->operations));
	if (item->layer_rules) {
		json_t *rules = json_array();

		for (size_t i = 0; item->layer_rules[i]; i++)
			json_array_append_new(rules, json_string(item->layer_rules[i]));
		json_object_set_new(object, "layer_rules", rules);
	}
	if (item->options || item->layer_rules)
		json_object_set_new(object, "options", json_options(item->options));
	return object;
}

static void print_item_json(const struct item *item)
{
	json_t *root = hd_json_begin(), *object = json_item(item);

	json_object_update(root, object);
	json_decref(object);
	hd_json_print(root);
}

static int print_all(const struct arguments *arguments, struct hd_error *err)
{
	struct hd_columns columns;
	struct item item;

	if (arguments->json) {
		json_t *root = hd_json_begin(), *array = json_array();

		for (size_t i = 0; get_item(arguments->kind, i, &item); i++)
			json_array_append_new(array, json_item(&item));
		json_object_set_new(root, plural_of(arguments->kind), array);
		hd_json_print(root);
		return 0;
	}
	hd_columns_init(&columns, arguments->kind->has_defaults ? 4 : 2, 0);
	for (size_t i = 0; get_item(arguments->kind, i, &item); i++) {
		hd_columns_add(&columns, "%s", item.name);
		if (arguments->kind->has_defaults) {
			hd_columns_add(&columns, "%s", or_dash(item.options->default_value));
			hd_columns_add(&columns, "%s", or_dash(item.options->unit));
		}
		hd_columns_add(&columns, "%s", item.summary);
	}
	return hd_columns_print(&columns, err);
}

static int print_named(const struct arguments *arguments, struct hd_error *err)
{
	struct item item;

	for (size_t i = 0; get_item(arguments->kind, i, &item); i++) {
		if (strcmp(item.name, arguments->name) != 0)
			continue;
		if (!arguments->json)
			return print_item(&item, err);
		print_item_json(&item);
		return 0;
	}
	return hd_error_set(err, HD_ENOTFOUND, "no %s '%s' (see heddle list %s)",
			    singular_of(arguments->kind), arguments->name,
			    plural_of(arguments->kind));
}

static const struct hd_option complexity_options[] = {
	{ "n", NULL, "", "dimensions" },
	{ "v", NULL, "", "VCs" },
	{ "g", "1", "", "groups" },
	{ NULL, NULL, NULL, NULL },
};

/* "n=3,v=16,g=4" */
static int parse_complexity(const char *text, struct hd_crossbar_case *c, struct hd_error *err)
{
	struct hd_params *params = hd_params_new(complexity_options);
	char *pairs = strdup(text), *save = NULL;
	uint64_t n = 0, v = 0, g = 0;
	int ret = params && pairs ? 0 : hd_error_nomem(err);

	for (char *pair = ret ? NULL : strtok_r(pairs, ",", &save); pair && !ret;
	     pair = strtok_r(NULL, ",", &save))
		ret = hd_params_set_pair(params, "--complexity", pair, err);
	if (!ret)
		ret = hd_params_number(params, "n", 1, HD_CROSSBAR_DIMENSIONS, &n, err);
	if (!ret)
		ret = hd_params_number(params, "v", 1, HD_CROSSBAR_VCS, &v, err);
	if (!ret)
		ret = hd_params_number(params, "g", 1, HD_CROSSBAR_VCS, &g, err);
	hd_params_free(params);
	free(pairs);
	*c = (struct hd_crossbar_case){ (unsigned)n, (unsigned)v, (unsigned)g };
	return ret;
}

static int print_counts(const struct hd_crossbar_case *c, const uint64_t *counts,
			struct hd_error *err)
{
	struct hd_columns columns;

	hd_columns_init(&columns, 4, 0xE);
	hd_columns_titles(&columns, "switches", "VCs", "counted", "Table 4");
	for (unsigned kind = 0; kind < HD_CROSSBARS; kind++) {
		hd_columns_add(&columns, "%s", hd_crossbar_names[kind]);
		hd_columns_add(&columns, "%u", hd_crossbar_vcs(kind, c));
		hd_columns_add(&columns, "%" PRIu64, counts[kind]);
		hd_columns_add(&columns, "%" PRIu64, hd_crossbar_formula(kind, c));
	}
	return hd_columns_print(&columns, err);
}

static void print_counts_json(const struct hd_crossbar_case *c, const uint64_t *counts)
{
	json_t *root = hd_json_begin(), *array = json_array();

	for (unsigned kind = 0; kind < HD_CROSSBARS; kind++)
		json_array_append_new(array, json_pack("{s:s, s:i, s:I, s:I}", "switches",
						       hd_crossbar_names[kind], "vcs",
						       (int)hd_crossbar_vcs(kind, c), "counted",
						       (json_int_t)counts[kind], "formula",
						       (json_int_t)hd_crossbar_formula(kind, c)));
	json_object_set_new(root, "complexity", array);
	hd_json_print(root);
}

static int print_complexity(const struct arguments *arguments, struct hd_error *err)
{
	uint64_t counts[HD_CROSSBARS];
	struct hd_crossbar_case c;
	int ret = parse_complexity(arguments->complexity, &c, err);

	for (unsigned kind = 0; kind < HD_CROSSBARS && !ret; kind++)
		ret = hd_crossbar_count(kind, &c, &counts[kind], err);
	if (ret)
		return ret;
	if (!arguments->json)
		return print_counts(&c, counts, err);
	print_counts_json(&c, counts);
	return 0;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct hd_error err;
	int ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	if (arguments.complexity)
		ret = print_complexity(&arguments, &err);
	else
		ret = arguments.name ? print_named(&arguments, &err) : print_all(&arguments, &err);
	return ret ? hd_command_fail(&err) : HD_EXIT_YES;
}

const struct hd_command hd_command_list = {
	.name = "list",
	.summary = "list engines, rules, topologies and traffic, and their options",
	.run = run,
};
