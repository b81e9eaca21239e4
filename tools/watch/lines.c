// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What heddle watch prints: a line where something changed, or a line of JSON for every round. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/error.h"
#include "tools/report.h"
#include "tools/watch/watch_state.h"

/* "2026-11-26T02:40:11Z" */
static const char *time_text(double seconds, char *buffer, size_t size)
{
	const time_t whole = (time_t)seconds;
	struct tm parts;

	gmtime_r(&whole, &parts);
	strftime(buffer, size, "%Y-%m-%dT%H:%M:%SZ", &parts);
	return buffer;
}

/* "N ONE" or "N MANY", with @separator before all but the first; nothing of 0. */
static void put_count(FILE *stream, const char **separator, uint64_t n, const char *one,
		      const char *many)
{
	if (!n)
		return;
	fprintf(stream, "%s%" PRIu64 " %s", *separator, n, n == 1 ? one : many);
	*separator = ", ";
}

static void put_changes(FILE *stream, const struct hd_watch_changes *changes)
{
	const struct hd_diff *diff = &changes->diff;
	const char *separator = "";

	put_count(stream, &separator, diff->nodes_removed, "node gone", "nodes gone");
	put_count(stream, &separator, diff->nodes_added, "new node", "new nodes");
	put_count(stream, &separator, diff->links_removed, "link gone", "links gone");
	if (diff->links_removed && changes->gone[0])
		fprintf(stream, " (%s%s)", changes->gone, diff->links_removed > 1 ? ", ..." : "");
	put_count(stream, &separator, diff->links_added, "new link", "new links");
	if (diff->links_added && changes->added[0])
		fprintf(stream, " (%s%s)", changes->added, diff->links_added > 1 ? ", ..." : "");
	put_count(stream, &separator, diff->ports_moved, "link on other ports",
		  "links on other ports");
	put_count(stream, &separator, diff->lids_changed, "LID changed", "LIDs changed");
	put_count(stream, &separator, diff->lft_entries, "LFT entry changed",
		  "LFT entries changed");
	put_count(stream, &separator, diff->sl2vl_rows, "SL2VL row changed", "SL2VL rows changed");
	put_count(stream, &separator, diff->vlarb_ports, "port with other VL arbitration",
		  "ports with other VL arbitration");
	put_count(stream, &separator, diff->pairs_lost, "pair of hosts without a path",
		  "pairs of hosts without a path");
	if (!*separator)
		fputs("other paths or SLs", stream);
	fputs("; ", stream);
}

static void put_verdict(FILE *stream, const struct hd_watch *watch)
{
	const struct hd_watch_facts *facts = &watch->facts;
	const enum hd_check_scope scope = watch->options->scope;

	if (!facts->is_sound[scope])
		fprintf(stream, "unsound: %s", facts->unsound[scope]);
	else
		fputs("sound", stream);
	if (facts->is_sound[HD_CHECK_HOSTS] && !facts->is_sound[HD_CHECK_ALL])
		fprintf(stream,
			scope == HD_CHECK_ALL ? " (packets between hosts are sound)"
					      : " between hosts; with switches: %s",
			facts->unsound[HD_CHECK_ALL]);
}

static void put_plan(FILE *stream, const struct hd_watch_facts *facts)
{
	const char *separator = "; plan: ";

	if (!facts->has_plan)
		return;
	if (hd_watch_is_as_planned(facts))
		fputs("; as planned", stream);
	for (int kind = 0; kind < HD_N_FINDINGS; kind++)
		put_count(stream, &separator, facts->plan.n_of[kind], hd_finding_names[kind],
			  hd_finding_names[kind]);
	if (facts->plan.first[0])
		fprintf(stream, " (%s)", facts->plan.first);
}

