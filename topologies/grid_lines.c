// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which links of a grid run along the same dimension. In a product of rings, lines and full meshes
 *
 *   - opposite sides of a square of links run along the same dimension,
 *   - so do the sides of a triangle,
 *   - two links of a switch that are on no common square run along the same dimension, too.
 *
 * The first two hold on whatever is left of a grid, since its squares are those of the perfect one.
 * The third does not, so it is used only at switches where it gives the full number of dimensions.
 * A ring of four is the product of two dimensions of two. On a fabric with line switches, two lines
 * are parallel that two others cross.
 */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/grid_search.h"
#include "topologies/union_find.h"

#define MAX_GROUPS 32 /* kinds of links at one switch */

struct labeller {
	struct hd_grid_net *net;
	uint32_t *class_of; /* [bus] union-find: buses along the same dimension */
	uint32_t *stamp;    /* [vertex or bus] the turn in which `via` was set */
	uint32_t *adjacent; /* [vertex] the turn in which the vertex was a neighbour */
	uint32_t *via;      /* [vertex or bus] of the first step to the vertex or bus: index in
			       bus_of[], or bus */
	uint32_t *via_last; /* [vertex] bus of the second step */
	uint32_t *joined;   /* [3 * i] vertex, and two of its buses without a common square */
	uint32_t n_joined;
	uint8_t *n_parts; /* [vertex] dimensions that its links show; 0: not clear */
};

static uint32_t other_end(const struct hd_grid_net *net, uint32_t bus, uint32_t vertex)
{
	const uint32_t *pair = net->member + net->first[bus];

	return pair[0] == vertex ? pair[1] : pair[0];
}

static void mark_neighbours(struct labeller *l, uint32_t u)
{
	const struct hd_grid_net *net = l->net;

	for (uint32_t i = net->vertex_first[u]; i < net->vertex_first[u + 1]; i++)
		l->adjacent[other_end(net, net->bus_of[i], u)] = u;
}

/* Joins the sides of all triangles and opposite sides of all squares at @u. */
static void join_sides(struct labeller *l, uint32_t u)
{
	const struct hd_grid_net *net = l->net;

	mark_neighbours(l, u);
	for (uint32_t i = net->vertex_first[u]; i < net->vertex_first[u + 1]; i++) {
		uint32_t near = net->bus_of[i], v = other_end(net, near, u);

		for (uint32_t k = net->vertex_first[v]; k < net->vertex_first[v + 1]; k++) {
			uint32_t far = net->bus_of[k], w = other_end(net, far, v);

			if (w <= u)
				continue;
			if (l->adjacent[w] == u) {
				hd_union(l->class_of, near, far);
			} else if (l->stamp[w] != u) {
				l->stamp[w] = u;
				l->via[w] = near;
				l->via_last[w] = far;
			} else {
				hd_union(l->class_of, l->via[w], far);
				hd_union(l->class_of, near, l->via_last[w]);
			}
		}
	}
}

/*
 * The classes among the buses of @u: group[i] is that of its i-th bus. Returns how many there are,
 * at most MAX_GROUPS.
 */
static unsigned list_groups(struct labeller *l, uint32_t u, uint8_t *group, uint32_t *root,
			    uint32_t *count)
{
	const struct hd_grid_net *net = l->net;
	unsigned n = 0;

	for (uint32_t i = net->vertex_first[u]; i < net->vertex_first[u + 1]; i++) {
		uint32_t class = hd_find(l->class_of, net->bus_of[i]);
		unsigned g = 0;

		while (g < n && root[g] != class)
			g++;
		if (g == n) {
			if (n == MAX_GROUPS)
				return n + 1;
			root[n] = class;
			count[n++] = 0;
		}
		count[g]++;
		group[i - net->vertex_first[u]] = (uint8_t)g;
	}
	return n;
}

