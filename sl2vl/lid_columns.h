/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Columns: LIDs of one switch that have the same LFT entry and the same flow class at every other
 * switch. A result for the flows to one LID of a column holds for all its LIDs.
 */
#ifndef HD_SL2VL_LID_COLUMNS_H
#define HD_SL2VL_LID_COLUMNS_H

#include "sl2vl/lanes.h"

struct hd_lid_columns {
	uint32_t n;
	uint32_t *first; /* [n + 1] in lids[] */
	uint16_t *lids;  /* LIDs that some switch leads to */
};

/*
 * The columns of @tables' LFTs and the classes of @layering. Clear also after an error. HD_ENOMEM.
 */
int hd_lid_columns_find(struct hd_lid_columns *columns, const struct hd_tables *tables,
			const struct hd_layering *layering, struct hd_error *err);
void hd_lid_columns_clear(struct hd_lid_columns *columns);

#endif
