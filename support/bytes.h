/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bytes that are written one after another, and read in the same order. */
#ifndef HD_SUPPORT_BYTES_H
#define HD_SUPPORT_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* All 0: empty. */
struct hd_bytes {
	char *data;
	size_t n, size; /* bytes that are there, and for which there is room */
	size_t at;      /* where the next reading begins */
	bool failed;    /* no memory, or more was read than there is */
};

/* Empties @bytes, and keeps its memory. */
void hd_bytes_empty(struct hd_bytes *bytes);
void hd_bytes_free(struct hd_bytes *bytes);

/* Makes place for @n bytes more at the end, for the caller to fill; NULL: no memory. */
void *hd_bytes_extend(struct hd_bytes *bytes, size_t n);

void hd_bytes_put(struct hd_bytes *bytes, const void *from, size_t n);

/* False: there are not so many; @to is all 0 then. */
bool hd_bytes_get(struct hd_bytes *bytes, void *to, size_t n);

#endif
