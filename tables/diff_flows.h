/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether flows can be counted along LFTs alone. */
#ifndef HD_TABLES_DIFF_FLOWS_H
#define HD_TABLES_DIFF_FLOWS_H

#include "tables/tables.h"

struct hd_error;

/*
 * @are_plain: every source has an SL to every end node's port, and no SL2VL row of a link drops
 * packets with an SL that some pair has. HD_ENOMEM.
 */
int hd_diff_flows_are_plain(const struct hd_tables *tables, bool *are_plain, struct hd_error *err);

/*
 * @sls: the SLs that pairs of end nodes' ports have, to base LIDs: bit s for SL s, bit 16 where a
 * pair has none. HD_ENOMEM.
 */
int hd_diff_find_sls(const struct hd_tables *tables, unsigned *sls, struct hd_error *err);

#endif
