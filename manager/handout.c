// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/handout.h"

void hd_handout_replace(struct hd_handout *handout, struct hd_tables *tables)
{
	hd_tables_free(handout->tables);
	handout->tables = tables;
}

bool hd_handout_has_goal(const struct hd_handout *handout)
{
	return handout->tables == handout->wanted.goal;
}

void hd_handout_keep_sls(struct hd_handout *handout)
{
	struct hd_tables *const all[] = { handout->tables, handout->wanted.tables,
					  handout->wanted.goal };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i])
			hd_tables_keep_sls(all[i]);
}

static void drop_tables(struct hd_handout *handout)
{
	hd_handout_replace(handout, NULL);
	hd_wanted_discard(&handout->wanted);
}

/* What the last sweep has made stays where it has nodes that are away in @now. */
static void keep_absent(struct hd_handout *handout, const struct hd_fabric *now)
{
	struct hd_wanted *last = &handout->wanted;

	if (!hd_absent_nodes_take(&handout->absent, last->tables, last->fabric, now))
		return;
	last->tables = NULL;
	last->fabric = NULL;
}

void hd_handout_take(struct hd_handout *handout, const struct hd_wanted *wanted,
		     struct hd_tables *first, bool are_fresh)
{
	const struct hd_wanted *last = &handout->wanted;

	if (are_fresh || (last->tables && wanted->chosen != last->chosen))
		hd_absent_nodes_forget(&handout->absent);
	else
		keep_absent(handout, wanted->fabric);
	drop_tables(handout);
	handout->wanted = *wanted;
	handout->tables = first ? first : hd_tables_share(wanted->goal);
}

void hd_handout_go_on(struct hd_handout *handout, struct hd_tables *first, double seconds)
{
	struct hd_wanted *wanted = &handout->wanted;

	hd_handout_replace(handout, first ? first : hd_tables_share(wanted->goal));
	wanted->route_seconds = seconds;
	wanted->check_seconds = 0;
}

void hd_handout_drop(struct hd_handout *handout, struct hd_orphans *orphans)
{
	if (orphans) {
		hd_orphans_forget(orphans);
		*orphans = (struct hd_orphans){ .was = *handout, .of = handout };
		*handout = (struct hd_handout){ .tables = NULL };
	}
	drop_tables(handout);
	hd_absent_nodes_forget(&handout->absent);
}

bool hd_handout_adopt(struct hd_handout *handout, struct hd_orphans *orphans)
{
	if (orphans->of != handout)
		return false;
	hd_handout_drop(handout, NULL);
	*handout = orphans->was;
	*orphans = (struct hd_orphans){ .of = NULL };
	return true;
}

void hd_orphans_forget(struct hd_orphans *orphans)
{
	hd_handout_drop(&orphans->was, NULL);
	orphans->of = NULL;
}
