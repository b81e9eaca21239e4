// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/both_tables.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tables/onto.h"

/* The new tables with room for the LIDs of the old fabric: an LFT ends with the highest LID. */
static int widen(struct hd_both_tables *both, const struct hd_tables *now, uint32_t top_lid,
		 struct hd_error *err)
{
	struct hd_fabric *fabric = &both->fabric;
	struct hd_lid *lids = malloc((top_lid + (size_t)1) * sizeof(*lids));
	int ret;

	if (!lids)
		return hd_error_nomem(err);
	*fabric = *now->fabric;
	memcpy(lids, fabric->lids, (fabric->top_lid + (size_t)1) * sizeof(*lids));
	while (fabric->top_lid < top_lid)
		lids[++fabric->top_lid] = (struct hd_lid){ .port = HD_NONE, .via_switch = HD_NONE };
	fabric->lids = lids;
	ret = hd_tables_onto(now, fabric, &both->wider, NULL, err);
	both->now = both->wider;
	return ret;
}

static bool is_end(const struct hd_fabric *fabric, uint32_t lid)
{
	return lid <= fabric->top_lid && fabric->lids[lid].port != HD_NONE &&
	       hd_is_end_port(fabric, fabric->lids[lid].port);
}

static int find_failed(struct hd_both_tables *both, const struct hd_fabric *old,
		       struct hd_error *err)
{
	const struct hd_fabric *fabric = both->now->fabric;

	for (unsigned scope = 0; scope <= HD_CHECK_HOSTS; scope++) {
		both->failed[scope] =
			calloc(fabric->top_lid + (size_t)1, sizeof(*both->failed[scope]));
		if (!both->failed[scope])
			return hd_error_nomem(err);
	}
	hd_for_each_lid(lid, fabric) {
		if (!is_end(old, lid) || is_end(fabric, lid))
			continue;
		both->failed[HD_CHECK_ALL][lid] = true;
		both->failed[HD_CHECK_HOSTS][lid] =
			!hd_is_switch(old, old->ports[old->lids[lid].port].node);
	}
	return 0;
}

int hd_both_tables_init(struct hd_both_tables *both, const struct hd_tables *now,
			const struct hd_tables *old, struct hd_error *err)
{
	/* tables without some LFTs are refused by who checks them */
	const bool is_plain = !now->n_lft_unknown;
	int ret = 0;

	*both = (struct hd_both_tables){ .now = now };
	if (old->fabric->top_lid > now->fabric->top_lid && is_plain)
		ret = widen(both, now, old->fabric->top_lid, err);
	if (!ret)
		ret = hd_tables_onto(old, both->now->fabric, &both->before, &both->n_new, err);
	return ret ? ret : find_failed(both, old->fabric, err);
}

void hd_both_tables_clear(struct hd_both_tables *both)
{
	hd_tables_free(both->wider);
	hd_tables_free(both->before);
	free(both->fabric.lids);
	for (unsigned scope = 0; scope <= HD_CHECK_HOSTS; scope++)
		free(both->failed[scope]);
	*both = (struct hd_both_tables){ .now = NULL };
}
