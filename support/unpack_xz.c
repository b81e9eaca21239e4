// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "config.h"
#include "support/unpack_method.h"

#ifdef HAVE_LZMA
#include <lzma.h>
#include <stdlib.h>

/* xz -9 asks for 65 MiB; a file may claim anything. */
#define MEMORY_MAX ((uint64_t)1 << 30)

static void *begin(void)
{
	static const lzma_stream fresh = LZMA_STREAM_INIT;
	lzma_stream *stream = malloc(sizeof(*stream));

	if (!stream)
		return NULL;
	*stream = fresh;
	if (lzma_stream_decoder(stream, MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK) {
		free(stream);
		return NULL;
	}
	return stream;
}

static enum hd_unpack_step step(void *of, struct hd_unpack_window *window)
{
	lzma_stream *stream = of;
	lzma_ret ret;

	stream->next_in = window->in;
	stream->avail_in = (size_t)(window->in_end - window->in);
	stream->next_out = window->out;
	stream->avail_out = (size_t)(window->out_end - window->out);
	ret = lzma_code(stream, window->is_last ? LZMA_FINISH : LZMA_RUN);
	window->in = stream->next_in;
	window->out = stream->next_out;
	if (ret == LZMA_STREAM_END)
		return HD_UNPACK_ENDED;
	if (ret == LZMA_MEM_ERROR)
		return HD_UNPACK_NOMEM;
	return ret == LZMA_OK || ret == LZMA_BUF_ERROR ? HD_UNPACK_GOES_ON : HD_UNPACK_DAMAGED;
}

static void end(void *of)
{
	lzma_end(of);
	free(of);
}
#endif

const struct hd_unpack_method hd_unpack_xz = {
	.name = "xz",
	.package = "liblzma-dev",
	.magic = "\xFD"
		 "7zXZ",
	.magic_size = 5,
#ifdef HAVE_LZMA
	.begin = begin,
	.step = step,
	.end = end,
#endif
};
