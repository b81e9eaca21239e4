// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/console.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "simfabric/console_command.h"
#include "support/duration.h"
#include "support/error.h"
#include "support/text.h"

#define MAX_TOKENS 8

/* In the order in which abbreviations are tried: ibsim's own commands before others. */
static const struct hd_console_command *const lists[] = {
	hd_console_show_commands,    hd_console_link_commands,    hd_console_set_commands,
	hd_console_traffic_commands, hd_console_session_commands,
};

void hd_console_each(void (*each)(void *context, const struct hd_console_command *command),
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

	hd_console_each(compare, &search);
	return search.exact ? search.exact : search.first;
}

const char *hd_console_label(const struct hd_console *console, const struct hd_console_place *place,
			     char *buffer, size_t size)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	char name[HD_LABEL_SIZE];

	hd_node_label(fabric, place->node, name, sizeof(name));
	if (place->port == HD_NONE)
		snprintf(buffer, size, "\"%s\"", name);
	else
		snprintf(buffer, size, "\"%s\"[%u]", name, fabric->ports[place->port].number);
	return buffer;
}

uint32_t hd_console_ports(const struct hd_console *console, const struct hd_console_place *place,
			  uint32_t *end)
{
	const struct hd_node *node = &console->emulator->fabric->nodes[place->node];

	if (place->port != HD_NONE) {
		*end = place->port + 1;
		return place->port;
	}
	*end = node->first_port + node->n_ports + 1;
	return node->first_port + 1;
}

uint32_t hd_console_port_of_lid(const struct hd_emulator *emulator, uint64_t lid)
{
	const struct hd_fabric *fabric = emulator->fabric;

	for (uint32_t i = 0; lid && i < fabric->n_endports; i++) {
		const struct hd_emulator_port *state = &emulator->ports[fabric->endports[i]];

		if (state->lid && lid >> state->lmc == (uint64_t)state->lid >> state->lmc)
			return fabric->endports[i];
	}
	return HD_NONE;
}

static int find_node(const struct hd_console *console, const char *name, uint32_t *node,
		     struct hd_error *err)
{
	uint64_t number;
	uint32_t port;
	int ret = hd_fabric_find(console->emulator->fabric, name, node, err);

	/* the LID is looked up in the running fabric, not in the file */
	if ((!ret && strcmp(hd_node_name(console->emulator->fabric, *node), name) == 0) ||
	    hd_parse_number(name, "node", 0, HD_MAX_LID, &number, NULL))
		return ret;
	port = hd_console_port_of_lid(console->emulator, number);
	if (port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "no port has LID %" PRIu64, number);
	*node = console->emulator->fabric->ports[port].node;
	return 0;
}

/* "NAME", "NAME"[PORT], NAME, NAME[PORT]. */
static int parse_place(const struct hd_console *console, char *token, bool with_port,
		       struct hd_console_place *place, struct hd_error *err)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	char *bracket = NULL, *name = token;
	uint64_t number;
	int ret;

	if (*token == '"') {
		char *quote = strrchr(++name, '"');

		if (!quote)
			return hd_error_set(err, HD_EINVAL, "%s lacks its second \"", token);
		if (quote[1] == '[')
			bracket = quote + 1;
		else if (quote[1])
			return hd_error_set(err, HD_EINVAL, "what is '%s' after the name?",
					    quote + 1);
		*quote = '\0';
	} else {
		bracket = strrchr(token, '[');
	}
	place->port = HD_NONE;
	if (!bracket) {
		if (with_port)
			return hd_error_set(err, HD_EINVAL, "'%s' needs a port, as in \"%s\"[1]",
					    name, name);
		return find_node(console, name, &place->node, err);
	}
	*bracket++ = '\0';
	if (!*bracket || bracket[strlen(bracket) - 1] != ']')
		return hd_error_set(err, HD_EINVAL, "'%s' lacks its ]", bracket);
	bracket[strlen(bracket) - 1] = '\0';
	ret = find_node(console, name, &place->node, err);
	if (ret)
		return ret;
	ret = hd_parse_number(bracket, "port", 0, UINT64_MAX, &number, err);
	if (ret)
		return ret;
	if (number > fabric->nodes[place->node].n_ports ||
	    (!number && !hd_is_switch(fabric, place->node)))
		return hd_error_set(err, HD_ENOTFOUND,
				    "\"%s\" has no port %" PRIu64 ", but %s to %u", name, number,
				    hd_is_switch(fabric, place->node) ? "0" : "1",
				    fabric->nodes[place->node].n_ports);
	place->port = hd_port_index(fabric, place->node, (unsigned)number);
	return 0;
}

/* A share, 0.01 or 1%; or with @percent, ibsim's whole percents. */
static int parse_share(const char *token, bool percent, double *share, struct hd_error *err)
{
	char *end;
	double value;

	value = isdigit((unsigned char)*token) || *token == '.' ? strtod(token, &end) : -1;
	if (value < 0)
		return hd_error_set(err, HD_EINVAL, "'%s' is no share (as in 0.01 or 1%%)", token);
	if (strcmp(end, "%") == 0)
		percent = true;
	else if (*end)
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
	ret = parse_place(console, token, false, &place, err);
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
		return parse_place(console, token, kind == 'p',
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

static int parse_arguments(const struct hd_console *console, char **tokens, size_t n,
			   struct hd_order *order, struct hd_error *err)
{
	const struct hd_console_command *command = order->command;
	size_t required = 0, possible = strlen(command->arguments), spare, used = 0;

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
	char copy[HD_CONSOLE_WORD], *tokens[MAX_TOKENS], *rest = copy;
	size_t length, n;

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
	n = cut(rest + length, tokens);
	return parse_arguments(console, tokens, n, order, err);
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
