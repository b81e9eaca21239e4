// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands about clients, and about how commands are read. */
#include <inttypes.h>

#include "simfabric/console_command.h"
#include "support/error.h"

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

const struct hd_console_command hd_console_session_commands[] = {
	{ "X", "u", "CLIENT", "disconnect a client", expel },
	{ "Verbose", "U", "[LEVEL]", "say more on stderr: 0 nothing, 1 clients", verbose },
	{ "Wait", "e", "SECONDS", "read no commands for a while", wait_time },
	{ "Start", "W", "[network]", "for ibsim's scripts: the network runs already", start },
	{ 0 }
};

bool hd_console_waits(const struct hd_order *order)
{
	return order->command && order->command->run == wait_time;
}
