// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle check: proves a snapshot, or the tables that an engine makes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/both_tables.h"
#include "check/check.h"
#include "support/duration.h"
#include "support/error.h"
#include "tables/tables.h"
#include "tools/check_adaptive.h"
#include "tools/check_between.h"
#include "tools/check_history.h"
#include "tools/check_rules.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/route_options.h"
#include "tools/verdict.h"
#include "topologies/rings.h"

enum {
	KEY_SCOPE = HD_KEY_OWN,
	KEY_ALL_SLS,
	KEY_REVERSED_SL,
	KEY_MAX_VLS,
	KEY_FABRIC,
	KEY_JSON,
	KEY_ADAPTIVE,
	KEY_TRIGGER,
	KEY_VCS,
	KEY_BUBBLE,
	KEY_BETWEEN,
	KEY_HISTORY,
	KEY_SINCE,
	KEY_LIFE,
	KEY_RULES,
	KEY_SARIF,
	KEY_LOCAL_REPAIR,
};

struct arguments {
	struct hd_common common;
	const char *snapshot;
	const char *netfile;
	const char *between; /* the snapshot with the old tables */
	const struct hd_both_tables *both;
	struct hd_check_history history; /* with a file, SNAPSHOT may be left out */
	const char *since_text;          /* NULL: all states of the history */
	const char *life_text;           /* NULL: states, each by itself */
	struct hd_check_rules rules;
	struct hd_check_options options; /* the scope is that of the exit status */
	struct hd_check_adaptive adaptive;
	bool json, bubble;
};

#define N_SCOPES 2

static const char *const scope_names[N_SCOPES] = {
	[HD_CHECK_ALL] = "all",
	[HD_CHECK_HOSTS] = "hosts",
};

static const struct argp_option options[] = {
	{ "scope", KEY_SCOPE, "SCOPE", 0,
	  "Scope of the exit status, and of all output but the verdict: flows between hosts, or "
	  "all flows (default), also those from and to switches' management ports",
	  0 },
	{ "all-sls", KEY_ALL_SLS, NULL, 0, "Let every flow use any of the 16 SLs", 0 },
	{ "reversed-sl", KEY_REVERSED_SL, NULL, 0,
	  "Let a flow use the SL of the opposite direction too", 0 },
	{ "max-vls", KEY_MAX_VLS, "N", 0,
	  "Assume that switches drop packets on data VLs from N on (1-15)", 0 },
	{ "local-repair", KEY_LOCAL_REPAIR, "N", 0,
	  "With AR tables: also prove what switches do by themselves while up to N (1, 2) ports of "
	  "each are down",
	  0 },
	{ "fabric", KEY_FABRIC, "NETFILE", 0,
	  "The fabric, for a dump directory of OpenSM (default fabric.net in SNAPSHOT)", 0 },
	{ "engine", 'e', "ENGINE[:KEY=VALUE,...]", 0,
	  "Prove the tables that this engine makes for a fabric, instead of a snapshot", 0 },
	{ "layers", 'l', "RULE", 0, "With -e, the layer rule (heddle list layers)", 0 },
	{ "queues", 'q', "QUEUES:N", 0, "With -e, queue rule and number of queues", 0 },
	{ "adaptive", KEY_ADAPTIVE, "ROUTING", 0,
	  "Prove that this adaptive routing (heddle list adaptive) does not deadlock, "
	  "on the tables of a snapshot or of an engine (-e)",
	  0 },
	{ "trigger", KEY_TRIGGER, "TRIGGER", 0,
	  "With --adaptive, the trigger: when packets leave the minimal path", 0 },
	{ "vcs", KEY_VCS, "RULE", 0, "With --adaptive, the rule for VCs (hop:4/2, flexvc)", 0 },
	{ "bubble", KEY_BUBBLE, NULL, 0,
	  "Allow cycles within one ring of a torus, one direction and one VL or VC, as "
	  "bubble flow control does; InfiniBand does not have it",
	  0 },
	{ "between", KEY_BETWEEN, "OLD", 0,
	  "Prove every mixture of the tables of snapshot OLD and these: no loop, in "
	  "whatever order switches get their new tables",
	  0 },
	{ "history", KEY_HISTORY, "FILE", 0,
	  "Prove every state that an emulated fabric was in (simfabric --history): no forwarding "
	  "loop, no cycle of channel dependencies. Hosts have the path SLs of SNAPSHOT; without "
	  "one, any SL",
	  0 },
	{ "since", KEY_SINCE, "TIME", 0,
	  "With --history: prove the states from that time on, such as 2.5s. Earlier states are "
	  "counted separately, such as those of a first load, or of another subnet manager",
	  0 },
	{ "life", KEY_LIFE, "TIME", 0,
	  "With --history: packets live for TIME at most, such as 100ms. Also prove "
	  "every mixture of all states of each window of that length, because packets "
	  "of these states may meet",
	  0 },
	{ "rules", KEY_RULES, "FILE", 0,
	  "Instead of the proof, judge paths, rails, redundancy and loads by the rules of FILE "
	  "(heddle-rules(5))",
	  0 },
	{ "sarif", KEY_SARIF, "FILE", 0,
	  "With --rules: write the violations to FILE in SARIF, for tools that show findings", 0 },
	{ "json", KEY_JSON, NULL, 0, "Print the verdict in JSON", 0 },
	{ 0 }
};

