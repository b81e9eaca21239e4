/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Topologies that are a graph of switches with as many hosts on each. */
#ifndef HD_TOPOLOGIES_GRAPH_SHAPE_H
#define HD_TOPOLOGIES_GRAPH_SHAPE_H

#include "topologies/shape.h"

struct hd_switch_graph;

/* The option `p`: half of the links to switches unless users say, rounded up. */
#define HD_GRAPH_HOSTS_OPTION                                                                   \
	{                                                                                       \
		"p", NULL, "hosts", "hosts on a switch; default: half of its links to switches" \
	}
int hd_graph_hosts(const struct hd_params *params, uint32_t degree, uint32_t *p,
		   struct hd_error *err);

/*
 * Makes the fabric: switches in the order of @graph, whose names @name gives; port 1 .. @p of each
 * for its hosts, then one for each neighbour, in ascending order. What hd_shape_begin() and
 * hd_shape_finish() return.
 */
int hd_graph_shape(const struct hd_switch_graph *graph, uint32_t p,
		   void (*name)(const struct hd_switch_graph *graph, uint32_t s, char *text,
				size_t size),
		   struct hd_fabric **fabric, struct hd_error *err);

#endif
