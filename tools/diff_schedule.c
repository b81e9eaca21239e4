// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/diff_schedule.h"

#include <inttypes.h>
#include <stdio.h>

#include "change/both_tables.h"
#include "change/schedule.h"
#include "support/error.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/progress.h"
#include "tools/report.h"

/* A schedule, and what it costs. */
struct planned {
	struct hd_schedule schedule;
	const char *refusal;          /* NULL: there is a schedule */
	uint64_t lost[HD_MAX_ROUNDS]; /* pairs that both tables serve and those behind the round
					 do not */
	uint64_t most_lost;
};

static int count_lost(struct planned *planned, const struct hd_tables *now,
		      const struct hd_tables *before, struct hd_error *err)
{
	int ret = hd_schedule_count_lost(&planned->schedule, now, before, NULL, planned->lost, err);

	for (unsigned r = 0; r < planned->schedule.n_rounds; r++)
		if (planned->lost[r] > planned->most_lost)
			planned->most_lost = planned->lost[r];
	return ret;
}

/* What round @r, from 0 on, does with port sets. */
static void add_sets(struct hd_columns *columns, const struct hd_schedule *schedule, unsigned r)
{
	const uint64_t n = schedule->rounds[r].n_sets;

	if (!n)
		hd_columns_add(columns, "-");
	else if (schedule->stages)
		hd_columns_add(columns, "%" PRIu64, n);
	else
		hd_columns_add(columns, "%" PRIu64 " %s", n,
			       r + 1 == schedule->sets_on ? "new" : "go");
}

static int print_text(const struct planned *planned, struct hd_error *err)
{
	const struct hd_schedule *schedule = &planned->schedule;
	struct hd_columns columns;

	if (planned->refusal) {
		hd_report_field("schedule", "none: %s", planned->refusal);
		return 0;
	}
	if (!schedule->n_rounds)
		hd_report_field("schedule", "nothing changes");
	else if (schedule->is_at_once)
		hd_report_field("schedule", "at once: every mixture of old and new is sound");
	else
		hd_report_field("schedule", "%u rounds, every mixture within each is sound%s",
				schedule->n_rounds,
				schedule->old_loops ? ", but of the first: the old tables have a "
						      "loop by themselves"
						    : "");
	if (!schedule->n_rounds)
		return 0;
	hd_report_field("lose packets",
			planned->most_lost ? "%" PRIu64 " pairs, until the last round"
					   : "%" PRIu64 " pairs",
			planned->most_lost);
	if (schedule->stages) {
		hd_columns_init(&columns, 11, 0x7FF);
		hd_columns_titles(&columns, "round", "new LFT entries", "new SL2VL rows",
				  "dropped entries", "dropped rows", "nodes", "new path SLs",
				  "port sets", "private entries", "map rows", "VL2VL rows");
	} else {
		hd_columns_init(&columns, 8, 0xFF);
		hd_columns_titles(&columns, "round", "new LFT entries", "new SL2VL rows",
				  "dropped entries", "dropped rows", "nodes", "new path SLs",
				  "port sets");
	}
	for (unsigned r = 0; r < schedule->n_rounds; r++) {
		const struct hd_round *round = &schedule->rounds[r];

		hd_columns_add(&columns, "%u", r + 1);
		hd_columns_add(&columns, "%" PRIu64, round->n_entries);
		hd_columns_add(&columns, "%" PRIu64, round->n_rows);
		hd_columns_add(&columns, "%" PRIu64, round->n_dropped_entries);
		hd_columns_add(&columns, "%" PRIu64, round->n_dropped_rows);
		hd_columns_add(&columns, "%" PRIu32, round->n_nodes);
		hd_columns_add(&columns, "%s", round->path_sls ? "yes" : "-");
		add_sets(&columns, schedule, r);
		if (!schedule->stages)
			continue;
		hd_columns_add(&columns, "%" PRIu64, round->n_private);
		hd_columns_add(&columns, "%" PRIu64, round->n_map_rows);
		hd_columns_add(&columns, "%" PRIu64, round->n_vl2vl_rows);
	}
	return hd_columns_print(&columns, err);
}

static void print_json(const struct planned *planned)
{
	const struct hd_schedule *schedule = &planned->schedule;
	json_t *root = hd_json_begin(), *rounds = json_array();

	for (unsigned r = 0; r < schedule->n_rounds; r++) {
		const struct hd_round *round = &schedule->rounds[r];

		json_t *object = json_pack(
			"{s:I, s:I, s:I, s:I, s:i, s:b, s:I, s:I}", "entries",
			(json_int_t)round->n_entries, "rows", (json_int_t)round->n_rows,
			"dropped_entries", (json_int_t)round->n_dropped_entries, "dropped_rows",
			(json_int_t)round->n_dropped_rows, "nodes", (int)round->n_nodes, "path_sls",
			round->path_sls, "pairs_lost", (json_int_t)planned->lost[r], "port_sets",
			(json_int_t)round->n_sets);

		json_array_append_new(rounds, object);
		if (!schedule->stages)
			continue;
		json_object_set_new(object, "private_entries",
				    json_integer((json_int_t)round->n_private));
		json_object_set_new(object, "map_rows",
				    json_integer((json_int_t)round->n_map_rows));
		json_object_set_new(object, "vl2vl_rows",
				    json_integer((json_int_t)round->n_vl2vl_rows));
	}
	json_object_set_new(root, "scheduled", json_boolean(!planned->refusal));
	json_object_set_new(root, "refusal",
			    planned->refusal ? hd_json_text(planned->refusal) : json_null());
	json_object_set_new(root, "at_once", json_boolean(schedule->is_at_once));
	json_object_set_new(root, "old_loops", json_boolean(schedule->old_loops));
	json_object_set_new(root, "pairs_lost", json_integer((json_int_t)planned->most_lost));
	json_object_set_new(root, "rounds", rounds);
	hd_json_print(root);
}

/* Plans; that there is no schedule is a result. */
static int plan(const struct hd_tables *now, const struct hd_tables *before,
		struct planned *planned, struct hd_error *err)
{
	int ret = hd_schedule_make(now, before, &planned->schedule, err);

	if (ret == HD_EREFUSED) {
		planned->refusal = err->text;
		return 0;
	}
	if (!ret && planned->schedule.needs_new_sls) {
		planned->refusal =
			"hosts that keep old path SLs have a loop by the new tables: they "
			"must ask for new ones before they send";
		return 0;
	}
	return ret ? ret : count_lost(planned, now, before, err);
}

int hd_schedule_run(const struct hd_snapshot *old, const char *old_name,
		    const struct hd_snapshot *new, const struct hd_common *common, bool json,
		    int *status, struct hd_error *err)
{
	struct planned planned = { .refusal = NULL };
	struct hd_both_tables both;
	struct hd_progress progress;
	int ret = hd_input_both(old->tables, old_name, new->tables, common, &both, err);

	hd_progress_begin(&progress, common, "planning");
	if (!ret)
		ret = plan(both.now, both.before, &planned, err);
	hd_note_verbose(common, "planned in %.3f s", hd_progress_end(&progress));
	if (!ret) {
		*status = planned.refusal ? HD_EXIT_NO : HD_EXIT_YES;
		if (json)
			print_json(&planned);
		else
			ret = print_text(&planned, err);
	}
	hd_schedule_clear(&planned.schedule);
	hd_both_tables_clear(&both);
	return ret;
}