static error_t parse_scope(const char *text, struct arguments *arguments, struct argp_state *state)
{
	for (int scope = 0; scope < N_SCOPES; scope++)
		if (strcmp(text, scope_names[scope]) == 0) {
			arguments->options.scope = scope;
			return 0;
		}
	return hd_usage_error(state, "--scope: '%s' is neither hosts nor all", text);
}

static error_t parse_time(const char *text, const char *option, uint64_t *ns,
			  struct argp_state *state)
{
	struct hd_error err;

	if (hd_parse_duration(text, option, ns, &err))
		return hd_usage_error(state, "%s", err.text);
	return 0;
}

static bool goes_with_history(const struct arguments *arguments)
{
	const struct hd_check_options *given = &arguments->options;

	return !arguments->adaptive.routing && !arguments->adaptive.engine && !arguments->bubble &&
	       !arguments->between && !arguments->netfile && !given->all_sls &&
	       !given->reversed_sl && !given->max_vls && !arguments->rules.path;
}

static bool goes_with_rules(const struct arguments *arguments)
{
	const struct hd_check_options *given = &arguments->options;

	return !arguments->adaptive.routing && !arguments->bubble && !arguments->between &&
	       !given->all_sls && !given->reversed_sl && given->scope == HD_CHECK_ALL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	uint64_t number = 0;
	error_t ret;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_SCOPE:
		return parse_scope(arg, arguments, state);
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
	case KEY_LOCAL_REPAIR:
		ret = hd_usage_number(state, "--local-repair", arg, 1, 2, &number);
		arguments->options.local_repair = (unsigned)number;
		return ret;
	case KEY_FABRIC:
		arguments->netfile = arg;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case KEY_BETWEEN:
		arguments->between = arg;
		return 0;
	case KEY_HISTORY:
		arguments->history.path = arg;
		return 0;
	case KEY_SINCE:
		arguments->since_text = arg;
		return parse_time(arg, "--since", &arguments->history.since, state);
	case KEY_LIFE:
		arguments->life_text = arg;
		return parse_time(arg, "--life", &arguments->history.life, state);
	case KEY_RULES:
		arguments->rules.path = arg;
		return 0;
	case KEY_SARIF:
		arguments->rules.sarif = arg;
		return 0;
	case KEY_BUBBLE:
		arguments->bubble = true;
		return 0;
	case 'e':
		arguments->adaptive.engine = arg;
		return 0;
	case 'l':
		arguments->adaptive.layers = arg;
		return 0;
	case 'q':
		arguments->adaptive.queues = arg;
		return 0;
	case KEY_ADAPTIVE:
		arguments->adaptive.routing = arg;
		return 0;
	case KEY_TRIGGER:
		arguments->adaptive.trigger = arg;
		return 0;
	case KEY_VCS:
		arguments->adaptive.vcs = arg;
		return 0;
	case ARGP_KEY_ARG:
		return hd_usage_argument(state, key, "SNAPSHOT", arg, &arguments->snapshot);
	case ARGP_KEY_END:
		hd_check_adaptive_complete(&arguments->adaptive);
		if (!arguments->adaptive.routing && hd_check_adaptive_is_said(&arguments->adaptive))
			return hd_usage_error(state, "--trigger and --vcs go with --adaptive");
		if (arguments->adaptive.layers && !arguments->adaptive.engine)
			return hd_usage_error(state, "--layers goes with --engine");
		if (arguments->adaptive.queues && !arguments->adaptive.engine)
			return hd_usage_error(state, "--queues goes with --engine");
		if (arguments->between && (arguments->adaptive.routing || arguments->bubble ||
					   arguments->options.reversed_sl))
			return hd_usage_error(state, "--between goes with none of --adaptive, "
						     "--bubble and --reversed-sl");
		if (arguments->options.local_repair && arguments->adaptive.routing)
			return hd_usage_error(state, "--local-repair and --adaptive do not go "
						     "together");
		if (arguments->history.path && !goes_with_history(arguments))
			return hd_usage_error(state, "--history goes with SNAPSHOT, --scope, "
						     "--since, --life and --json alone");
		if ((arguments->since_text || arguments->life_text) && !arguments->history.path)
			return hd_usage_error(state, "--since and --life go with --history");
		if (arguments->life_text && !arguments->history.life)
			return hd_usage_error(state, "--life: packets live for more than 0");
		if (arguments->rules.sarif && !arguments->rules.path)
			return hd_usage_error(state, "--sarif goes with --rules");
		if (arguments->rules.path && !goes_with_rules(arguments))
			return hd_usage_error(state,
					      "--rules goes with none of --scope, --all-sls, "
					      "--reversed-sl, --between, --bubble and "
					      "--adaptive");
		if (arguments->history.path)
			return 0;
		return hd_usage_argument(state, key, "SNAPSHOT", arg, &arguments->snapshot);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SNAPSHOT|FABRIC\n--history FILE [SNAPSHOT]",
	.doc = "Proves SNAPSHOT, or what -e makes of FABRIC: every LID reachable from every end "
	       "port, no loop, no packet dropped, no credit loop among unicast and multicast. "
	       "There are two verdicts: one on packets between hosts, one on all packets, also "
	       "from and to switches' management ports. Exit status, by --scope: 0 sound, 1 "
	       "unsound, 2 unusable input, or sound except for switches without a table.\v"
	       "Examples:\n"
	       "  heddle check --all-sls snapshot\n"
	       "  heddle check --between old new\n"
	       "  heddle check --history what-happened\n"
	       "  heddle check --rules site.rules snapshot",
	.children = children,
};

