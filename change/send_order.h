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
 * A round changes the tables @now of a fabric to *@next, or to @goal if *@next is NULL. If
 * *@is_first, *@next gets what is to be sent first, in place of what it was: @now with all rows of
 * the next tables, and with those of their entries whose packets do not arrive by @now. These lose
 * no packet that arrives. Nor does the rest after them, if the round drops nothing: a switch that
 * gets a new entry then forwards to a switch that has its new entry, or whose old entry delivers.
 *
 * Else that makes no difference, since all entries that change mend a path, or none does; *@next
 * stays. All tables are on one fabric. HD_ENOMEM, and what hd_tables_onto() returns; *@next is to be
 * freed with hd_tables_free() in any case.
 */
int hd_send_first(const struct hd_tables *goal, const struct hd_tables *now,
		  struct hd_tables **next, bool *is_first, struct hd_error *err);

#endif
