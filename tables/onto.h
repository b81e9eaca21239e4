/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What nodes of a fabric hold of tables that were made for an earlier state of the fabric, before
 * links and nodes failed or came back.
 */
#ifndef HD_TABLES_ONTO_H
#define HD_TABLES_ONTO_H

#include "tables/tables.h"

struct hd_error;

/*
 * @after gets @before as tables of @fabric. Every switch and adapter that the fabric of @before has
 * too, by its GUID, keeps its entries, rows and path SLs; an LFT entry names the same port, even if
 * that port leads elsewhere now. AR tables go with the switch. New switches hold nothing: their LFT
 * entries are HD_NO_PATH, their rows the identity; new sources and LIDs have no path SLs. @n_new,
 * if not NULL, gets the number of new switches. Multicast and VL arbitration are left out.
 *
 * HD_EINVAL: a LID belongs to another port now, a switch has another number of ports, or @before
 * lacks LFTs. HD_ENOMEM. @fabric must outlive *@after.
 */
int hd_tables_onto(const struct hd_tables *before, const struct hd_fabric *fabric,
		   struct hd_tables **after, uint32_t *n_new, struct hd_error *err);

/*
 * The LFT that switch @s of the fabric of @after had in @before, of *@n entries; those behind are
 * HD_NO_PATH. NULL: the switch is new. hd_tables_onto() has made @after of @before.
 */
const uint8_t *hd_tables_lft_before(const struct hd_tables *before, const struct hd_tables *after,
				    uint32_t s, size_t *n);

/* Gives @after its LFTs as hd_tables_onto() made them of @before. */
void hd_tables_restore_lfts(const struct hd_tables *before, struct hd_tables *after);

/* hd_tables_onto() on the fabric of @entries, whose LFTs and rows @after gets instead. */
int hd_tables_onto_entries(const struct hd_tables *before, const struct hd_tables *entries,
			   struct hd_tables **after, struct hd_error *err);

/*
 * hd_tables_onto() of path SLs alone: *@after has neither LFTs nor rows (hd_tables_keep_sls()), and
 * @before needs none.
 */
int hd_tables_onto_sls(const struct hd_tables *before, const struct hd_fabric *fabric,
		       struct hd_tables **after, struct hd_error *err);

/*
 * Pairs that have no path SL in @tables get those of @other, tables of the same fabric. HD_ENOMEM.
 */
int hd_tables_fill_path_sls(struct hd_tables *tables, const struct hd_tables *other,
			    struct hd_error *err);

#endif
