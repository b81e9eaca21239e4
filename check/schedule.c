// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "check/mixtures.h"
#include "support/error.h"
#include "tables/onto.h"

#define BLOCK 64 /* LIDs whose columns are taken together: a line of an LFT */

/*
 * Steps, in the order in which they are tried; entries at distance d are step FIRST_ENTRIES + d.
 * Step 0: nothing changes.
 */
enum {
	EARLY_ROWS = 1, /* that no packet takes by the old tables */
	FIRST_ENTRIES,
	ROWS = 250,
	LATE_ROWS, /* that no packet takes by the new tables */
	AGAIN,     /* what was not proved when its turn came */
	DROPPED,
};

/* How often a step is split by halves: the first of these that comes to few rounds. */
static const unsigned most_splits[] = { 7, 6, 5, 4, 3, 2, 0 };
#define FEW_ROUNDS 16

struct plan {
	const struct hd_tables *now, *before;
	struct hd_schedule *schedule;
	uint8_t *entry_step; /* [as lft] */
	uint8_t *row_step;   /* [as sl2vl] */

	struct hd_tables *base; /* behind the last round that is closed */
	struct hd_tables *next; /* with the round that is open */
	bool is_open;           /* the open round, schedule->n_rounds, has changes */
	bool any_again;
	unsigned n_splits, most_rounds;
	bool present[256]; /* [step] something changes in it */
	struct hd_error *err;
};

/* What changes in one step: rows and entries of some nodes, the latter for some LIDs. */
struct part {
	unsigned step;
	uint32_t first, end; /* nodes */
	uint32_t first_lid, end_lid;
	bool without_rows;
};

static size_t lft_size(const struct hd_tables *tables)
{
	return tables->fabric->n_switches * tables->lft_stride;
}

static size_t n_rows(const struct hd_tables *tables)
{
	return tables->sl2vl_first[tables->fabric->n_nodes];
}

static void copy_tables(struct hd_tables *to, const struct hd_tables *from)
{
	memcpy(to->lft, from->lft, lft_size(to));
	memcpy(to->sl2vl, from->sl2vl, n_rows(to) * sizeof(*to->sl2vl));
}

/* @row, with the SLs dropped that the new row has on other VLs. */
static hd_sl2vl_row drop_row(hd_sl2vl_row row, hd_sl2vl_row new)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (hd_row_vl(row, sl) != hd_row_vl(new, sl))
			row = hd_row_set(row, sl, HD_VL_DROP);
	return row;
}

/* The loop over the switches of @part. */
#define for_each_switch_of(s, part, plan)                                                        \
	for (uint32_t s = (part)->first; s < (part)->end && s < (plan)->now->fabric->n_switches; \
	     s++)

/* The SL2VL rows of the nodes of @part. */
static void rows_of(const struct plan *plan, const struct part *part, size_t *first, size_t *end)
{
	*first = plan->now->sl2vl_first[part->first];
	*end = part->without_rows ? *first : plan->now->sl2vl_first[part->end];
}

/* Gives what changes in @part its values of @from in the round that is open; false: nothing does. */
static bool apply(struct plan *plan, const struct part *part, const struct hd_tables *from)
{
	size_t first, end;
	bool any = false;

	for_each_switch_of(s, part, plan)
	{
		const size_t row = s * plan->now->lft_stride;

		for (size_t i = row + part->first_lid; i < row + part->end_lid; i++) {
			if (plan->entry_step[i] != part->step)
				continue;
			plan->next->lft[i] = from->lft[i];
			any = true;
		}
	}
	rows_of(plan, part, &first, &end);
	for (size_t i = first; i < end; i++) {
		if (plan->row_step[i] != part->step)
			continue;
		plan->next->sl2vl[i] = from->sl2vl[i];
		any = true;
	}
	return any;
}

/* Notes what changes in @part, now that it is proved: its round, or that it is another step. */
static void note(struct plan *plan, const struct part *part, uint8_t round, uint8_t step)
{
	size_t first, end;

	for_each_switch_of(s, part, plan)
	{
		const size_t row = s * plan->now->lft_stride;

		for (size_t i = row + part->first_lid; i < row + part->end_lid; i++) {
			if (plan->entry_step[i] != part->step)
				continue;
			plan->schedule->entry_new[i] = round;
			plan->entry_step[i] = step;
		}
	}
	rows_of(plan, part, &first, &end);
	for (size_t i = first; i < end; i++) {
		if (plan->row_step[i] != part->step)
			continue;
		plan->schedule->row_new[i] = round;
		plan->row_step[i] = step;
	}
}

