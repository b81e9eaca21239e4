/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lists of cables as CSV: UFM's NDT, whose first line names the columns StartDevice, StartPort,
 * EndDevice, EndPort, and perhaps LinkType, State and others; or lines "switch,port,switch,port".
 * Blanks and cases of letters in names of columns do not count. Rows of an NDT are passed over that
 * have another LinkType than Data, the State Disabled, or no EndDevice. plan/device.h has the forms
 * of ports. docs/formats.md.
 */
#ifndef HD_PLAN_READ_CSV_H
#define HD_PLAN_READ_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct hd_error;
struct hd_fabric;

/* Whether @data is such a list, by its first line. */
bool hd_cable_csv_is(const char *data, size_t size);

/* Makes the fabric of the cables. HD_EPARSE with file and line; HD_ENOMEM. */
int hd_csv_parse(const char *name, const char *data, size_t size, struct hd_fabric **fabric,
		 struct hd_error *err);

#endif
