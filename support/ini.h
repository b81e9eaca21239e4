/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files of [sections] with key = value, by libinih. Each pair is handed to libinih as a line of its
 * own, so that a section and several pairs may share a line ("[link] bandwidth = 32Gbps
 * propagation = 6ns", with at least two blanks between pairs), and every message has the line's
 * number.
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
 * Takes an item. What it returns other than 0 ends the reading; it has told why, with
 * hd_error_at().
 */
typedef int (*hd_ini_take_fn)(void *user, const struct hd_ini_item *item, struct hd_error *err);

/*
 * Reads @text, which stands for the file @name. What @take returns; HD_EPARSE: a line that is
 * neither section nor pair, or too long, or has a NUL byte.
 */
int hd_ini_parse(const char *name, const char *text, size_t size, hd_ini_take_fn take, void *user,
		 struct hd_error *err);

#endif
