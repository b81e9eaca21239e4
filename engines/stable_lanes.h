/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes that stay over a change of the fabric. Hosts ask for path records once, and keep using
 * their SLs. New tables with other SLs, or with other SL2VL rows for the same SLs, may have a
 * credit loop with the SLs that hosts still use, and there may be no safe order in which they can
 * replace the old tables (docs/changes.md).
 *
 * If the fresh tables are free of credit loops with the old path SLs, too, the result is the fresh
 * tables with the old path SLs (unless lanes are the same for all SLs). Else SL2VL rows stay, too,
 * and the routes are made to fit them:
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

/* Tables that the same engine, with the same options, made for earlier states of a fabric. */
struct hd_earlier {
	const struct hd_tables *previous;
	const struct hd_tables *const *older; /* [n_older] before these, the newest first; at most
						 HD_MOST_OLDER are used, and of these their path SLs */
	size_t n_older;
};

/* The outcome for the lanes. */
struct hd_lanes_outcome {
	bool is_kept;       /* hosts may go on with the path SLs of the previous tables */
	bool is_fresh;      /* and the fresh tables were taken */
	uint64_t n_detours; /* entries that replace old ones that lead nowhere */
	bool has_new_vlarb; /* some links have VL arbitration that must still be fitted to ports
			       (vlarb/vlarb.h) */
	uint32_t n_columns; /* destinations whose fresh columns were taken */
	char reason[800];   /* why lanes are made anew */
};

/*
 * @fresh are an engine's tables for a fabric. @kept gets tables with the lanes of @earlier, or
 * NULL: then the caller takes the fresh tables, and @outcome says why. Deterministic. HD_ENOMEM.
 */
int hd_stable_lanes(const struct hd_tables *fresh, const struct hd_structure *structure,
		    const struct hd_earlier *earlier, struct hd_tables **kept,
		    struct hd_lanes_outcome *outcome, struct hd_error *err);

#endif
