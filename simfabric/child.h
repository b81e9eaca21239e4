/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The COMMAND that runs on the emulated fabric: its environment, its directory, its end. */
#ifndef HD_SIMFABRIC_CHILD_H
#define HD_SIMFABRIC_CHILD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "support/temporary.h"

struct hd_error;

struct hd_child_options {
	char **argv; /* ends with NULL */
	/* the library to preload: "stock" (or NULL) and "own", wherever they are, or a file */
	const char *wrapper;
	const char *name;    /* IBSIM_SOCKNAME */
	const char *host;    /* SIM_HOST */
	struct rlimit files; /* of open files; 0: as of this process */
};

struct hd_child {
	pid_t pid;
	struct hd_temporary directory; /* of this child alone; removed by hd_child_clean() */
};

/* Where Debian's ibsim-utils has libumad2sim.so, in @path. HD_ENOTFOUND: it is not installed. */
int hd_child_find_wrapper(char path[PATH_MAX], struct hd_error *err);

/*
 * Starts the program. LD_PRELOAD gains the wrapper before what it has, but after runtimes of
 * sanitizers, which insist on being first; OSM_TMP_DIR and OSM_CACHE_DIR, unless set, are @child's
 * directory, and OSM_UMAD_MAX_PENDING is large. In a working directory that is not writable, the
 * program starts in @child's directory instead: the stock wrapper leaves files in the working
 * directory. The program dies with this process. HD_ENOTFOUND: no wrapper, or no such program;
 * HD_EIO, HD_ENOMEM.
 */
int hd_child_start(const struct hd_child_options *options, struct hd_child *child,
		   struct hd_error *err);

/* The status that a shell would give for @status, as waitpid() has it: 128 + signal. */
int hd_child_exit_status(int status);

/* Removes the child's directory and all that is in it. */
void hd_child_clean(struct hd_child *child);

#endif
