/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Oddities: places where a file is not quite as its tool writes it, but can be read. Readers of
 * fabrics note what they ignore; with --strict they refuse the file.
 */
#ifndef HD_FABRIC_READING_H
#define HD_FABRIC_READING_H

#include <stdbool.h>
#include <stdio.h>

struct hd_error;

/* How to read. A function that may be given NULL is strict then. */
struct hd_reading {
	bool strict;
	FILE *notes; /* a line each, without the name of the program; NULL: nowhere */
	/*
	 * The file was read before, by another reader, which told what is odd outside of the parts
	 * that this one reads.
	 */
	bool is_again;
	const char *name_map; /* file of names by GUID (fabric/names.h); NULL: none */
};

/* The oddities of one file. */
struct hd_oddities {
	const struct hd_reading *how;
	const char *file;
	unsigned n;
};

/* Whether an oddity is an error. */
bool hd_oddities_refused(const struct hd_oddities *oddities);

/*
 * Line @line has the oddity that @format describes. Returns HD_EPARSE if oddities are refused.
 * Otherwise notes it with @instead, which says what the reader does about it, and returns 0.
 */
int hd_odd(struct hd_oddities *oddities, unsigned line, const char *instead, struct hd_error *err,
	   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Notes how many more oddities there were than those that have a line of their own. */
void hd_oddities_end(const struct hd_oddities *oddities);

#endif