static int begin_round(struct plan *plan)
{
	if (plan->schedule->n_rounds == plan->most_rounds)
		return hd_error_set(plan->err, HD_EREFUSED, "it takes more than %u rounds",
				    plan->most_rounds);
	plan->schedule->n_rounds++;
	plan->is_open = true;
	return 0;
}

/* Adds @part to the round that is open, or else to a new one; *@done: it is proved. */
static int add(struct plan *plan, const struct part *part, bool *done)
{
	int ret;

	*done = true;
	if (!apply(plan, part, plan->now))
		return 0;
	ret = hd_mixtures_are_sound(plan->next, plan->base, done, plan->err);
	if (!ret && !*done && plan->is_open) {
		/* the round is closed without it */
		apply(plan, part, plan->before);
		copy_tables(plan->base, plan->next);
		plan->is_open = false;
		apply(plan, part, plan->now);
		ret = hd_mixtures_are_sound(plan->next, plan->base, done, plan->err);
	}
	if (ret)
		return ret;
	if (!*done) {
		apply(plan, part, plan->before);
		return 0;
	}
	if (!plan->is_open)
		ret = begin_round(plan);
	if (!ret)
		note(plan, part, (uint8_t)plan->schedule->n_rounds, 0);
	return ret;
}

/* Whether anything changes in @part. */
static bool has_any(const struct plan *plan, const struct part *part)
{
	size_t first, end;

	for_each_switch_of(
		s, part,
		plan) if (memchr(plan->entry_step + s * plan->now->lft_stride + part->first_lid,
				 (int)part->step, part->end_lid - part->first_lid)) return true;
	rows_of(plan, part, &first, &end);
	return memchr(plan->row_step + first, (int)part->step, end - first);
}

/*
 * Halves @part at the middle of its LIDs, or else of its nodes, and so on in the half that has all
 * that changes, until both have something: the second is returned, with a step of 0 if there is no
 * such middle. Rows stay with the first.
 */
static struct part split(const struct plan *plan, struct part *part)
{
	for (;;) {
		struct part low = *part, high = *part;

		if (part->end_lid - part->first_lid > 1) {
			low.end_lid = high.first_lid =
				part->first_lid + (part->end_lid - part->first_lid) / 2;
			high.without_rows = true;
		} else if (part->end - part->first > 1) {
			low.end = high.first = part->first + (part->end - part->first) / 2;
		} else {
			return (struct part){ .step = 0 };
		}
		if (has_any(plan, &low) && has_any(plan, &high)) {
			*part = low;
			return high;
		}
		*part = has_any(plan, &low) ? low : high;
	}
}

/* Puts @part into rounds, in halves if need be. What is not proved alone becomes step @failed. */
static int place(struct plan *plan, struct part part, unsigned n_splits, uint8_t failed)
{
	struct part rest;
	bool done;
	int ret = add(plan, &part, &done);

	if (ret || done)
		return ret;
	rest = n_splits ? split(plan, &part) : (struct part){ .step = 0 };
	if (!rest.step) {
		note(plan, &part, 0, failed);
		plan->any_again = true;
		return 0;
	}
	ret = place(plan, part, n_splits - 1, failed);
	return ret ? ret : place(plan, rest, n_splits - 1, failed);
}

static struct part whole(const struct plan *plan, unsigned step)
{
	return (struct part){ .step = step,
			      .end = plan->now->fabric->n_nodes,
			      .end_lid = plan->now->fabric->top_lid + 1 };
}

/* Sets what is DROPPED to lead nowhere, from round @round on. */
static void drop(struct plan *plan, uint8_t round)
{
	for (size_t i = 0; i < lft_size(plan->now); i++)
		if (plan->entry_step[i] == DROPPED) {
			plan->next->lft[i] = HD_NO_PATH;
			plan->schedule->entry_drop[i] = round;
		}
	for (size_t i = 0; i < n_rows(plan->now); i++)
		if (plan->row_step[i] == DROPPED) {
			plan->next->sl2vl[i] =
				drop_row(plan->before->sl2vl[i], plan->now->sl2vl[i]);
			plan->schedule->row_drop[i] = round;
		}
}

