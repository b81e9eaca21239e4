// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command that carries traffic: start, run, stop, show. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "simfabric/console_command.h"
#include "simfabric/traffic/carried_links.h"
#include "simfabric/traffic/carried.h"
#include "support/error.h"
#include "support/text.h"

#define POLL_NS   10000000
#define MOST_MTU  4096
#define PS_PER_US 1e6

enum verb { SHOW, START, RUN, STOP, PREFER, HOST };

/* The first word of @text; @rest is what follows it. */
static int parse_verb(const char *text, enum verb *verb, const char **rest, struct hd_error *err)
{
	static const char *const verbs[] = { "show", "start", "run", "stop", "prefer", "host" };
	size_t length = strcspn(text, " \t");

	*rest = text + length + strspn(text + length, " \t");
	*verb = SHOW;
	if (!length)
		return 0;
	for (unsigned i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strlen(verbs[i]) != length || strncasecmp(text, verbs[i], length) != 0)
			continue;
		*verb = i;
		if (**rest && (*verb == SHOW || *verb == STOP))
			return hd_error_set(err, HD_EINVAL, "what is '%s' after %s?", *rest,
					    verbs[i]);
		return 0;
	}
	return hd_error_set(err, HD_EINVAL,
			    "traffic is for start, run, stop, show, prefer or host, not for '%.*s'",
			    (int)length, text);
}

#define ANY "any"

/* What "prefer" and "host" are about. */
struct choice {
	char node[HD_CONSOLE_WORD];
	unsigned network; /* HD_CARRIED_ANY */
};

/* The last word of @rest, of which *@length bytes are before it, without blanks behind. */
static const char *last_word(const char *rest, size_t *length)
{
	size_t n = strlen(rest);

	while (n && isspace((unsigned char)rest[n - 1]))
		n--;
	while (n && !isspace((unsigned char)rest[n - 1]))
		n--;
	*length = n;
	return rest + n;
}

/* "HOST NETWORK" or "HOST", where HOST may have quotes, and blanks then and otherwise. */
static int parse_choice(const char *rest, enum verb verb, struct choice *choice,
			struct hd_error *err)
{
	size_t length = strlen(rest);
	const char *last = verb == PREFER ? last_word(rest, &length) : NULL;
	uint64_t network = HD_CARRIED_ANY;

	while (length && isspace((unsigned char)rest[length - 1]))
		length--;
	if (length > 1 && *rest == '"' && rest[length - 1] == '"') {
		rest++;
		length -= 2;
	}
	if (!length)
		return hd_error_set(err, HD_EINVAL, "which host%s?",
				    verb == PREFER ? ", and which network" : "");
	snprintf(choice->node, sizeof(choice->node), "%.*s", (int)length, rest);
	if (last && strncasecmp(last, ANY, strlen(ANY)) != 0 &&
	    hd_parse_number(last, "network", 0, (1u << HD_MAX_LMC) - 1, &network, err))
		return HD_EINVAL;
	choice->network = (unsigned)network;
	return 0;
}

int hd_console_check_traffic(const char *text, struct hd_error *err)
{
	struct hd_carried_options options;
	struct choice choice;
	const char *rest;
	enum verb verb;
	int ret = parse_verb(text, &verb, &rest, err);

	if (ret || verb == SHOW || verb == STOP)
		return ret;
	if (verb == PREFER || verb == HOST)
		return parse_choice(rest, verb, &choice, err);
	/* how long packets may be is known only when traffic starts */
	ret = hd_carried_options_parse(rest, verb == RUN, MOST_MTU, &options, err);
	if (!ret)
		hd_carried_options_clear(&options);
	return ret;
}

static const char *state_name(const struct hd_carried_status *status)
{
	switch (status->state) {
	case HD_CARRIED_RUNNING:
		return "on";
	case HD_CARRIED_CHANGES:
		return "on, pausing for new cables, LIDs or VLs";
	case HD_CARRIED_ENDS:
		return "ending";
	default:
		return "over";
	}
}

static void print_status(const struct hd_carried_status *status, FILE *out)
{
	if (status->state == HD_CARRIED_NONE) {
		fputs("there was no traffic yet\n", out);
		return;
	}
	fprintf(out, "traffic is %s: %s\n", state_name(status), status->options->text);
	fprintf(out,
		"simulated: %.3f us in %.3f s; tables: %u; hosts: %" PRIu32 " of %" PRIu32 " up\n",
		(double)status->simulated / PS_PER_US, (double)status->real / 1e9, status->tables,
		status->n_up, status->n_hosts);
	fprintf(out,
		"packets: %" PRIu64 " generated, %" PRIu64 " queued, %" PRIu64
		" under way, %" PRIu64 " delivered, %" PRIu64 " dropped (%" PRIu64
		" unsent, %" PRIu64 " on links that failed, %" PRIu64 " in circles), %" PRIu64
		" lost; %" PRIu64 " looped\n",
		status->generated, status->queued, status->under_way, status->delivered,
		status->dropped, status->unsent, status->broken, status->circled, status->lost,
		status->looped);
	if (*status->trouble)
		fprintf(out, "trouble: %s\n", status->trouble);
}

