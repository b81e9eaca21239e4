/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle qos plan: tables from a class file, without a fabric. */
#ifndef HD_TOOLS_QOS_PLAN_H
#define HD_TOOLS_QOS_PLAN_H

#include <stdbool.h>

struct hd_error;

/*
 * Prints the VL arbitration of @cap entries that the classes of the file @path make; or, with
 * @dtable ("N,GMTU,W,K"), a DTable; or, with @for_opensm, options of opensm.conf. What
 * hd_classes_read() returns; HD_EREFUSED: no such table.
 */
int hd_qos_plan(const char *path, const char *dtable, unsigned cap, bool for_opensm,
		struct hd_error *err);

#endif
