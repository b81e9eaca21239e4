/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What readers of fabrics do about files that are not quite as their tools write them: what can be
 * read all the same is read, with a note that says what was passed over; --strict refuses it.
 */
#ifndef HD_FABRIC_READING_H
#define HD_FABRIC_READING_H

#include <stdbool.h>
#include <stdio.h>

struct hd_error;

/* Where a function takes a NULL one, it is strict. */
struct hd_reading {
	bool strict;
	FILE *notes;          /* a line each, without the name of the program; NULL: nowhere */
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
 * Line @line is odd as @format says. HD_EPARSE where that is refused; otherwise notes that with
 * @instead, which says what is done about it, and returns 0.
 */
int hd_odd(struct hd_oddities *oddities, unsigned line, const char *instead, struct hd_error *err,
	   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Notes how many oddities there were beyond those that have a line of their own. */
void hd_oddities_end(const struct hd_oddities *oddities);

#endif
