/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files that appear whole or not at all: a file is written under a temporary name in the same
 * directory, and renamed when it is complete (support/temporary.h). The next process that writes
 * the same file removes what a killed process left. Devices and pipes are written to directly, and
 * so are open descriptors ("/dev/stdout"). A symbolic link stays: the file that it names is
 * written. A file that is replaced keeps its mode and, as far as the user may, its owner; one that
 * the user may not write is not replaced.
 */
#ifndef HD_SUPPORT_OUTPUT_H
#define HD_SUPPORT_OUTPUT_H

#include <stdio.h>

#include "support/temporary.h"

struct hd_error;

struct hd_output {
	FILE *stream;                  /* what callers write to */
	char *path;                    /* the final name, no link; NULL for standard output */
	struct hd_temporary temporary; /* no path: the output is a device or pipe */
};

/* Opens @path for writing ("-": standard output). HD_EIO, HD_ENOMEM. */
int hd_output_open(struct hd_output *output, const char *path, struct hd_error *err);

/* Flushes and renames. HD_EIO: something was not written; then no file remains. */
int hd_output_commit(struct hd_output *output, struct hd_error *err);

/* Removes what was written. Harmless after a commit. */
void hd_output_abort(struct hd_output *output);

#endif
