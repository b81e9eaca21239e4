/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Path SLs, SL2VL rows and VL arbitration of old tables, from before a change of the fabric. New
 * parts of the fabric get those of the fresh tables. Part of engines/stable_lanes.h.
 */
#ifndef HD_ENGINES_PREVIOUS_LANES_H
#define HD_ENGINES_PREVIOUS_LANES_H

#include "engines/stable_lanes.h"

struct hd_error;

struct hd_previous_lanes {
	const struct hd_fabric *fabric;
	const struct hd_tables *fresh, *previous;
	struct hd_tables *older[HD_MOST_OLDER]; /* path SLs of earlier tables, on this fabric */
	size_t n_older;
	struct hd_tables *tables; /* the result; its LFTs are the old ones */
	bool *is_new;             /* [port] of a new link */
};

/*
 * Puts the tables of @earlier onto the fabric of @fresh; older tables that do not fit are left out.
 * HD_EINVAL: the fabrics do not fit (tables/onto.h); HD_ENOMEM. Clear also after an error. A caller
 * that keeps `tables` sets the member to NULL.
 */
int hd_previous_lanes_init(struct hd_previous_lanes *lanes, const struct hd_tables *fresh,
			   const struct hd_earlier *earlier, struct hd_error *err);
void hd_previous_lanes_clear(struct hd_previous_lanes *lanes);

/* Whether the fresh tables have the same path SLs and rows. */
bool hd_previous_lanes_are_fresh(const struct hd_previous_lanes *lanes);

/*
 * Data VLs of packets by the rows of @tables, the result or the fresh tables, with any path SL of
 * either.
 */
unsigned hd_previous_lanes_vls(const struct hd_previous_lanes *lanes,
			       const struct hd_tables *tables);

/*
 * Gives every link its old arbitration, or that of the fresh tables. If neither serves all VLs of
 * packets there, the link gets arbitration turns (*@any_new), which the caller then fits to the
 * ports. With classes, turns would not keep their shares, so *@serves says whether each link serves
 * all VLs. HD_ENOMEM.
 */
int hd_previous_lanes_arbitrate(struct hd_previous_lanes *lanes, bool *serves, bool *any_new,
				struct hd_error *err);

#endif
