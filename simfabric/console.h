/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The console: commands that show and change the emulated fabric while it runs, by ibsim's names
 * where it has them (docs/emulator.md, "Console and scripts"). A command is parsed to an order, in
 * which everything that it names has been found, and run; so scripts are parsed before they start.
 */
#ifndef HD_SIMFABRIC_CONSOLE_H
#define HD_SIMFABRIC_CONSOLE_H

#include <stdio.h>

#include "simfabric/emulator/clients.h"

struct hd_console_command;
struct hd_haul;

struct hd_console {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	unsigned *verbose; /* what is said on stderr; shared by all who read commands */

	void (*quit)(void *context); /* Quit; may be NULL */
	void *context;
	struct hd_haul *haul; /* Traffic; NULL: there can be none */
	uint64_t
		wait_ns; /* Wait: the reader of the console is to let this pass, and set it to 0 ... */

	/* ... then to call this, for what is left of the last command; NULL: nothing */
	void (*later)(struct hd_console *console, FILE *out);
	unsigned including; /* commands from a file, in a file, ... */
	unsigned included_lines;
};

/* A node, and a port of it if one was named. */
struct hd_console_place {
	uint32_t node; /* HD_NONE: not given */
	uint32_t port; /* index in ports[]; HD_NONE: not given */
};

#define HD_CONSOLE_WORD 1024

struct hd_order {
	const struct hd_console_command *command; /* NULL: an empty line or a comment */
	struct hd_console_place place, other;
	uint64_t number, number2; /* LIDs, client, level; HD_CONSOLE_ABSENT */
	uint64_t time, time2;     /* ns */
	double share;
	char word[HD_CONSOLE_WORD]; /* or the rest of the line */
};

#define HD_CONSOLE_ABSENT UINT64_MAX

/* HD_EINVAL: no such command, or wrong arguments; HD_ERANGE; HD_ENOTFOUND: no such node or port. */
int hd_console_parse(const struct hd_console *console, const char *line, struct hd_order *order,
		     struct hd_error *err);

/* Whether @order is to hold up the reader of commands. */
bool hd_console_waits(const struct hd_order *order);

/*
 * Runs @order, which answers on @out: one line, or a table. HD_EINVAL and others: it cannot be done
 * now, nothing was changed or written.
 */
int hd_console_run(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err);

/* Both; what is wrong is answered as "error: ..." on @out too. */
int hd_console_line(struct hd_console *console, const char *line, FILE *out);

#endif
