// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The time line of each run, in the JSON that Perfetto and chrome://tracing read: iterations of
 * jobs, their operations, and flows.
 */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/output.h"
#include "tools/cmd_sim.h"
#include "tools/report.h"
#include "tools/sim_jobs.h"

/*
 * Kinds of spans. Those of a kind that overlap are on tracks of their own: viewers draw spans of
 * one track that overlap as if one were within the other.
 */
enum kind { ITERATIONS, COMPUTING, OPERATIONS, KINDS };
#define MOST_TRACKS 64 /* of a kind; what does not fit is on the last one */

static const char *const track_names[KINDS] = { "iterations", "computing, of the first rank",
						"operations" };

struct writer {
	FILE *stream;
	double scale; /* from the times of details */
	bool has_any;
	int job; /* number of its process in the file */
	uint64_t n_flows;
	int n_tracks[KINDS];
	double ends[KINDS][MOST_TRACKS]; /* of the last span of each track */
};

/* Takes @event. */
static void put(struct writer *w, json_t *event)
{
	fputs(w->has_any ? ",\n" : "\n", w->stream);
	w->has_any = true;
	json_dumpf(event, w->stream,
		   JSON_COMPACT | JSON_REAL_PRECISION(12) | JSON_ENSURE_ASCII |
			   JSON_PRESERVE_ORDER);
	json_decref(event);
}

static void put_name(struct writer *w, const char *what, int track, const char *name)
{
	put(w, json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "ph", "M", "name", what, "pid", w->job,
			 "tid", track, "args", "name", hd_json_text(name)));
}

/* The number of a track in its job; those of a kind follow one another. */
static int track_number(enum kind kind, int track)
{
	return 1 + (int)kind * MOST_TRACKS + track;
}

/* A track of @kind whose last span is over at @begin. */
static int free_track(struct writer *w, enum kind kind, double begin)
{
	int track = 0;

	while (track < w->n_tracks[kind] && w->ends[kind][track] > begin && track < MOST_TRACKS - 1)
		track++;
	if (track == w->n_tracks[kind]) {
		w->n_tracks[kind]++;
		put_name(w, "thread_name", track_number(kind, track), track_names[kind]);
	}
	return track;
}

static void put_span(struct writer *w, const char *category, const char *name, enum kind kind,
		     double begin, double end)
{
	const int track = free_track(w, kind, begin);

	put(w, json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f}", "ph", "X", "cat", category, "name",
			 name, "pid", w->job, "tid", track_number(kind, track), "ts",
			 begin * w->scale, "dur", (end - begin) * w->scale));
	w->ends[kind][track] = end;
}

static void put_iteration(struct writer *w, const struct hd_sim_iteration *of)
{
	char name[40];

	snprintf(name, sizeof(name), "iteration %zu", of->number);
	put_span(w, "iteration", name, ITERATIONS, of->computing, of->end);
	if (of->begin > of->computing)
		put_span(w, "compute", "compute", COMPUTING, of->computing, of->begin);
	if (!of->n_parts)
		put_span(w, "collective", of->operation, OPERATIONS, of->begin, of->end);
	for (size_t i = 0; i < of->n_parts; i++) {
		const struct hd_sim_part part = hd_sim_part(of, i);

		put_span(w, "collective", part.operation, OPERATIONS, part.begin, part.end);
	}
}

static void put_operations(struct writer *w, const json_t *operations)
{
	const size_t n = hd_sim_iterations(operations);

	memset(w->n_tracks, 0, sizeof(w->n_tracks));
	for (size_t i = 0; i < n; i++) {
		struct hd_sim_iteration iteration;

		if (hd_sim_iteration(operations, i, &iteration))
			put_iteration(w, &iteration);
	}
}

/* A flow begins and ends by itself, beside others. */
static void put_flow(struct writer *w, const json_t *flow)
{
	const long long from = json_integer_value(json_array_get(flow, 1));
	const long long to = json_integer_value(json_array_get(flow, 2));
	char name[64];

	snprintf(name, sizeof(name), "%lld -> %lld", from, to);
	for (unsigned end = 0; end < 2; end++) {
		json_t *event = json_pack(
			"{s:s, s:s, s:s, s:I, s:i, s:i, s:f}", "ph", end ? "e" : "b", "cat", "flow",
			"name", name, "id", (json_int_t)w->n_flows, "pid", w->job, "tid", 0, "ts",
			json_number_value(json_array_get(flow, 4 + end)) * w->scale);

		if (!end)
			json_object_set_new(event, "args",
					    json_pack("{s:I, s:I, s:O}", "from", (json_int_t)from,
						      "to", (json_int_t)to, "bytes",
						      json_array_get(flow, 3)));
		put(w, event);
	}
	w->n_flows++;
}

static void put_flows(struct writer *w, const json_t *details, size_t class)
{
	const json_t *list = json_object_get(json_object_get(details, "flows"), "list");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *flow = json_array_get(list, i);

		if (json_integer_value(json_array_get(flow, 0)) == (json_int_t) class)
			put_flow(w, flow);
	}
}

/* "train, seed 1, routing.engine=dla" */
static char *job_label(const struct hd_sim *sim, size_t run, const char *name)
{
	char *point = hd_sim_label(sim, hd_run_point(sim->scenario, run)), *label = NULL;

	if (point && asprintf(&label, "%s, seed %llu%s%s", name,
			      (unsigned long long)hd_run_seed(sim->scenario, run),
			      *point ? ", " : "", point) < 0)
		label = NULL;
	free(point);
	return label;
}

static int put_run(struct writer *w, const struct hd_sim *sim, size_t run, struct hd_error *err)
{
	json_t *details = hd_sim_details(sim, run);
	const size_t n = hd_sim_classes(details);
	int ret = 0;

	for (size_t class = 0; class < n && !ret; class ++) {
		const char *name = hd_sim_class_name(details, class);
		const json_t *operations = hd_sim_operations(details, name);
		char *label = job_label(sim, run, name);

		if (!label) {
			ret = hd_error_nomem(err);
			break;
		}
		w->job++;
		put_name(w, "process_name", 0, label);
		if (operations)
			put_operations(w, operations);
		put_flows(w, details, class);
		free(label);
	}
	json_decref(details);
	return ret;
}

int hd_sim_write_timeline(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	const bool cycles = sim->scenario->clock == HD_CLOCK_CYCLES;
	struct hd_output output;
	struct writer w = { .scale = cycles ? 1 : 1e-3 };
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	w.stream = output.stream;
	fprintf(w.stream, "{\"otherData\":{\"unit\":\"%s\"},\"traceEvents\":[",
		cycles ? "cycles" : "us");
	for (size_t run = 0; run < sim->scenario->n_runs && !ret; run++)
		ret = put_run(&w, sim, run, err);
	if (ret) {
		hd_output_abort(&output);
		return ret;
	}
	fputs("\n]}\n", w.stream);
	return hd_output_commit(&output, err);
}
