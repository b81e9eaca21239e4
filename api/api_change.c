// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Questions of libheddle to two sets of tables: what differs, and how to get from one to the other.
 */
#include "api/api.h"
#include "change/both_tables.h"
#include "change/schedule.h"
#include "tables/diff.h"

_Static_assert(HEDDLE_MAX_ROUNDS == HD_MAX_ROUNDS, "the same number");

static void copy_diff(const struct hd_diff *diff, struct heddle_diff_result *own)
{
	own->nodes_added = diff->nodes_added;
	own->nodes_removed = diff->nodes_removed;
	own->links_added = diff->links_added;
	own->links_removed = diff->links_removed;
	own->lids_changed = diff->lids_changed;
	own->vlarb_ports = diff->vlarb_ports;
	own->pairs = diff->pairs;
	own->pairs_path = diff->pairs_path;
	own->pairs_sl = diff->pairs_sl;
	own->pairs_vl = diff->pairs_vl;
	own->pairs_changed = diff->pairs_changed;
	own->pairs_lost = diff->pairs_lost;
	own->pairs_gained = diff->pairs_gained;
	own->lft_entries = diff->lft_entries;
	own->lft_blocks = diff->lft_blocks;
	own->sl2vl_rows = diff->sl2vl_rows;
}

enum heddle_status heddle_diff(const struct heddle_tables *before,
			       const struct heddle_tables *after, struct heddle_diff_result *result,
			       struct heddle_error *error)
{
	struct heddle_diff_result own;
	struct hd_error err = { 0 };
	struct hd_diff diff;
	bool is_equal;
	int ret = hd_api_take_optional(&own, sizeof(own), result, &err);

	if (!ret)
		ret = hd_diff_compute(before->snapshot->tables, after->snapshot->tables, NULL, NULL,
				      &diff, &err);
	if (ret)
		return hd_api_done(error, ret, &err);
	copy_diff(&diff, &own);
	is_equal = hd_diff_is_empty(&diff);
	hd_diff_clear(&diff);
	hd_api_give(&own, sizeof(own), result);
	return is_equal ? hd_api_done(error, 0, &err) : hd_api_no(error, "the tables differ");
}

static void copy_schedule(const struct hd_schedule *schedule, const uint64_t *lost,
			  struct heddle_change_result *own)
{
	own->n_rounds = schedule->n_rounds;
	own->is_at_once = schedule->is_at_once;
	own->old_loops = schedule->old_loops;
	own->pairs_lost = 0;
	for (size_t r = 0; r < schedule->n_rounds; r++) {
		const struct hd_round *round = &schedule->rounds[r];

		if (own->pairs_lost < lost[r])
			own->pairs_lost = lost[r];
		if (r >= own->rounds_capacity)
			continue;
		if (own->rounds)
			own->rounds[r] = (struct heddle_round){
				.entries = round->n_entries,
				.rows = round->n_rows,
				.dropped_entries = round->n_dropped_entries,
				.dropped_rows = round->n_dropped_rows,
				.pairs_lost = lost[r],
				.nodes = round->n_nodes,
				.path_sls = round->path_sls,
			};
		if (own->round_sets)
			own->round_sets[r] = (struct heddle_round_sets){
				.port_sets = round->n_sets,
				.private_entries = round->n_private,
				.map_rows = round->n_map_rows,
				.vl2vl_rows = round->n_vl2vl_rows,
			};
	}
}

/* Plans from @before, tables on the fabric of @after. */
static int plan(const struct hd_tables *before, const struct hd_tables *after,
		struct heddle_change_result *own, struct hd_error *err)
{
	uint64_t lost[HD_MAX_ROUNDS] = { 0 };
	struct hd_schedule schedule = { 0 };
	int ret = hd_schedule_make(after, before, &schedule, err);

	if (!ret && schedule.needs_new_sls)
		ret = hd_error_set(
			err, HD_EREFUSED,
			"hosts that keep old path SLs have a loop by the new tables: they "
			"must ask for new ones before they send");
	if (!ret)
		ret = hd_schedule_count_lost(&schedule, after, before, NULL, lost, err);
	if (!ret)
		copy_schedule(&schedule, lost, own);
	hd_schedule_clear(&schedule);
	return ret;
}

enum heddle_status heddle_change_plan(const struct heddle_tables *before,
				      const struct heddle_tables *after,
				      struct heddle_change_result *result,
				      struct heddle_error *error)
{
	struct heddle_change_result own;
	struct hd_error err = { 0 };
	struct hd_both_tables both = { .now = NULL };
	int ret = hd_api_take_optional(&own, sizeof(own), result, &err);

	if (!ret)
		ret = hd_both_tables_init(&both, after->snapshot->tables, before->snapshot->tables,
					  &err);
	if (!ret)
		ret = plan(both.before, both.now, &own, &err);
	hd_both_tables_clear(&both);
	if (ret == HD_EREFUSED)
		return hd_api_no(error, "%s", err.text);
	if (!ret)
		hd_api_give(&own, sizeof(own), result);
	return hd_api_done(error, ret, &err);
}
