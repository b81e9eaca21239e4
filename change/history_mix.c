// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/history_mix.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Values: two of each entry, row and link */

static uint64_t nothing_of(enum hd_fabric_state_kind kind)
{
	return kind == HD_STATE_ENTRY ? HD_NO_PATH : kind == HD_STATE_LINK ? false : HD_VL_DROP;
}

/* Adds @value to @low and @high; false: there is no room. */
static bool add_value(uint64_t nothing, uint64_t *low, uint64_t *high, uint64_t value)
{
	if (value == nothing || value == *low || value == *high)
		return true;
	if (*low == *high)
		*high = value;
	else if (*low == nothing)
		*low = value;
	else
		return false;
	return true;
}

/* The same for each SL of a row. */
static bool add_row(hd_sl2vl_row *low, hd_sl2vl_row *high, hd_sl2vl_row row)
{
	bool has_room = true;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		uint64_t a = hd_row_vl(*low, sl), b = hd_row_vl(*high, sl);

		has_room &= add_value(HD_VL_DROP, &a, &b, hd_row_vl(row, sl));
		*low = hd_row_set(*low, sl, (unsigned)a);
		*high = hd_row_set(*high, sl, (unsigned)b);
	}
	return has_room;
}

static bool add(enum hd_fabric_state_kind kind, uint64_t *low, uint64_t *high, uint64_t value)
{
	return kind == HD_STATE_ROW ? add_row(low, high, value)
				    : add_value(nothing_of(kind), low, high, value);
}

uint32_t hd_prover_mix_first(const struct hd_prover_change *changes, size_t last)
{
	const struct hd_prover_change *change = &changes[last];
	uint64_t low = change->of.new, high = low;

	for (;;) {
		if (!add(change->of.kind, &low, &high, change->of.old))
			return change->state;
		if (!change->earlier)
			return 0;
		change = &changes[change->earlier - 1];
	}
}

/* Tables */

void hd_prover_mix_clear(struct hd_prover_mix *mix)
{
	hd_tables_free(mix->low);
	hd_tables_free(mix->high);
	free(mix->low_active);
	free(mix->high_active);
	*mix = (struct hd_prover_mix){ .low = NULL };
}

static int take_sls(const struct hd_tables *sls, struct hd_tables *to, struct hd_error *err)
{
	int ret = hd_tables_set_sl_rows(to, sls->n_sl_rows, err);

	if (ret)
		return ret;
	memcpy(to->sl_rows, sls->sl_rows, sls->n_sl_rows * sls->lft_stride);
	memcpy(to->sl_row_of_port, sls->sl_row_of_port,
	       to->fabric->n_ports * sizeof(*to->sl_row_of_port));
	return 0;
}

static int make_side(const struct hd_fabric_state *held, const struct hd_tables *sls,
		     struct hd_tables **tables, bool **active, struct hd_error *err)
{
	const struct hd_tables *from = held->tables;
	const struct hd_fabric *fabric = &held->fabric;
	int ret = hd_tables_new(fabric, tables, err);

	if (ret)
		return ret;
	(*tables)->has_sl2vl = true;
	memcpy((*tables)->lft, from->lft, fabric->n_switches * from->lft_stride);
	memcpy((*tables)->sl2vl, from->sl2vl,
	       from->sl2vl_first[fabric->n_nodes] * sizeof(*from->sl2vl));
	*active = malloc(fabric->n_ports + (size_t)1);
	if (!*active)
		return hd_error_nomem(err);
	memcpy(*active, held->active, fabric->n_ports * sizeof(*held->active));
	return sls ? take_sls(sls, *tables, err) : 0;
}

int hd_prover_mix_init(struct hd_prover_mix *mix, const struct hd_fabric_state *held,
		       const struct hd_tables *sls, struct hd_error *err)
{
	int ret;

	*mix = (struct hd_prover_mix){ .low = NULL };
	ret = make_side(held, sls, &mix->low, &mix->low_active, err);
	return ret ? ret : make_side(held, sls, &mix->high, &mix->high_active, err);
}

struct values {
	uint64_t low, high;
};

static struct values get(const struct hd_prover_mix *mix,
			 const struct hd_fabric_state_change *change)
{
	switch (change->kind) {
	case HD_STATE_ENTRY:
		return (struct values){ mix->low->lft[change->index],
					mix->high->lft[change->index] };
	case HD_STATE_ROW:
		return (struct values){ mix->low->sl2vl[change->index],
					mix->high->sl2vl[change->index] };
	default:
		return (struct values){ mix->low_active[change->index],
					mix->high_active[change->index] };
	}
}

static void put(struct hd_prover_mix *mix, const struct hd_fabric_state_change *change,
		uint64_t low, uint64_t high)
{
	switch (change->kind) {
	case HD_STATE_ENTRY:
		mix->low->lft[change->index] = (uint8_t)low;
		mix->high->lft[change->index] = (uint8_t)high;
		break;
	case HD_STATE_ROW:
		mix->low->sl2vl[change->index] = low;
		mix->high->sl2vl[change->index] = high;
		break;
	case HD_STATE_LINK:
		mix->low_active[change->index] = low != 0;
		mix->high_active[change->index] = high != 0;
		break;
	}
}

/* Back to the values behind the changes before `from`. */
static void undo(struct hd_prover_mix *mix, const struct hd_prover_change *changes)
{
	for (; mix->to > mix->from; mix->to--) {
		const struct hd_fabric_state_change *change = &changes[mix->to - 1].of;

		put(mix, change, change->old, change->old);
	}
}

/* From the values behind the changes before `from` to those before @from. */
static void shift(struct hd_prover_mix *mix, const struct hd_prover_change *changes, size_t from)
{
	for (; mix->from < from; mix->from++) {
		const struct hd_fabric_state_change *change = &changes[mix->from].of;

		put(mix, change, change->new, change->new);
	}
	for (; mix->from > from; mix->from--) {
		const struct hd_fabric_state_change *change = &changes[mix->from - 1].of;

		put(mix, change, change->old, change->old);
	}
	mix->to = from;
}

void hd_prover_mix_move(struct hd_prover_mix *mix, const struct hd_prover_change *changes,
			size_t from, size_t to)
{
	if (mix->from != from || mix->to > to) {
		undo(mix, changes);
		shift(mix, changes, from);
	}
	for (; mix->to < to; mix->to++) {
		const struct hd_fabric_state_change *change = &changes[mix->to].of;
		struct values values = get(mix, change);

		add(change->kind, &values.low, &values.high, change->new);
		put(mix, change, values.low, values.high);
	}
}

void hd_prover_mix_forget(struct hd_prover_mix *mix, const struct hd_prover_change *changes,
			  size_t n)
{
	hd_prover_mix_move(mix, changes, n, n);
	mix->from = mix->to = 0;
}
