/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The order within a round (schedule.h): any order is sound, but packets may be lost. A switch may
 * get a new entry that leads to a switch without an entry (which comes back), or to one whose old
 * entry leads over a failed link: then it loses packets that its old entry still delivers. So
 * entries that mend a path go first.
 */
#ifndef HD_CHANGE_SEND_ORDER_H
#define HD_CHANGE_SEND_ORDER_H

#include "tables/tables.h"

struct hd_error;

/*
 * A round changes the tables @now of a fabric to @next. *@first gets @now with all rows of @next,
 * and with those entries of @next whose packets do not arrive by @now. These lose no packet that
 * arrives. Nor does the rest after them, if the round drops nothing: a switch that gets a new entry
 * then forwards to a switch that has its new entry, or whose old entry delivers.
 *
 * *@first is NULL if that makes no difference: all entries that change mend a path, or none does.
 * Both tables are on one fabric. HD_ENOMEM, and what hd_tables_onto() returns. Free with
 * hd_tables_free().
 */
int hd_send_first(const struct hd_tables *next, const struct hd_tables *now,
		  struct hd_tables **first, struct hd_error *err);

#endif
