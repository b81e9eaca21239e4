// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "config.h"
#include "support/unpack_method.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

static void *begin(void)
{
	return ZSTD_createDStream();
}

static enum hd_unpack_step step(void *state, struct hd_unpack_window *window)
{
	ZSTD_inBuffer in = { window->in, (size_t)(window->in_end - window->in), 0 };
	ZSTD_outBuffer out = { window->out, (size_t)(window->out_end - window->out), 0 };
	size_t ret = ZSTD_decompressStream(state, &out, &in);

	window->in += in.pos;
	window->out += out.pos;
	if (ZSTD_isError(ret))
		return ZSTD_getErrorCode(ret) == ZSTD_error_memory_allocation ? HD_UNPACK_NOMEM
									      : HD_UNPACK_DAMAGED;
	return ret ? HD_UNPACK_GOES_ON : HD_UNPACK_ENDED;
}

static void end(void *state)
{
	ZSTD_freeDStream(state);
}
#endif

const struct hd_unpack_method hd_unpack_zstd = {
	.name = "zstd",
	.package = "libzstd-dev",
	.magic = "\x28\xB5\x2F\xFD",
	.magic_size = 4,
#ifdef HAVE_ZSTD
	.begin = begin,
	.step = step,
	.end = end,
#endif
};