/* Shows traffic that has ended; until then, the reader of commands pauses. */
static void show_end(struct hd_console *console, FILE *out)
{
	struct hd_carried_status status = hd_carried_status(console->carried);

	if (!hd_carried_is_on(status.state)) {
		print_status(&status, out);
		return;
	}
	console->wait_ns = POLL_NS;
	console->later = show_end;
}

static int start(struct hd_console *console, const char *text, bool limited, FILE *out,
		 struct hd_error *err)
{
	struct hd_carried_options options;
	unsigned mtu = hd_carried_mtu(console->emulator);
	int ret = hd_carried_options_parse(text, limited, mtu, &options, err);

	if (!ret)
		ret = hd_carried_start(console->carried, &options, err);
	if (ret)
		return ret;
	fprintf(out, "traffic is on: %s\n", hd_carried_status(console->carried).options->text);
	if (limited)
		show_end(console, out);
	return 0;
}

static int stop(struct hd_console *console, FILE *out, struct hd_error *err)
{
	if (!hd_carried_stop(console->carried))
		return hd_error_set(err, HD_EINVAL, "there is no traffic");
	fputs("hosts send no more\n", out);
	show_end(console, out);
	return 0;
}

static int find_host(struct hd_console *console, const char *rest, enum verb verb,
		     struct choice *choice, uint32_t *node, struct hd_error *err)
{
	int ret = parse_choice(rest, verb, choice, err);

	return ret ? ret : hd_fabric_find(console->emulator->fabric, choice->node, node, err);
}

static int prefer(struct hd_console *console, const char *rest, FILE *out, struct hd_error *err)
{
	struct choice choice;
	uint32_t node;
	int ret = find_host(console, rest, PREFER, &choice, &node, err);

	if (!ret)
		ret = hd_carried_prefer(console->carried, node, choice.network, err);
	if (!ret)
		fputs("preferred\n", out);
	return ret;
}

static int show_host(struct hd_console *console, const char *rest, FILE *out, struct hd_error *err)
{
	const struct hd_carried_tally *tallies;
	struct choice choice;
	unsigned n, preferred;
	uint32_t node;
	int ret = find_host(console, rest, HOST, &choice, &node, err);

	if (ret)
		return ret;
	n = hd_carried_tallies(console->carried, node, &preferred, &tallies);
	if (!n)
		return hd_error_set(err, HD_EINVAL, "there was no traffic of such a host");
	if (preferred == HD_CARRIED_ANY)
		fputs("network: in turn", out);
	else
		fprintf(out, "network: %u", preferred);
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "; %s: %" PRIu64 " delivered, latency %.3f us", tallies[i].class,
			tallies[i].delivered,
			tallies[i].delivered ? (double)tallies[i].latency /
						       (double)tallies[i].delivered / PS_PER_US
					     : 0.0);
	fputc('\n', out);
	return 0;
}

static int traffic(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err)
{
	struct hd_carried_status status;
	const char *rest;
	enum verb verb;
	int ret = parse_verb(order->word, &verb, &rest, err);

	if (ret)
		return ret;
	if (!console->carried)
		return hd_error_set(err, HD_EINVAL, "there can be no traffic here");
	switch (verb) {
	case START:
		return start(console, rest, false, out, err);
	case RUN:
		return start(console, rest, true, out, err);
	case STOP:
		return stop(console, out, err);
	case PREFER:
		return prefer(console, rest, out, err);
	case HOST:
		return show_host(console, rest, out, err);
	default:
		status = hd_carried_status(console->carried);
		print_status(&status, out);
		return 0;
	}
}

const struct hd_console_command hd_console_traffic_commands[] = {
	{ "Traffic", "R", "start PATTERN LOAD [KEY=VALUE ...]",
	  "carry traffic by the tables, and count it at the ports", traffic },
	{ "Traffic", "R", "run TIME PATTERN LOAD [KEY=VALUE ...]",
	  "the same for a simulated time, as fast as it goes", traffic },
	{ "Traffic", "R", "[show] | stop", "show what it carried; end it", traffic },
	{ "Traffic", "R", "prefer NODE NETWORK | any",
	  "with host.policy=agent: which LIDs the node's packets take", traffic },
	{ "Traffic", "R", "host NODE", "what it prefers, and how long its packets took", traffic },
	{ 0 }
};
