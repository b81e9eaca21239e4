// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/text_stream.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/input.h"
#include "support/unpack.h"

/* A dump of the largest fabrics has gigabytes: files are read in pieces of this size. */
#define WINDOW ((size_t)1 << 18)

/* Feeds what @unpack has by buffers of WINDOW bytes, cut between lines. */
static int feed_all(struct hd_unpack *unpack, char *buffer, struct hd_lines *lines,
		    int (*feed)(void *reader, const char *data, size_t size, struct hd_error *err),
		    void *reader, struct hd_error *err)
{
	size_t used = 0;
	int ret = 0;

	while (!ret) {
		const char *last;
		size_t whole, got = 0;

		/* a buffer without room is a line that is too long, not the end */
		if (used < WINDOW)
			ret = hd_unpack_read(unpack, buffer + used, WINDOW - used, &got, err);
		if (ret)
			return ret;
		used += got;
		if (got == 0)
			return used < WINDOW
				       ? feed(reader, buffer, used, err)
				       : hd_lines_error(lines, err,
							"the line after this one is too long");
		last = memrchr(buffer, '\n', used);
		whole = last ? (size_t)(last - buffer) + 1 : 0;
		ret = feed(reader, buffer, whole, err);
		memmove(buffer, buffer + whole, used - whole);
		used -= whole;
	}
	return ret;
}

int hd_text_stream(const char *path, uint64_t most, struct hd_lines *lines,
		   int (*feed)(void *reader, const char *data, size_t size, struct hd_error *err),
		   void *reader, struct hd_error *err)
{
	FILE *stream = hd_input_open_argument(path, err);
	char *buffer = malloc(WINDOW);
	struct hd_unpack *unpack = NULL;
	int ret;

	if (!stream)
		ret = HD_EIO;
	else if (!buffer)
		ret = hd_error_nomem(err);
	else
		ret = hd_unpack_new(stream, path, true, &unpack, err);
	if (!ret) {
		hd_unpack_allow(unpack, most);
		ret = feed_all(unpack, buffer, lines, feed, reader, err);
	}
	hd_unpack_free(unpack);
	if (stream)
		fclose(stream);
	free(buffer);
	return ret;
}

size_t hd_text_peek(const char *path, char *buffer, size_t size)
{
	FILE *stream = hd_input_open(path, NULL);
	struct hd_unpack *unpack = NULL;
	size_t used = 0, got = 1;

	if (!stream)
		return 0;
	if (hd_unpack_new(stream, path, true, &unpack, NULL) == 0)
		while (used < size && got) {
			if (hd_unpack_read(unpack, buffer + used, size - used, &got, NULL))
				break;
			used += got;
		}
	hd_unpack_free(unpack);
	fclose(stream);
	return used;
}
