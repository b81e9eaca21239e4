// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Metrics in the text format of Prometheus: HELP, TYPE, and a line for each value of labels. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "support/error.h"
#include "tools/watch/watch_state.h"

#define PREFIX "heddle_"

static void head(FILE *stream, const char *name, const char *type, const char *help)
{
	fprintf(stream, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s %s\n", name, help, name, type);
}

/* A metric without labels. */
static void one(FILE *stream, const char *name, const char *type, double value, const char *help)
{
	head(stream, name, type, help);
	fprintf(stream, PREFIX "%s %.15g\n", name, value);
}

/* A label's value: backslash, quote and line end are escaped. */
static void put_quoted(FILE *stream, const char *text)
{
	putc('"', stream);
	for (; *text; text++)
		if (*text == '\n')
			fputs("\\n", stream);
		else if (*text == '\\' || *text == '"')
			fprintf(stream, "\\%c", *text);
		else
			putc(*text, stream);
	putc('"', stream);
}

static void labelled(FILE *stream, const char *name, const char *label, const char *value_of_label,
		     double value)
{
	fprintf(stream, PREFIX "%s{%s=", name, label);
	put_quoted(stream, value_of_label);
	fprintf(stream, "} %.15g\n", value);
}

static void put_rounds(const struct hd_watch *watch, FILE *stream)
{
	const struct hd_watch_totals *totals = &watch->totals;

	head(stream, "build_info", "gauge", "The version of heddle that watches.");
	labelled(stream, "build_info", "version", PACKAGE_VERSION, 1);
	one(stream, "interval_seconds", "gauge", (double)watch->options->interval / 1e9,
	    "Time from the beginning of one round to that of the next.");
	one(stream, "rounds_total", "counter", (double)totals->rounds, "Rounds since the start.");
	head(stream, "failed_rounds_total", "counter",
	     "Rounds that failed, by the step that failed.");
	for (int step = 0; step < HD_WATCH_N_STEPS; step++)
		labelled(stream, "failed_rounds_total", "step", hd_watch_step_names[step],
			 (double)totals->failed[step]);
	if (!totals->rounds)
		return;
	one(stream, "round_success", "gauge", hd_watch_is_done(watch),
	    "Whether the last round was done to its end.");
	one(stream, "round_duration_seconds", "gauge", watch->ended - watch->begun,
	    "How long the last round took.");
	one(stream, "last_round_timestamp_seconds", "gauge", watch->ended,
	    "When the last round ended.");
}

static void put_verdict(const struct hd_watch *watch, FILE *stream)
{
	const struct hd_watch_facts *facts = &watch->facts;

	head(stream, "sound", "gauge",
	     "Whether tables are proved sound, for packets between hosts and for all packets.");
	for (int scope = HD_WATCH_N_SCOPES - 1; scope >= 0; scope--)
		labelled(stream, "sound", "scope", hd_watch_scope_names[scope],
			 facts->is_sound[scope]);
	head(stream, "check_findings", "gauge",
	     "Failures of the proof for all packets, by kind; a credit loop counts once.");
	for (int failure = HD_CHECK_NO_PATH; failure <= HD_CHECK_CREDIT_LOOP; failure++)
		labelled(stream, "check_findings", "kind", hd_check_failure_name(failure),
			 (double)facts->failures[failure]);
	one(stream, "service_levels", "gauge", facts->sls, "SLs that flows use.");
	one(stream, "virtual_lanes", "gauge", facts->vls, "Highest VL in use, plus one.");
}

static void put_fabric(const struct hd_watch *watch, FILE *stream)
{
	const struct hd_watch_facts *facts = &watch->facts;

	one(stream, "last_success_timestamp_seconds", "gauge", watch->judged,
	    "When the values of the fabric were last read and judged.");
	one(stream, "switches", "gauge", facts->n_switches, "Switches.");
	one(stream, "end_nodes", "gauge", facts->n_end_nodes, "Adapters and routers.");
	head(stream, "links", "gauge", "Links between switches, and links with an end node.");
	labelled(stream, "links", "kind", "switch", facts->n_switch_links);
	labelled(stream, "links", "kind", "end", facts->n_end_links);
	one(stream, "slow_links", "gauge", facts->n_slow,
	    "Links that came up slower or narrower than those beside them.");
	one(stream, "busiest_link_flows", "gauge", facts->busiest,
	    "Flows of the busiest link between switches, one flow for each pair of hosts.");
	one(stream, "mean_link_flows", "gauge", facts->mean,
	    "Flows of links between switches on average, in each direction.");
	one(stream, "lost_flows", "gauge", (double)facts->n_lost,
	    "Pairs of hosts whose packets do not arrive.");
}

static void put_plan(const struct hd_watch *watch, FILE *stream)
{
	const struct hd_watch_plan *plan = &watch->facts.plan;

	one(stream, "plan_cables", "gauge", plan->n_cables, "Cables of the plan.");
	one(stream, "plan_cables_in_place", "gauge", plan->n_in_place,
	    "Cables of the plan that are where they should be.");
	head(stream, "plan_findings", "gauge",
	     "How cables and nodes differ from the plan, by kind.");
	for (int kind = 0; kind < HD_N_FINDINGS; kind++)
		labelled(stream, "plan_findings", "kind", hd_finding_names[kind], plan->n_of[kind]);
}

static void put_changes(const struct hd_watch *watch, FILE *stream)
{
	const struct hd_watch_totals *totals = &watch->totals;

	one(stream, "changed_rounds_total", "counter", (double)totals->changed,
	    "Rounds that found something other than the round before.");
	head(stream, "changes_total", "counter", "Nodes, links and LIDs that changed, by kind.");
	labelled(stream, "changes_total", "kind", "node added", (double)totals->nodes_added);
	labelled(stream, "changes_total", "kind", "node removed", (double)totals->nodes_removed);
	labelled(stream, "changes_total", "kind", "link added", (double)totals->links_added);
	labelled(stream, "changes_total", "kind", "link removed", (double)totals->links_removed);
	labelled(stream, "changes_total", "kind", "link moved", (double)totals->ports_moved);
	labelled(stream, "changes_total", "kind", "LID changed", (double)totals->lids_changed);
	one(stream, "changed_lft_entries_total", "counter", (double)totals->lft_entries,
	    "LFT entries that changed.");
	one(stream, "changed_sl2vl_rows_total", "counter", (double)totals->sl2vl_rows,
	    "SL2VL rows that changed.");
	one(stream, "changed_pairs_total", "counter", (double)totals->pairs_changed,
	    "Pairs of hosts that changed path, SL or VL.");
	one(stream, "lost_pairs_total", "counter", (double)totals->pairs_lost,
	    "Pairs of hosts that lost their path.");
}

static void put_change(const struct hd_status_seen *status, FILE *stream)
{
	head(stream, "manager_change", "gauge",
	     "The state of the plug-in's change of tables: 1 for the present one.");
	for (int state = HD_ROLLOUT_IDLE; state <= HD_ROLLOUT_STOPPED; state++) {
		const char *name = hd_rollout_state_name(state);

		labelled(stream, "manager_change", "state", name,
			 strcmp(status->change, name) == 0);
	}
	one(stream, "manager_change_since_timestamp_seconds", "gauge", (double)status->since,
	    "When that state began; 0: not known.");
	one(stream, "manager_change_round", "gauge", status->round,
	    "The round of the change that is sent; 0: none.");
	one(stream, "manager_change_rounds", "gauge", status->of,
	    "Rounds that the change has; 0: none.");
	one(stream, "manager_change_failures", "gauge", status->n_failures,
	    "How often the change was stopped.");
	one(stream, "manager_change_losing_pairs", "gauge", (double)status->pairs_lost,
	    "Pairs of hosts that lose packets during the change.");
}

static void put_status(const struct hd_watch *watch, FILE *stream)
{
	const struct hd_status_seen *status = &watch->status;

	one(stream, "manager_status_readable", "gauge", watch->has_status,
	    "Whether the status file of the plug-in could be read.");
	if (!watch->has_status)
		return;
	head(stream, "engine_info", "gauge",
	     "The routing engine in force, and the one that it has chosen.");
	fputs(PREFIX "engine_info{engine=", stream);
	put_quoted(stream, status->engine);
	fputs(",routes=", stream);
	put_quoted(stream, status->routes[0] ? status->routes : status->engine);
	fputs("} 1\n", stream);
	one(stream, "manager_confirmed", "gauge", status->is_confirmed,
	    "Whether all nodes hold what the plug-in has sent.");
	put_change(status, stream);
}

void hd_watch_write_metrics(const struct hd_watch *watch, FILE *stream)
{
	put_rounds(watch, stream);
	if (watch->has_facts) {
		put_fabric(watch, stream);
		put_verdict(watch, stream);
		put_changes(watch, stream);
	}
	if (watch->has_facts && watch->facts.has_plan)
		put_plan(watch, stream);
	if (watch->options->status)
		put_status(watch, stream);
}

int hd_watch_page(const struct hd_watch *watch, char **page, size_t *size, struct hd_error *err)
{
	FILE *stream = open_memstream(page, size);

	if (!stream)
		return hd_error_nomem(err);
	hd_watch_write_metrics(watch, stream);
	if (fclose(stream) == 0)
		return 0;
	free(*page);
	*page = NULL;
	return hd_error_nomem(err);
}
