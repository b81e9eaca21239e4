// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The numbering of a grid, by GUIDs alone. Along most lines coordinates ascend as GUIDs do, and the
 * dimension along which GUIDs are nearest comes first; so a generated fabric gets the coordinates
 * that it was made with. The average over all lines decides: one missing switch changes nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/grid_search.h"

/* An average as a fraction; vertices stand for GUIDs, since their numbers ascend as GUIDs do. */
struct average {
	uint64_t sum, count;
	uint32_t first; /* the lowest vertex, for equal averages */
};

static int compare_averages(const struct average *a, const struct average *b)
{
	uint64_t x = a->sum * b->count, y = b->sum * a->count;

	if (x != y)
		return x < y ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* What is averaged along one dimension. */
struct ranking {
	struct average *of_slab; /* rank by GUID in its line */
	struct average spacing;  /* of GUIDs along lines */
	uint32_t *slabs;         /* slabs to be sorted */
	uint32_t *new_at;        /* [slab] */
	uint32_t *line_rank;     /* [point] by the first point of its line */
	uint32_t *line_low, *line_high;
};

static uint32_t point_of(const struct hd_grid_places *places, uint32_t v, unsigned without)
{
	uint32_t point = 0, stride = 1;

	for (unsigned d = 0; d < places->n_dimensions; d++) {
		point += (d == without ? 0 : places->at[d][v]) * stride;
		stride *= places->size[d];
	}
	return point;
}

static void rank(const struct hd_grid_net *net, const struct hd_grid_places *places,
		 unsigned dimension, uint32_t n_points, struct ranking *r)
{
	const uint32_t size = places->size[dimension];

	memset(r->of_slab, 0, size * sizeof(*r->of_slab));
	memset(r->line_rank, 0, n_points * sizeof(*r->line_rank));
	for (uint32_t v = 0; v < net->n; v++) {
		uint32_t line = point_of(places, v, dimension);
		struct average *slab = &r->of_slab[places->at[dimension][v]];

		if (!slab->count++)
			slab->first = v;
		slab->sum += r->line_rank[line];
		if (!r->line_rank[line]++)
			r->line_low[line] = v;
		r->line_high[line] = v;
	}
	r->spacing = (struct average){ .first = HD_NONE };
	for (uint32_t line = 0; line < n_points; line++) {
		if (r->line_rank[line] < 2)
			continue;
		r->spacing.sum += r->line_high[line] - r->line_low[line];
		r->spacing.count += r->line_rank[line] - 1;
		if (r->line_low[line] < r->spacing.first)
			r->spacing.first = r->line_low[line];
	}
}

static int compare_slabs(const void *a, const void *b, void *of_slab)
{
	const struct average *average = of_slab;

	return compare_averages(&average[*(const uint32_t *)a], &average[*(const uint32_t *)b]);
}

/* Turns or sorts the coordinates of @dimension so that they ascend with the average ranks. */
static void renumber(const struct hd_grid_net *net, struct hd_grid_places *places,
		     unsigned dimension, struct ranking *r)
{
	const uint32_t n = places->size[dimension];
	uint32_t *at = places->at[dimension], lowest = 0;
	bool backwards = false;

	for (uint32_t i = 0; i < n; i++) {
		r->slabs[i] = i;
		if (compare_averages(&r->of_slab[i], &r->of_slab[lowest]) < 0)
			lowest = i;
	}
	switch (places->kind[dimension]) {
	case HD_GRID_LINE:
		backwards = compare_averages(&r->of_slab[n - 1], &r->of_slab[0]) < 0;
		lowest = backwards ? n - 1 : 0;
		break;
	case HD_GRID_RING:
		backwards = compare_averages(&r->of_slab[(lowest + n - 1) % n],
					     &r->of_slab[(lowest + 1) % n]) < 0;
		break;
	case HD_GRID_FULL:
	case HD_GRID_SWITCHED:
		qsort_r(r->slabs, n, sizeof(*r->slabs), compare_slabs, r->of_slab);
		lowest = 0;
		break;
	}
	for (uint32_t i = 0; i < n; i++)
		r->new_at[r->slabs[backwards ? (lowest + n - i) % n : (lowest + i) % n]] = i;
	for (uint32_t v = 0; v < net->n; v++)
		at[v] = r->new_at[at[v]];
}

static void swap_dimensions(struct hd_grid_places *places, unsigned a, unsigned b)
{
	uint32_t size = places->size[a], *at = places->at[a];
	enum hd_grid_kind kind = places->kind[a];

	places->size[a] = places->size[b];
	places->at[a] = places->at[b];
	places->kind[a] = places->kind[b];
	places->size[b] = size;
	places->at[b] = at;
	places->kind[b] = kind;
}

static int order_all(const struct hd_grid_net *net, struct hd_grid_places *places,
		     struct hd_error *err)
{
	const size_t n_points = hd_grid_n_points(places);
	struct average spacing[HD_GRID_RAW_DIMENSIONS];
	struct ranking r = {
		.of_slab = malloc((n_points + 1) * sizeof(*r.of_slab)),
		.slabs = malloc((n_points + 1) * sizeof(*r.slabs)),
		.new_at = malloc((n_points + 1) * sizeof(*r.new_at)),
		.line_rank = malloc((n_points + 1) * sizeof(*r.line_rank)),
		.line_low = malloc((n_points + 1) * sizeof(*r.line_low)),
		.line_high = malloc((n_points + 1) * sizeof(*r.line_high)),
	};
	bool ready = r.of_slab && r.slabs && r.new_at && r.line_rank && r.line_low && r.line_high;

	for (unsigned d = 0; ready && d < places->n_dimensions; d++) {
		rank(net, places, d, (uint32_t)n_points, &r);
		renumber(net, places, d, &r);
		spacing[d] = r.spacing;
		for (unsigned k = d; k && compare_averages(&spacing[k], &spacing[k - 1]) < 0; k--) {
			struct average other = spacing[k];

			spacing[k] = spacing[k - 1];
			spacing[k - 1] = other;
			swap_dimensions(places, k, k - 1);
		}
	}
	free(r.of_slab);
	free(r.slabs);
	free(r.new_at);
	free(r.line_rank);
	free(r.line_low);
	free(r.line_high);
	return ready ? 0 : hd_error_nomem(err);
}

/*
 * Whether dimensions @a and @b, of two switches each, are a ring of four by their GUIDs: on most
 * squares the corner opposite to the first one comes before another. @corner is [n_points].
 */
static bool is_ring(const struct hd_grid_net *net, const struct hd_grid_places *places, unsigned a,
		    unsigned b, uint32_t n_points, uint32_t (*corner)[4])
{
	uint32_t stride = 1, votes = 0, squares = 0;

	memset(corner, 0xFF, n_points * sizeof(*corner));
	for (unsigned d = 0; d < b; d++)
		stride *= places->size[d];
	for (uint32_t v = 0; v < net->n; v++) {
		uint32_t x = places->at[a][v], y = places->at[b][v];

		corner[point_of(places, v, a) - y * stride][2 * y + x] = v;
	}
	for (uint32_t i = 0; i < n_points; i++) {
		const uint32_t *c = corner[i];
		unsigned lowest = 0;

		if (c[0] == HD_NONE || c[1] == HD_NONE || c[2] == HD_NONE || c[3] == HD_NONE)
			continue;
		for (unsigned k = 1; k < 4; k++)
			if (c[k] < c[lowest])
				lowest = k;
		squares++;
		votes += c[3 - lowest] < c[lowest ^ 1] || c[3 - lowest] < c[lowest ^ 2];
	}
	return 2 * votes > squares;
}

/* Makes one ring of four of dimensions @a and @b. */
static void join_ring(const struct hd_grid_net *net, struct hd_grid_places *places, unsigned a,
		      unsigned b)
{
	static const uint32_t around[4] = { 0, 1, 3, 2 };

	for (uint32_t v = 0; v < net->n; v++)
		places->at[a][v] = around[2 * places->at[b][v] + places->at[a][v]];
	places->size[a] = 4;
	places->kind[a] = HD_GRID_RING;
	free(places->at[b]);
	for (unsigned d = b; d + 1 < places->n_dimensions; d++)
		swap_dimensions(places, d, d + 1);
	places->n_dimensions--;
}

/*
 * Joins pairs of dimensions of two that are rings of four; more pairs where there are too many
 * dimensions.
 */
static bool join_rings(const struct hd_grid_net *net, struct hd_grid_places *places,
		       uint32_t (*corner)[4])
{
	const uint32_t n_points = hd_grid_n_points(places);
	bool any = false;

	for (int forced = 0; forced < 2; forced++)
		for (unsigned a = 0; a < places->n_dimensions; a++)
			for (unsigned b = a + 1; b < places->n_dimensions; b++) {
				if (places->size[a] != 2 || places->size[b] != 2)
					continue;
				if (forced ? places->n_dimensions <= HD_MAX_DIMENSIONS
					   : !is_ring(net, places, a, b, n_points, corner))
					continue;
				join_ring(net, places, a, b);
				any = true;
				break;
			}
	return any;
}

int hd_grid_order(const struct hd_grid_net *net, struct hd_grid_places *places,
		  struct hd_error *err)
{
	uint32_t(*corner)[4];
	int ret = order_all(net, places, err);

	if (ret || net->switched)
		return ret;
	corner = malloc((hd_grid_n_points(places) + (size_t)1) * sizeof(*corner));
	if (!corner)
		return hd_error_nomem(err);
	if (join_rings(net, places, corner))
		ret = order_all(net, places, err);
	free(corner);
	return ret;
}
