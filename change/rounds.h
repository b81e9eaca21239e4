/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rounds of a schedule (change/schedule.h) as data: the entries and rows that change in each round,
 * and the tables after it. Internal to change/.
 */
#ifndef HD_CHANGE_ROUNDS_H
#define HD_CHANGE_ROUNDS_H

#include "change/schedule.h"
#include "tables/ar.h"

/* Bytes of all LFTs, and the number of SL2VL rows. */
static inline size_t hd_rounds_lft_size(const struct hd_tables *tables)
{
	return tables->fabric->n_switches * tables->lft_stride;
}

static inline size_t hd_rounds_n_rows(const struct hd_tables *tables)
{
	return tables->sl2vl_first[tables->fabric->n_nodes];
}

/* Whether no port has @lid, or only a host's without a link. */
static inline bool hd_rounds_is_vacant(const struct hd_fabric *fabric, uint32_t lid)
{
	return lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE ||
	       !hd_is_end_port(fabric, fabric->lids[lid].port);
}

/* Vacant LIDs: 1 to the end of LFTs. */
#define hd_for_each_vacant_lid(lid, tables)                       \
	for (uint32_t lid = 1; lid < (tables)->lft_stride; lid++) \
		if (hd_rounds_is_vacant((tables)->fabric, lid))

/* Whether packets that entry @i is for go on by it: by its port, or by ports of its group. */
static inline bool hd_rounds_leads(const struct hd_tables *tables, size_t i)
{
	return tables->lft[i] != HD_NO_PATH ||
	       (tables->ar && tables->ar->state[i] != HD_AR_STATIC &&
		tables->ar->group[i] != HD_AR_NO_GROUP);
}

/*
 * Whether entry @i, for a vacant LID, led somewhere and leads nowhere: it goes in the first round.
 */
static inline bool hd_rounds_is_vacated(const struct hd_tables *now, const struct hd_tables *before,
					size_t i)
{
	return hd_rounds_leads(before, i) && !hd_rounds_leads(now, i);
}

/*
 * A schedule without rounds, with the lists of what changes from @before to @now, tables on one
 * fabric. HD_ENOMEM. Clear also after an error.
 */
int hd_rounds_new(struct hd_schedule *schedule, const struct hd_tables *now,
		  const struct hd_tables *before, struct hd_error *err);

/* @row, in which SLs that the new row has on other VLs are dropped. */
hd_sl2vl_row hd_rounds_drop_row(hd_sl2vl_row row, hd_sl2vl_row new);

/* What entry, and row, @place of those that change is after round @round, from @before to @now. */
static inline uint8_t hd_rounds_entry(const struct hd_schedule *schedule, uint8_t now,
				      uint8_t before, unsigned round, size_t place)
{
	const struct hd_schedule_list *entries = &schedule->entries;

	if (entries->new[place] && entries->new[place] <= round)
		return now;
	if (entries->drop[place] && entries->drop[place] <= round)
		return HD_NO_PATH;
	return before;
}

static inline hd_sl2vl_row hd_rounds_row(const struct hd_schedule *schedule, hd_sl2vl_row now,
					 hd_sl2vl_row before, unsigned round, size_t place)
{
	const struct hd_schedule_list *rows = &schedule->rows;

	if (rows->new[place] && rows->new[place] <= round)
		return now;
	if (rows->drop[place] && rows->drop[place] <= round)
		return hd_rounds_drop_row(before, now);
	return before;
}

/* Whether anything of switch @s changes in round @round, or is dropped in it. */
bool hd_rounds_has_switch(const struct hd_schedule *schedule, const struct hd_tables *now,
			  uint32_t s, unsigned round);

/* Whether any entry is vacated. */
bool hd_rounds_any_vacated(const struct hd_tables *now, const struct hd_tables *before);

/* Takes entries that are vacated out of @at, with their port sets. */
void hd_rounds_vacate(struct hd_tables *at, const struct hd_tables *now,
		      const struct hd_tables *before);

/* Fills in the counts of each round. */
void hd_rounds_count(struct hd_schedule *schedule, const struct hd_tables *now);

/* Makes room for a round before all others; below HD_MAX_ROUNDS rounds. */
void hd_rounds_shift(struct hd_schedule *schedule);

/* Whether the path SLs of some source differ. */
bool hd_rounds_sls_differ(const struct hd_tables *now, const struct hd_tables *before);

#endif