/* How far switches are from one LID by the new tables. */
struct distances {
	const struct hd_tables *tables;
	uint32_t lid;
	uint32_t *order; /* switches whose distance is asked for, each behind the one before */
	uint8_t *of;     /* [switch] steps; 0: not known */
};

/* The switch that @s forwards to; HD_NONE: the entry leads to none. */
static uint32_t next_switch(const struct distances *d, uint32_t s)
{
	const struct hd_fabric *fabric = d->tables->fabric;
	const unsigned out = hd_lft(d->tables, s)[d->lid];
	uint32_t peer;

	if (out == 0 || out > fabric->nodes[s].n_ports)
		return HD_NONE;
	peer = fabric->ports[hd_port_index(fabric, s, out)].peer;
	if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[peer].node))
		return HD_NONE;
	return fabric->ports[peer].node;
}

/* The step of the entry of @s: that of the next switch, and one more. */
static uint8_t distance(struct distances *d, uint32_t s)
{
	uint32_t n = 0;
	uint8_t step;

	while (s != HD_NONE && !d->of[s]) {
		/* not known yet, but no circle is walked twice: new tables that loop are refused */
		d->of[s] = FIRST_ENTRIES;
		d->order[n++] = s;
		s = s == d->tables->fabric->lids[d->lid].via_switch ? HD_NONE : next_switch(d, s);
	}
	step = s == HD_NONE ? FIRST_ENTRIES - 1 : d->of[s];
	while (n > 0) {
		step = step < ROWS - 1 ? (uint8_t)(step + 1) : step;
		d->of[d->order[--n]] = step;
	}
	return step;
}

/* Marks the LIDs of a block, from @first on, for which some switch has a new entry. */
static void find_changed(const struct plan *plan, size_t first, bool *changed)
{
	memset(changed, 0, BLOCK * sizeof(*changed));
	hd_for_each_switch(s, plan->now->fabric) {
		const uint8_t *now = hd_lft(plan->now, s) + first;
		const uint8_t *before = hd_lft(plan->before, s) + first;

		if (memcmp(now, before, BLOCK) == 0)
			continue;
		for (unsigned i = 0; i < BLOCK; i++)
			changed[i] |= now[i] != before[i];
	}
}

/* Entries that lead nowhere come with those at the destination. */
static int step_entries(struct plan *plan)
{
	const struct hd_fabric *fabric = plan->now->fabric;
	const size_t stride = plan->now->lft_stride;
	struct distances d = { .tables = plan->now };
	bool changed[BLOCK];
	int ret;

	d.order = malloc((fabric->n_switches + (size_t)1) * sizeof(*d.order));
	d.of = malloc(fabric->n_switches + (size_t)1);
	for (size_t first = 0; d.order && d.of && first < stride; first += BLOCK) {
		find_changed(plan, first, changed);
		for (size_t i = 0; i < BLOCK && first + i <= fabric->top_lid; i++) {
			d.lid = (uint32_t)(first + i);
			if (!changed[i])
				continue;
			memset(d.of, 0, fabric->n_switches);
			hd_for_each_switch(s, fabric) {
				const size_t entry = s * stride + d.lid;

				if (plan->now->lft[entry] == plan->before->lft[entry])
					continue;
				plan->entry_step[entry] = distance(&d, s);
				plan->present[plan->entry_step[entry]] = true;
			}
		}
	}
	ret = d.order && d.of ? 0 : hd_error_nomem(plan->err);
	free(d.order);
	free(d.of);
	return ret;
}

/* The SLs of which the two rows differ. */
static unsigned differing_sls(hd_sl2vl_row a, hd_sl2vl_row b)
{
	unsigned sls = 0;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		sls |= (unsigned)(hd_row_vl(a, sl) != hd_row_vl(b, sl)) << sl;
	return sls;
}

