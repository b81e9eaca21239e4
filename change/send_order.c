// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/send_order.h"

#include <stdlib.h>
#include <string.h>

#include "change/lid_changes.h"
#include "change/lid_ways.h"
#include "support/error.h"
#include "support/memory.h"
#include "tables/onto.h"

struct mended {
	uint32_t s;
	uint16_t lid;
	uint8_t entry; /* the next one */
};

struct search {
	const struct hd_tables *next, *now;
	struct hd_lid_changes changes;
	struct hd_ways ways;
	struct mended *mended; /* entries that change, where nothing arrives now */
	size_t n_mended, most_mended;
	size_t n_others;
};

static void mend(const struct search *search, struct hd_tables *tables)
{
	for (size_t i = 0; i < search->n_mended; i++)
		hd_lft(tables, search->mended[i].s)[search->mended[i].lid] =
			search->mended[i].entry;
}

/* Tables with all rows of the next ones, and of their entries those that mend. */
static int make_first(const struct search *search, struct hd_tables **first, struct hd_error *err)
{
	const struct hd_tables *next = search->next;
	int ret = hd_tables_onto(search->now, search->now->fabric, first, NULL, err);

	if (ret)
		return ret;
	memcpy((*first)->sl2vl, next->sl2vl,
	       next->sl2vl_first[next->fabric->n_nodes] * sizeof(*next->sl2vl));
	mend(search, *first);
	return 0;
}

/* The same of @next, the next tables, without a copy: other entries that change are those of now. */
static void turn_into_first(const struct search *search, struct hd_tables *next)
{
	for (size_t i = 0; i < search->changes.n; i++) {
		const struct hd_block_change *change = &search->changes.list[i];
		const size_t lid = change->block * (size_t)HD_LFT_BLOCK;

		memcpy(hd_lft(next, change->s) + lid, hd_lft(search->now, change->s) + lid,
		       HD_LFT_BLOCK);
	}
	mend(search, next);
}

static int note_mended(struct search *search, uint32_t s, uint32_t lid, struct hd_error *err)
{
	struct mended *grown = hd_make_room(search->mended, search->n_mended, &search->most_mended,
					    sizeof(*grown));

	if (!grown)
		return hd_error_nomem(err);
	search->mended = grown;
	search->mended[search->n_mended++] = (struct mended){
		.s = s, .lid = (uint16_t)lid, .entry = hd_lft(search->next, s)[lid]
	};
	return 0;
}

/* Notes the entries to @lid that mend, and counts the others that change. */
static int part_lid(struct search *search, uint32_t lid, struct hd_error *err)
{
	size_t n;
	const uint32_t *switches = hd_lid_changes_switches(&search->changes, lid, &n);
	int ret = 0;

	hd_ways_to(&search->ways, lid);
	for (size_t i = 0; !ret && i < n; i++)
		if (hd_ways_from(&search->ways, switches[i]) == HD_WAY_ARRIVES)
			search->n_others++;
		else
			ret = note_mended(search, switches[i], lid, err);
	return ret;
}

static int part_all(struct search *search, struct hd_error *err)
{
	int ret = hd_lid_changes_find(&search->changes, search->next, search->now, err);

	if (!ret)
		ret = hd_ways_init(&search->ways, search->now, NULL, err);
	if (ret)
		return ret;
	hd_for_each_changed_lid(lid, &search->changes)
	{
		ret = part_lid(search, lid, err);
		if (ret)
			return ret;
	}
	return 0;
}

int hd_send_first(const struct hd_tables *goal, const struct hd_tables *now,
		  struct hd_tables **next, bool *is_first, struct hd_error *err)
{
	struct search search = { .next = *next ? *next : goal, .now = now };
	int ret = part_all(&search, err);
	struct hd_tables *first = NULL;

	*is_first = !ret && search.n_mended && search.n_others;
	/* path SLs of both are the old ones in all rounds but the last */
	if (*is_first && *next && !now->ar && !(*next)->ar) {
		turn_into_first(&search, *next);
	} else if (*is_first) {
		ret = make_first(&search, &first, err);
		hd_tables_free(*next);
		*next = first;
	}
	hd_ways_clear(&search.ways);
	hd_lid_changes_clear(&search.changes);
	free(search.mended);
	return ret;
}
