// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands about the console itself and its clients. */
#include <inttypes.h>

#include "simfabric/console_command.h"
#include "support/error.h"
#include "support/text.h"

#define MAX_INCLUDING 8
/* Commands that one includes, with those of the files that its files include. */
#define INCLUDED_LINES_MAX 65536
/* Bytes of a file with commands: clients are not served while they run. */
#define INCLUDED_MAX ((size_t)1 << 20)

static int start(struct hd_console *console, const struct hd_order *order, FILE *out,
		 struct hd_error *err)
{
	(void)console;
	(void)order;
	(void)err;
	fputs("the network is running\n", out);
	return 0;
}

static int verbose(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	if (order->number != HD_CONSOLE_ABSENT) {
		if (order->number > 9)
			return hd_error_set(err, HD_ERANGE, "a level is 0 to 9");
		*console->verbose = (unsigned)order->number;
	}
	fprintf(out, "verbose level is %u\n", *console->verbose);
	return 0;
}

static int wait_time(struct hd_console *console, const struct hd_order *order, FILE *out,
		     struct hd_error *err)
{
	(void)err;
	console->wait_ns = order->time;
	fprintf(out, "waiting %g s\n", (double)order->time / 1e9);
	return 0;
}

static int expel(struct hd_console *console, const struct hd_order *order, FILE *out,
		 struct hd_error *err)
{
	if (order->number >= HD_NONE ||
	    !hd_clients_expel(console->clients, (uint32_t)order->number))
		return hd_error_set(err, HD_ENOTFOUND, "there is no client %" PRIu64,
				    order->number);
	fprintf(out, "client %" PRIu64 " is disconnected\n", order->number);
	return 0;
}

/* Runs the lines of a file; stops at the first that fails. */
static int include(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	struct hd_error cause;
	struct hd_lines lines;
	struct hd_text text;
	int ret;

	if (console->including == MAX_INCLUDING)
		return hd_error_set(err, HD_EINVAL, "files that include files, %d deep",
				    MAX_INCLUDING);
	ret = hd_text_read_file(order->word, INCLUDED_MAX, &text, err);
	if (ret)
		return ret;
	if (!console->including++)
		console->included_lines = 0;
	hd_lines_begin(&lines, order->word, text.data, text.size);
	while (!ret && hd_lines_next(&lines)) {
		struct hd_order each;
		char line[1024];

		if (console->included_lines++ == INCLUDED_LINES_MAX) {
			ret = hd_error_set(err, HD_ERANGE, "more than %d lines",
					   INCLUDED_LINES_MAX);
			break;
		}
		snprintf(line, sizeof(line), "%.*s", (int)(lines.end - lines.begin), lines.begin);
		ret = hd_console_parse(console, line, &each, &cause);
		if (!ret)
			ret = hd_console_run(console, &each, out, &cause);
		if (ret && !*cause.file)
			hd_error_at(err, ret, order->word, lines.number, "%s", cause.text);
		else if (ret && err)
			*err = cause;
	}
	console->including--;
	hd_text_free(&text);
	return ret;
}

static void print_help(void *context, const struct hd_console_command *command)
{
	FILE *out = context;
	char usage[128];

	snprintf(usage, sizeof(usage), "%s %s", command->name, command->usage);
	fprintf(out, "  %-48s %s\n", usage, command->help);
}

static int help(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err)
{
	(void)console;
	(void)order;
	(void)err;
	fputs("Commands, which may be abbreviated, in any case of letters:\n", out);
	hd_console_each(print_help, out);
	fputs("Times have units (250ms, 2.5s). Lines that begin with # are comments.\n", out);
	return 0;
}

static int quit(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err)
{
	(void)order;
	(void)err;
	fputs("bye\n", out);
	if (console->quit)
		console->quit(console->context);
	return 0;
}

const struct hd_console_command hd_console_session_commands[] = {
	{ "X", "u", "CLIENT", "disconnect a client", expel },
	{ "Verbose", "U", "[LEVEL]", "say more on stderr: 0 nothing, 1 clients", verbose },
	{ "Wait", "e", "SECONDS", "read no commands for a while", wait_time },
	{ "Start", "W", "[network]", "for ibsim's scripts: the network runs already", start },
	{ "!", "w", "FILE", "run commands from a file", include },
	{ "Help", "", "", "show this", help },
	{ "?", "", "", "show this", help },
	{ "Quit", "", "", "end the emulated fabric", quit },
	{ 0 }
};

bool hd_console_waits(const struct hd_order *order)
{
	return order->command && order->command->run == wait_time;
}