static int step_rows(struct plan *plan)
{
	const size_t n_of_switches = plan->now->sl2vl_first[plan->now->fabric->n_switches];
	uint16_t *old = calloc(n_of_switches + 1, sizeof(*old));
	uint16_t *new = calloc(n_of_switches + 1, sizeof(*new));
	int ret = old && new ? 0 : hd_error_nomem(plan->err);

	if (!ret && memcmp(plan->now->sl2vl, plan->before->sl2vl,
			   n_of_switches * sizeof(*plan->now->sl2vl)) != 0) {
		ret = hd_mixtures_use_rows(plan->before, plan->before, old, plan->err);
		if (!ret)
			ret = hd_mixtures_use_rows(plan->now, plan->now, new, plan->err);
	}
	for (size_t i = 0; !ret && i < n_rows(plan->now); i++) {
		const unsigned sls = differing_sls(plan->now->sl2vl[i], plan->before->sl2vl[i]);

		if (!sls)
			continue;
		plan->row_step[i] = ROWS;
		if (i < n_of_switches && !(sls & old[i]))
			plan->row_step[i] = EARLY_ROWS;
		else if (i < n_of_switches && !(sls & new[i]))
			plan->row_step[i] = LATE_ROWS;
		plan->present[plan->row_step[i]] = true;
	}
	free(old);
	free(new);
	return ret;
}

/* The first round, in which what is DROPPED is dropped. */
static int place_drops(struct plan *plan)
{
	bool is_sound = true;
	int ret = begin_round(plan);

	drop(plan, 1);
	/* ways are taken away: nothing is to be feared but of old tables that loop anyway */
	if (!ret && !plan->schedule->old_loops)
		ret = hd_mixtures_are_sound(plan->next, plan->base, &is_sound, plan->err);
	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no order of rounds was found");
	copy_tables(plan->base, plan->next);
	plan->is_open = false;
	return ret;
}

/* Puts all steps into rounds, behind that in which what is DROPPED is dropped, if any is. */
static int place_all(struct plan *plan, bool any_dropped)
{
	int ret = 0;

	plan->schedule->n_rounds = 0;
	plan->is_open = false;
	plan->any_again = false;
	copy_tables(plan->base, plan->before);
	copy_tables(plan->next, plan->before);
	if (any_dropped)
		ret = place_drops(plan);
	for (unsigned step = EARLY_ROWS; !ret && step <= LATE_ROWS; step++)
		if (plan->present[step])
			ret = place(plan, whole(plan, step), plan->n_splits, AGAIN);
	if (ret || !plan->any_again)
		return ret;
	plan->any_again = false;
	return place(plan, whole(plan, AGAIN), plan->n_splits, DROPPED);
}

/* The last round of tables: what was dropped gets its new values. */
static int place_dropped(struct plan *plan)
{
	const struct part part = whole(plan, DROPPED);
	bool is_sound;
	int ret;

	copy_tables(plan->base, plan->next);
	apply(plan, &part, plan->now);
	ret = hd_mixtures_are_sound(plan->next, plan->base, &is_sound, plan->err);
	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no order of rounds was found");
	if (!ret)
		ret = begin_round(plan);
	if (!ret)
		note(plan, &part, (uint8_t)plan->schedule->n_rounds, 0);
	return ret;
}

static int find_steps(struct plan *plan)
{
	int ret;

	memset(plan->entry_step, 0, lft_size(plan->now));
	memset(plan->row_step, 0, n_rows(plan->now));
	memset(plan->schedule->entry_new, 0, lft_size(plan->now));
	memset(plan->schedule->row_new, 0, n_rows(plan->now));
	memset(plan->present, 0, sizeof(plan->present));
	ret = step_entries(plan);
	return ret ? ret : step_rows(plan);
}

/* Steps are about to be found again, but for what is dropped. */
static void keep_dropped(struct plan *plan)
{
	for (size_t i = 0; i < lft_size(plan->now); i++)
		plan->schedule->entry_drop[i] = plan->entry_step[i] == DROPPED;
	for (size_t i = 0; i < n_rows(plan->now); i++)
		plan->schedule->row_drop[i] = plan->row_step[i] == DROPPED;
}

static void take_dropped(struct plan *plan)
{
	for (size_t i = 0; i < lft_size(plan->now); i++)
		if (plan->schedule->entry_drop[i])
			plan->entry_step[i] = DROPPED;
	for (size_t i = 0; i < n_rows(plan->now); i++)
		if (plan->schedule->row_drop[i])
			plan->row_step[i] = DROPPED;
}

/* From old tables that loop, nothing but dropping all that changes leads away. */
static void drop_everything(struct plan *plan)
{
	for (size_t i = 0; i < lft_size(plan->now); i++)
		if (plan->entry_step[i])
			plan->entry_step[i] = DROPPED;
	for (size_t i = 0; i < n_rows(plan->now); i++)
		if (plan->row_step[i])
			plan->row_step[i] = DROPPED;
	memset(plan->present, 0, sizeof(plan->present));
}

