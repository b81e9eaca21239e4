// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Coordinates from labelled links. Without the links of one dimension the fabric falls into slabs:
 * the switches of a slab have the same coordinate there. A line along the dimension meets each slab
 * once, so its length is their number; links between slabs tell their order. A slab may be in
 * pieces when links are missing: switches of pieces that the best line misses are then placed one
 * by one, where no other switch is and all their links fit.
 */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/grid_search.h"
#include "topologies/union_find.h"

int hd_grid_places_new(struct hd_grid_places *places, unsigned n_dimensions, uint32_t n,
		       struct hd_error *err)
{
	*places = (struct hd_grid_places){ .n_dimensions = n_dimensions };
	for (unsigned d = 0; d < n_dimensions; d++) {
		places->at[d] = malloc((n + (size_t)1) * sizeof(*places->at[d]));
		if (!places->at[d]) {
			hd_grid_places_clear(places);
			return hd_error_nomem(err);
		}
		memset(places->at[d], 0xFF, n * sizeof(*places->at[d]));
	}
	return 0;
}

void hd_grid_places_clear(struct hd_grid_places *places)
{
	for (unsigned d = 0; d < places->n_dimensions; d++)
		free(places->at[d]);
	*places = (struct hd_grid_places){ 0 };
}

uint32_t hd_grid_n_points(const struct hd_grid_places *places)
{
	uint64_t n = 1;

	for (unsigned d = 0; d < places->n_dimensions; d++) {
		n *= places->size[d];
		if (n >= UINT32_MAX)
			return UINT32_MAX;
	}
	return (uint32_t)n;
}

bool hd_grid_adjacent(const struct hd_grid_places *places, unsigned dimension, uint32_t a,
		      uint32_t b)
{
	uint32_t distance = a < b ? b - a : a - b;

	switch (places->kind[dimension]) {
	case HD_GRID_LINE:
		return distance == 1;
	case HD_GRID_RING:
		return distance == 1 || distance + 1 == places->size[dimension];
	case HD_GRID_FULL:
	case HD_GRID_SWITCHED:
		return distance != 0;
	}
	return false;
}

/* Joins the members of all buses that run along @dimension, or of all other buses. */
static void join(const struct hd_grid_net *net, unsigned dimension, bool along, uint32_t *set)
{
	for (uint32_t v = 0; v < net->n; v++)
		set[v] = v;
	for (uint32_t bus = 0; bus < net->n_buses; bus++) {
		if (net->label[bus] == HD_GRID_NO_LABEL || (net->label[bus] == dimension) != along)
			continue;
		for (uint32_t i = net->first[bus] + 1; i < net->first[bus + 1]; i++)
			hd_union(set, net->member[net->first[bus]], net->member[i]);
	}
}

/*
 * The line that meets most switches: the sum of the sizes of the slabs that it goes through; of
 * equal lines, the one with the lowest vertex. @score is [2 * n].
 */
static uint32_t best_line(uint32_t *line, uint32_t *slab, uint32_t n, uint32_t *score)
{
	uint32_t *size = score + n, best = 0;

	memset(score, 0, 2 * (size_t)n * sizeof(*score));
	for (uint32_t v = 0; v < n; v++)
		size[hd_find(slab, v)]++;
	for (uint32_t v = 0; v < n; v++)
		score[hd_find(line, v)] += size[hd_find(slab, v)];
	for (uint32_t v = 1; v < n; v++)
		if (score[v] > score[best])
			best = v;
	return best;
}

/* The first two slabs that each slab is linked to. */
struct neighbours {
	uint32_t slab[2];
	bool more;
};

static void add_neighbour(struct neighbours *of, uint32_t slab)
{
	if (of->slab[0] == HD_NONE)
		of->slab[0] = slab;
	else if (of->slab[0] != slab && of->slab[1] == HD_NONE)
		of->slab[1] = slab;
	else if (of->slab[0] != slab && of->slab[1] != slab)
		of->more = true;
}

/*
 * Follows the links between @n slabs from one to the next: order[slab] is its place on a line or
 * ring. False: they are neither.
 */
static bool follow(const struct neighbours *of, uint32_t n, enum hd_grid_kind *kind,
		   uint32_t *order)
{
	uint32_t at = 0, from = HD_NONE, placed = 0;

	*kind = HD_GRID_RING;
	for (uint32_t i = n; i-- > 0;)
		if (of[i].slab[1] == HD_NONE) {
			*kind = HD_GRID_LINE;
			at = i;
		}
	memset(order, 0xFF, n * sizeof(*order));
	while (at != HD_NONE && order[at] == HD_NONE) {
		uint32_t next = of[at].slab[of[at].slab[0] == from];

		order[at] = placed++;
		from = at;
		at = next;
	}
	return placed == n;
}

