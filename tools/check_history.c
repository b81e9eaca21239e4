// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/check_history.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/history.h"
#include "support/error.h"
#include "support/input.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/verdict.h"

#define NS_PER_S UINT64_C(1000000000)

#define MOST_STRETCHES 8 /* that are printed */

static void print_first(const struct hd_history_verdict *verdict)
{
	const struct hd_history_state *first = &verdict->first;
	char label[HD_LABEL_SIZE] = "";

	if (first->node != HD_NONE)
		hd_node_label(&verdict->fabric, first->node, label, sizeof(label));
	hd_report_field(
		"first", "state %" PRIu64 ", at %" PRIu64 ".%09" PRIu64 " s (line %u): %s %s%s%s",
		verdict->first_number, first->time / NS_PER_S, first->time % NS_PER_S, first->line,
		hd_history_kind_name(first->kind), label, *first->what ? ", " : "", first->what);
	hd_report_field("it changed",
			"%" PRIu64 " LFT entries, %" PRIu64 " SL2VL rows, %" PRIu64
			" links and states of ports",
			first->n_entries, first->n_rows, first->n_links);
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

static int print_text(const struct hd_history_verdict *verdict, const char *snapshot,
		      enum hd_check_scope scope, struct hd_error *err)
{
	hd_report_field("scope", "%s", scope == HD_CHECK_HOSTS ? "hosts" : "all");
	hd_report_field("path SLs", "%s%s", snapshot ? "those of " : "any SL",
			snapshot ? snapshot : "");
	hd_report_field("history",
			"%" PRIu64 ".%09" PRIu64 " s, %" PRIu64 " records: %" PRIu64
			" Sets, %" PRIu64 " of them refused",
			verdict->end / NS_PER_S, verdict->end % NS_PER_S, verdict->n_records,
			verdict->n_sets, verdict->n_refused);
	hd_report_field("states", "%" PRIu64 ", proved by %" PRIu64 " checks", verdict->n_states,
			verdict->n_checks);
	if (verdict->n_before)
		hd_report_field("before --since", "%" PRIu64 " states, not proved",
				verdict->n_before);
	hd_report_field("forwarding loops", "in %" PRIu64 " states", verdict->n_looping);
	hd_report_field("cycles", "in %" PRIu64 " states", verdict->n_cyclic);
	if (!verdict->n_unsound) {
		hd_report_field("verdict", "sound");
		return 0;
	}
	hd_report_field("verdict", "unsound: %" PRIu64 " of %" PRIu64 " states", verdict->n_unsound,
			verdict->n_states);
	print_stretches(verdict);
	print_first(verdict);
	return hd_verdict_print_failures(&verdict->witness, &verdict->fabric, err);
}

static json_t *json_first(const struct hd_history_verdict *verdict)
{
	const struct hd_history_state *first = &verdict->first;
	json_t *object = json_object(), *witness = json_object();

	json_object_set_new(object, "state", json_integer((json_int_t)verdict->first_number));
	json_object_set_new(object, "time", json_real((double)first->time / (double)NS_PER_S));
	json_object_set_new(object, "line", json_integer(first->line));
	json_object_set_new(object, "kind", json_string(hd_history_kind_name(first->kind)));
	json_object_set_new(object, "node",
			    first->node == HD_NONE ? json_null()
						   : hd_json_node(&verdict->fabric, first->node));
	json_object_set_new(object, "what", hd_json_text(first->what));
	hd_verdict_json(&verdict->witness, &verdict->fabric, witness);
	json_object_set_new(object, "witness", witness);
	return object;
}

static json_t *json_stretches(const struct hd_history_verdict *verdict)
{
	json_t *array = json_array();

	for (size_t i = 0; i < verdict->n_stretches; i++) {
		const struct hd_history_stretch *stretch = &verdict->stretches[i];
		json_t *object = json_object();

		json_object_set_new(object, "first", json_integer((json_int_t)stretch->first));
		json_object_set_new(object, "begin",
				    json_real((double)stretch->begin / (double)NS_PER_S));
		json_object_set_new(object, "end",
				    json_real((double)stretch->end / (double)NS_PER_S));
		json_object_set_new(object, "states", json_integer((json_int_t)stretch->n_states));
		json_object_set_new(object, "looping",
				    json_integer((json_int_t)stretch->n_looping));
		json_object_set_new(object, "cyclic", json_integer((json_int_t)stretch->n_cyclic));
		json_array_append_new(array, object);
	}
	return array;
}

static void print_json(const struct hd_history_verdict *verdict, const char *snapshot,
		       enum hd_check_scope scope)
{
	json_t *root = hd_json_begin();

	json_object_set_new(root, "scope", json_string(scope == HD_CHECK_HOSTS ? "hosts" : "all"));
	json_object_set_new(root, "path_sls", snapshot ? hd_json_text(snapshot) : json_null());
	json_object_set_new(root, "seconds", json_real((double)verdict->end / (double)NS_PER_S));
	json_object_set_new(root, "records", json_integer((json_int_t)verdict->n_records));
	json_object_set_new(root, "sets", json_integer((json_int_t)verdict->n_sets));
	json_object_set_new(root, "refused", json_integer((json_int_t)verdict->n_refused));
	json_object_set_new(root, "states", json_integer((json_int_t)verdict->n_states));
	json_object_set_new(root, "checks", json_integer((json_int_t)verdict->n_checks));
	json_object_set_new(root, "looping", json_integer((json_int_t)verdict->n_looping));
	json_object_set_new(root, "cyclic", json_integer((json_int_t)verdict->n_cyclic));
	json_object_set_new(root, "unsound", json_integer((json_int_t)verdict->n_unsound));
	json_object_set_new(root, "before", json_integer((json_int_t)verdict->n_before));
	json_object_set_new(root, "stretches", json_stretches(verdict));
	json_object_set_new(root, "sound", json_boolean(!verdict->n_unsound));
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

/* The path SLs of @proof are those of @snapshot; NULL: any. */
static int run(FILE *stream, const struct hd_history_proof *proof, const char *snapshot,
	       const struct hd_common *common, bool json, int *status, struct hd_error *err)
{
	struct hd_history_verdict verdict = { .n_records = 0 };
	struct hd_history_reader *reader;
	int ret = hd_history_open(stream, proof->name, &reader, err);

	if (!ret)
		ret = prove(reader, proof, common, &verdict, err);
	if (!ret) {
		*status = verdict.n_unsound ? HD_EXIT_NO : HD_EXIT_YES;
		if (json)
			print_json(&verdict, snapshot, proof->scope);
		else
			ret = print_text(&verdict, snapshot, proof->scope, err);
	}
	hd_history_verdict_clear(&verdict);
	hd_history_close(reader);
	return ret;
}

int hd_check_history_run(const char *path, const char *snapshot, enum hd_check_scope scope,
			 uint64_t since, const struct hd_common *common, bool json)
{
	struct hd_history_proof proof = { .scope = scope, .since = since, .name = path };
	struct hd_snapshot *given = NULL;
	int status = HD_EXIT_UNUSABLE, ret = 0;
	struct hd_error err;
	FILE *stream;

	if (snapshot)
		ret = hd_input_snapshot(snapshot, NULL, common, &given, &err);
	if (!ret) {
		stream = hd_input_open_argument(path, &err);
		proof.sls = given ? given->tables : NULL;
		ret = stream ? run(stream, &proof, snapshot, common, json, &status, &err) : HD_EIO;
	}
	hd_snapshot_free(given);
	return ret ? hd_command_fail(&err) : status;
}
