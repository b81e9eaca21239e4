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
	uint32_t s, lid;
};

struct search {
	const struct hd_tables *next, *now;
	struct hd_lid_changes changes;
	struct hd_ways ways;
	struct mended *mended; /* entries that change, where nothing arrives now */
	size_t n_mended, most_mended;
	size_t n_others;
};

/* Tables with all rows of the next ones, and of their entries those that mend. */
static int make_first(const struct search *search, struct hd_tables **first, struct hd_error *err)
{
	const struct hd_tables *next = search->next;
	int ret = hd_tables_onto(search->now, search->now->fabric, first, NULL, err);

	if (ret)
		return ret;
	memcpy((*first)->sl2vl, next->sl2vl,
	       next->sl2vl_first[next->fabric->n_nodes] * sizeof(*next->sl2vl));
	for (size_t i = 0; i < search->n_mended; i++) {
		const struct mended *at = &search->mended[i];

		hd_lft(*first, at->s)[at->lid] = hd_lft(next, at->s)[at->lid];
	}
	return 0;
}

static int note_mended(struct search *search, uint32_t s, uint32_t lid, struct hd_error *err)
{
	struct mended *grown = hd_make_room(search->mended, search->n_mended, &search->most_mended,
					    sizeof(*grown));

	if (!grown)
		return hd_error_nomem(err);
	search->mended = grown;
	search->mended[search->n_mended++] = (struct mended){ .s = s, .lid = lid };
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

int hd_send_first(const struct hd_tables *next, const struct hd_tables *now,
		  struct hd_tables **first, struct hd_error *err)
{
	struct search search = { .next = next, .now = now };
	int ret = part_all(&search, err);

	*first = NULL;
	if (!ret && search.n_mended && search.n_others)
		ret = make_first(&search, first, err);
	hd_ways_clear(&search.ways);
	hd_lid_changes_clear(&search.changes);
	free(search.mended);
	return ret;
}
