/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows of ibdiagnet2.slvl. */
#ifndef HD_TABLES_SLVL_ROW_H
#define HD_TABLES_SLVL_ROW_H

#include "support/text.h"
#include "tables/tables.h"

struct hd_error;

/* The last node that rows were of, which the next row is mostly of, too. All zero at first. */
struct hd_slvl_node {
	uint64_t guid; /* 0: none */
	uint32_t node;
};

/*
 * Reads the current line, "0xNODE-GUID IN OUT 0xAB 0xCD ..." with the VLs of SLs 0 and 1, 2 and 3,
 * and so on, into @tables. @endport gets the end port whose row it is (port 0 of a switch).
 * HD_EPARSE with file and line.
 */
int hd_slvl_read_row(struct hd_tables *tables, const struct hd_lines *lines,
		     struct hd_slvl_node *last, uint32_t *endport, struct hd_error *err);

#endif
