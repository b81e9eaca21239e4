/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects path-SL rows, source by source; equal rows are kept once. */
#ifndef HD_TABLES_SL_ROWS_H
#define HD_TABLES_SL_ROWS_H

#include "tables/tables.h"

struct hd_sl_rows {
	size_t stride; /* bytes of a row, a multiple of 8: lft_stride; the caller sets it */
	uint8_t *rows;
	uint32_t n, capacity;
	uint32_t *buckets;  /* row + 1 by hash, linear probing; 0: empty */
	uint32_t n_buckets; /* a power of two, at least twice n */
};

/* @number gets the number of a row that equals @row, which is added if there is none. HD_ENOMEM. */
int hd_sl_rows_intern(struct hd_sl_rows *rows, const uint8_t *row, uint32_t *number,
		      struct hd_error *err);

/* Gives @tables these rows, and each port its row: @row_of_port is [n_ports]. HD_ENOMEM. */
int hd_sl_rows_apply(const struct hd_sl_rows *rows, const uint32_t *row_of_port,
		     struct hd_tables *tables, struct hd_error *err);

void hd_sl_rows_clear(struct hd_sl_rows *rows);

#endif
