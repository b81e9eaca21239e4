// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/check_history.h"

#include <inttypes.h>
#include <stdio.h>

#include "change/history_proof.h"
#include "support/error.h"
#include "support/input.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/verdict.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS 1e6

#define MOST_STRETCHES 8 /* that are printed */

#define NAME_SIZE (HD_LABEL_SIZE + 128) /* of what made a state */

/* "set S1.2, LinearForwardingTable 0x1"; in @text, of @size. */
static const char *name_of(const struct hd_history_state *state, const struct hd_fabric *fabric,
			   char *text, size_t size)
{
	char label[HD_LABEL_SIZE] = "";

	if (state->node != HD_NONE)
		hd_node_label(fabric, state->node, label, sizeof(label));
	snprintf(text, size, "%s %s%s%s", hd_history_kind_name(state->kind), label,
		 *state->what ? ", " : "", state->what);
	return text;
}

static void print_first(const struct hd_history_verdict *verdict)
{
	const struct hd_history_state *first = &verdict->first;
	char name[NAME_SIZE];

	hd_report_field("first", "state %" PRIu64 ", at %" PRIu64 ".%09" PRIu64 " s (line %u): %s",
			verdict->first_number, first->time / NS_PER_S, first->time % NS_PER_S,
			first->line, name_of(first, &verdict->fabric, name, sizeof(name)));
	hd_report_field("it changed",
			"%" PRIu64 " LFT entries, %" PRIu64 " SL2VL rows, %" PRIu64
			" links and states of ports",
			first->n_entries, first->n_rows, first->n_links);
}

/* How many windows were asked about, and how. */
static void print_windows(const struct hd_history_verdict *verdict, uint64_t life)
{
	hd_report_field("windows", "%" PRIu64 ", of %.6g ms", verdict->n_windows,
			(double)life / NS_PER_MS);
	if (verdict->n_windows_again)
		hd_report_field("not as a whole",
				"%" PRIu64 " windows, in which something had a third value",
				verdict->n_windows_again);
	if (verdict->n_windows_anew)
		hd_report_field("not as a whole",
				"%" PRIu64 " windows, in which LIDs or cables changed",
				verdict->n_windows_anew);
	hd_report_field("loops of windows", "in %" PRIu64, verdict->n_windows_looping);
	hd_report_field("cycles of windows", "in %" PRIu64, verdict->n_windows_cyclic);
}

/* The first of the windows that are not sound: as few states as are not. */
static int print_window(const struct hd_history_verdict *verdict, struct hd_error *err)
{
	const struct hd_history_window *window = &verdict->window;
	const struct hd_history_state *last = &window->last;
	char name[NAME_SIZE];

	hd_report_field("first window",
			"states %" PRIu64 " to %" PRIu64 ": the first was over at %" PRIu64
			".%09" PRIu64 " s",
			window->first_number, window->last_number, window->over / NS_PER_S,
			window->over % NS_PER_S);
	if (last->time >= window->over)
		hd_report_field("", "the last came at %" PRIu64 ".%09" PRIu64 " s, %.6g ms later",
				last->time / NS_PER_S, last->time % NS_PER_S,
				(double)(last->time - window->over) / NS_PER_MS);
	hd_report_field("", "by line %u: %s", last->line,
			name_of(last, &window->fabric, name, sizeof(name)));
	return hd_verdict_print_failures(&window->witness, &window->fabric, err);
}

/* The stretches of states that are not sound, as far as they are few. */
static void print_stretches(const struct hd_history_verdict *verdict)
{
	for (size_t i = 0; i < verdict->n_stretches && i < MOST_STRETCHES; i++) {
		const struct hd_history_stretch *stretch = &verdict->stretches[i];

		hd_report_field(i ? "" : "unsound",
				"%.3f s to %.3f s: %" PRIu64 " states, %" PRIu64
				" with a loop, %" PRIu64 " with a cycle",
				(double)stretch->begin / (double)NS_PER_S,
				(double)stretch->end / (double)NS_PER_S, stretch->n_states,
				stretch->n_looping, stretch->n_cyclic);
	}
	if (verdict->n_stretches > MOST_STRETCHES)
		hd_report_field("", "and %zu more stretches (--json has them)",
				verdict->n_stretches - MOST_STRETCHES);
}

