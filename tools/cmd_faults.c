// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle faults: which failures an engine routes around, proved. */
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/duration.h"
#include "support/error.h"
#include "support/text.h"
#include "tools/faults/fault_study.h"
#include "tools/faults/share_bounds.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/route_options.h"

enum {
	KEY_LINKS = HD_KEY_OWN,
	KEY_SWITCHES,
	KEY_SAMPLE,
	KEY_SEED,
	KEY_TIME,
	KEY_JSON,
};

struct arguments {
	struct hd_common common;
	struct hd_routing_arguments routing;
	const char *links;
	const char *switches;
	uint64_t sample;
	uint64_t seed;
	uint64_t time_ns;
	uint64_t jobs;
	bool json;
};

static const struct argp_option options[] = {
	{ "links", KEY_LINKS, "K", 0,
	  "K links between switches fail together, or K% of them, rounded up (1 unless switches "
	  "fail)",
	  0 },
	{ "switches", KEY_SWITCHES, "K", 0, "K switches fail together, or K% of them", 0 },
	{ "sample", KEY_SAMPLE, "N", 0, "Try N random sets of failures, instead of every one", 0 },
	{ "time", KEY_TIME, "T", 0,
	  "Try sets in an order at random for T (90s, 10min), all if there is time", 0 },
	{ "seed", KEY_SEED, "S", 0, "Seed of --sample and --time (default 1)", 0 },
	{ "jobs", 'j', "N", 0, "Run N threads (default: one for each processor)", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print the result in JSON", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	struct hd_error err;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		state->child_inputs[1] = &arguments->routing;
		return 0;
	case KEY_LINKS:
		arguments->links = arg;
		return 0;
	case KEY_SWITCHES:
		arguments->switches = arg;
		return 0;
	case KEY_SAMPLE:
		return hd_usage_number(state, "--sample", arg, 1, HD_FAULT_SETS_MAX,
				       &arguments->sample);
	case KEY_SEED:
		return hd_usage_number(state, "--seed", arg, 0, UINT64_MAX, &arguments->seed);
	case KEY_TIME:
		if (hd_parse_duration(arg, "--time", &arguments->time_ns, &err))
			return hd_usage_error(state, "%s", err.text);
		if (!arguments->time_ns)
			return hd_usage_error(state, "--time 0 leaves no time");
		return 0;
	case 'j':
		return hd_usage_number(state, "--jobs", arg, 1, 1024, &arguments->jobs);
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
	.doc = "Routes FABRIC with an engine under every set of failures of K links or switches, "
	       "or under some of them, and proves the tables. Exit status: 0 the engine routes "
	       "every set that leaves the fabric connected, and the tables are sound; 1 a set is "
	       "refused or unsound; 2 unusable input.\v"
	       "Examples:\n"
	       "  heddle faults dragonfly:a=4,p=2,h=2 -e dla --links 1\n"
	       "  heddle faults torus:8x8 -e hdor --switches 1\n"
	       "  heddle faults dragonfly:a=8,p=4,h=4 -e dla --links 1% --sample 1000\n"
	       "  heddle faults dragonfly:a=6,p=3,h=3 -e dla --links 2 --time 1min",
	.children = children,
};

/* "3" or "1%" of @all. */
static int parse_count(const char *text, const char *what, uint32_t all, uint32_t *count,
		       struct hd_error *err)
{
	size_t length = text ? strlen(text) : 0;
	char digits[32];
	uint64_t value;
	int ret;

	*count = 0;
	if (!text)
		return 0;
	if (!length || length >= sizeof(digits) || text[length - 1] != '%') {
		ret = hd_parse_number(text, what, 0, all, &value, err);
	} else {
		snprintf(digits, sizeof(digits), "%.*s", (int)length - 1, text);
		ret = hd_parse_number(digits, what, 0, 100, &value, err);
		value = (value * all + 99) / 100;
	}
	if (!ret)
		*count = (uint32_t)value;
	return ret;
}

static int make_sets(const struct arguments *arguments, const struct hd_fabric *fabric,
		     struct hd_fault_sets *sets, struct hd_error *err)
{
	const char *links = arguments->links;
	struct hd_fault_list list;
	int ret = hd_fault_list_init(&list, fabric, err);

	*sets = (struct hd_fault_sets){ .n_sample = arguments->sample,
					.seed = arguments->seed,
					.is_shuffled = arguments->time_ns != 0 };
	if (!links && !arguments->switches)
		links = "1";
	if (!ret)
		ret = parse_count(links, "links between switches to fail", list.n_links,
				  &sets->n_links, err);
	if (!ret)
		ret = parse_count(arguments->switches, "switches to fail", list.n_switches,
				  &sets->n_switches, err);
	hd_fault_list_clear(&list);
	return ret;
}

/* "2 links and 1 switch" */
static const char *set_label(const struct hd_fault_sets *sets, char *buffer, size_t size)
{
	int n = 0;

	if (sets->n_links)
		n = snprintf(buffer, size, "%" PRIu32 " link%s%s", sets->n_links,
			     sets->n_links == 1 ? "" : "s", sets->n_switches ? " and " : "");
	if (sets->n_switches)
		snprintf(buffer + n, size - (size_t)n, "%" PRIu32 " switch%s", sets->n_switches,
			 sets->n_switches == 1 ? "" : "es");
	return buffer;
}

/* The first failures of a set as "NAME[PORT], NAME". */
static const char *set_text(const struct hd_fault_study *study, uint64_t set, char *buffer,
			    size_t size)
{
	const uint32_t n_links = study->sets.n_links, n = n_links + study->sets.n_switches;
	uint32_t *chosen = study->chosen;
	char label[HD_LABEL_SIZE];
	size_t used = 0;

	*buffer = '\0';
	hd_fault_sets_choose(&study->list, &study->sets, set, chosen);
	for (uint32_t i = 0; i < n && used < size; i++) {
		const char *one =
			i < n_links ? hd_port_label(study->fabric, chosen[i], label, sizeof(label))
				    : hd_node_label(study->fabric, chosen[i], label, sizeof(label));
		if (used + strlen(one) + 8 > size) {
			snprintf(buffer + used, size - used, ", ...");
			break;
		}
		used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", one);
	}
	return buffer;
}

static void print_reasons(const struct hd_fault_study *study)
{
	char text[160];

	for (size_t i = 0; i < study->n_reasons; i++) {
		const struct hd_fault_reason *reason = &study->reasons[i];

		printf("%s %" PRIu64 " set%s, first without %s: %s\n",
		       reason->outcome == HD_FAULT_UNSOUND ? "Unsound:" : "Refused:", reason->n,
		       reason->n == 1 ? "" : "s",
		       set_text(study, reason->first, text, sizeof(text)), reason->text);
	}
}

/* "0.5% to 3.1%", or "at most 0.3%" */
static const char *share_text(struct hd_share_bounds bounds, char *buffer, size_t size)
{
	if (bounds.least > 0)
		snprintf(buffer, size, "%.3g%% to %.3g%%", 100 * bounds.least, 100 * bounds.most);
	else
		snprintf(buffer, size, "at most %.3g%%", 100 * bounds.most);
	return buffer;
}

/* What the sample says of all sets. */
static void print_shares(const struct hd_fault_study *study)
{
	char cut[64], refused[64], unsound[64], busier[64];

	share_text(hd_share_bounds(study->n[HD_FAULT_DISCONNECTED], study->n_sets), cut,
		   sizeof(cut));
	share_text(hd_share_bounds(study->n[HD_FAULT_REFUSED], study->n_sets), refused,
		   sizeof(refused));
	share_text(hd_share_bounds(study->n[HD_FAULT_UNSOUND], study->n_sets), unsound,
		   sizeof(unsound));
	share_text(hd_share_beyond(study->n_sets), busier, sizeof(busier));
	hd_report_field("of all sets", "disconnected %s, refused %s, unsound %s", cut, refused,
			unsound);
	hd_report_field("", "busier than the worst link here %s; each with 95%% confidence",
			busier);
}

static void print_text(const struct arguments *arguments, const struct hd_fault_study *study,
		       double seconds)
{
	const struct hd_routing_arguments *routing = &arguments->routing;
	const uint64_t connected = study->n_sets - study->n[HD_FAULT_DISCONNECTED];
	char label[64];

	hd_report_field("engine", "%s, layers %s, queues %s", routing->engine->policy.name,
			hd_routing_layers(routing), hd_routing_queues(routing));
	hd_report_field("fabric",
			"%" PRIu32 " switches, %" PRIu32 " end nodes, %" PRIu32
			" links between switches",
			study->fabric->n_switches,
			study->fabric->n_nodes - study->fabric->n_switches, study->list.n_links);
	set_label(&study->sets, label, sizeof(label));
	if (!hd_fault_study_is_sample(study))
		hd_report_field("failures", "all %" PRIu64 " sets of %s", study->n_sets, label);
	else if (study->list.n_all == UINT64_MAX)
		hd_report_field("failures", "%" PRIu64 " samples of %s, seed %" PRIu64,
				study->n_sets, label, study->sets.seed);
	else
		hd_report_field("failures",
				"%" PRIu64 " samples of %s, seed %" PRIu64 ", of %" PRIu64
				" sets in all",
				study->n_sets, label, study->sets.seed, study->list.n_all);
	hd_report_field("disconnected", "%" PRIu64, study->n[HD_FAULT_DISCONNECTED]);
	hd_report_field("routed", "%" PRIu64 " of %" PRIu64 " that leave it connected (%.4g%%)",
			study->n[HD_FAULT_ROUTED], connected,
			connected ? 100.0 * (double)study->n[HD_FAULT_ROUTED] / (double)connected
				  : 100.0);
	hd_report_field("refused", "%" PRIu64, study->n[HD_FAULT_REFUSED]);
	if (study->n[HD_FAULT_UNSOUND])
		hd_report_field("unsound", "%" PRIu64, study->n[HD_FAULT_UNSOUND]);
	if (study->n[HD_FAULT_ROUTED]) {
		hd_report_field("SLs", "%u at most, one alone for %" PRIu64 " sets", study->sls,
				study->n_one_sl);
		hd_report_field("VLs", "%u at most", study->vls);
		hd_report_field("longest path", "%u hops between switches", study->max_hops);
		hd_report_field("worst link", "%.3f x the intact fabric's at most, mean %.3f",
				study->load.max, study->load.mean);
		hd_report_field("LFT entries", "%.0f of %" PRIu64 " changed at most, mean %.1f",
				study->lft_entries.max, study->n_lft_entries,
				study->lft_entries.mean);
	}
	if (hd_fault_study_is_sample(study) && study->n_sets)
		print_shares(study);
	hd_report_field("time", "%.3f s", seconds);
	print_reasons(study);
}

static json_t *json_figure(const struct hd_fault_figure *figure)
{
	json_t *object = json_object();

	json_object_set_new(object, "mean", json_real(figure->mean));
	json_object_set_new(object, "max", json_real(figure->max));
	return object;
}

static json_t *json_reasons(const struct hd_fault_study *study)
{
	json_t *array = json_array();
	char text[4096];

	for (size_t i = 0; i < study->n_reasons; i++) {
		const struct hd_fault_reason *reason = &study->reasons[i];
		json_t *object = json_object();

		json_object_set_new(object, "sets", json_integer((json_int_t)reason->n));
		json_object_set_new(object, "unsound",
				    json_boolean(reason->outcome == HD_FAULT_UNSOUND));
		json_object_set_new(object, "reason", hd_json_text(reason->text));
		json_object_set_new(
			object, "first",
			hd_json_text(set_text(study, reason->first, text, sizeof(text))));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_share(struct hd_share_bounds bounds)
{
	return json_pack("{s:f, s:f}", "least", bounds.least, "most", bounds.most);
}

/* What the sample says of all sets, with 95% confidence; null where there is no sample. */
static json_t *json_shares(const struct hd_fault_study *study, const char *const *names)
{
	json_t *object;

	if (!hd_fault_study_is_sample(study) || !study->n_sets)
		return json_null();
	object = json_object();
	for (unsigned i = 0; i < HD_N_FAULT_OUTCOMES; i++)
		json_object_set_new(object, names[i],
				    json_share(hd_share_bounds(study->n[i], study->n_sets)));
	json_object_set_new(object, "busier", json_share(hd_share_beyond(study->n_sets)));
	return object;
}

static void print_json(const struct arguments *arguments, const struct hd_fault_study *study,
		       double seconds)
{
	const struct hd_routing_arguments *routing = &arguments->routing;
	json_t *root = hd_json_begin();
	static const char *const names[HD_N_FAULT_OUTCOMES] = {
		[HD_FAULT_ROUTED] = "routed",
		[HD_FAULT_REFUSED] = "refused",
		[HD_FAULT_UNSOUND] = "unsound",
		[HD_FAULT_DISCONNECTED] = "disconnected",
	};

	json_object_set_new(root, "engine", json_string(routing->engine->policy.name));
	json_object_set_new(root, "layers", hd_json_text(hd_routing_layers(routing)));
	json_object_set_new(root, "queues", hd_json_text(hd_routing_queues(routing)));
	json_object_set_new(root, "fabric", hd_json_text(routing->fabric));
	json_object_set_new(root, "links", json_integer(study->sets.n_links));
	json_object_set_new(root, "switches", json_integer(study->sets.n_switches));
	json_object_set_new(root, "sampled", json_boolean(hd_fault_study_is_sample(study)));
	json_object_set_new(root, "seed", json_integer((json_int_t)study->sets.seed));
	json_object_set_new(root, "sets", json_integer((json_int_t)study->n_sets));
	json_object_set_new(root, "all_sets",
			    study->list.n_all > INT64_MAX
				    ? json_null()
				    : json_integer((json_int_t)study->list.n_all));
	for (unsigned i = 0; i < HD_N_FAULT_OUTCOMES; i++)
		json_object_set_new(root, names[i], json_integer((json_int_t)study->n[i]));
	json_object_set_new(root, "sls", json_integer(study->sls));
	json_object_set_new(root, "one_sl", json_integer((json_int_t)study->n_one_sl));
	json_object_set_new(root, "vls", json_integer(study->vls));
	json_object_set_new(root, "max_hops", json_integer(study->max_hops));
	json_object_set_new(root, "worst_load", json_figure(&study->load));
	json_object_set_new(root, "lft_entries", json_integer((json_int_t)study->n_lft_entries));
	json_object_set_new(root, "lft_entries_changed", json_figure(&study->lft_entries));
	json_object_set_new(root, "share_of_all", json_shares(study, names));
	json_object_set_new(root, "reasons", json_reasons(study));
	json_object_set_new(root, "seconds", json_real(seconds));
	hd_json_print(root);
}

static int study(const struct arguments *arguments, const struct hd_fabric *fabric,
		 const struct hd_params *params, struct hd_fault_study *study, struct hd_error *err)
{
	const struct hd_routing_arguments *routing = &arguments->routing;
	const struct hd_route_request request = hd_routing_request(routing, params);
	struct hd_progress progress;
	struct hd_fault_sets sets;
	double seconds;
	int ret = make_sets(arguments, fabric, &sets, err);

	if (!ret)
		ret = hd_fault_study_init(study, fabric, &sets, err);
	if (ret)
		return ret;
	study->time_ns = arguments->time_ns;
	hd_progress_begin_counted(&progress, &arguments->common, "routing and proving",
				  &study->n_done, study->n_sets);
	ret = hd_fault_study_run(study, routing->engine, &request, (unsigned)arguments->jobs, err);
	seconds = hd_progress_end(&progress);
	if (ret)
		return hd_routing_explain(routing, ret, err);
	if (arguments->json)
		print_json(arguments, study, seconds);
	else
		print_text(arguments, study, seconds);
	return 0;
}

/* Every set takes as much memory as the one before: to give it back each time would cost more. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_TOP_PAD, 64 << 20);
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { .seed = 1 };
	struct hd_fault_study result = { 0 };
	struct hd_fabric *fabric = NULL;
	struct hd_params *params = NULL;
	int status = HD_EXIT_UNUSABLE;
	struct hd_error err;

	keep_memory();
	if (hd_command_parse(&argp, argc, argv, &arguments) == 0) {
		int ret = hd_routing_params(&arguments.routing, &params, &err);

		if (!ret)
			ret = hd_routing_open(&arguments.routing, &arguments.common, &fabric, &err);
		if (!ret)
			ret = study(&arguments, fabric, params, &result, &err);
		if (ret)
			status = hd_command_fail(&err);
		else if (result.n[HD_FAULT_REFUSED] || result.n[HD_FAULT_UNSOUND])
			status = HD_EXIT_NO;
		else
			status = HD_EXIT_YES;
	}
	hd_fault_study_clear(&result);
	hd_fabric_free(fabric);
	hd_params_free(params);
	hd_routing_clear(&arguments.routing);
	return status;
}

const struct hd_command hd_command_faults = {
	.name = "faults",
	.summary = "try an engine under failures of links and switches",
	.run = run,
};