/* Which groups of links at @u are on a common square: bit h of square[g]. */
static void list_squares(struct labeller *l, uint32_t u, const uint8_t *group, uint32_t *square)
{
	const struct hd_grid_net *net = l->net;
	const uint32_t first = net->vertex_first[u];

	mark_neighbours(l, u);
	for (uint32_t i = first; i < net->vertex_first[u + 1]; i++) {
		uint32_t v = other_end(net, net->bus_of[i], u);

		for (uint32_t k = net->vertex_first[v]; k < net->vertex_first[v + 1]; k++) {
			uint32_t w = other_end(net, net->bus_of[k], v);

			if (w == u || l->adjacent[w] == u)
				continue;
			if (l->stamp[w] != u) {
				l->stamp[w] = u;
				l->via[w] = i;
			} else {
				unsigned g = group[l->via[w] - first], h = group[i - first];

				square[g] |= UINT32_C(1) << h;
				square[h] |= UINT32_C(1) << g;
			}
		}
	}
}

/* Pairs up the links of @u that are on no common square. */
static void pair_up(struct labeller *l, uint32_t u)
{
	uint32_t root[MAX_GROUPS], count[MAX_GROUPS], square[MAX_GROUPS] = { 0 };
	uint8_t group[HD_MAX_PORTS];
	unsigned n = list_groups(l, u, group, root, count), n_parts = 0;
	uint32_t before = l->n_joined;

	l->n_parts[u] = 0;
	if (n > MAX_GROUPS)
		return;
	list_squares(l, u, group, square);
	for (unsigned g = 0; g < n; g++) {
		uint32_t all = n == 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
		uint32_t mates = all & ~square[g] & ~(UINT32_C(1) << g);
		unsigned mate;

		n_parts++;
		if (!mates)
			continue;
		mate = (unsigned)__builtin_ctz(mates);
		if (mates & (mates - 1) || count[g] != 1 || count[mate] != 1 ||
		    (all & ~square[mate] & ~(UINT32_C(1) << mate)) != UINT32_C(1) << g) {
			l->n_joined = before;
			return;
		}
		if (mate < g) {
			n_parts--;
			continue;
		}
		l->joined[3 * l->n_joined] = u;
		l->joined[3 * l->n_joined + 1] = root[g];
		l->joined[3 * l->n_joined++ + 2] = root[mate];
	}
	l->n_parts[u] = (uint8_t)n_parts;
}

/*
 * The largest number of dimensions that a good part of @n vertices show: missing links lower the
 * number at many vertices, and raise it at very few.
 */
static unsigned most_shown(const uint8_t *n_parts, uint32_t n)
{
	uint32_t count[256] = { 0 };
	unsigned most = 255;

	for (uint32_t v = 0; v < n; v++)
		count[n_parts[v]]++;
	while (most && count[most] * 16 < n)
		most--;
	return most;
}

/* Classifies the links between switches; returns the number of dimensions. */
static unsigned classify_pairs(struct labeller *l)
{
	const struct hd_grid_net *net = l->net;
	const size_t bytes = net->n * sizeof(uint32_t);
	unsigned n;

	memset(l->stamp, 0xFF, bytes);
	memset(l->adjacent, 0xFF, bytes);
	for (uint32_t u = 0; u < net->n; u++)
		join_sides(l, u);
	memset(l->stamp, 0xFF, bytes);
	memset(l->adjacent, 0xFF, bytes);
	for (uint32_t u = 0; u < net->n; u++)
		pair_up(l, u);
	n = most_shown(l->n_parts, net->n);
	for (uint32_t i = 0; i < l->n_joined; i++)
		if (l->n_parts[l->joined[3 * i]] == n)
			hd_union(l->class_of, l->joined[3 * i + 1], l->joined[3 * i + 2]);
	return n;
}

/* Joins @bus with the lines that are crossed by two of the lines that cross @bus. */
static void join_parallels(struct labeller *l, uint32_t bus)
{
	const struct hd_grid_net *net = l->net;

	for (uint32_t i = net->first[bus]; i < net->first[bus + 1]; i++) {
		uint32_t router = net->member[i];

		for (uint32_t a = net->vertex_first[router]; a < net->vertex_first[router + 1];
		     a++) {
			uint32_t across = net->bus_of[a];

			for (uint32_t k = net->first[across];
			     across != bus && k < net->first[across + 1]; k++) {
				uint32_t other = net->member[k];

				for (uint32_t b = net->vertex_first[other];
				     other != router && b < net->vertex_first[other + 1]; b++) {
					uint32_t parallel = net->bus_of[b];

					if (parallel == across || parallel == bus)
						continue;
					if (l->stamp[parallel] != bus) {
						l->stamp[parallel] = bus;
						l->via[parallel] = across;
					} else if (l->via[parallel] != across) {
						hd_union(l->class_of, bus, parallel);
					}
				}
			}
		}
	}
}