/* From where switches choose ports or go by VL2VL, LFTs and SLs alone decide nothing. */
static bool has_verdict(const struct hd_history_verdict *verdict)
{
	return !verdict->chooses_line ||
	       (verdict->n_unsound && verdict->first.line < verdict->chooses_record) ||
	       (verdict->n_windows_unsound && verdict->window.last.line < verdict->chooses_record);
}

static int print_unsound(const struct hd_history_verdict *verdict, struct hd_error *err)
{
	const char *none = has_verdict(verdict) ? "" : "none: by LFTs alone ";
	int ret = 0;

	if (verdict->n_windows)
		hd_report_field("verdict",
				"%sunsound: %" PRIu64 " of %" PRIu64 " states, %" PRIu64
				" of %" PRIu64 " windows",
				none, verdict->n_unsound, verdict->n_states,
				verdict->n_windows_unsound, verdict->n_windows);
	else
		hd_report_field("verdict", "%sunsound: %" PRIu64 " of %" PRIu64 " states", none,
				verdict->n_unsound, verdict->n_states);
	if (verdict->n_unsound) {
		print_stretches(verdict);
		print_first(verdict);
		ret = hd_verdict_print_failures(&verdict->witness, &verdict->fabric, err);
	}
	return ret || !verdict->n_windows_unsound ? ret : print_window(verdict, err);
}

static bool is_sound(const struct hd_history_verdict *verdict)
{
	return !verdict->n_unsound && !verdict->n_windows_unsound;
}

static int print_text(const struct hd_history_verdict *verdict,
		      const struct hd_check_history *given, struct hd_error *err)
{
	hd_report_field("scope", "%s", given->scope == HD_CHECK_HOSTS ? "hosts" : "all");
	hd_report_field("path SLs", "%s%s", given->snapshot ? "those of " : "any SL",
			given->snapshot ? given->snapshot : "");
	hd_report_field("history",
			"%" PRIu64 ".%09" PRIu64 " s, %" PRIu64 " records: %" PRIu64
			" Sets, %" PRIu64 " of them refused",
			verdict->end / NS_PER_S, verdict->end % NS_PER_S, verdict->n_records,
			verdict->n_sets, verdict->n_refused);
	if (verdict->n_adaptive)
		hd_report_field("adaptive routing",
				"%" PRIu64 " records change it: not proved, packets go by LFTs and "
				"SLs here",
				verdict->n_adaptive);
	hd_report_field("states", "%" PRIu64 ", proved by %" PRIu64 " checks", verdict->n_states,
			verdict->n_checks);
	if (verdict->n_before)
		hd_report_field("before --since", "%" PRIu64 " states, not proved",
				verdict->n_before);
	hd_report_field("forwarding loops", "in %" PRIu64 " states", verdict->n_looping);
	hd_report_field("cycles", "in %" PRIu64 " states", verdict->n_cyclic);
	if (given->life)
		print_windows(verdict, given->life);
	if (!is_sound(verdict))
		return print_unsound(verdict, err);
	hd_report_field("verdict", verdict->chooses_line ? "none: sound by LFTs alone" : "sound");
	return 0;
}

static int refuse_sets(const struct hd_history_verdict *verdict, const struct hd_fabric *fabric,
		       const char *name, struct hd_error *err)
{
	char label[HD_LABEL_SIZE];

	if (has_verdict(verdict))
		return 0;
	return hd_error_at(err, HD_EINVAL, name, verdict->chooses_line,
			   "from here on %s chooses ports or goes by VL2VL, which the proof of a "
			   "history does not follow",
			   hd_node_label(fabric, verdict->chooses_node, label, sizeof(label)));
}

