/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rounds by kinds of tables: a subnet manager sends entries, maps to private LFTs, and lanes one
 * kind after the other. For tables with private LFTs or VL2VL. Internal to change/.
 */
#ifndef HD_CHANGE_KINDS_H
#define HD_CHANGE_KINDS_H

#include "tables/tables.h"

struct hd_error;

enum hd_kind {
	HD_KIND_ENTRIES, /* of LFTs and private LFTs, with their states, and the groups */
	HD_KIND_MAP,     /* from in-port and SL or VL to private LFTs */
	HD_KIND_LANES,   /* SL2VL and VL2VL, and which of the two a switch goes by */
	HD_KINDS,
};

#define HD_MOST_KIND_ROUNDS (2 * HD_KINDS)

/*
 * Finds rounds from @from to @to, tables of one fabric with the same path SLs, so that all mixtures
 * of each round are sound, and each kind of tables changes in one round at switches with hosts, and
 * in one at those without. @stages gets the tables after each of the *@n rounds, which the caller
 * frees; *@found: there are such rounds. HD_EINVAL: no end port has a LID; HD_ENOMEM.
 */
int hd_kinds_find(const struct hd_tables *from, const struct hd_tables *to,
		  struct hd_tables *stages[HD_MOST_KIND_ROUNDS], unsigned *n, bool *found,
		  struct hd_error *err);

/* A copy of @tables. HD_ENOMEM. */
int hd_kinds_copy(const struct hd_tables *tables, struct hd_tables **copy, struct hd_error *err);

/* A copy of @tables with the path SLs of @sls, tables of the same fabric. HD_ENOMEM. */
int hd_kinds_copy_by_sls(const struct hd_tables *tables, const struct hd_tables *sls,
			 struct hd_tables **copy, struct hd_error *err);

#endif