static void put_status(FILE *stream, const struct hd_watch *watch)
{
	const struct hd_status_seen *status = &watch->status;

	if (!watch->has_status) {
		if (watch->options->status)
			fputs("; the status file cannot be read", stream);
		return;
	}
	fprintf(stream, "; engine %s", status->routes[0] ? status->routes : status->engine);
	if (!status->is_confirmed)
		fputs(", not confirmed", stream);
	if (status->change[0] &&
	    strcmp(status->change, hd_rollout_state_name(HD_ROLLOUT_IDLE)) != 0)
		fprintf(stream, ", change under way: %s", status->change);
	if (status->round)
		fprintf(stream, " %u of %u", status->round, status->of);
}

static void put_state(FILE *stream, const struct hd_watch *watch)
{
	const struct hd_watch_facts *facts = &watch->facts;

	if (watch->step < HD_WATCH_COMPARISON) {
		fprintf(stream, "failed (%s): %s", hd_watch_step_names[watch->step],
			watch->err.text);
		return;
	}
	put_verdict(stream, watch);
	if (hd_watch_is_done(watch))
		put_plan(stream, facts);
	else
		fprintf(stream, "; failed (%s): %s", hd_watch_step_names[watch->step],
			watch->err.text);
	fprintf(stream, "; %" PRIu32 " switches, %" PRIu32 " end nodes, %" PRIu32 " links",
		facts->n_switches, facts->n_end_nodes, facts->n_switch_links + facts->n_end_links);
	if (facts->n_slow)
		fprintf(stream, " (%" PRIu32 " slow)", facts->n_slow);
	if (facts->busiest)
		fprintf(stream, "; busiest link %" PRIu32 " flows (%s)", facts->busiest,
			facts->busiest_at);
	if (facts->n_lost)
		fprintf(stream, "; packets of %" PRIu64 " pairs of hosts do not arrive",
			facts->n_lost);
	put_status(stream, watch);
}

static int state_text(const struct hd_watch *watch, char **text, struct hd_error *err)
{
	size_t size;
	FILE *stream = open_memstream(text, &size);

	if (!stream)
		return hd_error_nomem(err);
	put_state(stream, watch);
	if (fclose(stream) == 0)
		return 0;
	free(*text);
	return hd_error_nomem(err);
}

static int tell_text(struct hd_watch *watch, struct hd_error *err)
{
	char *text, buffer[32];
	int ret = state_text(watch, &text, err);

	if (ret)
		return ret;
	if (!watch->said || watch->changes.is_any || strcmp(watch->said, text) != 0) {
		fputs(time_text(watch->ended, buffer, sizeof(buffer)), stdout);
		fputs("  ", stdout);
		if (watch->changes.is_any)
			put_changes(stdout, &watch->changes);
		puts(text);
	}
	free(watch->said);
	watch->said = text;
	return 0;
}