static int print_text(const struct arguments *arguments, const struct hd_check_result *results,
		      const struct hd_tables *tables, struct hd_error *err)
{
	const struct hd_check_result *wanted = &results[arguments->options.scope];
	const struct hd_fabric *fabric = tables->fabric;
	int ret;

	hd_report_field("scope", "%s", scope_names[arguments->options.scope]);
	/* of mixtures, reachability is not asked */
	if (!arguments->between) {
		hd_report_field("reachable", "%s", hd_verdict_reachable(wanted));
		hd_verdict_print_uncovered(wanted, tables);
	}
	hd_verdict_print_sets(tables);
	if (arguments->options.local_repair)
		hd_report_field("local repair", "while up to %u port%s of a switch are down",
				arguments->options.local_repair,
				arguments->options.local_repair == 1 ? "" : "s");
	hd_verdict_tell_resources(wanted, NULL);
	if (arguments->bubble)
		hd_report_field("bubble",
				"%" PRIu32 " cycles, each in one ring, direction and VL: safe with "
				"bubble flow control alone, which InfiniBand does not have",
				wanted->n_bubbles);
	if (arguments->between)
		hd_check_between_print_counts(tables, arguments->options.before, wanted);
	hd_verdict_print_both(&results[HD_CHECK_HOSTS], &results[HD_CHECK_ALL], fabric);
	/* findings outside of the scope are shown where there are none inside */
	if (wanted->failure == HD_CHECK_SOUND || wanted->failure == HD_CHECK_NOT_COVERED)
		wanted = &results[HD_CHECK_ALL];
	ret = hd_verdict_print_failures(wanted, fabric, err);
	if (!ret && arguments->between)
		ret = hd_check_between_print_mixture(tables, &arguments->options, wanted, err);
	return ret;
}

