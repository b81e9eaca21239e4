// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/console.h"

#include <ctype.h>
#include <strings.h>

#include "simfabric/console_command.h"
#include "support/error.h"
#include "support/text.h"

#define MAX_INCLUDING 8
/* Commands that one includes, with those of the files that its files include. */
#define INCLUDED_LINES_MAX 65536
/* Bytes of a file with commands: clients are not served while they run. */
#define INCLUDED_MAX ((size_t)1 << 20)

static int include(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err);
static int help(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err);
static int quit(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err);

/* Those that run commands or know all of them. */
static const struct hd_console_command own_commands[] = {
	{ "!", "w", "FILE", "run commands from a file", include },
	{ "Help", "", "", "show this", help },
	{ "?", "", "", "show this", help },
	{ "Quit", "", "", "end the emulated fabric", quit },
	{ 0 }
};

/* In the order in which abbreviations are tried: ibsim's own commands before others. */
static const struct hd_console_command *const lists[] = {
	hd_console_show_commands,
	hd_console_link_commands,
	hd_console_set_commands,
	hd_console_traffic_commands,
	hd_console_session_commands,
	hd_console_ar_commands,
	own_commands,
};

static void each_command(void (*each)(void *context, const struct hd_console_command *command),
			 void *context)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const struct hd_console_command *command = lists[i]; command->name; command++)
			each(context, command);
}

struct search {
	const char *name;
	size_t length;
	const struct hd_console_command *exact, *first;
};

static void compare(void *context, const struct hd_console_command *command)
{
	struct search *search = context;

	if (strncasecmp(command->name, search->name, search->length) != 0)
		return;
	if (!command->name[search->length])
		search->exact = command;
	if (!search->first)
		search->first = command;
}

static const struct hd_console_command *find_command(const char *name, size_t length)
{
	struct search search = { .name = name, .length = length };

	each_command(compare, &search);
	return search.exact ? search.exact : search.first;
}

/* Takes @text without blanks around it. */
static void parse_rest(const char *text, struct hd_order *order)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	for (length = strlen(text); length && isspace((unsigned char)text[length - 1]);)
		length--;
	memcpy(order->word, text, length);
	order->word[length] = '\0';
}

int hd_console_parse(const struct hd_console *console, const char *line, struct hd_order *order,
		     struct hd_error *err)
{
	char copy[HD_CONSOLE_WORD], *rest = copy;
	size_t length;

	*order = (struct hd_order){
		.place = { HD_NONE, HD_NONE },
		.other = { HD_NONE, HD_NONE },
		.number = HD_CONSOLE_ABSENT,
		.number2 = HD_CONSOLE_ABSENT,
		.time = HD_CONSOLE_ABSENT,
		.time2 = HD_CONSOLE_ABSENT,
	};
	while (isspace((unsigned char)*line))
		line++;
	if (!*line || *line == '#')
		return 0;
	if (strlen(line) >= sizeof(copy))
		return hd_error_set(err, HD_EINVAL, "the line is too long");
	memcpy(copy, line, strlen(line) + 1);
	/* '!' and '?' need no blank after them */
	length = *rest == '!' || *rest == '?' ? 1 : strcspn(rest, " \t\r\n\f\v");
	order->command = find_command(rest, length);
	if (!order->command) {
		rest[length] = '\0';
		return hd_error_set(err, HD_EINVAL, "no command '%.64s' (Help lists them)", rest);
	}
	if (strcmp(order->command->arguments, "R") == 0) {
		parse_rest(rest + length, order);
		return hd_console_check_traffic(order->word, err);
	}
	return hd_console_parse_arguments(console, rest + length, order, err);
}

int hd_console_run(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	return order->command ? order->command->run(console, order, out, err) : 0;
}

int hd_console_line(struct hd_console *console, const char *line, FILE *out)
{
	struct hd_order order;
	struct hd_error err;
	char text[1100];
	int ret = hd_console_parse(console, line, &order, &err);

	if (!ret)
		ret = hd_console_run(console, &order, out, &err);
	if (ret)
		fprintf(out, "error: %s\n", hd_error_format(&err, text, sizeof(text)));
	return ret;
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
	each_command(print_help, out);
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
