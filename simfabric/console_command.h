/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands of the console, for the files that have some; console.c lists all. */
#ifndef HD_SIMFABRIC_CONSOLE_COMMAND_H
#define HD_SIMFABRIC_CONSOLE_COMMAND_H

#include "simfabric/console.h"

struct hd_console_command {
	const char *name;

	/*
	 * The arguments that follow the name, a letter each; those with small letters must be
	 * given, those with capital ones may: n: node, with a port or without; p: node with a port;
	 * i: LID or node; u: number; t: time; e: seconds, or time; s: share; c: percent; w: word;
	 * R, alone: the rest of the line, about traffic.
	 */
	const char *arguments;
	const char *usage; /* of the arguments, for users */
	const char *help;
	int (*run)(struct hd_console *console, const struct hd_order *order, FILE *out,
		   struct hd_error *err);
};

/* Lists of commands, beside those of console.c itself; a NULL name ends each. */
extern const struct hd_console_command hd_console_show_commands[];
extern const struct hd_console_command hd_console_ar_commands[];
extern const struct hd_console_command hd_console_link_commands[];
extern const struct hd_console_command hd_console_set_commands[];
extern const struct hd_console_command hd_console_session_commands[];
extern const struct hd_console_command hd_console_traffic_commands[];

/* Checks @text, about traffic, without regard to the state of the fabric. HD_EINVAL, HD_ERANGE. */
int hd_console_check_traffic(const char *text, struct hd_error *err);

/*
 * console_arguments.c: reads the arguments of order->command from @text, and changes @text.
 * HD_EINVAL, HD_ERANGE, HD_ENOTFOUND.
 */
int hd_console_parse_arguments(const struct hd_console *console, char *text, struct hd_order *order,
			       struct hd_error *err);

/* console_places.c */

/*
 * Finds the node or port that @token names: "NAME", "NAME"[PORT], NAME, NAME[PORT]; changes @token.
 * @with_port: it must name a port. HD_EINVAL, HD_ENOTFOUND.
 */
int hd_console_parse_place(const struct hd_console *console, char *token, bool with_port,
			   struct hd_console_place *place, struct hd_error *err);

/* "NAME"[PORT] or "NAME", as users type it, but printable; returns @buffer. */
const char *hd_console_label(const struct hd_console *console, const struct hd_console_place *place,
			     char *buffer, size_t size);

/*
 * The first of the ports that @place means: its port, or all of its node; @end gets one past the
 * last.
 */
uint32_t hd_console_ports(const struct hd_console *console, const struct hd_console_place *place,
			  uint32_t *end);

/* The port that has @lid now; HD_NONE: none. */
uint32_t hd_console_port_of_lid(const struct hd_emulator *emulator, uint64_t lid);

#endif
