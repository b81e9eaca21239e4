/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files of [sections] with key = value, by libinih. A section and several pairs may share a line,
 * with at least two blanks between pairs: "[link] bandwidth = 32Gbps propagation = 6ns". libinih is
 * given each pair as a line of its own, so every message has the number of the file's line.
 */
#ifndef HD_SUPPORT_INI_H
#define HD_SUPPORT_INI_H

#include <stddef.h>

struct hd_error;

/* A pair, or the beginning of a section. */
struct hd_ini_item {
	const char *file;
	unsigned line;
	const char *section;
	const char *key, *value; /* NULL: the section begins */
};

/*
 * Takes an item. A result other than 0 ends the reading; the function gives the reason with
 * hd_error_at().
 */
typedef int (*hd_ini_take_fn)(void *user, const struct hd_ini_item *item, struct hd_error *err);

/*
 * Reads @text, the contents of the file @name. Returns what @take returns; HD_EPARSE: a line is
 * neither section nor pair, or is too long, or has a NUL byte.
 */
int hd_ini_parse(const char *name, const char *text, size_t size, hd_ini_take_fn take, void *user,
		 struct hd_error *err);

#endif
