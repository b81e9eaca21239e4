/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SL2VL rows that OpenSM cuts when it sends them, because a port operates fewer VLs than it will
 * once the links are set up. Another heavy sweep right after that one sends them in full. That is
 * asked for only once, lest a port that never obeys keep the subnet sweeping.
 */
#ifndef HD_MANAGER_MASKED_ROWS_H
#define HD_MANAGER_MASKED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_fabric;

enum hd_masked_rows {
	HD_ROWS_WHOLE,     /* none was cut */
	HD_ROWS_CUT,       /* another sweep may send them in full */
	HD_ROWS_STILL_CUT, /* it did not */
};

/*
 * Judges a sweep in which the rows of the port @port of @fabric, index in ports[], were cut;
 * HD_NONE: no rows were. *@is_repeated: the sweep was asked for after the one before; it becomes
 * whether the next is to be. @text gets a line to tell of rows that were cut.
 */
enum hd_masked_rows hd_masked_rows_judge(bool *is_repeated, const struct hd_fabric *fabric,
					 uint32_t port, const char *engine, char *text,
					 size_t size);

#endif
