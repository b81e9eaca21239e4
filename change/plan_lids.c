// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries of a plan by LID: hosts' and switches', halves of either, distance by distance. */
#include "change/plan.h"

static bool has_lid(const struct hd_plan *plan, const struct hd_plan_lids *lids, uint32_t lid)
{
	return hd_steps_is_of_switch(plan->now->fabric, lid) ? lids->switches : lids->hosts;
}

/* Gives @at what is behind round @round. */
static void fill(const struct hd_plan *plan, unsigned round, struct hd_values *at)
{
	const struct hd_values *now = &plan->change.now, *before = &plan->change.before;

	hd_for_each_changed_entry(k, &plan->change)
		at->entry[k] =
			hd_rounds_entry(plan->schedule, now->entry[k], before->entry[k], round, k);
	hd_for_each_changed_row(k, &plan->change)
		at->row[k] = hd_rounds_row(plan->schedule, now->row[k], before->row[k], round, k);
}

/* Takes the entries for @lids out of their rounds again. */
static void take_back(struct hd_plan *plan, const struct hd_plan_lids *lids, unsigned n_rounds,
		      bool is_open)
{
	struct hd_schedule *schedule = plan->schedule;

	hd_for_each_changed_entry(k, &plan->change) {
		const uint32_t lid = (uint32_t)(plan->change.entries[k] % plan->now->lft_stride);

		if (lid < lids->first || lid >= lids->end || !schedule->entries.new[k] ||
		    !has_lid(plan, lids, lid))
			continue;
		schedule->entries.new[k] = 0;
		plan->entry_step[k] = plan->due.entry[k];
	}
	schedule->n_rounds = n_rounds;
	plan->is_open = is_open;
	fill(plan, n_rounds, &plan->next);
	fill(plan, is_open ? n_rounds - 1 : n_rounds, &plan->base);
}

/*
 * The steps of entries for @lids, hosts' and switches' of each distance in turn: that behind @step,
 * or the first; 0: there is none.
 */
static unsigned next_step(const struct hd_plan *plan, const struct hd_plan_lids *lids,
			  unsigned step)
{
	const unsigned apart = HD_STEP_SWITCH_ENTRIES - HD_STEP_ENTRIES;

	do {
		if (!step)
			step = HD_STEP_ENTRIES;
		else if (step < HD_STEP_SWITCH_ENTRIES)
			step += apart;
		else if (step - apart + 1 < HD_STEP_SWITCH_ENTRIES)
			step -= apart - 1;
		else
			return 0;
	} while (!plan->due.present[step] ||
		 !(step < HD_STEP_SWITCH_ENTRIES ? lids->hosts : lids->switches));
	return step;
}

/* All nodes' entries of step @step for @lids. */
static struct hd_part entries_of(const struct hd_plan *plan, const struct hd_plan_lids *lids,
				 unsigned step)
{
	return (struct hd_part){ .step = step,
				 .end = plan->now->fabric->n_nodes,
				 .first_lid = lids->first,
				 .end_lid = lids->end };
}

int hd_plan_add_lids(struct hd_plan *plan, const struct hd_plan_lids *lids, bool *done)
{
	unsigned step = next_step(plan, lids, 0);
	int ret = 0;

	for (*done = true; !ret && *done && step; step = next_step(plan, lids, step)) {
		const struct hd_part part = entries_of(plan, lids, step);

		ret = hd_plan_add(plan, &part, done);
	}
	return ret;
}

/* The LID below which half of those of @lids are that have changes; `first`: there are too few. */
static uint32_t find_middle(const struct hd_plan *plan, const struct hd_plan_lids *lids)
{
	uint32_t n = 0;

	for (uint32_t lid = lids->first; lid < lids->end; lid++)
		n += plan->due.changes[lid] && has_lid(plan, lids, lid);
	if (n < 2)
		return lids->first;
	n /= 2;
	for (uint32_t lid = lids->first; lid < lids->end; lid++) {
		if (!n)
			return lid;
		n -= plan->due.changes[lid] && has_lid(plan, lids, lid);
	}
	return lids->first;
}

/* Halves @lids: hosts and switches, or else by number; false: there is but one. */
static bool split_lids(const struct hd_plan *plan, struct hd_plan_lids *lids,
		       struct hd_plan_lids *rest)
{
	const uint32_t middle = find_middle(plan, lids);

	*rest = *lids;
	if (lids->hosts && lids->switches) {
		lids->switches = rest->hosts = false;
		return true;
	}
	lids->end = rest->first = middle;
	return middle != rest->end && lids->end != lids->first;
}

int hd_plan_place_lids(struct hd_plan *plan, struct hd_plan_lids lids, unsigned n_splits,
		       uint8_t failed)
{
	const unsigned n_rounds = plan->schedule->n_rounds;
	const bool is_open = plan->is_open;
	struct hd_plan_lids half = lids, rest;
	bool done;
	int ret = hd_plan_add_lids(plan, &lids, &done);

	if (ret || done)
		return ret;
	take_back(plan, &lids, n_rounds, is_open);
	/* that hosts and switches part costs no split */
	if (lids.hosts && lids.switches)
		n_splits++;
	if (n_splits && split_lids(plan, &half, &rest)) {
		ret = hd_plan_place_lids(plan, half, n_splits - 1, failed);
		return ret ? ret : hd_plan_place_lids(plan, rest, n_splits - 1, failed);
	}
	for (unsigned step = next_step(plan, &lids, 0); !ret && step;
	     step = next_step(plan, &lids, step))
		ret = hd_plan_place(plan, entries_of(plan, &lids, step), plan->n_splits, failed);
	return ret;
}