static void set_number(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *json_changes(const struct hd_watch_changes *changes)
{
	const struct hd_diff *diff = &changes->diff;
	json_t *object = json_object();

	set_number(object, "nodes_added", diff->nodes_added);
	set_number(object, "nodes_removed", diff->nodes_removed);
	set_number(object, "links_added", diff->links_added);
	set_number(object, "links_removed", diff->links_removed);
	set_number(object, "ports_moved", diff->ports_moved);
	set_number(object, "lids_changed", diff->lids_changed);
	set_number(object, "lft_entries", diff->lft_entries);
	set_number(object, "sl2vl_rows", diff->sl2vl_rows);
	set_number(object, "vlarb_ports", diff->vlarb_ports);
	set_number(object, "pairs_changed", diff->pairs_changed);
	set_number(object, "pairs_lost", diff->pairs_lost);
	if (changes->gone[0])
		json_object_set_new(object, "first_link_removed", hd_json_text(changes->gone));
	if (changes->added[0])
		json_object_set_new(object, "first_link_added", hd_json_text(changes->added));
	return object;
}

static json_t *json_plan(const struct hd_watch_facts *facts)
{
	json_t *object = json_object(), *findings = json_object();

	for (int kind = 0; kind < HD_N_FINDINGS; kind++)
		set_number(findings, hd_finding_names[kind], facts->plan.n_of[kind]);
	json_object_set_new(object, "as_planned", json_boolean(hd_watch_is_as_planned(facts)));
	set_number(object, "cables", facts->plan.n_cables);
	set_number(object, "in_place", facts->plan.n_in_place);
	json_object_set_new(object, "findings", findings);
	if (facts->plan.first[0])
		json_object_set_new(object, "first", hd_json_text(facts->plan.first));
	return object;
}

static json_t *json_status(const struct hd_status_seen *status)
{
	json_t *object = json_object();

	json_object_set_new(object, "engine", hd_json_text(status->engine));
	if (status->routes[0])
		json_object_set_new(object, "routes", hd_json_text(status->routes));
	json_object_set_new(object, "confirmed", json_boolean(status->is_confirmed));
	json_object_set_new(object, "change", hd_json_text(status->change));
	set_number(object, "round", status->round);
	set_number(object, "rounds", status->of);
	return object;
}

static void json_facts(const struct hd_watch *watch, json_t *root)
{
	const struct hd_watch_facts *facts = &watch->facts;
	json_t *sound = json_object(), *findings = json_object();

	for (int scope = HD_WATCH_N_SCOPES - 1; scope >= 0; scope--)
		json_object_set_new(sound, hd_watch_scope_names[scope],
				    json_boolean(facts->is_sound[scope]));
	json_object_set_new(root, "sound", sound);
	if (facts->unsound[HD_CHECK_ALL][0])
		json_object_set_new(root, "summary", hd_json_text(facts->unsound[HD_CHECK_ALL]));
	for (int failure = HD_CHECK_NO_PATH; failure <= HD_CHECK_CREDIT_LOOP; failure++)
		set_number(findings, hd_check_failure_name(failure), facts->failures[failure]);
	json_object_set_new(root, "findings", findings);
	set_number(root, "switches", facts->n_switches);
	set_number(root, "end_nodes", facts->n_end_nodes);
	set_number(root, "switch_links", facts->n_switch_links);
	set_number(root, "end_links", facts->n_end_links);
	set_number(root, "slow_links", facts->n_slow);
	set_number(root, "busiest_link_flows", facts->busiest);
	json_object_set_new(root, "busiest_link", hd_json_text(facts->busiest_at));
	set_number(root, "lost_flows", facts->n_lost);
	if (facts->has_plan)
		json_object_set_new(root, "plan", json_plan(facts));
	if (watch->changes.is_known)
		json_object_set_new(root, "changes", json_changes(&watch->changes));
}

static void tell_json(const struct hd_watch *watch)
{
	json_t *root = hd_json_begin();
	char buffer[32];

	json_object_set_new(root, "time",
			    json_string(time_text(watch->ended, buffer, sizeof(buffer))));
	set_number(root, "round", watch->totals.rounds);
	json_object_set_new(root, "seconds", json_real(watch->ended - watch->begun));
	json_object_set_new(root, "done", json_boolean(hd_watch_is_done(watch)));
	if (!hd_watch_is_done(watch)) {
		json_object_set_new(root, "failed", json_string(hd_watch_step_names[watch->step]));
		json_object_set_new(root, "error", hd_json_text(watch->err.text));
	}
	if (watch->step >= HD_WATCH_COMPARISON)
		json_facts(watch, root);
	if (watch->has_status)
		json_object_set_new(root, "status", json_status(&watch->status));
	json_dumpf(root, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
	putchar('\n');
	json_decref(root);
}

int hd_watch_tell(struct hd_watch *watch, struct hd_error *err)
{
	const struct hd_watch_options *options = watch->options;
	int ret = 0;

	if (options->json)
		tell_json(watch);
	else if (!options->prometheus || strcmp(options->prometheus, "-") != 0)
		ret = tell_text(watch, err);
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = hd_error_at(err, HD_EIO, "<stdout>", 0, "cannot write: %s", strerror(errno));
	return ret;
}
