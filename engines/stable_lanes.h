/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes that stay over a change of the fabric. Hosts use the SLs of path records that they asked
 * for once, and nobody makes them ask again: tables that are made anew, with other SLs or other
 * SL2VL rows for the same ones, may have a credit loop with the SLs that hosts still use, and there
 * may be no order in which they can replace the old ones safely (docs/changes.md).
 *
 * Where the fresh tables are free of credit loops with the old path SLs as well, they are taken, but
 * for the path SLs, unless lanes are the same for all SLs. Else SL2VL rows stay, too, and routes are
 * made to go with them:
 *
 *	- the column of a destination that arrives from everywhere stays as it is, unless the
 *	  fresh column has links that were not there before: then that is taken, if it closes no
 *	  cycle,
 *	- entries that lead nowhere get the cheapest detour that closes no cycle (engines/repair.h),
 *	- new switches, links and end nodes get the rows and SLs of the fresh tables; end nodes
 *	  that were away have the SLs that they had: others may have kept them.
 *
 * Every dependency is in one graph that stays acyclic (check/channels.h). That is first fit: where
 * it does not fit, lanes are made anew.
 */
#ifndef HD_ENGINES_STABLE_LANES_H
#define HD_ENGINES_STABLE_LANES_H

#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_error;

#define HD_MOST_OLDER 4

/* What the same engine, with the same options, made of earlier states of a fabric. */
struct hd_earlier {
	const struct hd_tables *previous;
	const struct hd_tables *const *older; /* [n_older] before these, the newest first; at
						 most HD_MOST_OLDER are looked at */
	size_t n_older;
};

/* What became of the lanes. */
struct hd_lanes_outcome {
	bool is_kept;       /* hosts may go on with the path SLs of the previous tables */
	bool is_fresh;      /* with the fresh tables, which were taken */
	uint64_t n_detours; /* entries that were set for want of the old ones */
	bool has_new_vlarb; /* links have VL arbitration that fits no ports yet (vlarb/vlarb.h) */
	uint32_t n_columns; /* destinations whose fresh columns were taken */
	char reason[800];   /* why lanes are made anew */
};

/*
 * @fresh are what an engine makes of a fabric. @kept gets tables with the lanes of @earlier, or
 * NULL: the fresh ones are to be taken, and @outcome says why. Deterministic. HD_ENOMEM.
 */
int hd_stable_lanes(const struct hd_tables *fresh, const struct hd_structure *structure,
		    const struct hd_earlier *earlier, struct hd_tables **kept,
		    struct hd_lanes_outcome *outcome, struct hd_error *err);

#endif
