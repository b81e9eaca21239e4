// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The cables that a fabric lacks of its shape, as lines of a drawing. */
#include <stdlib.h>

#include "plan/gaps.h"
#include "support/error.h"
#include "tools/draw/draw.h"
#include "tools/link_classes.h"

/* The switch that an end is drawn at: of a group, the first that the cable may be on. */
static uint32_t switch_of(const struct hd_gaps *gaps, const struct hd_place *place)
{
	uint32_t s = hd_free_ports_next_switch(&gaps->ports, place, HD_NONE);

	return s == HD_NONE && place->group != HD_NONE ? gaps->plan->group_at[place->group] : s;
}

static void add_pair(const struct hd_gaps *gaps, const struct hd_place_pair *pair,
		     struct hd_drawing *drawing)
{
	uint32_t a = switch_of(gaps, &pair->ends[0]), b = switch_of(gaps, &pair->ends[1]);
	bool is_global = pair->ends[0].group != HD_NONE;

	drawing->absent[drawing->n_absent++] = (struct hd_absent_line){
		.from = a < b ? a : b,
		.to = a < b ? b : a,
		.n = 1,
		.class = is_global              ? HD_LOAD_GLOBAL
			 : gaps->plan->n_groups ? HD_LOAD_LOCAL
						: HD_LOAD_SWITCH,
	};
}

static int compare_lines(const void *a, const void *b)
{
	const struct hd_absent_line *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Makes one line of those between the same switches. */
static void join_lines(struct hd_drawing *drawing)
{
	uint32_t n = 0;

	qsort(drawing->absent, drawing->n_absent, sizeof(*drawing->absent), compare_lines);
	for (uint32_t i = 0; i < drawing->n_absent; i++) {
		if (n && !compare_lines(&drawing->absent[n - 1], &drawing->absent[i]))
			drawing->absent[n - 1].n++;
		else
			drawing->absent[n++] = drawing->absent[i];
	}
	drawing->n_absent = n;
}

int hd_drawing_add_absent(struct hd_drawing *drawing, const struct hd_gaps *gaps,
			  struct hd_error *err)
{
	const struct hd_differences *differences = &gaps->differences;

	if (!differences->n_planned)
		return 0;
	drawing->absent = malloc(differences->n_planned * sizeof(*drawing->absent));
	if (!drawing->absent)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < differences->n_planned; i++)
		add_pair(gaps, &differences->planned[i], drawing);
	join_lines(drawing);
	return 0;
}

uint32_t hd_drawing_n_absent(const struct hd_drawing *drawing)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < drawing->n_absent; i++)
		n += drawing->absent[i].n;
	return n;
}
