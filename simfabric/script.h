/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Scripts: commands of the console at given times. A line is `TIME COMMAND`, with TIME counted from
 * the start, or `sm+TIME COMMAND`, counted from when the first subnet manager attaches. Empty
 * lines and comments (#) are skipped.
 */
#ifndef HD_SIMFABRIC_SCRIPT_H
#define HD_SIMFABRIC_SCRIPT_H

#include "simfabric/console.h"

struct hd_script;

/*
 * Reads all of @path ("-": standard input), parses all commands, and finds all nodes and ports.
 * @console must exist longer than the script. HD_EPARSE with file and line; HD_EIO, HD_ENOMEM.
 */
int hd_script_read(struct hd_console *console, const char *path, struct hd_script **script,
		   struct hd_error *err);
void hd_script_free(struct hd_script *script);

/*
 * Starts the script now, by the emulator's clock; it must not be freed before the emulator. @say
 * gets a line for every command that was run, "FILE:LINE: answer", with @failed if it could not be
 * done. HD_ENOMEM.
 */
int hd_script_start(struct hd_script *script,
		    void (*say)(void *context, const char *line, bool failed), void *context,
		    struct hd_error *err);

#endif
