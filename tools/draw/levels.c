// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Boxes in rows by level, those with hosts at the bottom (Sugiyama et al., 1981): the switches of a
 * row are put at the mean place of their neighbours in other rows, as long as that takes crossings
 * away; otherwise they stay in the order of their names.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tools/draw/draw.h"

#define SWEEPS 16

struct entry {
	double key;
	const char *label;
	uint32_t s;
};

/* The places of a link's ends in one row and in the other. */
struct span {
	uint32_t from, to;
};

struct rows {
	const struct hd_fabric *fabric;
	const struct hd_boxes *boxes;
	uint32_t *first;       /* [level + 1] */
	uint32_t *order;       /* switches, row by row */
	uint32_t *place;       /* [switch] in its row */
	uint32_t *best;        /* the order with fewest crossings */
	struct entry *entries; /* scratch */
	struct span *spans;    /* [bundle] scratch */
	uint32_t *tree;        /* [switch + 1] scratch */
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int names;

	if (fabs(x->key - y->key) > 1e-9)
		return x->key < y->key ? -1 : 1;
	names = strcmp(x->label, y->label);
	return names ? names : x->s < y->s ? -1 : x->s > y->s;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Sorts the @n entries, and puts their switches in that order from @start on. */
static void arrange(struct rows *rows, uint32_t start, uint32_t n)
{
	qsort(rows->entries, n, sizeof(*rows->entries), compare_entries);
	for (uint32_t i = 0; i < n; i++) {
		rows->order[start + i] = rows->entries[i].s;
		rows->place[rows->entries[i].s] = i;
	}
}

static void begin(struct rows *rows)
{
	const struct hd_boxes *boxes = rows->boxes;
	uint32_t n = rows->fabric->n_switches, start = 0;

	for (uint32_t level = 0; level < boxes->n_levels; level++) {
		uint32_t n_row = 0;

		rows->first[level] = start;
		for (uint32_t s = 0; s < n; s++)
			if (boxes->level[s] == level)
				rows->entries[n_row++] = (struct entry){ 0, boxes->label[s], s };
		arrange(rows, start, n_row);
		start += n_row;
	}
	rows->first[boxes->n_levels] = n;
}

/* The place of @s as a share of its row's length. */
static double share_of(const struct rows *rows, uint32_t s)
{
	uint32_t level = rows->boxes->level[s];

	return (rows->place[s] + 0.5) / (rows->first[level + 1] - rows->first[level]);
}

/* Puts the switches of @level where their neighbours in rows above (@up) or below are. */
static void sort_row(struct rows *rows, uint32_t level, bool up)
{
	const struct hd_fabric *fabric = rows->fabric;
	uint32_t start = rows->first[level], n = rows->first[level + 1] - start;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = rows->order[start + i], n_near = 0;
		double sum = 0;

		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) ||
			    rows->boxes->level[peer] == level ||
			    (rows->boxes->level[peer] > level) != up)
				continue;
			sum += share_of(rows, peer);
			n_near++;
		}
		rows->entries[i] = (struct entry){ n_near ? sum / n_near : share_of(rows, s),
						   rows->boxes->label[s], s };
	}
	arrange(rows, start, n);
}

/*
 * Crossings between @level and the one above: pairs of links whose ends are in different order in
 * the two rows.
 */
static uint64_t count_crossings(struct rows *rows, uint32_t level)
{
	const struct hd_fabric *fabric = rows->fabric;
	const struct hd_boxes *boxes = rows->boxes;
	uint32_t width = rows->first[level + 2] - rows->first[level + 1], n = 0;
	uint64_t crossings = 0;

	for (uint32_t i = 0; i < boxes->n_bundles; i++) {
		uint32_t port = boxes->bundles[i].port;
		uint32_t a = fabric->ports[port].node;
		uint32_t b = fabric->ports[fabric->ports[port].peer].node;

		if (boxes->level[a] == level && boxes->level[b] == level + 1)
			rows->spans[n++] = (struct span){ rows->place[a], rows->place[b] };
		else if (boxes->level[b] == level && boxes->level[a] == level + 1)
			rows->spans[n++] = (struct span){ rows->place[b], rows->place[a] };
	}
	qsort(rows->spans, n, sizeof(*rows->spans), compare_spans);
	/* inversions, by a binary indexed tree (Fenwick, 1994) */
	memset(rows->tree, 0, (width + (size_t)1) * sizeof(*rows->tree));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t below = 0;

		for (uint32_t k = rows->spans[i].to + 1; k; k &= k - 1)
			below += rows->tree[k];
		crossings += i - below;
		for (uint32_t k = rows->spans[i].to + 1; k <= width; k += k & -k)
			rows->tree[k]++;
	}
	return crossings;
}

