/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A small fabric for tests of the tables, and their dumps in memory. */
#ifndef HD_TESTS_TABLES_CASE_H
#define HD_TESTS_TABLES_CASE_H

#include "tables/dumps.h"

/*
 * Two switches, "S1" (0x10, LID 1, ports 1-4) and "S2" (0x20, LID 2, ports 1-4, enhanced port 0),
 * linked by S1[3]-S2[3] and S1[4]-S2[4]; "H1" (0x100, LIDs 4-5 by LMC 1) on S1[1], "H2" on S1[2]
 * with port 1 (0x201, LID 6) and on S2[2] with port 2 (0x202, LID 7), "H3" (0x300, LID 8) on S2[1].
 * NULL when out of memory.
 */
struct hd_fabric *tables_case_fabric(void);

/* Shortest paths on it, by the first of the parallel links; SL2VL and path SLs as assumed. */
struct hd_tables *tables_case_tables(const struct hd_fabric *fabric);

/* What @format writes, NUL-terminated, from malloc(); its size in @size. NULL on failure. */
char *tables_case_write(const struct hd_dump_format *format, const struct hd_tables *tables,
			size_t *size);

/* The same of its short form, or of the long one where there is no other. */
char *tables_case_write_short(const struct hd_dump_format *format, const struct hd_tables *tables,
			      size_t *size);

#endif
