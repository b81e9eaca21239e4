/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a live fabric: its graph over libibnetdisc, its tables from the agents of its nodes, path
 * SLs from the subnet administration. On hardware, and on emulated fabrics behind a libibumad of
 * theirs.
 */
#ifndef HD_LIVE_LIVE_H
#define HD_LIVE_LIVE_H

#include "live/mads.h"
#include "tables/tables.h"

struct hd_live_options {
	struct hd_mads_options mads;
	bool path_sls; /* ask the subnet administration */
};

/*
 * The graph as libibnetdisc discovers it. A link's VLs are those that its ports operate, or where they
 * do not say, have. HD_EIO: nothing is discovered; what hd_builder_finish() returns; HD_ENOMEM.
 */
int hd_live_fabric(const struct hd_live_options *options, struct hd_fabric **fabric,
		   struct hd_error *err);

/*
 * The tables of @fabric as its nodes hold them: LFTs, SL2VL, VL arbitration, multicast, and path
 * SLs. Where an agent supports no SL2VL or VL arbitration tables, they stay unknown; a pair for which
 * the administration knows no path has HD_NO_SL. What changes while it is read may be read before or
 * after. Free with hd_tables_free(). HD_EIO: somebody does not answer; HD_EPARSE: an answer makes no
 * sense; HD_ENOMEM.
 */
int hd_live_tables(const struct hd_live_options *options, const struct hd_fabric *fabric,
		   struct hd_tables **tables, struct hd_error *err);

/* hd_live_tables()'s part: path SLs, through @mads. */
int hd_live_path_sls(struct hd_mads *mads, struct hd_tables *tables, struct hd_error *err);

#endif