/* Orders the slabs of @dimension by their links; their numbers in @at are in no order. */
static int order_slabs(const struct hd_grid_net *net, struct hd_grid_places *places,
		       unsigned dimension, uint32_t *order, struct hd_error *err)
{
	const uint32_t n = places->size[dimension];
	uint32_t *at = places->at[dimension];
	struct neighbours *of;
	bool full = false, fits = true;

	places->kind[dimension] = HD_GRID_SWITCHED;
	if (net->switched)
		return 0;
	of = malloc(n * sizeof(*of));
	if (!of)
		return hd_error_nomem(err);
	memset(of, 0xFF, n * sizeof(*of));
	for (uint32_t i = 0; i < n; i++)
		of[i].more = false;
	for (uint32_t bus = 0; bus < net->n_buses; bus++) {
		const uint32_t *pair = net->member + net->first[bus];
		uint32_t a = at[pair[0]], b = at[pair[1]];

		if (net->label[bus] != dimension || a == HD_NONE || b == HD_NONE || a == b)
			continue;
		add_neighbour(&of[a], b);
		add_neighbour(&of[b], a);
	}
	for (uint32_t i = 0; i < n; i++)
		full |= of[i].more;
	if (full)
		places->kind[dimension] = HD_GRID_FULL;
	else
		fits = follow(of, n, &places->kind[dimension], order);
	for (uint32_t v = 0; !full && fits && v < net->n; v++)
		if (at[v] != HD_NONE)
			at[v] = order[at[v]];
	free(of);
	return fits ? 0
		    : hd_error_set(err, HD_EREFUSED,
				   "not a grid: lines of %u switches that make no line or ring", n);
}

/* Places all vertices whose slab along @dimension the best line meets. @scratch is [4 * n]. */
static int place_along(const struct hd_grid_net *net, struct hd_grid_places *places,
		       unsigned dimension, uint32_t *scratch, struct hd_error *err)
{
	const uint32_t n = net->n;
	uint32_t *line = scratch, *slab = scratch + n, *number = scratch + 2 * (size_t)n;
	uint32_t best;

	join(net, dimension, true, line);
	join(net, dimension, false, slab);
	best = best_line(line, slab, n, number);
	memset(number, 0xFF, n * sizeof(*number));
	places->size[dimension] = 0;
	for (uint32_t v = 0; v < n; v++) {
		uint32_t *mine = &number[hd_find(slab, v)];

		if (hd_find(line, v) != best)
			continue;
		if (*mine != HD_NONE)
			return hd_error_set(
				err, HD_EREFUSED,
				"not a grid: a line through %.64s comes back to where it began",
				hd_node_name(net->fabric, net->switch_of[v]));
		*mine = places->size[dimension]++;
	}
	for (uint32_t v = 0; v < n; v++)
		places->at[dimension][v] = number[hd_find(slab, v)];
	return order_slabs(net, places, dimension, scratch, err);
}

/* The points of a grid that is being filled. */
struct filling {
	const struct hd_grid_net *net;
	struct hd_grid_places *places;
	uint32_t n_points;
	uint32_t stride[HD_GRID_RAW_DIMENSIONS];
	uint32_t *switch_at; /* [point] vertex */
	uint32_t *point;     /* [vertex] */
};

static uint32_t coordinate(const struct filling *f, uint32_t point, unsigned dimension)
{
	return point / f->stride[dimension] % f->places->size[dimension];
}

/* The one dimension in which two points differ, or n_dimensions. */
static unsigned differ(const struct filling *f, uint32_t a, uint32_t b)
{
	unsigned n = f->places->n_dimensions, found = n;

	for (unsigned d = 0; d < n; d++) {
		if (coordinate(f, a, d) == coordinate(f, b, d))
			continue;
		if (found != n)
			return n;
		found = d;
	}
	return found;
}

/* Whether @vertex may be at @point: the point is free, and as far as is known all links fit. */
static bool may_be_at(const struct filling *f, uint32_t vertex, uint32_t point)
{
	const struct hd_grid_net *net = f->net;

	if (f->switch_at[point] != HD_NONE)
		return false;
	for (unsigned d = 0; d < f->places->n_dimensions; d++)
		if (f->places->at[d][vertex] != HD_NONE &&
		    f->places->at[d][vertex] != coordinate(f, point, d))
			return false;
	for (uint32_t i = net->vertex_first[vertex]; i < net->vertex_first[vertex + 1]; i++) {
		uint32_t bus = net->bus_of[i];

		for (uint32_t k = net->first[bus]; k < net->first[bus + 1]; k++) {
			uint32_t other = f->point[net->member[k]];
			unsigned d;

			if (other == HD_NONE)
				continue;
			d = differ(f, point, other);
			if (d == f->places->n_dimensions ||
			    (net->label[bus] != HD_GRID_NO_LABEL && net->label[bus] != d) ||
			    !hd_grid_adjacent(f->places, d, coordinate(f, point, d),
					      coordinate(f, other, d)))
				return false;
		}
	}
	return true;
}

