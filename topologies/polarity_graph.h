/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The graphs of Erdos, Renyi and Brown (1966) for a prime power q: q^2 + q + 1 vertices, which are
 * the points of the projective plane over the field of q elements, and diameter 2. Points u and v
 * are neighbours if u1 v1 + u2 v2 + u3 v3 = 0; the q + 1 points that this leads to themselves have
 * q neighbours, all others q + 1. Any two points have one common neighbour, or one of them is it.
 *
 * Vertex 0 is the point (0, 0, 1), vertex 1 + z is (0, 1, z), vertex 1 + q + q y + z is (1, y, z).
 */
#ifndef HD_TOPOLOGIES_POLARITY_GRAPH_H
#define HD_TOPOLOGIES_POLARITY_GRAPH_H

#include <stdint.h>

struct hd_error;
struct hd_field;
struct hd_switch_graph;

#define HD_POLARITY_MOST 64 /* the largest q */

/* Lists the @field->q + 1 points v with u v = 0 for the point @u, itself perhaps, in any order. */
void hd_polarity_line(const struct hd_field *field, uint32_t u, uint32_t *points);

/* Makes the graph for the prime power @q. Clear with hd_switch_graph_clear(). HD_ENOMEM. */
int hd_polarity_graph(uint32_t q, struct hd_switch_graph *graph, struct hd_error *err);

#endif
