// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/script.h"

#include <ctype.h>
#include <stdlib.h>

#include "support/duration.h"
#include "support/error.h"
#include "support/text.h"

#define LINE_SIZE 1024

struct event {
	struct hd_order order;
	uint64_t time; /* ns */
	bool managed;  /* counted from the first subnet manager */
	unsigned line;
	void (*later)(struct hd_console *console, FILE *out); /* does the rest of the last
							         command */
};

struct hd_script {
	struct hd_console *console;
	char *path;
	struct event *events;
	size_t n_events, size;
	void (*say)(void *context, const char *line, bool failed);
	void *context;
};

static int add_event(struct hd_script *script, const struct event *event, struct hd_error *err)
{
	if (script->n_events == script->size) {
		size_t size = script->size ? 2 * script->size : 16;
		struct event *grown = realloc(script->events, size * sizeof(*grown));

		if (!grown)
			return hd_error_nomem(err);
		script->events = grown;
		script->size = size;
	}
	script->events[script->n_events++] = *event;
	return 0;
}

/* `TIME COMMAND` or `sm+TIME COMMAND`. */
static int parse_event(const struct hd_script *script, char *line, struct event *event,
		       struct hd_error *err)
{
	static const char managed[] = "sm+";
	char *command;
	int ret;

	event->managed = strncmp(line, managed, strlen(managed)) == 0;
	if (event->managed)
		line += strlen(managed);
	command = line + strcspn(line, " \t");
	if (*command)
		*command++ = '\0';
	ret = hd_parse_duration(line, "time", &event->time, err);
	if (!ret)
		ret = hd_console_parse(script->console, command, &event->order, err);
	if (!ret && !event->order.command)
		return hd_error_set(err, HD_EINVAL, "what is to be done at that time?");
	if (!ret && hd_console_waits(&event->order))
		return hd_error_set(err, HD_EINVAL, "Wait is not for scripts: lines have times");
	return ret;
}

static int parse_line(struct hd_script *script, const struct hd_lines *lines, struct hd_error *err)
{
	char copy[LINE_SIZE], *line = copy;
	struct event event = { .line = lines->number };
	struct hd_error cause;
	size_t length = (size_t)(lines->end - lines->begin);
	int ret;

	if (length >= sizeof(copy) || memchr(lines->begin, '\0', length))
		return hd_error_at(err, HD_EPARSE, script->path, lines->number, "the line is %s",
				   length >= sizeof(copy) ? "too long" : "no text");
	memcpy(copy, lines->begin, length);
	copy[length] = '\0';
	while (isspace((unsigned char)*line))
		line++;
	if (!*line || *line == '#')
		return 0;
	ret = parse_event(script, line, &event, &cause);
	if (ret)
		return hd_error_at(err, HD_EPARSE, script->path, lines->number, "%s", cause.text);
	return add_event(script, &event, err);
}

int hd_script_read(struct hd_console *console, const char *path, struct hd_script **result,
		   struct hd_error *err)
{
	struct hd_script *script = calloc(1, sizeof(*script));
	struct hd_lines lines;
	struct hd_text text;
	int ret;

	*result = NULL;
	if (!script)
		return hd_error_nomem(err);
	script->console = console;
	script->path = strdup(path);
	ret = script->path ? hd_text_read(path, &text, err) : hd_error_nomem(err);
	if (ret) {
		hd_script_free(script);
		return ret;
	}
	hd_lines_begin(&lines, path, text.data, text.size);
	while (!ret && hd_lines_next(&lines))
		ret = parse_line(script, &lines, err);
	hd_text_free(&text);
	if (ret) {
		hd_script_free(script);
		return ret;
	}
	*result = script;
	return 0;
}

void hd_script_free(struct hd_script *script)
{
	if (!script)
		return;
	free(script->events);
	free(script->path);
	free(script);
}

static void tell(const struct hd_script *script, unsigned line, const char *answer, bool failed)
{
	char text[LINE_SIZE + 512];

	snprintf(text, sizeof(text), "%s:%u: %s", script->path, line, answer);
	script->say(script->context, text, failed);
}

/* Hands the lines of @answer on, and frees it. */
static void tell_lines(const struct hd_script *script, unsigned line, char *answer)
{
	char *rest = answer, *text;

	while ((text = strsep(&rest, "\n")))
		if (*text)
			tell(script, line, text, false);
	free(answer);
}

static void go_on(void *context, uint64_t index);

/* Arms a timer for the rest of a command. */
static void arm_rest(struct hd_script *script, uint64_t index)
{
	struct hd_console *console = script->console;
	const struct hd_timer timer = {
		.time = console->emulator->now + console->wait_ns,
		.expire = go_on,
		.context = script,
		.argument = index,
	};

	if (!console->later)
		return;
	script->events[index].later = console->later;
	console->later = NULL;
	console->wait_ns = 0;
	if (!hd_timers_add(&console->emulator->timers, &timer))
		tell(script, script->events[index].line, "out of memory", true);
}

static void go_on(void *context, uint64_t index)
{
	struct hd_script *script = context;
	struct event *event = &script->events[index];
	char *answer = NULL;
	size_t size;
	FILE *out = open_memstream(&answer, &size);

	if (!out) {
		tell(script, event->line, "out of memory", true);
		return;
	}
	event->later(script->console, out);
	if (fclose(out) == 0)
		tell_lines(script, event->line, answer);
	arm_rest(script, index);
}

static void run_event(void *context, uint64_t index)
{
	struct hd_script *script = context;
	const struct event *event = &script->events[index];
	char *answer = NULL;
	struct hd_error err;
	size_t size;
	FILE *out = open_memstream(&answer, &size);
	int ret;

	if (!out) {
		tell(script, event->line, "out of memory", true);
		return;
	}
	ret = hd_console_run(script->console, &event->order, out, &err);
	if (fclose(out) == 0)
		tell_lines(script, event->line, answer);
	if (ret)
		tell(script, event->line, err.text, true);
	arm_rest(script, index);
}

/* Arms the events that count from now on. */
static bool arm(struct hd_script *script, bool managed)
{
	struct hd_emulator *emulator = script->console->emulator;

	for (size_t i = 0; i < script->n_events; i++) {
		struct hd_timer timer = {
			.time = emulator->now + script->events[i].time,
			.expire = run_event,
			.context = script,
			.argument = i,
		};

		if (script->events[i].managed == managed &&
		    !hd_timers_add(&emulator->timers, &timer))
			return false;
	}
	return true;
}

static void start_managed(void *context)
{
	struct hd_script *script = context;

	if (!arm(script, true))
		tell(script, 0, "out of memory", true);
}

int hd_script_start(struct hd_script *script,
		    void (*say)(void *context, const char *line, bool failed), void *context,
		    struct hd_error *err)
{
	script->say = say;
	script->context = context;
	if (!arm(script, false))
		return hd_error_nomem(err);
	hd_clients_when_managed(script->console->clients, start_managed, script);
	return 0;
}