static json_t *json_seconds(uint64_t ns)
{
	return json_real((double)ns / (double)NS_PER_S);
}

static json_t *json_state(const struct hd_history_state *state, uint64_t number,
			  const struct hd_fabric *fabric)
{
	json_t *object = json_object();

	json_object_set_new(object, "state", json_integer((json_int_t)number));
	json_object_set_new(object, "time", json_seconds(state->time));
	json_object_set_new(object, "line", json_integer(state->line));
	json_object_set_new(object, "kind", json_string(hd_history_kind_name(state->kind)));
	json_object_set_new(object, "node",
			    state->node == HD_NONE ? json_null()
						   : hd_json_node(fabric, state->node));
	json_object_set_new(object, "what", hd_json_text(state->what));
	return object;
}

static json_t *json_witness(const struct hd_check_result *result, const struct hd_fabric *fabric)
{
	json_t *witness = json_object();

	hd_verdict_json(result, fabric, witness);
	return witness;
}

static json_t *json_first(const struct hd_history_verdict *verdict)
{
	json_t *object = json_state(&verdict->first, verdict->first_number, &verdict->fabric);

	json_object_set_new(object, "witness", json_witness(&verdict->witness, &verdict->fabric));
	return object;
}

static json_t *json_window(const struct hd_history_verdict *verdict)
{
	const struct hd_history_window *window = &verdict->window;
	json_t *object = json_object();

	json_object_set_new(object, "first",
			    json_state(&window->first, window->first_number, &window->fabric));
	json_object_set_new(object, "over", json_seconds(window->over));
	json_object_set_new(object, "last",
			    json_state(&window->last, window->last_number, &window->fabric));
	json_object_set_new(object, "witness", json_witness(&window->witness, &window->fabric));
	return object;
}

static void json_windows(const struct hd_history_verdict *verdict, uint64_t life, json_t *root)
{
	json_object_set_new(root, "life_ns", json_integer((json_int_t)life));
	json_object_set_new(root, "windows", json_integer((json_int_t)verdict->n_windows));
	json_object_set_new(root, "windows_third_value",
			    json_integer((json_int_t)verdict->n_windows_again));
	json_object_set_new(root, "windows_other_lids",
			    json_integer((json_int_t)verdict->n_windows_anew));
	json_object_set_new(root, "windows_looping",
			    json_integer((json_int_t)verdict->n_windows_looping));
	json_object_set_new(root, "windows_cyclic",
			    json_integer((json_int_t)verdict->n_windows_cyclic));
	json_object_set_new(root, "windows_unsound",
			    json_integer((json_int_t)verdict->n_windows_unsound));
	json_object_set_new(root, "first_window",
			    verdict->n_windows_unsound ? json_window(verdict) : json_null());
}

static json_t *json_stretches(const struct hd_history_verdict *verdict)
{
	json_t *array = json_array();

	for (size_t i = 0; i < verdict->n_stretches; i++) {
		const struct hd_history_stretch *stretch = &verdict->stretches[i];
		json_t *object = json_object();

		json_object_set_new(object, "first", json_integer((json_int_t)stretch->first));
		json_object_set_new(object, "begin", json_seconds(stretch->begin));
		json_object_set_new(object, "end", json_seconds(stretch->end));
		json_object_set_new(object, "states", json_integer((json_int_t)stretch->n_states));
		json_object_set_new(object, "looping",
				    json_integer((json_int_t)stretch->n_looping));
		json_object_set_new(object, "cyclic", json_integer((json_int_t)stretch->n_cyclic));
		json_array_append_new(array, object);
	}
	return array;
}