/* Where @vertex may be: the first such point; and whether it is the only one. */
static uint32_t find_place(const struct filling *f, uint32_t vertex, bool *only)
{
	const struct hd_grid_net *net = f->net;
	uint32_t found = HD_NONE;

	*only = true;
	for (uint32_t i = net->vertex_first[vertex]; i < net->vertex_first[vertex + 1]; i++) {
		uint32_t bus = net->bus_of[i], other = HD_NONE;

		for (uint32_t k = net->first[bus]; k < net->first[bus + 1]; k++)
			if (f->point[net->member[k]] != HD_NONE)
				other = f->point[net->member[k]];
		if (other == HD_NONE)
			continue;
		for (unsigned d = 0; d < f->places->n_dimensions; d++) {
			uint32_t base = other - coordinate(f, other, d) * f->stride[d];

			if (net->label[bus] != HD_GRID_NO_LABEL && net->label[bus] != d)
				continue;
			for (uint32_t c = 0; c < f->places->size[d]; c++) {
				uint32_t point = base + c * f->stride[d];

				if (point == found || !may_be_at(f, vertex, point))
					continue;
				*only &= found == HD_NONE;
				if (point < found)
					found = point;
			}
		}
		break; /* a second link would not lead to other points */
	}
	return found;
}

static void put(struct filling *f, uint32_t vertex, uint32_t point)
{
	f->point[vertex] = point;
	f->switch_at[point] = vertex;
	for (unsigned d = 0; d < f->places->n_dimensions; d++)
		f->places->at[d][vertex] = coordinate(f, point, d);
}

/*
 * Places the @n_left vertices of @left: first all that fit in one place only, and when there are
 * none, one that fits in several.
 */
static int place_rest(struct filling *f, uint32_t *left, uint32_t n_left, struct hd_error *err)
{
	char label[HD_LABEL_SIZE];
	bool guess = false;

	while (n_left) {
		uint32_t kept = 0;
		bool any = false;

		for (uint32_t i = 0; i < n_left; i++) {
			bool only;
			uint32_t point = find_place(f, left[i], &only);

			if (point != HD_NONE && (only || (guess && !any))) {
				put(f, left[i], point);
				any = true;
			} else {
				left[kept++] = left[i];
			}
		}
		if (!any && guess)
			return hd_error_set(err, HD_EREFUSED,
					    "not a grid: no place where all links of switch %s fit",
					    hd_node_label(f->net->fabric,
							  f->net->switch_of[left[0]], label,
							  sizeof(label)));
		guess = !any;
		n_left = kept;
	}
	return 0;
}

/* Places the vertices whose coordinates are all known, then the others. @left is [n]. */
static int fill(struct filling *f, uint32_t *left, struct hd_error *err)
{
	const struct hd_grid_net *net = f->net;
	uint32_t n_left = 0;

	memset(f->switch_at, 0xFF, f->n_points * sizeof(*f->switch_at));
	memset(f->point, 0xFF, net->n * sizeof(*f->point));
	for (uint32_t v = 0; v < net->n; v++) {
		uint32_t point = 0;

		for (unsigned d = 0; d < f->places->n_dimensions && point != HD_NONE; d++)
			point = f->places->at[d][v] == HD_NONE
					? HD_NONE
					: point + f->places->at[d][v] * f->stride[d];
		if (point == HD_NONE)
			left[n_left++] = v;
		else if (f->switch_at[point] != HD_NONE)
			return hd_error_set(
				err, HD_EREFUSED,
				"not a grid: %.64s and %.64s would be in the same place",
				hd_node_name(net->fabric, net->switch_of[f->switch_at[point]]),
				hd_node_name(net->fabric, net->switch_of[v]));
		else
			put(f, v, point);
	}
	return place_rest(f, left, n_left, err);
}

/* Merges the coordinates of all dimensions into points. */
static int place_together(const struct hd_grid_net *net, struct hd_grid_places *places,
			  uint32_t *scratch, struct hd_error *err)
{
	struct filling f = { .net = net, .places = places, .point = scratch };
	uint32_t stride = 1;
	int ret;

	f.n_points = hd_grid_n_points(places);
	if (f.n_points / 2 > net->n)
		return hd_error_set(err, HD_EREFUSED,
				    "not a grid: %u switches on lines that span %u points", net->n,
				    f.n_points);
	for (unsigned d = 0; d < places->n_dimensions; d++) {
		f.stride[d] = stride;
		stride *= places->size[d];
	}
	f.switch_at = malloc(f.n_points * sizeof(*f.switch_at));
	ret = f.switch_at ? fill(&f, scratch + net->n, err) : hd_error_nomem(err);
	free(f.switch_at);
	return ret;
}

int hd_grid_place(const struct hd_grid_net *net, struct hd_grid_places *places,
		  struct hd_error *err)
{
	uint32_t *scratch = malloc((net->n + (size_t)1) * 4 * sizeof(*scratch));
	int ret = hd_grid_places_new(places, net->n_dimensions, net->n, err);

	if (!ret && !scratch)
		ret = hd_error_nomem(err);
	for (unsigned d = 0; !ret && d < net->n_dimensions; d++)
		ret = place_along(net, places, d, scratch, err);
	if (!ret)
		ret = place_together(net, places, scratch, err);
	free(scratch);
	if (ret)
		hd_grid_places_clear(places);
	return ret;
}
