// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where nodes go in pictures of shapes that are known. */
#include <math.h>
#include <stdlib.h>

#include "support/error.h"
#include "tools/draw/draw.h"

#define HOST_DISTANCE 0.42 /* of a host from its switch */

/*
 * Places hosts around their switch: in a fan of angle @span, centred on the direction @towards. A
 * host on several switches goes to the first.
 */
static void place_hosts(const struct hd_fabric *fabric, uint32_t s, double towards, double span,
			struct hd_spot *at)
{
	unsigned n = 0, i = 0;

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number);

		n += peer != HD_NONE && !hd_is_switch(fabric, peer);
	}
	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number);
		double angle;

		if (peer == HD_NONE || hd_is_switch(fabric, peer))
			continue;
		angle = towards + span * ((i++ + 0.5) / n - 0.5);
		at[peer].x = at[s].x + HOST_DISTANCE * cos(angle);
		at[peer].y = at[s].y + HOST_DISTANCE * sin(angle);
	}
}

int hd_draw_place_dragonfly(const struct hd_fabric *fabric, const struct hd_dragonfly *d,
			    struct hd_spot **result, struct hd_error *err)
{
	struct hd_spot *at = calloc(fabric->n_nodes + (size_t)1, sizeof(*at));
	/* a unit between switches of a group, and room between groups */
	double inner = d->a > 1 ? fmax(0.7, d->a / (2 * M_PI)) : 0;
	double outer = d->n_groups > 1
			       ? fmax(2 * inner + 1.5, d->n_groups * (2 * inner + 1.6) / (2 * M_PI))
			       : 0;

	if (!at)
		return hd_error_nomem(err);
	for (uint32_t g = 0; g < d->n_groups; g++) {
		double direction = 2 * M_PI * g / d->n_groups - M_PI / 2;

		for (uint32_t i = d->first[g]; i < d->first[g + 1]; i++) {
			uint32_t s = d->switches[i];
			double angle = direction + 2 * M_PI * (i - d->first[g]) / d->a;

			at[s].x = outer * cos(direction) + inner * cos(angle);
			at[s].y = outer * sin(direction) + inner * sin(angle);
			place_hosts(fabric, s, angle, 2, at);
		}
	}
	*result = at;
	return 0;
}

/* The columns of a Slim Fly are its groups: those of one half, then those of the other. */
int hd_draw_place_slimfly(const struct hd_fabric *fabric, const struct hd_low_diameter *low,
			  struct hd_spot **result, struct hd_error *err)
{
	struct hd_dragonfly columns = { .n_groups = 2 * low->q, .a = low->q };
	uint32_t next = 0;
	int ret;

	columns.first = calloc(columns.n_groups + (size_t)1, sizeof(*columns.first));
	columns.switches = malloc((fabric->n_switches + (size_t)1) * sizeof(*columns.switches));
	ret = columns.first && columns.switches ? 0 : hd_error_nomem(err);
	for (uint32_t g = 0; !ret && g < columns.n_groups; g++) {
		for (uint32_t s = 0; s < fabric->n_switches; s++)
			if (low->place[s] / low->q == g)
				columns.switches[next++] = s;
		columns.first[g + 1] = next;
	}
	if (!ret)
		ret = hd_draw_place_dragonfly(fabric, &columns, result, err);
	free(columns.first);
	free(columns.switches);
	return ret;
}

/*
 * The place of a point: dimension 0 goes to the right, 1 down; of further dimensions, each repeats
 * the picture so far, to the right and below in turn.
 */
static struct hd_spot spot_of(const struct hd_grid *grid, const double *coordinates)
{
	struct hd_spot spot = { 0, 0 };
	double x_step = 1, y_step = 1;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		double *at = d % 2 ? &spot.y : &spot.x, *step = d % 2 ? &y_step : &x_step;

		*at += coordinates[d] * *step;
		*step *= grid->size[d] + (d < 2 ? 0.8 : 1.5);
	}
	return spot;
}

/* A line switch goes beyond the last point of its line. */
static void place_line_switches(const struct hd_grid *grid, struct hd_spot *at)
{
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		for (uint32_t point = 0; point < grid->n_points; point++) {
			uint32_t s = grid->line_switch[d * grid->n_points + point];
			double coordinates[HD_MAX_DIMENSIONS];

			if (s == HD_NONE || hd_grid_coordinate(grid, point, d))
				continue;
			for (unsigned k = 0; k < grid->n_dimensions; k++)
				coordinates[k] = k == d ? grid->size[k] - 0.2
							: hd_grid_coordinate(grid, point, k);
			at[s] = spot_of(grid, coordinates);
		}
}

int hd_draw_place_grid(const struct hd_fabric *fabric, const struct hd_grid *grid,
		       struct hd_spot **result, struct hd_error *err)
{
	struct hd_spot *at = calloc(fabric->n_nodes + (size_t)1, sizeof(*at));

	if (!at)
		return hd_error_nomem(err);
	for (uint32_t point = 0; point < grid->n_points; point++) {
		uint32_t s = grid->switch_at[point];
		double coordinates[HD_MAX_DIMENSIONS];

		if (s == HD_NONE)
			continue;
		for (unsigned d = 0; d < grid->n_dimensions; d++)
			coordinates[d] = hd_grid_coordinate(grid, point, d);
		at[s] = spot_of(grid, coordinates);
		/* to the lower right, where few links go */
		place_hosts(fabric, s, M_PI / 4, 1.2, at);
	}
	if (grid->line_switch)
		place_line_switches(grid, at);
	*result = at;
	return 0;
}
