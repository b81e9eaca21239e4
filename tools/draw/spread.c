// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Boxes placed so that the distance of two on paper is about their distance in links (Zheng, Pawar
 * and Goodman: Graph drawing by stochastic gradient descent, 2018): pairs of switches are moved
 * towards that distance, one pair after the other, less and less. With up to eight hundred switches
 * all pairs are moved; beyond that, pairs of all switches with some switches, the pivots.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/random.h"
#include "tools/draw/draw.h"

#define ROUNDS        24
#define MOST_PAIRS    700000 /* more than this only with the fewest pivots */
#define FEWEST_PIVOTS 50
#define PUSHES        50
#define FAR           UINT16_MAX

struct field {
	const struct hd_fabric *fabric;
	struct hd_spot *at;
	uint32_t n, n_pivots;
	uint32_t *order;    /* switches in random order; the first are the pivots */
	uint16_t *distance; /* [pivot * n + switch] in links */
	uint16_t longest;
	uint32_t *queue;
};

/*
 * Measures distances from @pivot to all switches. Switches that cannot be reached are placed a
 * little apart.
 */
static void measure(struct field *field, uint32_t pivot)
{
	const struct hd_fabric *fabric = field->fabric;
	uint16_t *distance = field->distance + (size_t)pivot * field->n;
	uint32_t end = 1;

	memset(distance, 0xFF, field->n * sizeof(*distance));
	field->queue[0] = field->order[pivot];
	distance[field->order[pivot]] = 0;
	for (uint32_t i = 0; i < end; i++) {
		uint32_t s = field->queue[i];

		if (distance[s] > field->longest)
			field->longest = distance[s];
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) ||
			    distance[peer] != FAR || distance[s] == FAR - 1)
				continue;
			distance[peer] = distance[s] + 1;
			field->queue[end++] = peer;
		}
	}
}

/* Moves two switches towards, or away from, each other. */
static void pull(struct field *field, uint32_t a, uint32_t b, double wanted, double rate)
{
	struct hd_spot *p = &field->at[a], *q = &field->at[b];
	double x = p->x - q->x, y = p->y - q->y, length = sqrt(x * x + y * y);
	double share = fmin(rate / (wanted * wanted), 1);

	if (length < 1e-9)
		return;
	share *= (length - wanted) / 2 / length;
	p->x -= share * x;
	p->y -= share * y;
	q->x += share * x;
	q->y += share * y;
}

static void relax(struct field *field, double rate)
{
	const struct hd_fabric *fabric = field->fabric;

	for (uint32_t i = 0; i < field->n_pivots; i++) {
		const uint16_t *distance = field->distance + (size_t)i * field->n;

		for (uint32_t k = 0; k < field->n; k++) {
			uint32_t s = field->order[k], pivot = field->order[i];

			if (s == pivot || (k < field->n_pivots && k < i))
				continue;
			pull(field, pivot, s,
			     distance[s] == FAR ? field->longest / 2.0 + 2 : distance[s], rate);
		}
	}
	for (uint32_t s = 0; field->n_pivots < field->n && s < field->n; s++)
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer != HD_NONE && hd_is_switch(fabric, peer) && peer > s)
				pull(field, s, peer, 1, rate);
		}
}

/* Turns the picture so that it is broader than high. */
static void lay_down(struct field *field)
{
	double x = 0, y = 0, xx = 0, yy = 0, xy = 0, angle;

	for (uint32_t s = 0; s < field->n; s++) {
		x += field->at[s].x / field->n;
		y += field->at[s].y / field->n;
	}
	for (uint32_t s = 0; s < field->n; s++) {
		double dx = field->at[s].x - x, dy = field->at[s].y - y;

		xx += dx * dx;
		yy += dy * dy;
		xy += dx * dy;
	}
	angle = atan2(2 * xy, xx - yy) / 2;
	for (uint32_t s = 0; s < field->n; s++) {
		double dx = field->at[s].x - x, dy = field->at[s].y - y;

		field->at[s].x = dx * cos(angle) + dy * sin(angle);
		field->at[s].y = dy * cos(angle) - dx * sin(angle);
	}
}

