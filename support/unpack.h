/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files that gzip, xz or zstd packed, read as what they hold. What packed a file is told by its
 * first bytes, not by its name; any other file is read as it is.
 */
#ifndef HD_SUPPORT_UNPACK_H
#define HD_SUPPORT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <stdint.h>

struct hd_error;
struct hd_unpack;

/* What a packed file may hold: so much, or so many times its own size, whichever is more. */
#define HD_UNPACK_MAX   ((uint64_t)256 << 20)
#define HD_UNPACK_TIMES 10

/*
 * Begins to read @file, which @name names and which stays the caller's; unless @unpacks, as it is.
 * Free with hd_unpack_free(). HD_EIO: it cannot be read, or this build does not know what packed
 * it; HD_ENOMEM.
 */
int hd_unpack_new(FILE *file, const char *name, bool unpacks, struct hd_unpack **unpack,
		  struct hd_error *err);
void hd_unpack_free(struct hd_unpack *unpack);

/* The packed file may hold @bytes in any case, since its reader knows what to do with them. */
void hd_unpack_allow(struct hd_unpack *unpack, uint64_t bytes);

/*
 * Gets up to @size bytes, at least one, into @buffer; their number goes to @got: 0 at the end.
 * HD_EIO, also where the packed file holds more than it may; HD_EPARSE: it is cut short or damaged;
 * HD_ENOMEM.
 */
int hd_unpack_read(struct hd_unpack *unpack, void *buffer, size_t size, size_t *got,
		   struct hd_error *err);

#endif
