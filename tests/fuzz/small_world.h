/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Small fabrics with everything that may be wanted of them: the fabric without any one of its links
 * or switches, and the tables of engines for each, on either of two VLs. What switches hold is in
 * plain arrays, by the switches of the whole fabric.
 */
#ifndef HD_TESTS_SMALL_WORLD_H
#define HD_TESTS_SMALL_WORLD_H

#include "tables/tables.h"
#include "tests/fuzz/mixture_graph.h"

#define WORLD_KINDS    3
#define WORLD_ENGINES  2
#define WORLD_LANES    2
#define WORLD_VARIANTS 24

/* What a switch holds. */
struct switch_state {
	uint8_t lft[GRAPH_LIDS];
	hd_sl2vl_row rows[GRAPH_PORTS][GRAPH_PORTS]; /* [in][out] */
};

struct world_variant {
	struct hd_fabric *fabric;
	uint32_t index[GRAPH_SWITCHES]; /* of each switch here; HD_NONE: it has failed */
	bool is_there[GRAPH_SWITCHES][GRAPH_PORTS]; /* links */
	struct hd_tables *goals[WORLD_ENGINES][WORLD_LANES];
};

struct small_world {
	struct mixture_graph graph; /* of the whole fabric */
	unsigned n_variants;
	struct world_variant variants[WORLD_VARIANTS]; /* the first is the whole fabric */
	struct hd_tables *loop;                        /* of the whole fabric, with a credit loop */
};

/* Fabric @kind of WORLD_KINDS. Ends the program when out of memory. Freed by small_world_free(). */
struct small_world *small_world_new(unsigned kind);
void small_world_free(struct small_world *world);

/* What @tables of @variant have for switch @s, which is there. */
void switch_state_of(const struct world_variant *variant, const struct hd_tables *tables,
		     unsigned s, struct switch_state *state);

/* Switches that hold nothing. */
void switch_state_clear(struct switch_state *state);

/* Adds what a switch holds to the values that switch @s may have. */
void switch_state_add(const struct mixture_graph *graph, unsigned s,
		      const struct switch_state *state, struct mixture_values *values);

#endif
