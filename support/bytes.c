// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/bytes.h"

#include <stdlib.h>
#include <string.h>

void hd_bytes_empty(struct hd_bytes *bytes)
{
	bytes->n = bytes->at = 0;
	bytes->failed = false;
}

void hd_bytes_free(struct hd_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct hd_bytes){ 0 };
}

void *hd_bytes_extend(struct hd_bytes *bytes, size_t n)
{
	if (bytes->size - bytes->n < n) {
		size_t size = bytes->n + n + bytes->size;
		char *grown = realloc(bytes->data, size);

		if (!grown) {
			bytes->failed = true;
			return NULL;
		}
		bytes->data = grown;
		bytes->size = size;
	}
	bytes->n += n;
	return bytes->data + bytes->n - n;
}

void hd_bytes_put(struct hd_bytes *bytes, const void *from, size_t n)
{
	void *to = n ? hd_bytes_extend(bytes, n) : NULL;

	if (to)
		memcpy(to, from, n);
}

bool hd_bytes_get(struct hd_bytes *bytes, void *to, size_t n)
{
	if (bytes->n - bytes->at < n) {
		bytes->failed = true;
		memset(to, 0, n);
		return false;
	}
	if (n)
		memcpy(to, bytes->data + bytes->at, n);
	bytes->at += n;
	return true;
}
