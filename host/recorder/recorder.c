// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/recorder/recorder.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static struct {
	struct hd_step_log log;
	clockid_t clock;
	uint64_t left;    /* ns: when the last call ended */
	uint64_t compute; /* ns since the last step */
	uint64_t serial;
	unsigned depth; /* calls that are under way */
	bool on, has_begun, begins_call;
	bool uses_files; /* MPI-IO, which is left out */
	char failure[HD_RECORDER_TEXT];
} recorder;

static uint64_t now(void)
{
	struct timespec time = { 0 };

	clock_gettime(recorder.clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void hd_recorder_begin(clockid_t clock)
{
	recorder.clock = clock;
	recorder.has_begun = true;
	recorder.on = !*recorder.failure;
	recorder.left = now();
}

void hd_recorder_end(void)
{
	recorder.has_begun = recorder.on = false;
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

bool hd_recorder_uses_files(void)
{
	return recorder.uses_files;
}

const char *hd_recorder_failure(void)
{
	return recorder.failure;
}

struct hd_step_log hd_recorder_take_log(void)
{
	const struct hd_step_log log = recorder.log;

	recorder.log = (struct hd_step_log){ 0 };
	return log;
}
