// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/steps.h"

#include <stdlib.h>
#include <string.h>

#include "change/mixtures.h"
#include "support/error.h"

/* How far switches are from one LID by the new tables, in links or in entries that change. */
struct distances {
	const struct hd_tables *tables;
	const struct hd_tables *before; /* entries that it has, too, do not count; NULL: all do */
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

/* Whether packets are one step farther from the LID at @s than behind it. */
static bool counts(const struct distances *d, uint32_t s)
{
	return !d->before || hd_lft(d->before, s)[d->lid] != hd_lft(d->tables, s)[d->lid];
}

/* The step of the entry of @s: that of the next switch, and one more if @s counts. */
static uint8_t distance(struct distances *d, uint32_t s)
{
	uint32_t n = 0;
	uint8_t step;

	while (s != HD_NONE && !d->of[s]) {
		/* not known yet, but no circle is walked twice: new tables that loop are refused */
		d->of[s] = HD_STEP_ENTRIES;
		d->order[n++] = s;
		s = s == d->tables->fabric->lids[d->lid].via_switch ? HD_NONE : next_switch(d, s);
	}
	step = s == HD_NONE ? HD_STEP_ENTRIES - 1 : d->of[s];
	while (n > 0) {
		s = d->order[--n];
		if (step < HD_STEP_SWITCH_ENTRIES - 1 && counts(d, s))
			step++;
		d->of[s] = step;
	}
	return step;
}

/* Entries that lead nowhere come with those at the destination. */
static int step_entries(const struct hd_change *change, const struct hd_tables *now,
			const struct hd_tables *before, struct hd_steps *steps,
			struct hd_error *err)
{
	const struct hd_fabric *fabric = now->fabric;
	struct distances d = { .tables = now, .before = before };
	int ret;

	for (unsigned step = HD_STEP_ENTRIES; step < HD_STEP_ROWS; step++)
		steps->present[step] = false;

	d.order = malloc((fabric->n_switches + (size_t)1) * sizeof(*d.order));
	d.of = malloc(fabric->n_switches + (size_t)1);
	for (d.lid = 0; d.order && d.of && d.lid <= fabric->top_lid; d.lid++) {
		const uint32_t end = change->first_change[d.lid + 1];
		const unsigned kind = hd_steps_is_of_switch(fabric, d.lid)
					      ? HD_STEP_SWITCH_ENTRIES - HD_STEP_ENTRIES
					      : 0;

		steps->changes[d.lid] = change->first_change[d.lid] < end;
		if (steps->changes[d.lid])
			memset(d.of, 0, fabric->n_switches);
		for (uint32_t i = change->first_change[d.lid]; i < end; i++) {
			const struct hd_region_change *changed = &change->changes[i];
			const uint8_t step = (uint8_t)(distance(&d, changed->node) + kind);

			steps->entry[changed->place] = step;
			steps->present[step] = true;
		}
	}
	ret = d.order && d.of ? 0 : hd_error_nomem(err);
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

static int step_rows(const struct hd_change *change, const struct hd_tables *now,
		     const struct hd_tables *before, struct hd_steps *steps, struct hd_error *err)
{
	const size_t n_of_switches = now->sl2vl_first[now->fabric->n_switches];
	uint16_t *old = calloc(n_of_switches + 1, sizeof(*old));
	uint16_t *new = calloc(n_of_switches + 1, sizeof(*new));
	int ret = old && new ? 0 : hd_error_nomem(err);

	if (!ret && change->n_rows && change->rows[0] < n_of_switches) {
		ret = hd_mixtures_use_rows(before, before, old, err);
		if (!ret)
			ret = hd_mixtures_use_rows(now, now, new, err);
	}
	for (size_t k = 0; !ret && k < change->n_rows; k++) {
		const size_t i = change->rows[k];
		const unsigned sls = differing_sls(now->sl2vl[i], before->sl2vl[i]);

		steps->row[k] = HD_STEP_ROWS;
		if (i < n_of_switches && !(sls & old[i]))
			steps->row[k] = HD_STEP_EARLY_ROWS;
		else if (i < n_of_switches && !(sls & new[i]))
			steps->row[k] = HD_STEP_LATE_ROWS;
		steps->present[steps->row[k]] = true;
	}
	free(old);
	free(new);
	return ret;
}

int hd_steps_find(const struct hd_change *change, const struct hd_tables *now,
		  const struct hd_tables *before, struct hd_steps *steps, struct hd_error *err)
{
	int ret;

	*steps = (struct hd_steps){ .entry = NULL };
	steps->entry = calloc(change->n_entries + 1, 1);
	steps->row = calloc(change->n_rows + 1, 1);
	steps->changes = calloc(now->lft_stride, sizeof(*steps->changes));
	if (!steps->entry || !steps->row || !steps->changes)
		return hd_error_nomem(err);
	ret = step_entries(change, now, before, steps, err);
	return ret ? ret : step_rows(change, now, before, steps, err);
}

int hd_steps_by_links(const struct hd_change *change, const struct hd_tables *now,
		      struct hd_steps *steps, struct hd_error *err)
{
	return step_entries(change, now, NULL, steps, err);
}

void hd_steps_clear(struct hd_steps *steps)
{
	free(steps->entry);
	free(steps->row);
	free(steps->changes);
	*steps = (struct hd_steps){ .entry = NULL };
}
