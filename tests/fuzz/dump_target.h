/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fuzz target for a dump format: tables that parse must come back the same after writing and
 * reading.
 */
#ifndef HD_TESTS_DUMP_TARGET_H
#define HD_TESTS_DUMP_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "tables/dumps.h"

/* Parses @data on the fabric of tests/unit/tables_case.h; aborts when the round trip fails. */
void dump_target_run(const struct hd_dump_format *format, const uint8_t *data, size_t size);

#endif
