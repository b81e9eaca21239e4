/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The order within a round (schedule.h): any is sound, but packets may be lost in it. A switch whose
 * new entry leads to one that has none yet, since it comes back, or whose old one leads over a link
 * that has failed, loses packets that its old entry still delivers. So what mends goes first.
 */
#ifndef HD_CHANGE_SEND_ORDER_H
#define HD_CHANGE_SEND_ORDER_H

#include "tables/tables.h"

struct hd_error;

/*
 * From the tables @now, which a fabric has, to @next, those behind a round: *@first are @now with
 * all rows of @next, and its entries where packets do not arrive by those of @now. They take away
 * no packet that arrives. Nor does the rest behind them, as long as the round drops nothing: who gets
 * a new entry then forwards to a switch that has its own, or whose old one delivers.
 *
 * *@first is NULL where that is no order: all entries that change mend, or none does. Both tables
 * are on one fabric. HD_ENOMEM, and what hd_tables_onto() returns. Free with hd_tables_free().
 */
int hd_send_first(const struct hd_tables *next, const struct hd_tables *now,
		  struct hd_tables **first, struct hd_error *err);

#endif
