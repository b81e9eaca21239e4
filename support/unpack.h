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

struct hd_error;
struct hd_unpack;

/*
 * Begins to read @file, which @name names and which stays the caller's; unless @unpacks, as it is.
 * Free with hd_unpack_free(). HD_EIO: it cannot be read, or this build does not know what packed it;
 * HD_ENOMEM.
 */
int hd_unpack_new(FILE *file, const char *name, bool unpacks, struct hd_unpack **unpack,
		  struct hd_error *err);
void hd_unpack_free(struct hd_unpack *unpack);

/*
 * Gets up to @size bytes, at least one, into @buffer; their number goes to @got: 0 at the end.
 * HD_EIO; HD_EPARSE: the packed file is cut short or damaged; HD_ENOMEM.
 */
int hd_unpack_read(struct hd_unpack *unpack, void *buffer, size_t size, size_t *got,
		   struct hd_error *err);

#endif
