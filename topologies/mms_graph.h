/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The graphs of McKay, Miller and Siran (1998) for a prime power q = 4 w + d, with d one of -1, 0,
 * 1: 2 q^2 vertices of (3 q - d) / 2 neighbours each, and diameter 2. Vertex x q + y is (0, x, y),
 * vertex q^2 + m q + c is (1, m, c), of the field of q elements. Edges:
 *
 *	(0, x, y) - (0, x, z)  if y - z is in X,
 *	(1, m, c) - (1, m, d)  if c - d is in Y,
 *	(0, x, y) - (1, m, c)  if y = m x + c.
 *
 * X and Y are powers of a primitive element. For d = 1 and d = 0, X has the even ones and Y the odd
 * ones (so for d = 0 both have element 1). For d = -1, X has the even ones below 2 w and the odd
 * ones from 2 w on, Y each of these times the primitive element.
 */
#ifndef HD_TOPOLOGIES_MMS_GRAPH_H
#define HD_TOPOLOGIES_MMS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_switch_graph;

#define HD_MMS_MOST 43 /* the largest q */

/* Whether there is such a graph for @q. */
bool hd_mms_exists(uint32_t q);

/* The neighbours of a vertex. */
uint32_t hd_mms_degree(uint32_t q);

/* Makes the graph, if it exists. Clear with hd_switch_graph_clear(). HD_ENOMEM. */
int hd_mms_graph(uint32_t q, struct hd_switch_graph *graph, struct hd_error *err);

#endif
