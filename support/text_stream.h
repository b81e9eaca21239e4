/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading long text files in pieces, so that their size takes no memory. */
#ifndef HD_SUPPORT_TEXT_STREAM_H
#define HD_SUPPORT_TEXT_STREAM_H

#include "support/text.h"

/*
 * Reads the file @path, packed or not, in pieces that @feed gets: whole lines, but for the end of
 * the file. @lines, by which @feed reads them, is where errors are. Where the file is packed, it
 * may hold @most bytes. What @feed returns; HD_EIO, HD_EPARSE, HD_ENOMEM.
 */
int hd_text_stream(const char *path, uint64_t most, struct hd_lines *lines,
		   int (*feed)(void *reader, const char *data, size_t size, struct hd_error *err),
		   void *reader, struct hd_error *err);

/* Goes on with @lines at the next piece of the file. */
static inline void hd_lines_go_on(struct hd_lines *lines, const char *data, size_t size)
{
	unsigned number = lines->number;

	hd_lines_begin(lines, lines->file, data, size);
	lines->number = number;
}

/*
 * Copies up to @size bytes of the beginning of what the regular file @path holds, packed or not.
 * Returns their number; 0: it cannot be read, or is no regular file.
 */
size_t hd_text_peek(const char *path, char *buffer, size_t size);

#endif