static uint64_t all_crossings(struct rows *rows)
{
	uint64_t n = 0;

	for (uint32_t level = 0; level + 1 < rows->boxes->n_levels; level++)
		n += count_crossings(rows, level);
	return n;
}

static void untangle(struct rows *rows)
{
	size_t bytes = rows->fabric->n_switches * sizeof(*rows->best);
	uint32_t n_levels = rows->boxes->n_levels;
	uint64_t fewest = all_crossings(rows);

	memcpy(rows->best, rows->order, bytes);
	for (unsigned sweep = 0; sweep < SWEEPS && fewest; sweep++) {
		uint64_t now;

		for (uint32_t i = 1; i < n_levels; i++)
			sort_row(rows, sweep % 2 ? n_levels - 1 - i : i, sweep % 2);
		now = all_crossings(rows);
		/* an order by names is worth more than a few crossings */
		if (now + now / 8 >= fewest)
			continue;
		fewest = now;
		memcpy(rows->best, rows->order, bytes);
	}
}

/* Places rows: as long as the longest one, and so far apart that most links are steep. */
static void place(const struct rows *rows, struct hd_spot *at)
{
	const struct hd_boxes *boxes = rows->boxes;
	uint32_t longest = 1;
	double pitch, width, gap;

	for (uint32_t level = 0; level < boxes->n_levels; level++)
		if (rows->first[level + 1] - rows->first[level] > longest)
			longest = rows->first[level + 1] - rows->first[level];
	pitch = boxes->width + (longest > 100 ? 4 : boxes->upright ? 12 : 24);
	width = fmax(pitch * longest, 360);
	gap = boxes->height + fmin(fmax(width / 5, 150), 1200);
	for (uint32_t level = 0; level < boxes->n_levels; level++) {
		uint32_t start = rows->first[level], n = rows->first[level + 1] - start;
		/* short rows stay together in the middle */
		double step = fmin(width / (n ? n : 1), 6 * pitch);

		for (uint32_t i = 0; i < n; i++)
			at[rows->best[start + i]] = (struct hd_spot){
				width / 2 + (i + 0.5 - n / 2.0) * step,
				(boxes->n_levels - 1 - level) * gap,
			};
	}
}

int hd_draw_place_levels(const struct hd_fabric *fabric, struct hd_boxes *boxes,
			 struct hd_spot **at, struct hd_error *err)
{
	size_t n = fabric->n_switches + (size_t)2;
	struct rows rows = {
		.fabric = fabric,
		.boxes = boxes,
		.first = calloc(boxes->n_levels + (size_t)2, sizeof(uint32_t)),
		.order = calloc(n, sizeof(uint32_t)),
		.place = calloc(n, sizeof(uint32_t)),
		.best = calloc(n, sizeof(uint32_t)),
		.entries = calloc(n, sizeof(struct entry)),
		.spans = calloc(boxes->n_bundles + (size_t)1, sizeof(struct span)),
		.tree = calloc(n, sizeof(uint32_t)),
	};
	int ret = 0;

	*at = calloc(n, sizeof(**at));
	if (*at && rows.first && rows.order && rows.place && rows.best && rows.entries &&
	    rows.spans && rows.tree) {
		begin(&rows);
		untangle(&rows);
		place(&rows, *at);
	} else {
		ret = hd_error_nomem(err);
	}
	free(rows.first);
	free(rows.order);
	free(rows.place);
	free(rows.best);
	free(rows.entries);
	free(rows.spans);
	free(rows.tree);
	return ret;
}
