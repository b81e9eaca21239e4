// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/history_naive.h"

#include "tests/unit/unit.h"

#include "check/check.h"
#include "tests/unit/history_case.h"

static size_t size_of_lft(const struct history_naive *naive)
{
	return naive->held.fabric.n_switches * naive->held.tables->lft_stride;
}

static size_t n_rows(const struct history_naive *naive)
{
	return naive->held.rows_first[naive->held.fabric.n_nodes];
}

static void *copy_of(const void *from, size_t size)
{
	void *copy = malloc(size);

	assert_non_null(copy);
	memcpy(copy, from, size);
	return copy;
}

static void add_state(struct history_naive *naive, uint64_t time)
{
	const struct hd_fabric_state *held = &naive->held;

	assert_true(naive->n < HISTORY_NAIVE_STATES);
	naive->states[naive->n++] = (struct history_naive_state){
		.time = time,
		.lft = copy_of(held->tables->lft, size_of_lft(naive)),
		.rows = copy_of(held->tables->sl2vl, n_rows(naive) * sizeof(hd_sl2vl_row)),
		.active = copy_of(held->active, held->fabric.n_ports * sizeof(bool)),
	};
}

/* Adds a value to two; false: there are two others. */
static bool adds(unsigned *a, unsigned *b, unsigned value, unsigned none)
{
	if (value == none || value == *a || value == *b)
		return true;
	if (*a != none && *b != none)
		return false;
	*(*a == none ? a : b) = value;
	return true;
}

/* Makes the sides all values of the states from @first to @last; false: there are too many. */
static bool unite(struct history_naive *naive, unsigned first, unsigned last)
{
	struct hd_fabric *fabric = &naive->held.fabric;
	bool fits = true;

	for (size_t i = 0; i < size_of_lft(naive); i++) {
		unsigned a = HD_NO_PATH, b = HD_NO_PATH;
		bool differs = false;

		for (unsigned s = first; s <= last; s++) {
			fits &= adds(&a, &b, naive->states[s].lft[i], HD_NO_PATH);
			differs |= naive->states[s].lft[i] != naive->states[first].lft[i];
		}
		naive->sides[0]->lft[i] = (uint8_t)a;
		/* where entries differ, packets that are lost on their way are followed so far */
		naive->sides[1]->lft[i] = (uint8_t)(differs ? b : a);
	}
	for (size_t i = 0; i < n_rows(naive); i++)
		for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
			unsigned vls[2] = { HD_VL_DROP, HD_VL_DROP };

			for (unsigned s = first; s <= last; s++)
				fits &= adds(&vls[0], &vls[1],
					     hd_row_vl(naive->states[s].rows[i], sl), HD_VL_DROP);
			for (unsigned side = 0; side < 2; side++)
				naive->sides[side]->sl2vl[i] =
					hd_row_set(naive->sides[side]->sl2vl[i], sl, vls[side]);
		}
	hd_for_each_port(p, fabric) {
		fabric->ports[p].peer = HD_NONE;
		for (unsigned s = first; s <= last; s++)
			if (naive->states[s].active[p])
				fabric->ports[p].peer = naive->held.cable[p];
	}
	return fits;
}

static bool is_sound(struct history_naive *naive)
{
	bool *failed = history_case_failed(&naive->held.fabric);
	const struct hd_check_options options = {
		.all_sls = true,
		.before = naive->sides[0],
		.failed = failed,
	};
	struct hd_check_result result;
	struct hd_error err;
	bool sound;

	assert_hd_ok(hd_check(naive->sides[1], &options, &result, &err), err);
	sound = !result.found[HD_CHECK_FORWARD_LOOP].n && !result.n_witness;
	hd_check_clear(&result);
	free(failed);
	return sound;
}

void history_naive_ask(struct history_naive *naive, uint64_t life)
{
	const struct history_naive_state *states = naive->states;
	unsigned firsts[HISTORY_NAIVE_STATES + 1];

	naive->n_windows = naive->n_unsound = naive->n_again = 0;
	firsts[naive->n] = HD_NONE;
	for (unsigned i = 0; i < naive->n; i++) {
		unsigned first = i;

		while (first > 0 && states[first].time + life >= states[i].time &&
		       unite(naive, first - 1, i))
			first--;
		firsts[i] = first;
		naive->n_again += first > 0 && (i == 0 || first != firsts[i - 1]) &&
				  states[first].time + life >= states[i].time;
	}
	for (unsigned i = 0; i < naive->n; i++) {
		if (firsts[i + 1] == firsts[i])
			continue;
		naive->n_windows++;
		assert_true(unite(naive, firsts[i], i));
		naive->n_unsound += !is_sound(naive);
	}
}

void history_naive_begin(struct history_naive *naive, const char *path)
{
	const struct hd_history_record *record;
	FILE *stream = fopen(path, "r");
	struct hd_error err;

	*naive = (struct history_naive){ .n = 0 };
	assert_non_null(stream);
	assert_hd_ok(hd_history_open(stream, "history", &naive->reader, &err), err);
	assert_hd_ok(hd_fabric_state_init(&naive->held, hd_history_fabric(naive->reader), &err),
		     err);
	for (;;) {
		assert_hd_ok(hd_history_next(naive->reader, &record, &err), err);
		if (!record)
			break;
		assert_hd_ok(hd_fabric_state_apply(&naive->held, record, "history", &err), err);
		if (naive->held.is_stale) {
			assert_int_equal(naive->n, 0);
			assert_hd_ok(hd_fabric_state_see(&naive->held, &err), err);
		} else if (!naive->held.n_changes && !naive->held.has_moved) {
			continue;
		}
		if (naive->held.n_active)
			add_state(naive, record->time);
	}
	for (unsigned side = 0; side < 2; side++) {
		assert_hd_ok(hd_tables_new(&naive->held.fabric, &naive->sides[side], &err), err);
		naive->sides[side]->has_sl2vl = true;
	}
}

void history_naive_end(struct history_naive *naive)
{
	for (unsigned i = 0; i < naive->n; i++) {
		free(naive->states[i].lft);
		free(naive->states[i].rows);
		free(naive->states[i].active);
	}
	hd_tables_free(naive->sides[0]);
	hd_tables_free(naive->sides[1]);
	hd_fabric_state_clear(&naive->held);
	hd_history_close(naive->reader);
}
