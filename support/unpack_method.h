/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways to pack, for support/unpack.c: a library each, which a build may be without. */
#ifndef HD_SUPPORT_UNPACK_METHOD_H
#define HD_SUPPORT_UNPACK_METHOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes to take, and room for what they hold. */
struct hd_unpack_window {
	const uint8_t *in, *in_end;
	uint8_t *out, *out_end;
	bool is_last; /* no bytes will come after in_end */
};

enum hd_unpack_step {
	HD_UNPACK_GOES_ON,
	HD_UNPACK_ENDED, /* the file may end here */
	HD_UNPACK_DAMAGED,
	HD_UNPACK_NOMEM,
};

struct hd_unpack_method {
	const char *name;
	const char *package; /* Debian's, with the library's header */
	const char *magic;   /* what files begin with */
	size_t magic_size;
	void *(*begin)(void); /* NULL: this build is without it. Returns NULL when out of memory */
	enum hd_unpack_step (*step)(void *state, struct hd_unpack_window *window);
	void (*end)(void *state);
};

extern const struct hd_unpack_method hd_unpack_gzip;
extern const struct hd_unpack_method hd_unpack_xz;
extern const struct hd_unpack_method hd_unpack_zstd;

#endif
