/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Path SLs, SL2VL rows and VL arbitration of tables that were made before a change of the fabric,
 * with those of fresh tables where there was nothing before: part of engines/stable_lanes.h.
 */
#ifndef HD_ENGINES_PREVIOUS_LANES_H
#define HD_ENGINES_PREVIOUS_LANES_H

#include "engines/stable_lanes.h"

struct hd_error;

struct hd_previous_lanes {
	const struct hd_fabric *fabric;
	const struct hd_tables *fresh, *previous;
	struct hd_tables *older[HD_MOST_OLDER]; /* those before, on this fabric */
	size_t n_older;
	struct hd_tables *tables; /* those in the making; LFTs are those of before */
	bool *is_new;             /* [port] of a link that was not there before */
};

/*
 * Puts the tables of @earlier onto the fabric of @fresh; older ones that do not go with it are left
 * out. HD_EINVAL: they do not go together (tables/onto.h);
 * HD_ENOMEM. Clear also after an error. The tables are the caller's once it has set `tables` to NULL.
 */
int hd_previous_lanes_init(struct hd_previous_lanes *lanes, const struct hd_tables *fresh,
			   const struct hd_earlier *earlier, struct hd_error *err);
void hd_previous_lanes_clear(struct hd_previous_lanes *lanes);

/* Whether the fresh tables have the same path SLs and rows. */
bool hd_previous_lanes_are_fresh(const struct hd_previous_lanes *lanes);

/*
 * Data VLs that packets take by the rows of @tables, those in the making or the fresh ones, with any
 * path SL of either.
 */
unsigned hd_previous_lanes_vls(const struct hd_previous_lanes *lanes,
			       const struct hd_tables *tables);

/*
 * Gives every link the arbitration that it had, or that of the fresh tables, or, where neither sends
 * all VLs that packets take there, turns (*@any_new), which are to be made to fit. @serves: each link
 * sends all VLs that packets take; turns would not keep the shares of classes. HD_ENOMEM.
 */
int hd_previous_lanes_arbitrate(struct hd_previous_lanes *lanes, bool *serves, bool *any_new,
				struct hd_error *err);

#endif
