// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "config.h"
#include "support/unpack_method.h"

#ifdef HAVE_ZLIB
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct gzip_state {
	z_stream stream;
	bool has_ended; /* a member, which another one may follow */
};

static void *begin(void)
{
	struct gzip_state *state = calloc(1, sizeof(*state));

	/* 16: gzip's header, and no other */
	if (state && inflateInit2(&state->stream, 16 + MAX_WBITS) != Z_OK) {
		free(state);
		return NULL;
	}
	return state;
}

static enum hd_unpack_step step(void *of, struct hd_unpack_window *window)
{
	struct gzip_state *state = of;
	z_stream *stream = &state->stream;
	size_t room = (size_t)(window->out_end - window->out);
	int ret;

	if (state->has_ended)
		inflateReset(stream);
	stream->next_in = (z_const Bytef *)window->in;
	stream->avail_in = (uInt)(window->in_end - window->in);
	stream->next_out = window->out;
	stream->avail_out = room > UINT_MAX ? UINT_MAX : (uInt)room;
	ret = inflate(stream, Z_NO_FLUSH);
	window->in = stream->next_in;
	window->out = stream->next_out;
	state->has_ended = ret == Z_STREAM_END;
	if (ret == Z_STREAM_END)
		return HD_UNPACK_ENDED;
	if (ret == Z_MEM_ERROR)
		return HD_UNPACK_NOMEM;
	return ret == Z_OK || ret == Z_BUF_ERROR ? HD_UNPACK_GOES_ON : HD_UNPACK_DAMAGED;
}

static void end(void *of)
{
	struct gzip_state *state = of;

	inflateEnd(&state->stream);
	free(state);
}
#endif

const struct hd_unpack_method hd_unpack_gzip = {
	.name = "gzip",
	.package = "zlib1g-dev",
	.magic = "\x1F\x8B",
	.magic_size = 2,
#ifdef HAVE_ZLIB
	.begin = begin,
	.step = step,
	.end = end,
#endif
};
