// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/meet.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* A tip at its end, to be sorted: planned ones before present ones. */
struct at_end {
	uint64_t end;
	uint32_t tip;
};

/* All tips, sorted; those of an end are [first, first + n), n_planned of them planned. */
struct tips {
	struct at_end *list;
	uint32_t n;
};

static int compare_tips(const void *a, const void *b)
{
	const struct at_end *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->tip < y->tip ? -1 : x->tip > y->tip;
}

static uint64_t end_at(const struct hd_odd_cables *odd, uint32_t tip)
{
	return odd->edges[tip / 2]->end[tip % 2];
}

static bool is_planned(const struct hd_odd_cables *odd, uint32_t tip)
{
	return tip / 2 < odd->n_planned;
}

static void join(struct hd_odd_cables *odd, uint32_t one, uint32_t other)
{
	odd->meets[one] = other;
	odd->meets[other] = one;
}

/* Where the tips of @end begin. */
static uint32_t find_end(const struct tips *tips, uint64_t end)
{
	uint32_t low = 0, high = tips->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tips->list[middle].end < end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * A ring of two from the present tips @a and @b of a cable: planned cables from there whose other
 * ends a second present cable joins.
 */
static bool close_ring(struct hd_odd_cables *odd, const struct tips *tips, uint32_t planned_a,
		       uint32_t b)
{
	uint64_t far_a = end_at(odd, planned_a ^ 1), here = end_at(odd, b);

	if (odd->meets[planned_a ^ 1] != HD_NONE)
		return false;
	for (uint32_t j = find_end(tips, here); j < tips->n && tips->list[j].end == here; j++) {
		uint32_t planned_b = tips->list[j].tip;
		uint64_t far_b = end_at(odd, planned_b ^ 1);

		if (!is_planned(odd, planned_b))
			break;
		if (planned_b / 2 == planned_a / 2 || odd->meets[planned_b] != HD_NONE ||
		    odd->meets[planned_b ^ 1] != HD_NONE)
			continue;
		for (uint32_t k = find_end(tips, far_a); k < tips->n && tips->list[k].end == far_a;
		     k++) {
			uint32_t second = tips->list[k].tip;

			if (is_planned(odd, second) || second / 2 == b / 2 ||
			    odd->meets[second] != HD_NONE || odd->meets[second ^ 1] != HD_NONE ||
			    end_at(odd, second ^ 1) != far_b)
				continue;
			join(odd, planned_a, b ^ 1);
			join(odd, planned_b, b);
			join(odd, planned_a ^ 1, second);
			join(odd, planned_b ^ 1, second ^ 1);
			return true;
		}
	}
	return false;
}

static void join_rings(struct hd_odd_cables *odd, const struct tips *tips)
{
	for (uint32_t c = odd->n_planned; c < odd->n; c++) {
		uint64_t end = odd->edges[c]->end[0];

		if (odd->meets[2 * c] != HD_NONE)
			continue;
		for (uint32_t i = find_end(tips, end); i < tips->n && tips->list[i].end == end;
		     i++) {
			uint32_t tip = tips->list[i].tip;

			if (!is_planned(odd, tip))
				break;
			if (odd->meets[tip] == HD_NONE && close_ring(odd, tips, tip, 2 * c + 1))
				break;
		}
	}
}

/*
 * What tips have in common that meet. In an inferred plan, a cable between groups may have become
 * one within a group, and the reverse: these meet on the same switch, or in the same group.
 */
enum common { SAME_END, SAME_SWITCH, SAME_GROUP };

static uint64_t key_at(const struct hd_cable_edges *edges, const struct hd_odd_cables *odd,
		       uint32_t tip, enum common common)
{
	const struct hd_place *place = &odd->edges[tip / 2]->pair.ends[tip % 2];

	if (common == SAME_END)
		return end_at(odd, tip);
	if (common == SAME_GROUP && place->present < edges->now->n_switches)
		return HD_PLAN_GROUP + edges->plan->group[place->present];
	return place->present != HD_NONE ? place->present : HD_PLAN_GROUP + place->group;
}

static void sort_tips(const struct hd_cable_edges *edges, const struct hd_odd_cables *odd,
		      enum common common, struct tips *tips)
{
	for (tips->n = 0; tips->n < 2 * odd->n; tips->n++)
		tips->list[tips->n] =
			(struct at_end){ key_at(edges, odd, tips->n, common), tips->n };
	qsort(tips->list, tips->n, sizeof(*tips->list), compare_tips);
}

/* Joins what is left at each end, in order. */
static void join_rest(struct hd_odd_cables *odd, const struct tips *tips)
{
	for (uint32_t i = 0, after; i < tips->n; i = after) {
		uint32_t present = i;

		for (after = i; after < tips->n && tips->list[after].end == tips->list[i].end;)
			after++;
		while (present < after && is_planned(odd, tips->list[present].tip))
			present++;
		for (; i < after && is_planned(odd, tips->list[i].tip); i++) {
			while (present < after && odd->meets[tips->list[present].tip] != HD_NONE)
				present++;
			if (present == after)
				break;
			if (odd->meets[tips->list[i].tip] == HD_NONE)
				join(odd, tips->list[i].tip, tips->list[present++].tip);
		}
	}
}

static void list_odd(const struct hd_cable_edges *edges, struct hd_odd_cables *odd)
{
	for (uint32_t i = 0; i < edges->n_planned; i++)
		if (edges->planned[i].same == HD_NONE)
			odd->edges[odd->n++] = &edges->planned[i];
	odd->n_planned = odd->n;
	for (uint32_t i = 0; i < edges->n_present; i++)
		if (edges->present[i].same == HD_NONE)
			odd->edges[odd->n++] = &edges->present[i];
}

int hd_meet(const struct hd_cable_edges *edges, struct hd_odd_cables *odd)
{
	size_t most = edges->n_planned + (size_t)edges->n_present + 1;
	struct tips tips = { .list = malloc(2 * most * sizeof(*tips.list)) };

	*odd = (struct hd_odd_cables){ 0 };
	odd->edges = malloc(most * sizeof(*odd->edges));
	odd->meets = malloc(2 * most * sizeof(*odd->meets));
	if (!tips.list || !odd->edges || !odd->meets) {
		free(tips.list);
		return HD_ENOMEM;
	}
	list_odd(edges, odd);
	memset(odd->meets, 0xFF, 2 * (size_t)odd->n * sizeof(uint32_t));
	sort_tips(edges, odd, SAME_END, &tips);
	if (!edges->by_ports)
		join_rings(odd, &tips);
	join_rest(odd, &tips);
	for (enum common common = SAME_SWITCH; edges->plan->n_groups && common <= SAME_GROUP;
	     common++) {
		sort_tips(edges, odd, common, &tips);
		join_rest(odd, &tips);
	}
	free(tips.list);
	return 0;
}

void hd_odd_cables_clear(struct hd_odd_cables *odd)
{
	free(odd->edges);
	free(odd->meets);
	*odd = (struct hd_odd_cables){ 0 };
}
