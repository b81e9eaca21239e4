// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/sl_rows.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static uint32_t hash_row(const uint8_t *row, size_t stride)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < stride; i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, row + i, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash >> 16);
}

/* The bucket of @row, or the empty one where it belongs. */
static uint32_t *find_bucket(const struct hd_sl_rows *rows, const uint8_t *row)
{
	uint32_t at = hash_row(row, rows->stride);

	for (;; at++) {
		uint32_t *bucket = &rows->buckets[at & (rows->n_buckets - 1)];

		if (!*bucket ||
		    memcmp(rows->rows + (*bucket - 1) * rows->stride, row, rows->stride) == 0)
			return bucket;
	}
}

static int grow(struct hd_sl_rows *rows, struct hd_error *err)
{
	uint32_t capacity = rows->capacity ? rows->capacity * 2 : 16;
	uint8_t *larger = realloc(rows->rows, capacity * rows->stride);
	uint32_t *buckets;

	if (!larger)
		return hd_error_nomem(err);
	rows->rows = larger;
	buckets = calloc(capacity * (size_t)4, sizeof(*buckets));
	if (!buckets)
		return hd_error_nomem(err);
	free(rows->buckets);
	rows->buckets = buckets;
	rows->n_buckets = capacity * 4;
	rows->capacity = capacity;
	for (uint32_t row = 0; row < rows->n; row++)
		*find_bucket(rows, rows->rows + row * rows->stride) = row + 1;
	return 0;
}

int hd_sl_rows_intern(struct hd_sl_rows *rows, const uint8_t *row, uint32_t *number,
		      struct hd_error *err)
{
	uint32_t *bucket;
	int ret;

	if (rows->n == rows->capacity) {
		ret = grow(rows, err);
		if (ret)
			return ret;
	}
	bucket = find_bucket(rows, row);
	if (!*bucket) {
		memcpy(rows->rows + rows->n * rows->stride, row, rows->stride);
		*bucket = ++rows->n;
	}
	*number = *bucket - 1;
	return 0;
}

int hd_sl_rows_apply(const struct hd_sl_rows *rows, const uint32_t *row_of_port,
		     struct hd_tables *tables, struct hd_error *err)
{
	int ret = hd_tables_set_sl_rows(tables, rows->n, err);

	if (ret)
		return ret;
	memcpy(tables->sl_rows, rows->rows, rows->n * rows->stride);
	memcpy(tables->sl_row_of_port, row_of_port, tables->fabric->n_ports * sizeof(*row_of_port));
	tables->has_path_sls = true;
	return 0;
}

void hd_sl_rows_clear(struct hd_sl_rows *rows)
{
	free(rows->rows);
	free(rows->buckets);
	*rows = (struct hd_sl_rows){ 0 };
}
