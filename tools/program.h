/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Other programs that draw: gnuplot. */
#ifndef HD_TOOLS_PROGRAM_H
#define HD_TOOLS_PROGRAM_H

struct hd_error;

struct hd_program {
	char *const *argv;   /* ended by NULL */
	const char *purpose; /* "gnuplot, which draws plots," */
	const char *package; /* Debian's package */
};

/*
 * Runs the program to its end; @in and @out are its standard input and output. HD_EINVAL: it cannot
 * be run; HD_EIO: it failed.
 */
int hd_program_run(const struct hd_program *program, int in, int out, struct hd_error *err);

#endif
