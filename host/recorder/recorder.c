// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/recorder/recorder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/recorder/merge.h"

#define TEXT 256

/* The most bytes of one message to the task that writes. */
#define CHUNK ((size_t)1 << 30)

static struct {
	struct hd_step_log log;
	struct hd_merge_options options;
	const char *file;
	clockid_t clock;
	uint64_t left;    /* ns: when the last call ended */
	uint64_t compute; /* ns since the last step */
	uint64_t serial;
	unsigned depth; /* calls that are under way */
	bool on, has_begun, begins_call;
	bool uses_files; /* MPI-IO, which is left out */
	int rank, size;
	MPI_Comm own;
	char failure[TEXT];
} recorder = { .file = "heddle.trace",
	       .options = { .factor = 1, .last = UINT64_MAX },
	       .clock = CLOCK_THREAD_CPUTIME_ID };

static void say(const char *text)
{
	fprintf(stderr, "libheddle-trace: %s\n", text);
}

static uint64_t now(void)
{
	struct timespec time = { 0 };

	clock_gettime(recorder.clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

bool hd_recorder_enter(void)
{
	const bool on = recorder.on && !recorder.depth;

	recorder.depth++;
	if (!on)
		return false;
	recorder.compute += now() - recorder.left;
	recorder.begins_call = true;
	return true;
}

void hd_recorder_leave(bool on)
{
	recorder.depth--;
	if (on)
		recorder.left = now();
}

bool hd_recorder_has_begun(void)
{
	return recorder.has_begun;
}

void hd_recorder_add(const struct hd_step *step)
{
	struct hd_step own = *step;

	if (!recorder.on)
		return;
	own.compute = recorder.compute;
	own.begins_call = recorder.begins_call;
	if (!hd_step_log_add(&recorder.log, &own)) {
		hd_recorder_refuse("there is no memory for more than %zu bytes of log",
				   recorder.log.n);
		return;
	}
	recorder.compute = 0;
	recorder.begins_call = false;
}

uint64_t hd_recorder_serial(void)
{
	return recorder.serial++;
}

void hd_recorder_refuse(const char *format, ...)
{
	va_list args;

	if (*recorder.failure)
		return;
	va_start(args, format);
	vsnprintf(recorder.failure, sizeof(recorder.failure), format, args);
	va_end(args);
	recorder.on = false;
	hd_step_log_free(&recorder.log);
}

void hd_recorder_note_files(void)
{
	recorder.uses_files = true;
}

/* "17-29": from the one collective operation to before the other. */
static bool read_part(const char *text)
{
	unsigned long long first, last;
	char rest;

	if (sscanf(text, "%llu-%llu%c", &first, &last, &rest) != 2 || first >= last)
		return false;
	recorder.options.first = first;
	recorder.options.last = last;
	return true;
}

static bool read_factor(const char *text)
{
	char *end;

	recorder.options.factor = strtod(text, &end);
	return end != text && !*end && recorder.options.factor >= 0 &&
	       recorder.options.factor <= 1e6;
}

static bool read_clock(const char *text)
{
	recorder.clock = strcmp(text, "wall") == 0 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
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
		recorder.file = file;
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i].name);

		if (value && !variables[i].read(value)) {
			snprintf(text, TEXT, "%s is '%.60s', which is not %s", variables[i].name,
				 value, variables[i].wants);
			return false;
		}
	}
	if (recorder.rank == 0 && !is_writable(recorder.file)) {
		snprintf(text, TEXT, "%.150s: there can be no file: %s", recorder.file,
			 strerror(errno));
		return false;
	}
	return true;
}

static void at_exit(void)
{
	if (recorder.has_begun && recorder.rank == 0)
		say("the program ended without MPI_Finalize: no trace is written");
}

/* Of all tasks at once: what the environment says must be right before hours of work. */
static void check_environment(void)
{
	char text[TEXT] = "";
	int bad = !read_environment(text), any;

	PMPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, recorder.own);
	if (!any)
		return;
	if (recorder.rank == 0 && bad)
		say(text);
	PMPI_Finalize();
	exit(2);
}

static void begin(int provided)
{
	PMPI_Comm_dup(MPI_COMM_WORLD, &recorder.own);
	PMPI_Comm_rank(recorder.own, &recorder.rank);
	PMPI_Comm_size(recorder.own, &recorder.size);
	check_environment();
	recorder.has_begun = recorder.on = true;
	atexit(at_exit);
	if (!hd_communicators_begin())
		hd_recorder_refuse("there is no memory");
	if (provided == MPI_THREAD_MULTIPLE)
		hd_recorder_refuse("the program's threads may all send at once "
				   "(MPI_THREAD_MULTIPLE), and so have no order that could be "
				   "recorded");
	recorder.left = now();
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

	snprintf(text, sizeof(text), "task %d called MPI_Abort: no trace is written",
		 recorder.rank);
	if (recorder.has_begun)
		say(text);
	recorder.has_begun = false;
	return PMPI_Abort(comm, code);
}

