/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Opens files that somebody else names: in a configuration, on a command line, on a console.
 * Refuses pipes, devices and sockets: a program that waits for their data, or reads without end,
 * serves nobody meanwhile.
 */
#ifndef HD_SUPPORT_INPUT_H
#define HD_SUPPORT_INPUT_H

#include <stdio.h>

struct hd_error;

/*
 * Opens the regular file @path for reading, without ever blocking. NULL: HD_EIO, with the file's
 * name.
 */
FILE *hd_input_open(const char *path, struct hd_error *err);

/*
 * The same for command lines: also takes open files of any kind that the shell passes (/dev/fd/N,
 * /dev/stdin).
 */
FILE *hd_input_open_argument(const char *path, struct hd_error *err);

#endif
