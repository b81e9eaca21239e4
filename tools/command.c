// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

static const struct argp_option common_options[] = {
	{ "verbose", 'v', NULL, 0, "Say on stderr what is being done", -2 },
	{ "quiet", HD_KEY_QUIET, NULL, 0, "Say nothing on stderr but errors", -2 },
	{ "node-name-map", HD_KEY_NAME_MAP, "FILE", 0,
	  "Name nodes by FILE, as infiniband-diags do: lines 0xGUID \"NAME\"", -2 },
	{ "strict", HD_KEY_STRICT, NULL, 0,
	  "Refuse input that is odd, rather than read what can be read of it", -2 },
	{ "version", HD_KEY_VERSION, NULL, 0, "Print the version and exit", -1 },
	{ 0 }
};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	struct hd_common *common = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		/*
		 * Without this stream argp returns an error, and does not add a second line to the
		 * one that tells what is wrong.
		 */
		state->err_stream = NULL;
		return 0;
	case 'v':
		common->verbose = true;
		return 0;
	case HD_KEY_QUIET:
		common->quiet = true;
		return 0;
	case HD_KEY_NAME_MAP:
		common->name_map = arg;
		return 0;
	case HD_KEY_STRICT:
		common->strict = true;
		return 0;
	case HD_KEY_VERSION:
		puts(PACKAGE_STRING);
		exit(HD_EXIT_YES);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp hd_common_argp = { .options = common_options, .parser = parse_common };

int hd_command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	error_t status = argp_parse(argp, argc, argv, 0, NULL, input);
	struct hd_error err;

	if (status == ENOMEM) { /* the one error that has not been told yet */
		hd_error_nomem(&err);
		return hd_command_fail(&err);
	}
	return status ? HD_EXIT_UNUSABLE : 0;
}

static void __attribute__((format(printf, 2, 0)))
say(const char *who, const char *format, va_list args)
{
	char text[1200];

	vsnprintf(text, sizeof(text), format, args);
	fprintf(stderr, "%s: %s\n", who, hd_make_printable(text));
}

error_t hd_usage_error(const struct argp_state *state, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(state->name, format, args);
	va_end(args);
	return EINVAL;
}

error_t hd_usage_number(const struct argp_state *state, const char *what, const char *text,
			uint64_t min, uint64_t max, uint64_t *value)
{
	struct hd_error err;

	if (hd_parse_number(text, what, min, max, value, &err))
		return hd_usage_error(state, "%s", err.text);
	return 0;
}

error_t hd_usage_arguments(const struct argp_state *state, int key, const char *const *names,
			   unsigned least, const char *arg, const char **values)
{
	unsigned most = 0, n = state->arg_num;

	while (names[most])
		most++;
	if (key == ARGP_KEY_END)
		return n < least ? hd_usage_error(state, "no %s given", names[n]) : 0;
	if (!most)
		return hd_usage_error(state, "no arguments, not '%s'", arg);
	if (n >= most)
		return hd_usage_error(state, "one %s, not also '%s'", names[most - 1], arg);
	values[n] = arg;
	return 0;
}

error_t hd_usage_argument(const struct argp_state *state, int key, const char *name,
			  const char *arg, const char **value)
{
	return hd_usage_arguments(state, key, (const char *const[]){ name, NULL }, 1, arg, value);
}

static void __attribute__((format(printf, 1, 2))) say_heddle(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(PACKAGE_NAME, format, args);
	va_end(args);
}

int hd_command_fail(const struct hd_error *err)
{
	char text[1100];
	bool stdout_failed = ferror(stdout);

	/* one line is enough: closing stdout is not to fail a second time for the same reason */
	if (stdout_failed) {
		clearerr(stdout);
		__fpurge(stdout);
	}
	say_heddle("%s", hd_error_format(err, text, sizeof(text)));
	return err->code == HD_EREFUSED && !stdout_failed ? HD_EXIT_NO : HD_EXIT_UNUSABLE;
}

bool hd_shows_progress(const struct hd_common *common)
{
	const char *terminal = getenv("TERM");

	return !common->quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void hd_note(const struct hd_common *common, const char *format, ...)
{
	va_list args;

	if (common->quiet)
		return;
	va_start(args, format);
	say(PACKAGE_NAME, format, args);
	va_end(args);
}

void hd_note_verbose(const struct hd_common *common, const char *format, ...)
{
	va_list args;

	if (common->quiet || !common->verbose)
		return;
	va_start(args, format);
	say(PACKAGE_NAME, format, args);
	va_end(args);
}
