/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The channel dependency graph of links between switches and layers, a set of edges that stays
 * acyclic while it grows. Every vertex has a rank, and ranks ascend along every edge. A new edge
 * against the ranks moves only the vertices between its ends (Pearce and Kelly, A dynamic
 * topological sort algorithm for directed acyclic graphs, 2006).
 *
 * An edge is a (switch, in, out) with a layer on either link, and the graph has a bit for each
 * edge. So finding, adding and removing an edge takes no search.
 */
#ifndef HD_CHECK_CHANNELS_H
#define HD_CHECK_CHANNELS_H

#include "tables/tables.h"

struct hd_error;

/* Packets that come into @node by port @in on layer @from need port @out on layer @to next. */
struct hd_channel_edge {
	uint32_t node;
	uint8_t in, out; /* ports with links to other switches */
	uint8_t from, to;
	bool added;
};

struct hd_channels {
	const struct hd_tables *tables;
	unsigned n_layers;
	uint32_t n_vertices;    /* link * n_layers + layer */
	uint32_t *link_of_port; /* [port] of the sending port; HD_NONE: the link does not join
				   switches */
	uint32_t *port_of_link;
	uint16_t *next;      /* [row * n_layers + from], rows as in tables->sl2vl: bit l for an edge
			   to layer l */
	uint16_t *closing;   /* as next[]: edges that close a cycle; NULL: not remembered */
	unsigned n_words;    /* of 64 bits, enough for the ports of any switch */
	uint64_t *outs;      /* [vertex n_words] bits: out-ports to which edges go */
	uint64_t *ins;       /* [vertex n_words] bits: in-ports from which edges come */
	uint32_t *rank;      /* [vertex] a permutation */
	uint32_t *vertex_at; /* [rank] */

	/* scratch, [vertex] */
	uint32_t *mark;
	uint32_t token;
	uint32_t *forward, *backward, *stack;
};

/* A graph without edges and ranks. @n_layers at most 16. Clear also after an error. HD_ENOMEM. */
int hd_channels_init(struct hd_channels *channels, const struct hd_tables *tables,
		     unsigned n_layers, struct hd_error *err);
void hd_channels_clear(struct hd_channels *channels);

/* Removes all edges. */
void hd_channels_empty(struct hd_channels *channels);

/* Adds an edge, even if it closes a cycle; call hd_channels_rank() before hd_channels_try(). */
void hd_channels_add(struct hd_channels *channels, const struct hd_channel_edge *edge);

/*
 * Ranks all vertices and returns true if the graph is acyclic. Else marks in @core, [n_vertices],
 * the vertices on a cycle or on a path from one cycle to another: edges between other vertices are
 * on no cycle.
 */
bool hd_channels_rank(struct hd_channels *channels, uint8_t *core);

/* Takes out an edge. The ranks stay in order. */
void hd_channels_remove(struct hd_channels *channels, const struct hd_channel_edge *edge);

/*
 * From here on hd_channels_try() remembers edges that close a cycle by themselves, and needs no
 * search to refuse them again. For graphs from which nobody takes edges. HD_ENOMEM.
 */
int hd_channels_remember(struct hd_channels *channels, struct hd_error *err);

/*
 * A copy of @from; clear it in any case. HD_ENOMEM. The same ranks as @from, whose vertices it has.
 */
int hd_channels_copy(struct hd_channels *channels, const struct hd_channels *from,
		     struct hd_error *err);
void hd_channels_copy_ranks(struct hd_channels *channels, const struct hd_channels *from);

/* The vertex that an edge leaves, and the one that it leads to. */
uint32_t hd_channels_source(const struct hd_channels *channels, const struct hd_channel_edge *edge);
uint32_t hd_channels_target(const struct hd_channels *channels, const struct hd_channel_edge *edge);

/* The number of @edges that are not in the graph yet. */
size_t hd_channels_count_new(const struct hd_channels *channels,
			     const struct hd_channel_edge *edges, size_t n);

/*
 * Adds all of @edges to a ranked graph if the graph stays acyclic; otherwise adds none and returns
 * false. Sets `added` in the edges that are new.
 */
bool hd_channels_try(struct hd_channels *channels, struct hd_channel_edge *edges, size_t n);

#endif
