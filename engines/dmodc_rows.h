/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LFTs of engine dmodc, before loads are evened out. */
#ifndef HD_ENGINES_DMODC_ROWS_H
#define HD_ENGINES_DMODC_ROWS_H

#include "engines/dmodc_plan.h"
#include "tables/tables.h"

/* Fills the LFTs of all switches. HD_ENOMEM. */
int hd_dmodc_fill(struct hd_dmodc_plan *plan, struct hd_tables *tables, struct hd_error *err);

#endif
