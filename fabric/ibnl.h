/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Systems as ibutils describes them (ibdm-ibnl-file(1)): boards with switches and adapters on them,
 * how these are linked inside, and which of their ports are plugs of the system. A file describes a
 * type of system, under all names of its TOPSYSTEM. Internal to fabric/ and plan/.
 */
#ifndef HD_FABRIC_IBNL_H
#define HD_FABRIC_IBNL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/text.h"

struct hd_error;

/* A part of a line. */
struct hd_ibnl_word {
	const char *at;
	size_t length;
};

/* Of a line in a NODE or SUBSYSTEM: "12 -4x-10G-> U3 2", "P4 -> leaf2 P7", "P9 -> M/P4". */
struct hd_ibnl_link {
	struct hd_ibnl_word from, to;
	struct hd_ibnl_word port; /* at `to`, an instance; length 0: `to` is a plug */
	uint8_t width, speed;     /* 0: not told; speed as enum hd_speed */
	unsigned line;
};

/* An instance: a NODE, or a SUBSYSTEM with the name of a system of the file. */
struct hd_ibnl_inst {
	bool is_node, is_switch;
	unsigned n_ports; /* of a node */
	struct hd_ibnl_word name, system;
	struct hd_ibnl_link *links;
	size_t n_links;
	unsigned line;
};

struct hd_ibnl_system {
	struct hd_ibnl_word *names;
	struct hd_ibnl_inst *insts;
	size_t n_names, n_insts;
	bool is_top;
};

/* A file. */
struct hd_ibnl {
	char *name;
	struct hd_text text; /* the words point into it */
	struct hd_ibnl_system *systems;
	size_t n_systems;
};

static inline bool hd_ibnl_is(struct hd_ibnl_word a, struct hd_ibnl_word b)
{
	return a.length == b.length && __builtin_memcmp(a.at, b.at, a.length) == 0;
}

/*
 * Parses a copy of the @size bytes; messages call the file @name. Free with hd_ibnl_free().
 * HD_EPARSE with file and line; HD_ENOMEM.
 */
int hd_ibnl_parse(const char *name, const char *data, size_t size, struct hd_ibnl **ibnl,
		  struct hd_error *err);
void hd_ibnl_free(struct hd_ibnl *ibnl);

/* The system @name of @ibnl, a TOPSYSTEM or not; NULL: none. */
const struct hd_ibnl_system *hd_ibnl_find(const struct hd_ibnl *ibnl, struct hd_ibnl_word name,
					  bool at_top);

/*
 * Adds a cleared element of @size bytes to the end of *@array, which has *@n. NULL: out of memory.
 */
void *hd_ibnl_add(void **array, size_t *n, size_t size);

/* The width of "4x", the speed of "10G", as in "-4x-10G->"; 0: it is no width, no speed. */
uint8_t hd_ibnl_width(struct hd_ibnl_word word);
uint8_t hd_ibnl_speed(struct hd_ibnl_word word);

/*
 * Splits a line at blanks and commas into at most @most words; an arrow "-4x-10G->" is one word.
 * "#" begins a comment. Returns the number of words, or @most + 1 if there are more.
 */
size_t hd_ibnl_words(const struct hd_lines *lines, struct hd_ibnl_word *words, size_t most);

/* Whether @word is an arrow; its width and speed. */
bool hd_ibnl_is_arrow(struct hd_ibnl_word word, uint8_t *width, uint8_t *speed);

#endif