/*
 * Rounds, with ever more that is dropped, until all are proved. That the old tables loop by
 * themselves is found where not all is proved: then all that changes is dropped.
 */
static int make_rounds(struct plan *plan)
{
	bool any_dropped = false, is_sound = true;
	int ret;

	memset(plan->schedule->entry_drop, 0, lft_size(plan->now));
	memset(plan->schedule->row_drop, 0, n_rows(plan->now));
	ret = find_steps(plan);
	while (!ret) {
		ret = place_all(plan, any_dropped);
		if (ret || !plan->any_again)
			break;
		if (!any_dropped)
			ret = hd_mixtures_are_sound(plan->before, plan->before, &is_sound,
						    plan->err);
		plan->schedule->old_loops = !is_sound;
		any_dropped = true;
		keep_dropped(plan);
		if (!ret)
			ret = find_steps(plan);
		take_dropped(plan);
		if (!is_sound)
			drop_everything(plan);
	}
	if (!ret && any_dropped)
		ret = place_dropped(plan);
	return ret;
}

/* Rather more rounds than dropped packets, and rather dropped packets than very many rounds. */
static int make_few_rounds(struct plan *plan)
{
	const size_t n = sizeof(most_splits) / sizeof(most_splits[0]);
	int ret = HD_EREFUSED;

	for (size_t i = 0; i < n && ret == HD_EREFUSED; i++) {
		plan->n_splits = most_splits[i];
		plan->most_rounds = i + 1 < n ? FEW_ROUNDS : HD_MAX_ROUNDS;
		ret = make_rounds(plan);
	}
	plan->most_rounds = HD_MAX_ROUNDS;
	return ret;
}

static void count_rounds(struct hd_schedule *schedule, const struct hd_tables *now)
{
	const struct hd_fabric *fabric = now->fabric;

	hd_for_each_node(node, fabric) {
		bool is_in[HD_MAX_ROUNDS] = { false };

		for (size_t i = node * now->lft_stride;
		     hd_is_switch(fabric, node) && i < (node + (size_t)1) * now->lft_stride; i++) {
			if (schedule->entry_new[i]) {
				schedule->rounds[schedule->entry_new[i] - 1].n_entries++;
				is_in[schedule->entry_new[i] - 1] = true;
			}
			if (schedule->entry_drop[i]) {
				schedule->rounds[schedule->entry_drop[i] - 1].n_dropped_entries++;
				is_in[schedule->entry_drop[i] - 1] = true;
			}
		}
		for (size_t i = now->sl2vl_first[node]; i < now->sl2vl_first[node + 1]; i++) {
			if (schedule->row_new[i]) {
				schedule->rounds[schedule->row_new[i] - 1].n_rows++;
				is_in[schedule->row_new[i] - 1] = true;
			}
			if (schedule->row_drop[i]) {
				schedule->rounds[schedule->row_drop[i] - 1].n_dropped_rows++;
				is_in[schedule->row_drop[i] - 1] = true;
			}
		}
		for (unsigned round = 0; round < schedule->n_rounds; round++)
			schedule->rounds[round].n_nodes += is_in[round];
	}
}

/* Whether the path SLs of some source differ. */
static bool sls_differ(const struct hd_tables *now, const struct hd_tables *before)
{
	hd_for_each_port(p, now->fabric)
		if (hd_is_end_port(now->fabric, p))
			hd_for_each_lid(lid, now->fabric)
				if (now->fabric->lids[lid].port != HD_NONE &&
				    now->fabric->lids[lid].port != p &&
				    hd_path_sl(now, p, lid) != hd_path_sl(before, p, lid))
					return true;
	return false;
}

/* All at once in one round, where all mixtures are sound. */
static void take_at_once(struct plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;
	bool any = false;

	for (size_t i = 0; i < lft_size(plan->now); i++) {
		schedule->entry_new[i] = plan->now->lft[i] != plan->before->lft[i];
		any |= schedule->entry_new[i];
	}
	for (size_t i = 0; i < n_rows(plan->now); i++) {
		schedule->row_new[i] = plan->now->sl2vl[i] != plan->before->sl2vl[i];
		any |= schedule->row_new[i];
	}
	schedule->n_rounds = any;
}