static void print_json(const struct hd_history_verdict *verdict,
		       const struct hd_check_history *given)
{
	json_t *root = hd_json_begin();

	json_object_set_new(root, "scope",
			    json_string(given->scope == HD_CHECK_HOSTS ? "hosts" : "all"));
	json_object_set_new(root, "path_sls",
			    given->snapshot ? hd_json_text(given->snapshot) : json_null());
	json_object_set_new(root, "seconds", json_seconds(verdict->end));
	json_object_set_new(root, "records", json_integer((json_int_t)verdict->n_records));
	json_object_set_new(root, "sets", json_integer((json_int_t)verdict->n_sets));
	json_object_set_new(root, "refused", json_integer((json_int_t)verdict->n_refused));
	json_object_set_new(root, "adaptive", json_integer((json_int_t)verdict->n_adaptive));
	json_object_set_new(root, "states", json_integer((json_int_t)verdict->n_states));
	json_object_set_new(root, "checks", json_integer((json_int_t)verdict->n_checks));
	json_object_set_new(root, "looping", json_integer((json_int_t)verdict->n_looping));
	json_object_set_new(root, "cyclic", json_integer((json_int_t)verdict->n_cyclic));
	json_object_set_new(root, "unsound", json_integer((json_int_t)verdict->n_unsound));
	json_object_set_new(root, "before", json_integer((json_int_t)verdict->n_before));
	json_object_set_new(root, "stretches", json_stretches(verdict));
	if (given->life)
		json_windows(verdict, given->life, root);
	json_object_set_new(root, "sound",
			    has_verdict(verdict) ? json_boolean(is_sound(verdict)) : json_null());
	json_object_set_new(root, "first", verdict->n_unsound ? json_first(verdict) : json_null());
	hd_json_print(root);
}

static int prove(struct hd_history_reader *reader, const struct hd_history_proof *proof,
		 const struct hd_common *common, struct hd_history_verdict *verdict,
		 struct hd_error *err)
{
	struct hd_progress progress;
	int ret;

	hd_progress_begin(&progress, common, "proving");
	ret = hd_history_prove(reader, proof, verdict, err);
	hd_note_verbose(common, "checked in %.3f s", hd_progress_end(&progress));
	if (!ret && hd_history_cut(reader))
		hd_note(common, "%s:%u: the record is not all there, and is left out", proof->name,
			hd_history_cut(reader));
	return ret;
}

static int run(FILE *stream, const struct hd_history_proof *proof,
	       const struct hd_check_history *given, const struct hd_common *common, bool json,
	       int *status, struct hd_error *err)
{
	struct hd_history_verdict verdict = { .n_records = 0 };
	struct hd_history_reader *reader;
	int ret = hd_history_open(stream, proof->name, &reader, err);

	if (!ret)
		ret = prove(reader, proof, common, &verdict, err);
	if (!ret) {
		*status = is_sound(&verdict) ? HD_EXIT_YES : HD_EXIT_NO;
		if (json)
			print_json(&verdict, given);
		else
			ret = print_text(&verdict, given, err);
		if (!ret)
			ret = refuse_sets(&verdict, hd_history_fabric(reader), proof->name, err);
	}
	hd_history_verdict_clear(&verdict);
	hd_history_close(reader);
	return ret;
}

int hd_check_history_run(const struct hd_check_history *given, const struct hd_common *common,
			 bool json)
{
	struct hd_history_proof proof = { .scope = given->scope,
					  .since = given->since,
					  .life = given->life,
					  .name = given->path };
	struct hd_snapshot *snapshot = NULL;
	int status = HD_EXIT_UNUSABLE, ret = 0;
	struct hd_error err;
	FILE *stream;

	if (given->snapshot)
		ret = hd_input_snapshot(given->snapshot, NULL, common, &snapshot, &err);
	if (!ret) {
		stream = hd_input_open_argument(given->path, &err);
		proof.sls = snapshot ? snapshot->tables : NULL;
		ret = stream ? run(stream, &proof, given, common, json, &status, &err) : HD_EIO;
	}
	hd_snapshot_free(snapshot);
	return ret ? hd_command_fail(&err) : status;
}
