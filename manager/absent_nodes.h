/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables of before in which nodes have path SLs that are away now. When they come back, others
 * still send to them by the SLs that they asked for once, so these are theirs again
 * (engines/stable_lanes.h).
 */
#ifndef HD_MANAGER_ABSENT_NODES_H
#define HD_MANAGER_ABSENT_NODES_H

#include "engines/stable_lanes.h"

/* The newest first. Begin with zeros. */
struct hd_absent_nodes {
	const struct hd_tables *tables[HD_MOST_OLDER]; /* path SLs alone (hd_tables_keep_sls()) */
	struct hd_fabric *fabrics[HD_MOST_OLDER];      /* on which the tables are */
	size_t n;
};

/*
 * @tables on @fabric (both NULL: none) were in force until now, and the fabric is @now. True: they
 * have nodes that are away now, and @absent owns both. Tables all of whose nodes are back are
 * freed.
 */
bool hd_absent_nodes_take(struct hd_absent_nodes *absent, struct hd_tables *tables,
			  struct hd_fabric *fabric, const struct hd_fabric *now);

void hd_absent_nodes_forget(struct hd_absent_nodes *absent);

#endif
