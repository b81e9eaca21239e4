// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whatever claims to be packed is unpacked or refused in words; a megabyte of it at most. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/error.h"
#include "support/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char buffer[4099];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *file = size ? fmemopen((void *)data, size, "rb") : NULL;
	struct hd_unpack *unpack;
	struct hd_error err = { 0 };
	size_t got = 1;
	int ret;

	if (!file)
		return 0;
	ret = hd_unpack_new(file, "input", true, &unpack, &err);
	for (size_t all = 0; !ret && got && all < 1 << 20; all += got)
		ret = hd_unpack_read(unpack, buffer, sizeof(buffer), &got, &err);
	if (ret && (err.code != ret || !err.text[0]))
		abort();
	hd_unpack_free(unpack);
	fclose(file);
	return 0;
}
