/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The console: commands that show and change the emulated fabric while it runs, by ibsim's names
 * where ibsim has them (docs/emulator.md, "Console and scripts"). A command is first parsed into an
 * order, in which all nodes and ports are found, and then run. So scripts are parsed before they
 * start.
 */
#ifndef HD_SIMFABRIC_CONSOLE_H
#define HD_SIMFABRIC_CONSOLE_H

#include <stdio.h>

#include "simfabric/emulator/clients.h"

struct hd_console_command;
struct hd_carried;

struct hd_console {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	unsigned *verbose; /* what is written to stderr; shared by all who read commands */

	void (*quit)(void *context); /* Quit; may be NULL */
	void *context;
	struct hd_carried *carried; /* Traffic; NULL: there can be none */
	uint64_t wait_ns; /* after Wait: the reader of the console must let this time pass, set it
			     to 0 ... */

	/* ... then call this, for the rest of the last command; NULL: nothing to do */
	void (*later)(struct hd_console *console, FILE *out);
	unsigned including;      /* how deep files with commands are nested */
	unsigned included_lines; /* commands from files since the last command that was not from a
				    file */
};

/* A node, and a port of it if one was given. */
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

/* Whether the reader of commands must pause after @order. */
bool hd_console_waits(const struct hd_order *order);

/*
 * Runs @order, which answers on @out: one line, or a table. HD_EINVAL and others: the order cannot
 * be run now, nothing was changed or written.
 */
int hd_console_run(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err);

/* Parses and runs; an error is answered as "error: ..." on @out too. */
int hd_console_line(struct hd_console *console, const char *line, FILE *out);

#endif
