// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From MPI_Init, which reads what the user wants, to MPI_Finalize, which writes the trace. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/recorder/merge.h"
#include "host/recorder/recorder.h"

#define TEXT HD_RECORDER_TEXT

/* The most bytes of one message to the task that writes. */
#define CHUNK ((size_t)1 << 30)

static struct {
	struct hd_merge_options options;
	const char *file;
	clockid_t clock;
	int rank, size;
	MPI_Comm own;
} job = { .file = "heddle.trace",
	  .options = { .factor = 1, .last = UINT64_MAX },
	  .clock = CLOCK_THREAD_CPUTIME_ID };

static void say(const char *text)
{
	fprintf(stderr, "libheddle-trace: %s\n", text);
}

/* "17-29": from the one collective operation to before the other. */
static bool read_part(const char *text)
{
	unsigned long long first, last;
	char rest;

	if (sscanf(text, "%llu-%llu%c", &first, &last, &rest) != 2 || first >= last)
		return false;
	job.options.first = first;
	job.options.last = last;
	return true;
}

static bool read_factor(const char *text)
{
	char *end;

	job.options.factor = strtod(text, &end);
	return end != text && !*end && job.options.factor >= 0 && job.options.factor <= 1e6;
}

static bool read_clock(const char *text)
{
	job.clock = strcmp(text, "wall") == 0 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
	return strcmp(text, "wall") == 0 || strcmp(text, "cpu") == 0;
}

/* Whether the trace can be written: its directory is there. */
static bool is_writable(const char *file)
{
	const char *slash = strrchr(file, '/');
	char directory[4096];
	int length = slash ? slash == file ? 1 : (int)(slash - file) : 1;

	if (length >= (int)sizeof(directory))
		return false;
	snprintf(directory, sizeof(directory), "%.*s", length, slash ? file : ".");
	return access(directory, W_OK | X_OK) == 0;
}

static bool is_goal(const char *file)
{
	const size_t length = strlen(file);

	return length >= 5 && strcmp(file + length - 5, ".goal") == 0;
}

/* Reads the environment; false, and why in @text. */
static bool read_environment(char text[TEXT])
{
	static const struct {
		const char *name;
		bool (*read)(const char *text);
		const char *wants;
	} variables[] = {
		{ "HEDDLE_TRACE_FACTOR", read_factor, "a number from 0 to 1e6" },
		{ "HEDDLE_TRACE_PART", read_part, "two numbers, such as 17-29" },
		{ "HEDDLE_TRACE_CLOCK", read_clock, "cpu or wall" },
	};
	const char *file = getenv("HEDDLE_TRACE");

	if (file && *file)
		job.file = file;
	job.options.goal = is_goal(job.file);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i].name);

		if (value && !variables[i].read(value)) {
			snprintf(text, TEXT, "%s is '%.60s', which is not %s", variables[i].name,
				 value, variables[i].wants);
			return false;
		}
	}
	if (job.rank == 0 && !is_writable(job.file)) {
		snprintf(text, TEXT, "%.150s: there can be no file: %s", job.file, strerror(errno));
		return false;
	}
	return true;
}

static void at_exit(void)
{
	if (hd_recorder_has_begun() && job.rank == 0)
		say("the program ended without MPI_Finalize: no trace is written");
}

/* Of all tasks at once: what the environment says must be right before hours of work. */
static void check_environment(void)
{
	char text[TEXT] = "";
	int bad = !read_environment(text), any;

	PMPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, job.own);
	if (!any)
		return;
	if (job.rank == 0 && bad)
		say(text);
	PMPI_Finalize();
	exit(2);
}

static void begin(int provided)
{
	PMPI_Comm_dup(MPI_COMM_WORLD, &job.own);
	PMPI_Comm_rank(job.own, &job.rank);
	PMPI_Comm_size(job.own, &job.size);
	check_environment();
	atexit(at_exit);
	if (!hd_communicators_begin())
		hd_recorder_refuse("there is no memory");
	if (provided == MPI_THREAD_MULTIPLE)
		hd_recorder_refuse("the program's threads may all send at once "
				   "(MPI_THREAD_MULTIPLE), and so have no order that could be "
				   "recorded");
	hd_recorder_begin(job.clock);
}

HD_MPI_FUNCTION int MPI_Init(int *argc, char ***argv)
{
	int ret = PMPI_Init(argc, argv);

	if (ret == MPI_SUCCESS)
		begin(MPI_THREAD_SINGLE);
	return ret;
}

HD_MPI_FUNCTION int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int ret = PMPI_Init_thread(argc, argv, required, provided);

	if (ret == MPI_SUCCESS)
		begin(*provided < required ? *provided : required);
	return ret;
}