static int print_json(const struct arguments *arguments, const struct hd_check_result *results,
		      const struct hd_tables *tables, struct hd_error *err)
{
	const struct hd_check_result *wanted = &results[arguments->options.scope];
	const struct hd_fabric *fabric = tables->fabric;
	json_t *root = hd_json_begin();
	int ret = 0;

	hd_verdict_json_sets(tables, root);
	hd_verdict_json_uncovered(tables, root);
	json_object_set_new(root, "scope", json_string(scope_names[arguments->options.scope]));
	if (arguments->options.local_repair)
		json_object_set_new(root, "local_repair",
				    json_integer(arguments->options.local_repair));
	if (arguments->bubble)
		json_object_set_new(root, "bubble_rings", json_integer(wanted->n_bubbles));
	if (arguments->between)
		ret = hd_check_between_json(tables, &arguments->options, wanted, root, err);
	hd_verdict_json(wanted, fabric, root);
	for (int scope = N_SCOPES - 1; scope >= 0; scope--) {
		json_t *object = json_object();

		hd_verdict_json(&results[scope], fabric, object);
		json_object_set_new(root, scope_names[scope], object);
	}
	if (ret)
		json_decref(root);
	else
		hd_json_print(root);
	return ret;
}

/*
 * Proves both scopes; @results are to be cleared whatever the outcome. Packets between hosts are
 * some of all packets: if all packets are sound, so are those between hosts. The numbers of the
 * second proof appear only in JSON and with --scope hosts, so it is skipped otherwise.
 */
static int prove_both(const struct arguments *arguments, const struct hd_tables *tables,
		      struct hd_check_result *results, struct hd_error *err)
{
	const struct hd_both_tables *both = arguments->both;
	struct hd_check_options scoped = arguments->options;
	struct hd_progress progress;
	int ret = 0;

	hd_progress_begin(&progress, &arguments->common, "proving");
	for (int scope = 0; !ret && scope < N_SCOPES; scope++) {
		if (scope == HD_CHECK_HOSTS && results[HD_CHECK_ALL].failure == HD_CHECK_SOUND &&
		    !arguments->json && arguments->options.scope == HD_CHECK_ALL)
			break;
		scoped.scope = scope;
		if (both)
			hd_both_tables_ask(both, &scoped);
		ret = hd_check(tables, &scoped, &results[scope], err);
	}
	hd_note_verbose(&arguments->common, "checked in %.3f s", hd_progress_end(&progress));
	return ret;
}

/* Notes ports whose VL arbitration is not known: what starves there is not judged. */
static void note_unknown(const struct arguments *arguments, const struct hd_check_result *result,
			 const struct hd_fabric *fabric)
{
	const struct hd_gap *gap = &result->vlarb_gap;
	char label[HD_LABEL_SIZE];

	if (gap->n)
		hd_note(&arguments->common,
			"%" PRIu32
			" port%s with several VLs, %s the first: no VL arbitration given, "
			"taken to serve all of them",
			gap->n, gap->n == 1 ? "" : "s",
			hd_port_label(fabric, gap->first, label, sizeof(label)));
}

static int judge_rules(const struct arguments *arguments, const struct hd_snapshot *snapshot,
		       int *verdict, struct hd_error *err)
{
	struct hd_check_rules asked = arguments->rules;

	asked.json = arguments->json;
	return hd_check_rules_run(&asked, snapshot->tables, arguments->snapshot, &arguments->common,
				  verdict, err);
}

