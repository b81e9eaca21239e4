/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random connected graphs, for engines that promise to route any graph. */
#ifndef HD_TESTS_UNIT_RANDOM_GRAPH_H
#define HD_TESTS_UNIT_RANDOM_GRAPH_H

#include "fabric/builder.h"

/* A random tree of switches with some more links, also parallel ones, and a few hosts. */
struct hd_fabric *random_graph(uint64_t seed);

/* The steps: a node; a link of the next free ports of two switches; the fabric with LIDs. */
void random_graph_add(struct hd_builder *builder, enum hd_node_type type, uint64_t guid,
		      unsigned n_ports);
void random_graph_link(struct hd_builder *builder, uint8_t *used, uint32_t a, uint32_t b);
struct hd_fabric *random_graph_finish(struct hd_builder *builder);

#endif
