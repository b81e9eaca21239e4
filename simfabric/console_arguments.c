// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The arguments of a command, by the letters that the command has for them. */
#include <ctype.h>
#include <stdlib.h>

#include "simfabric/console_command.h"
#include "support/duration.h"
#include "support/error.h"
#include "support/text.h"

#define MAX_TOKENS 8

/* A share, 0.01 or 1%; or with @percent, ibsim's whole percents. */
static int parse_share(const char *token, bool percent, double *share, struct hd_error *err)
{
	const bool is_number = isdigit((unsigned char)*token) || *token == '.';
	char *end;
	double value = strtod(token, &end);

	if (is_number && strcmp(end, "%") == 0)
		percent = true;
	else if (!is_number || *end)
		return hd_error_set(err, HD_EINVAL, "'%s' is no share (as in 0.01 or 1%%)", token);
	*share = percent ? value / 100 : value;
	if (!(*share <= 1))
		return hd_error_set(err, HD_ERANGE, "'%s' is more than all: 0 to %s", token,
				    percent ? "100%" : "1");
	return 0;
}

static int parse_lid(const struct hd_console *console, char *token, uint64_t *lid,
		     struct hd_error *err)
{
	struct hd_console_place place;
	int ret;

	if (hd_parse_number(token, "LID", 1, HD_MAX_LID, lid, NULL) == 0)
		return 0;
	ret = hd_console_parse_place(console, token, false, &place, err);
	if (ret)
		return ret;
	if (place.port == HD_NONE)
		place.port = hd_port_index(console->emulator->fabric, place.node,
					   !hd_is_switch(console->emulator->fabric, place.node));
	*lid = console->emulator->ports[place.port].lid;
	if (!*lid)
		return hd_error_set(err, HD_ENOTFOUND, "the port has no LID yet");
	return 0;
}

static int parse_argument(const struct hd_console *console, char kind, char *token,
			  struct hd_order *order, struct hd_error *err)
{
	bool second_place = order->place.node != HD_NONE;
	bool second_number = order->number != HD_CONSOLE_ABSENT;
	bool second_time = order->time != HD_CONSOLE_ABSENT;
	uint64_t *number = second_number ? &order->number2 : &order->number;
	uint64_t *time = second_time ? &order->time2 : &order->time;

	switch (tolower((unsigned char)kind)) {
	case 'n':
	case 'p':
		return hd_console_parse_place(console, token, kind == 'p',
					      second_place ? &order->other : &order->place, err);
	case 'i':
		return parse_lid(console, token, number, err);
	case 'u':
		return hd_parse_number(token, "number", 0, UINT64_MAX - 1, number, err);
	case 't':
		return hd_parse_duration(token, "time", time, err);
	case 'e':
		if (hd_parse_number(token, "time", 0, 1000000, time, NULL) == 0) {
			*time *= 1000000000;
			return 0;
		}
		return hd_parse_duration(token, "time", time, err);
	case 's':
	case 'c':
		return parse_share(token, kind == 'c', &order->share, err);
	default:
		snprintf(order->word, sizeof(order->word), "%s", token);
		return 0;
	}
}

/* Cuts @line into tokens at blanks outside of quotes; returns their number, or MAX_TOKENS + 1. */
static size_t cut(char *line, char *tokens[MAX_TOKENS])
{
	size_t n = 0;

	for (;;) {
		bool quoted = false;

		while (isspace((unsigned char)*line))
			line++;
		if (!*line)
			return n;
		if (n == MAX_TOKENS)
			return MAX_TOKENS + 1;
		tokens[n++] = line;
		for (; *line && (quoted || !isspace((unsigned char)*line)); line++)
			quoted ^= *line == '"';
		if (*line)
			*line++ = '\0';
	}
}

int hd_console_parse_arguments(const struct hd_console *console, char *text, struct hd_order *order,
			       struct hd_error *err)
{
	const struct hd_console_command *command = order->command;
	size_t required = 0, possible = strlen(command->arguments), spare, used = 0;
	char *tokens[MAX_TOKENS];
	size_t n = cut(text, tokens);

	for (const char *kind = command->arguments; *kind; kind++)
		required += islower((unsigned char)*kind) != 0;
	if (n < required || n > possible)
		return hd_error_set(err, HD_EINVAL, "usage: %s%s%s", command->name,
				    *command->usage ? " " : "", command->usage);
	/* optional arguments are given, from the left, while there are more tokens than required */
	spare = n - required;
	for (const char *kind = command->arguments; *kind; kind++) {
		int ret;

		if (isupper((unsigned char)*kind)) {
			if (!spare)
				continue;
			spare--;
		}
		ret = parse_argument(console, *kind, tokens[used++], order, err);
		if (ret)
			return ret;
	}
	return 0;
}