HD_MPI_FUNCTION int MPI_Abort(MPI_Comm comm, int code)
{
	char text[TEXT];

	snprintf(text, sizeof(text), "task %d called MPI_Abort: no trace is written", job.rank);
	if (hd_recorder_has_begun())
		say(text);
	hd_recorder_end();
	return PMPI_Abort(comm, code);
}

/* The logs of all tasks in task 0, which takes its @own with them; elsewhere NULL. */
static struct hd_step_log *collect(struct hd_step_log *own)
{
	uint64_t n = own->n, *sizes = NULL;
	struct hd_step_log *logs = NULL;
	int ok = 1, all;

	if (job.rank == 0) {
		sizes = calloc((size_t)job.size, sizeof(*sizes));
		logs = calloc((size_t)job.size, sizeof(*logs));
		ok = sizes && logs;
	}
	PMPI_Bcast(&ok, 1, MPI_INT, 0, job.own);
	if (ok)
		PMPI_Gather(&n, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, 0, job.own);
	for (int task = 1; ok && sizes && logs && task < job.size; task++) {
		logs[task].bytes = malloc(sizes[task] + 1);
		logs[task].n = sizes[task];
		ok = logs[task].bytes != NULL;
	}
	PMPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, job.own);
	if (!all) {
		hd_recorder_refuse("task 0 has no memory for the logs of all tasks");
		free(sizes);
		return logs;
	}
	for (size_t at = 0; job.rank && at < n; at += CHUNK)
		PMPI_Send(own->bytes + at, (int)(n - at < CHUNK ? n - at : CHUNK), MPI_BYTE, 0, 0,
			  job.own);
	for (int task = 1; sizes && logs && task < job.size; task++)
		for (size_t at = 0; at < sizes[task]; at += CHUNK)
			PMPI_Recv(logs[task].bytes + at,
				  (int)(sizes[task] - at < CHUNK ? sizes[task] - at : CHUNK),
				  MPI_BYTE, task, 0, job.own, MPI_STATUS_IGNORE);
	if (logs) {
		logs[0] = *own;
		*own = (struct hd_step_log){ 0 };
	}
	free(sizes);
	return logs;
}

/* Writes the trace under a name of its own, then renames it. */
static void write_trace(const struct hd_step_log *logs)
{
	char name[4096], error[TEXT] = "";
	FILE *out = NULL;
	bool ok;

	if (snprintf(name, sizeof(name), "%s.partial", job.file) < (int)sizeof(name))
		out = fopen(name, "w");
	if (!out) {
		hd_recorder_refuse("%.150s: %s", job.file, strerror(errno));
		return;
	}
	ok = hd_merge(logs, (uint32_t)job.size, &job.options, out, error);
	if (!ok)
		hd_recorder_refuse("%s", error);
	ok &= !ferror(out);
	ok &= fclose(out) == 0;
	if (ok && rename(name, job.file) == 0)
		return;
	hd_recorder_refuse("%.150s: %s", job.file, strerror(errno));
	unlink(name);
}

/* In task 0: the first task's failure, if any has one. */
static bool find_failure(char text[TEXT])
{
	char *failures = job.rank ? NULL : calloc((size_t)job.size, TEXT);

	PMPI_Gather(hd_recorder_failure(), TEXT, MPI_CHAR, failures, TEXT, MPI_CHAR, 0, job.own);
	*text = '\0';
	for (int task = 0; failures && !*text && task < job.size; task++)
		if (failures[(size_t)task * TEXT])
			snprintf(text, TEXT, "task %d: %.180s: no trace is written", task,
				 failures + (size_t)task * TEXT);
	free(failures);
	return *text;
}

static void finish(void)
{
	char text[TEXT];
	const int mine[2] = { *hd_recorder_failure() != '\0', hd_recorder_uses_files() };
	int any[2] = { 0 };
	struct hd_step_log own = hd_recorder_take_log(), *logs = NULL;

	PMPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, job.own);
	if (!any[0])
		logs = collect(&own);
	if (logs && !*hd_recorder_failure())
		write_trace(logs);
	for (int task = 0; logs && task < job.size; task++)
		hd_step_log_free(&logs[task]);
	free(logs);
	if (find_failure(text))
		say(text);
	else if (any[1] && job.rank == 0)
		say("what MPI-IO (MPI_File_...) sends is not in the trace");
	hd_step_log_free(&own);
	hd_requests_end();
	hd_communicators_end();
	PMPI_Comm_free(&job.own);
	hd_recorder_end();
}

HD_MPI_FUNCTION int MPI_Finalize(void)
{
	const bool on = hd_recorder_enter();

	if (on)
		hd_recorder_add(&(struct hd_step){ .kind = HD_STEP_END });
	if (hd_recorder_has_begun())
		finish();
	return PMPI_Finalize();
}
