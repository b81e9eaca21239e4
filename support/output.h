/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files that appear whole or not at all: they are written under a temporary name in the same
 * directory and renamed when complete (support/temporary.h). A file that a killed process left is
 * removed by the next process that writes the same file. Devices and pipes are written to as they
 * are.
 */
#ifndef HD_SUPPORT_OUTPUT_H
#define HD_SUPPORT_OUTPUT_H

#include <stdio.h>

#include "support/temporary.h"

struct hd_error;

struct hd_output {
	FILE *stream;                  /* what callers write to */
	char *path;                    /* the final name; NULL for standard output */
	struct hd_temporary temporary; /* without a path: the output is a device or pipe */
};

/* Opens @path for writing ("-": standard output). HD_EIO, HD_ENOMEM. */
int hd_output_open(struct hd_output *output, const char *path, struct hd_error *err);

/* Flushes and renames. HD_EIO when anything written was lost; nothing remains then. */
int hd_output_commit(struct hd_output *output, struct hd_error *err);

/* Removes what was written. Harmless after a commit. */
void hd_output_abort(struct hd_output *output);

#endif