/*
 * Classifies line switches; returns the number of dimensions. Nothing is classified where there are
 * too many.
 */
static unsigned classify_lines(struct labeller *l)
{
	const struct hd_grid_net *net = l->net;
	unsigned n;

	for (uint32_t v = 0; v < net->n; v++) {
		uint32_t degree = net->vertex_first[v + 1] - net->vertex_first[v];

		l->n_parts[v] = (uint8_t)(degree < 255 ? degree : 255);
	}
	n = most_shown(l->n_parts, net->n);
	/* on a tree of many ports, which is no KNS, this would take minutes */
	if (n > HD_GRID_RAW_DIMENSIONS)
		return n;
	memset(l->stamp, 0xFF, net->n_buses * sizeof(*l->stamp));
	for (uint32_t bus = 0; bus < net->n_buses; bus++)
		join_parallels(l, bus);
	return n;
}

/* Labels the buses of the @n largest classes 0, 1, ...; other buses get no label. */
static int label_largest(struct labeller *l, unsigned n, struct hd_error *err)
{
	struct hd_grid_net *net = l->net;
	uint32_t largest[HD_GRID_RAW_DIMENSIONS], *count = l->via;

	memset(count, 0, net->n_buses * sizeof(*count));
	for (uint32_t bus = 0; bus < net->n_buses; bus++)
		count[hd_find(l->class_of, bus)]++;
	for (unsigned d = 0; d < n; d++) {
		uint32_t best = HD_NONE;

		for (uint32_t bus = 0; bus < net->n_buses; bus++)
			if (count[bus] && (best == HD_NONE || count[bus] > count[best]))
				best = bus;
		if (best == HD_NONE)
			return hd_error_set(
				err, HD_EREFUSED,
				"not a grid: switches have links in %u dimensions, but only "
				"%u can be told apart",
				n, d);
		largest[d] = best;
		count[best] = 0;
	}
	for (uint32_t bus = 0; bus < net->n_buses; bus++)
		for (unsigned d = 0; d < n; d++)
			if (hd_find(l->class_of, bus) == largest[d])
				net->label[bus] = (uint8_t)d;
	net->n_dimensions = n;
	return 0;
}

static int classify(struct labeller *l, struct hd_error *err)
{
	unsigned n;

	for (uint32_t bus = 0; bus < l->net->n_buses; bus++)
		l->class_of[bus] = bus;
	n = l->net->switched ? classify_lines(l) : classify_pairs(l);
	if (n > HD_GRID_RAW_DIMENSIONS)
		return hd_error_set(err, HD_EREFUSED,
				    "not a grid: links run in %u directions, and grids have at "
				    "most %d dimensions",
				    n, HD_MAX_DIMENSIONS);
	if (n == 0 && l->net->n_buses)
		return hd_error_set(err, HD_EREFUSED,
				    "not a grid: links do not make squares or lines");
	return label_largest(l, n, err);
}

int hd_grid_label(struct hd_grid_net *net, struct hd_error *err)
{
	const size_t n = (net->n > net->n_buses ? net->n : net->n_buses) + (size_t)1;
	struct labeller l = {
		.net = net,
		.class_of = malloc(n * sizeof(uint32_t)),
		.stamp = malloc(n * sizeof(uint32_t)),
		.adjacent = malloc(n * sizeof(uint32_t)),
		.via = malloc(n * sizeof(uint32_t)),
		.via_last = malloc(n * sizeof(uint32_t)),
		.joined = malloc((net->vertex_first[net->n] + (size_t)1) * 3 * sizeof(uint32_t)),
		.n_parts = calloc(n, 1),
	};
	int ret =
		l.class_of && l.stamp && l.adjacent && l.via && l.via_last && l.joined && l.n_parts
			? classify(&l, err)
			: hd_error_nomem(err);

	free(l.class_of);
	free(l.stamp);
	free(l.adjacent);
	free(l.via);
	free(l.via_last);
	free(l.joined);
	free(l.n_parts);
	return ret;
}