/* The logs of all tasks in task 0; elsewhere NULL. */
static struct hd_step_log *collect(void)
{
	uint64_t n = recorder.log.n, *sizes = NULL;
	struct hd_step_log *logs = NULL;
	int ok = 1, all;

	if (recorder.rank == 0) {
		sizes = calloc((size_t)recorder.size, sizeof(*sizes));
		logs = calloc((size_t)recorder.size, sizeof(*logs));
		ok = sizes && logs;
	}
	PMPI_Bcast(&ok, 1, MPI_INT, 0, recorder.own);
	if (ok)
		PMPI_Gather(&n, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, 0, recorder.own);
	for (int task = 1; ok && recorder.rank == 0 && task < recorder.size; task++) {
		logs[task].bytes = malloc(sizes[task] + 1);
		logs[task].n = sizes[task];
		ok = logs[task].bytes != NULL;
	}
	PMPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, recorder.own);
	if (!all) {
		hd_recorder_refuse("task 0 has no memory for the logs of all tasks");
		free(sizes);
		return logs;
	}
	for (size_t at = 0; recorder.rank && at < n; at += CHUNK)
		PMPI_Send(recorder.log.bytes + at, (int)(n - at < CHUNK ? n - at : CHUNK), MPI_BYTE,
			  0, 0, recorder.own);
	for (int task = 1; recorder.rank == 0 && task < recorder.size; task++)
		for (size_t at = 0; at < sizes[task]; at += CHUNK)
			PMPI_Recv(logs[task].bytes + at,
				  (int)(sizes[task] - at < CHUNK ? sizes[task] - at : CHUNK),
				  MPI_BYTE, task, 0, recorder.own, MPI_STATUS_IGNORE);
	if (recorder.rank == 0) {
		logs[0] = recorder.log;
		recorder.log = (struct hd_step_log){ 0 };
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

	if (snprintf(name, sizeof(name), "%s.partial", recorder.file) < (int)sizeof(name))
		out = fopen(name, "w");
	if (!out) {
		hd_recorder_refuse("%.150s: %s", recorder.file, strerror(errno));
		return;
	}
	ok = hd_merge(logs, (uint32_t)recorder.size, &recorder.options, out, error);
	if (!ok)
		hd_recorder_refuse("%s", error);
	ok &= !ferror(out);
	ok &= fclose(out) == 0;
	if (ok && rename(name, recorder.file) == 0)
		return;
	hd_recorder_refuse("%.150s: %s", recorder.file, strerror(errno));
	unlink(name);
}

/* In task 0: the first task's failure, if any has one. */
static bool find_failure(char text[TEXT])
{
	char *failures = recorder.rank ? NULL : calloc((size_t)recorder.size, TEXT);

	PMPI_Gather(recorder.failure, TEXT, MPI_CHAR, failures, TEXT, MPI_CHAR, 0, recorder.own);
	*text = '\0';
	for (int task = 0; failures && !*text && task < recorder.size; task++)
		if (failures[(size_t)task * TEXT])
			snprintf(text, TEXT, "task %d: %.180s: no trace is written", task,
				 failures + (size_t)task * TEXT);
	free(failures);
	return *text;
}

static void finish(void)
{
	char text[TEXT];
	const int mine[2] = { *recorder.failure != '\0', recorder.uses_files };
	int any[2] = { 0 };
	struct hd_step_log *logs = NULL;

	PMPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, recorder.own);
	if (!any[0])
		logs = collect();
	if (logs && !*recorder.failure)
		write_trace(logs);
	for (int task = 0; logs && task < recorder.size; task++)
		hd_step_log_free(&logs[task]);
	free(logs);
	if (find_failure(text))
		say(text);
	else if (any[1] && recorder.rank == 0)
		say("what MPI-IO (MPI_File_...) sends is not in the trace");
	hd_step_log_free(&recorder.log);
	hd_requests_end();
	hd_communicators_end();
	PMPI_Comm_free(&recorder.own);
	recorder.has_begun = recorder.on = false;
}

HD_MPI_FUNCTION int MPI_Finalize(void)
{
	const bool on = hd_recorder_enter();

	if (on)
		hd_recorder_add(&(struct hd_step){ .kind = HD_STEP_END });
	if (recorder.has_begun)
		finish();
	return PMPI_Finalize();
}
