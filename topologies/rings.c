// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/rings.h"

#include <stdlib.h>

#include "support/error.h"
#include "topologies/grid.h"

/* Most parallel links of two switches, and no more than a port number tells. */
#define MOST_PARALLEL 256u

/* Whether the link of @s at @port goes on around a ring of the grid: @d, and which way. */
static bool goes_around(const struct hd_fabric *fabric, const struct hd_grid *grid, uint32_t s,
			unsigned port, unsigned *d, bool *up)
{
	uint32_t from, to;

	*d = grid->port_dimension[hd_port_index(fabric, s, port)];
	if (*d == HD_NO_DIMENSION || grid->kind[*d] != HD_GRID_RING)
		return false;
	from = hd_grid_coordinate(grid, grid->point[s], *d);
	to = hd_grid_coordinate(grid, grid->point[hd_peer_node(fabric, s, port)], *d);
	*up = to == (from + 1) % grid->size[*d];
	return true;
}

/* The number of the ring of a link from @s, which is the @parallel-th to that neighbour. */
static uint32_t number(const struct hd_grid *grid, uint32_t s, unsigned d, bool up,
		       unsigned parallel)
{
	uint32_t line = d * grid->n_points + hd_grid_move(grid, grid->point[s], d, 0);

	return 1 + (2 * line + up) * MOST_PARALLEL + parallel;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Gives rings the numbers 1 .. n, in order. */
static int renumber(const struct hd_fabric *fabric, struct hd_rings *rings, struct hd_error *err)
{
	uint32_t *numbers = malloc((fabric->n_ports + (size_t)1) * sizeof(*numbers));
	size_t n = 0, n_links = 0;

	if (!numbers)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric)
		if (rings->of[p])
			numbers[n_links++] = rings->of[p];
	qsort(numbers, n_links, sizeof(*numbers), compare);
	for (size_t i = 0; i < n_links; i++)
		if (!i || numbers[i] != numbers[i - 1])
			numbers[n++] = numbers[i];
	hd_for_each_port(p, fabric)
		if (rings->of[p])
			rings->of[p] =
				1 + (uint32_t)((uint32_t *)bsearch(&rings->of[p], numbers, n,
								   sizeof(*numbers), compare) -
					       numbers);
	rings->n = (uint32_t)n;
	free(numbers);
	return n ? 0
		 : hd_error_set(err, HD_EINVAL,
				"bubble flow control is for rings, and this fabric has none: it is "
				"no torus");
}

static void list(const struct hd_fabric *fabric, const struct hd_grid *grid, uint32_t *of)
{
	hd_for_each_switch(s, fabric) {
		unsigned n[HD_MAX_DIMENSIONS][2] = { { 0 } };

		hd_for_each_number(port, fabric, s) {
			unsigned d;
			bool up;

			if (goes_around(fabric, grid, s, port, &d, &up))
				of[hd_port_index(fabric, s, port)] =
					number(grid, s, d, up, n[d][up]++);
		}
	}
}

int hd_rings_find(const struct hd_fabric *fabric, const struct hd_grid *grid,
		  struct hd_rings *rings, struct hd_error *err)
{
	struct hd_grid *found = NULL;
	struct hd_error cause;
	int ret = 0;

	*rings = (struct hd_rings){ .of = calloc(fabric->n_ports + (size_t)1, sizeof(*rings->of)) };
	if (!rings->of)
		return hd_error_nomem(err);
	if (!grid)
		ret = hd_grid_recognise(fabric, NULL, &found, &cause);
	if (ret == HD_ENOMEM)
		ret = hd_error_nomem(err);
	else if (ret)
		ret = hd_error_set(err, HD_EINVAL,
				   "bubble flow control is for rings, and this fabric has none: %s",
				   cause.text);
	if (!ret)
		list(fabric, grid ? grid : found, rings->of);
	hd_grid_free(found);
	if (!ret)
		ret = renumber(fabric, rings, err);
	if (ret) {
		free(rings->of);
		*rings = (struct hd_rings){ 0 };
	}
	return ret;
}