/* The new tables with the old path SLs, and with both. */
static int judge_sls(struct plan *plan, bool *is_sound)
{
	copy_tables(plan->next, plan->now);
	return hd_mixtures_are_sound(plan->now, plan->next, is_sound, plan->err);
}

/* Why there is no schedule, if it is that the new tables have a loop by themselves. */
static int blame_new(struct plan *plan)
{
	bool is_sound;
	int ret = hd_mixtures_are_sound(plan->now, plan->now, &is_sound, plan->err);

	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED,
				   "the new tables have a loop by themselves");
	return ret;
}

static int make(struct plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;
	const bool differ = sls_differ(plan->now, plan->before);
	bool is_sound = true;
	int ret = hd_mixtures_are_sound(plan->now, plan->before, &is_sound, plan->err);

	schedule->is_at_once = !ret && is_sound;
	if (schedule->is_at_once)
		take_at_once(plan);
	if (!ret && !is_sound)
		ret = blame_new(plan);
	if (!ret && !is_sound && differ) {
		ret = judge_sls(plan, &is_sound);
		schedule->needs_new_sls = !ret && !is_sound;
		if (ret || schedule->needs_new_sls)
			return ret;
	}
	if (!ret && !schedule->is_at_once)
		ret = make_few_rounds(plan);
	if (!ret && differ) {
		if (!schedule->is_at_once || !schedule->n_rounds)
			ret = begin_round(plan);
		schedule->rounds[schedule->n_rounds - 1].path_sls = true;
	}
	if (!ret)
		count_rounds(schedule, plan->now);
	return ret;
}

int hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, struct hd_error *err)
{
	struct plan plan = { .now = now,
			     .before = before,
			     .schedule = schedule,
			     .most_rounds = HD_MAX_ROUNDS,
			     .err = err };
	int ret = 0;

	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	if (now->ar || before->ar)
		return hd_error_set(err, HD_EINVAL, "tables with AR sets are not scheduled");
	schedule->entry_new = calloc(lft_size(now) + 1, 1);
	schedule->entry_drop = calloc(lft_size(now) + 1, 1);
	schedule->row_new = calloc(n_rows(now) + 1, 1);
	schedule->row_drop = calloc(n_rows(now) + 1, 1);
	plan.entry_step = calloc(lft_size(now) + 1, 1);
	plan.row_step = calloc(n_rows(now) + 1, 1);
	if (!schedule->entry_new || !schedule->entry_drop || !schedule->row_new ||
	    !schedule->row_drop || !plan.entry_step || !plan.row_step)
		ret = hd_error_nomem(err);
	if (!ret)
		ret = hd_tables_onto(before, before->fabric, &plan.base, NULL, err);
	if (!ret)
		ret = hd_tables_onto(before, before->fabric, &plan.next, NULL, err);
	if (!ret)
		ret = make(&plan);
	hd_tables_free(plan.base);
	hd_tables_free(plan.next);
	free(plan.entry_step);
	free(plan.row_step);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
}

void hd_schedule_clear(struct hd_schedule *schedule)
{
	free(schedule->entry_new);
	free(schedule->entry_drop);
	free(schedule->row_new);
	free(schedule->row_drop);
	*schedule = (struct hd_schedule){ .n_rounds = 0 };
}

int hd_schedule_tables(const struct hd_schedule *schedule, const struct hd_tables *now,
		       const struct hd_tables *before, unsigned round, struct hd_tables **tables,
		       struct hd_error *err)
{
	const bool new_sls = round && schedule->rounds[round - 1].path_sls;
	struct hd_tables *at;
	int ret = hd_tables_onto(new_sls ? now : before, now->fabric, &at, NULL, err);

	*tables = at;
	if (ret)
		return ret;
	copy_tables(at, before);
	for (size_t i = 0; i < lft_size(now); i++) {
		if (schedule->entry_drop[i] && schedule->entry_drop[i] <= round)
			at->lft[i] = HD_NO_PATH;
		if (schedule->entry_new[i] && schedule->entry_new[i] <= round)
			at->lft[i] = now->lft[i];
	}
	for (size_t i = 0; i < n_rows(now); i++) {
		if (schedule->row_drop[i] && schedule->row_drop[i] <= round)
			at->sl2vl[i] = drop_row(before->sl2vl[i], now->sl2vl[i]);
		if (schedule->row_new[i] && schedule->row_new[i] <= round)
			at->sl2vl[i] = now->sl2vl[i];
	}
	return 0;
}