/* @grid: the one that an engine found, or NULL. */
static int prove(const struct arguments *given, const struct hd_snapshot *snapshot,
		 const struct hd_grid *grid, int *verdict, struct hd_error *err)
{
	struct hd_check_result results[N_SCOPES] = { 0 };
	struct arguments own = *given;
	const struct arguments *arguments = &own;
	struct hd_rings rings = { 0 };
	struct hd_both_tables both = { .now = snapshot->tables };
	int ret = own.bubble ? hd_rings_find(snapshot->fabric, grid, &rings, err) : 0;

	if (!ret && own.between)
		ret = hd_check_between_open(own.between, snapshot->tables, &own.common, &both, err);
	own.options.ring = rings.of;
	own.options.before = both.before;
	own.both = own.between ? &both : NULL;
	if (!ret)
		ret = prove_both(arguments, both.now, results, err);
	if (!ret) {
		const struct hd_check_result *wanted = &results[arguments->options.scope];

		*verdict = wanted->failure == HD_CHECK_SOUND ? HD_EXIT_YES : HD_EXIT_NO;
		note_unknown(arguments, wanted, snapshot->fabric);
		if (arguments->json)
			ret = print_json(arguments, results, both.now, err);
		else
			ret = print_text(arguments, results, both.now, err);
	}
	/* neither sound nor unsound: input that does not suffice */
	if (!ret && results[arguments->options.scope].failure == HD_CHECK_NOT_COVERED)
		ret = hd_error_at(err, HD_EINVAL, own.snapshot, 0,
				  "the LFTs of %" PRIu32 " of %" PRIu32
				  " switches are missing: what is not covered is not proved",
				  snapshot->tables->n_lft_unknown, snapshot->fabric->n_switches);
	for (int scope = 0; scope < N_SCOPES; scope++)
		hd_check_clear(&results[scope]);
	free(rings.of);
	hd_both_tables_clear(&both);
	return ret;
}

/* Routes the fabric that is given, and proves the tables. */
static int prove_engine(const struct arguments *arguments, int *verdict, struct hd_error *err)
{
	struct hd_routing_arguments routing = { .fabric = arguments->snapshot,
						.layers = arguments->adaptive.layers,
						.queues = arguments->adaptive.queues };
	struct hd_structure structure = { 0 };
	struct hd_snapshot made = { 0 };
	struct hd_params *params = NULL;
	struct hd_route_request request;
	int ret = hd_routing_take_engine(arguments->adaptive.engine, &routing, err);

	if (!ret)
		ret = hd_routing_params(&routing, &params, err);
	if (!ret)
		ret = hd_routing_open(&routing, &arguments->common, &made.fabric, err);
	if (!ret) {
		routing.max_vls = arguments->options.max_vls;
		request = hd_routing_request(&routing, params);
		request.bubble = arguments->bubble;
		ret = hd_routing_explain(&routing,
					 hd_route_structure(routing.engine, made.fabric, &request,
							    &made.tables, &structure, err),
					 err);
	}
	if (!ret && arguments->rules.path)
		ret = judge_rules(arguments, &made, verdict, err);
	else if (!ret)
		ret = prove(arguments, &made, structure.grid, verdict, err);
	hd_structure_clear(&structure);
	hd_tables_free(made.tables);
	hd_fabric_free(made.fabric);
	hd_params_free(params);
	hd_routing_clear(&routing);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct hd_snapshot *snapshot;
	int verdict = HD_EXIT_NO;
	struct hd_error err;
	bool is_other;
	int ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	arguments.adaptive.strict = arguments.common.strict;
	arguments.adaptive.name_map = arguments.common.name_map;
	arguments.adaptive.bubble = arguments.bubble;
	ret = hd_check_adaptive_is_other(&arguments.adaptive, &is_other, &err);
	if (ret)
		return hd_command_fail(&err);
	if (is_other)
		return hd_check_adaptive_run(&arguments.adaptive, arguments.snapshot,
					     &arguments.common, arguments.json);
	if (arguments.history.path) {
		arguments.history.snapshot = arguments.snapshot;
		arguments.history.scope = arguments.options.scope;
		return hd_check_history_run(&arguments.history, &arguments.common, arguments.json);
	}
	if (arguments.adaptive.engine) {
		ret = prove_engine(&arguments, &verdict, &err);
		return ret ? hd_command_fail(&err) : verdict;
	}
	ret = hd_input_snapshot(arguments.snapshot, arguments.netfile, &arguments.common, &snapshot,
				&err);
	if (!ret && arguments.rules.path)
		ret = judge_rules(&arguments, snapshot, &verdict, &err);
	else if (!ret)
		ret = prove(&arguments, snapshot, NULL, &verdict, &err);
	hd_snapshot_free(snapshot);
	return ret ? hd_command_fail(&err) : verdict;
}

const struct hd_command hd_command_check = {
	.name = "check",
	.summary = "prove that tables reach every LID and have no credit loop",
	.run = run,
};
