/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Opening files that somebody else names: in a configuration, on a command line, on a console. Pipes,
 * devices and sockets are refused, since a program that waits for what they say, or reads what never
 * ends, serves nobody meanwhile.
 */
#ifndef HD_SUPPORT_INPUT_H
#define HD_SUPPORT_INPUT_H

#include <stdio.h>

struct hd_error;

/* Opens the regular file @path for reading, without ever waiting. NULL: HD_EIO, with its name. */
FILE *hd_input_open(const char *path, struct hd_error *err);

/*
 * The same for command lines: also what the shell hands over as an open file (/dev/fd/N, /dev/stdin),
 * whatever it is.
 */
FILE *hd_input_open_argument(const char *path, struct hd_error *err);

#endif
