/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds the place of each switch of a fabric in a known graph, for fabrics that are that graph
 * without some vertices and edges. Made for graphs in which two vertices have few common
 * neighbours, so that few places decide all others.
 */
#ifndef HD_TOPOLOGIES_EMBEDDING_H
#define HD_TOPOLOGIES_EMBEDDING_H

#include <stdint.h>

struct hd_error;
struct hd_switch_graph;

/*
 * Fills @place[switch of @fabric] with vertices of @known, each once, so that linked switches are
 * at neighbouring vertices. At most @most_missing edges of @known are between places and are no
 * links. HD_EREFUSED: there is none, or none was found with bounded work; HD_ENOMEM.
 */
int hd_embed(const struct hd_switch_graph *fabric, const struct hd_switch_graph *known,
	     uint32_t most_missing, uint32_t *place, struct hd_error *err);

#endif