struct ranked {
	double x;
	uint32_t s;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;

	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? -1 : 1;
	return p->s < q->s ? -1 : p->s > q->s;
}

/* Moves boxes apart that are closer than @width and @height. False: there were none. */
static bool push(struct field *field, struct ranked *ranked, double width, double height)
{
	bool pushed = false;

	for (uint32_t s = 0; s < field->n; s++)
		ranked[s] = (struct ranked){ field->at[s].x, s };
	qsort(ranked, field->n, sizeof(*ranked), compare_ranked);
	for (uint32_t i = 0; i < field->n; i++)
		for (uint32_t k = i + 1; k < field->n && ranked[k].x < ranked[i].x + width; k++) {
			struct hd_spot *p = &field->at[ranked[i].s], *q = &field->at[ranked[k].s];
			double x = width - fabs(q->x - p->x), y = height - fabs(q->y - p->y);

			if (x <= 0 || y <= 0)
				continue;
			pushed = true;
			/* in the direction with the shorter way */
			if (x / width < y / height) {
				x = copysign(x / 2, q->x - p->x);
				p->x -= x;
				q->x += x;
			} else {
				y = copysign(y / 2, q->y - p->y);
				p->y -= y;
				q->y += y;
			}
		}
	return pushed;
}

static void spread(struct field *field, const struct hd_boxes *boxes, struct ranked *ranked)
{
	struct hd_random random;
	double unit = fmax(boxes->width + 50, 4 * boxes->height), first, decay;

	hd_random_init(&random, 1, 0);
	hd_random_permutation(&random, field->n, field->order);
	for (uint32_t s = 0; s < field->n; s++) {
		field->at[s].x = hd_random_below(&random, 1000000) * 1e-6;
		field->at[s].y = hd_random_below(&random, 1000000) * 1e-6;
	}
	for (uint32_t pivot = 0; pivot < field->n_pivots; pivot++)
		measure(field, pivot);
	first = (field->longest + 1.0) * (field->longest + 1.0);
	decay = log(first / 0.05) / (ROUNDS - 1);
	for (unsigned round = 0; round < ROUNDS; round++)
		relax(field, first * exp(-decay * round));
	if (field->n)
		lay_down(field);
	for (uint32_t s = 0; s < field->n; s++) {
		field->at[s].x *= unit;
		field->at[s].y *= unit;
	}
	for (unsigned i = 0; i < PUSHES; i++)
		if (!push(field, ranked, boxes->width + 8, boxes->height + 24))
			break;
}

int hd_draw_place_spread(const struct hd_fabric *fabric, struct hd_boxes *boxes,
			 struct hd_spot **at, struct hd_error *err)
{
	size_t n = fabric->n_switches + (size_t)1;
	struct field field = { .fabric = fabric, .n = fabric->n_switches };
	struct ranked *ranked = calloc(n, sizeof(*ranked));
	int ret = 0;

	field.n_pivots = MOST_PAIRS / (uint32_t)n;
	if (field.n_pivots < FEWEST_PIVOTS)
		field.n_pivots = FEWEST_PIVOTS;
	if (field.n_pivots > field.n)
		field.n_pivots = field.n;
	field.at = calloc(n, sizeof(*field.at));
	field.order = calloc(n, sizeof(*field.order));
	field.queue = calloc(n, sizeof(*field.queue));
	field.distance = malloc((field.n_pivots + (size_t)1) * n * sizeof(*field.distance));
	if (field.at && field.order && field.queue && field.distance && ranked)
		spread(&field, boxes, ranked);
	else
		ret = hd_error_nomem(err);
	free(ranked);
	free(field.order);
	free(field.queue);
	free(field.distance);
	*at = field.at;
	return ret;
}
