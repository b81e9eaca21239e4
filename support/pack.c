// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "config.h"
#include "support/pack.h"

#include <errno.h>
#include <stdlib.h>

#ifdef HAVE_ZSTD
#include <zstd.h>

/* Tables are alike from row to row: higher levels take longer, and save little. */
#define LEVEL 1

struct packer {
	FILE *file;
	ZSTD_CCtx *context;
	char buffer[1 << 16];
};

bool hd_pack_is_there(void)
{
	return true;
}

/* Packs what @in has left; with ZSTD_e_end, ends the packed file. -1 with errno: not written. */
static int pack(struct packer *packer, ZSTD_inBuffer *in, ZSTD_EndDirective how)
{
	size_t left;

	do {
		ZSTD_outBuffer out = { packer->buffer, sizeof(packer->buffer), 0 };

		left = ZSTD_compressStream2(packer->context, &out, in, how);
		if (ZSTD_isError(left)) {
			errno = ENOMEM;
			return -1;
		}
		if (fwrite(out.dst, 1, out.pos, packer->file) != out.pos)
			return -1;
	} while (how == ZSTD_e_end ? left : in->pos < in->size);
	return 0;
}

static ssize_t pack_bytes(void *cookie, const char *bytes, size_t size)
{
	ZSTD_inBuffer in = { bytes, size, 0 };

	return pack(cookie, &in, ZSTD_e_continue) ? 0 : (ssize_t)size;
}

static int end(void *cookie)
{
	struct packer *packer = cookie;
	ZSTD_inBuffer nothing = { NULL, 0, 0 };
	int failed = pack(packer, &nothing, ZSTD_e_end), saved = errno;

	if (fclose(packer->file) && !failed) {
		failed = -1;
		saved = errno;
	}
	ZSTD_freeCCtx(packer->context);
	free(packer);
	errno = saved;
	return failed;
}

FILE *hd_pack_open(FILE *file)
{
	static const cookie_io_functions_t functions = { .write = pack_bytes, .close = end };
	struct packer *packer = malloc(sizeof(*packer));
	ZSTD_CCtx *context = ZSTD_createCCtx();
	FILE *stream = NULL;

	if (packer && context) {
		packer->file = file;
		packer->context = context;
		ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
		/* damage is told, rather than read as other tables */
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
		stream = fopencookie(packer, "w", functions);
	}
	if (stream)
		return stream;
	ZSTD_freeCCtx(context);
	free(packer);
	errno = ENOMEM;
	return NULL;
}

#else

bool hd_pack_is_there(void)
{
	return false;
}

FILE *hd_pack_open(FILE *file)
{
	(void)file;
	errno = ENOSYS;
	return NULL;
}

#endif
