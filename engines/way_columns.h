/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ways from all switches to each LID, as the LFTs have them, with the flows that come through
 * each switch: for a search that moves ways. The ways to one LID are a column. Columns stay read
 * until they are looked at again, where there is memory for that.
 */
#ifndef HD_ENGINES_WAY_COLUMNS_H
#define HD_ENGINES_WAY_COLUMNS_H

#include "engines/targets.h"
#include "engines/turns.h"
#include "tables/tables.h"

struct hd_error;

/* Switches and end ports have LIDs, so two bytes count them. Searches read many columns. */
#define HD_WAY_MOST_SWITCHES 0xFFFEu

struct hd_way_column {
	uint32_t last;         /* the switch where they end */
	bool is_read;          /* out[] and next[] are as the entries say */
	bool is_sorted;        /* order[] and through[] are those of out[] */
	uint32_t *out;         /* [switch] channel by which packets leave; HD_NONE: @last */
	uint16_t *next;        /* [switch] the switch that it leads to; @last: itself */
	const uint16_t *order; /* the switches, those with the longest ways first, before any moved:
				  own[], or order_of[] if ways are shortest */
	uint16_t *own;
	uint16_t *through; /* [switch] flows that come through it */
};

/* Where an out-port leads. */
struct hd_way_out {
	uint32_t channel; /* HD_NONE: to no switch */
	uint32_t to;
};

struct hd_way_columns {
	struct hd_tables *tables;
	const struct hd_turn_graph *graph;
	const struct hd_route_target *targets;
	uint8_t *distances;         /* [switch * n + switch] */
	uint16_t *sources;          /* [switch] end ports there */
	uint32_t n;                 /* switches */
	uint32_t n_outs;            /* out-ports of any switch, with port 0 */
	struct hd_way_out *outs;    /* [switch * n_outs + out-port] */
	struct hd_way_column *list; /* [target], or a single one that all take in turn */
	bool are_kept;
	uint32_t *out;  /* of all columns */
	uint16_t *room; /* next[], through[] and own[] of all columns */
	uint16_t **
		order_of; /* [switch @last] the switches by distance, farthest first, then number */
	/*
	 * The entries of LIDs first_lid to first_lid + HD_LFT_BLOCK - 1, [LID][switch]. At each
	 * switch these share a cache line, and in large fabrics it takes longer to fetch that line
	 * than to copy what it has.
	 */
	uint8_t *block;
	uint32_t first_lid; /* HD_NONE: none */
	uint32_t last_read; /* the first LID of the block that was read last */
	uint16_t *length;   /* scratch, [switch] links of the way */
	uint32_t *count;    /* scratch, [switch] */
};

/*
 * For the ways to @targets by the entries of @tables; @graph is that of their fabric, and
 * @sources[switch] counts end ports. @tables, @graph and @targets must outlive @columns, of at most
 * HD_WAY_MOST_SWITCHES switches. Clear also after an error. HD_ENOMEM.
 */
int hd_way_columns_init(struct hd_way_columns *columns, struct hd_tables *tables,
			const struct hd_turn_graph *graph, const struct hd_route_targets *targets,
			const uint32_t *sources, struct hd_error *err);
void hd_way_columns_clear(struct hd_way_columns *columns);

/* The ways to @target, read unless they are known. NULL: packets from some switch do not arrive. */
struct hd_way_column *hd_way_column_read(struct hd_way_columns *columns,
					 const struct hd_route_target *target);

/*
 * Sorts switches by the lengths of their ways, and adds up flows, unless that is known. False: some
 * ways go round in circles.
 */
bool hd_way_column_sort(struct hd_way_columns *columns, struct hd_way_column *column);

/*
 * Writes @port into the entry of @lid at switch @s. Who writes entries otherwise calls
 * hd_way_column_forget() for each target.
 */
void hd_way_columns_write(struct hd_way_columns *columns, uint32_t s, uint16_t lid, uint8_t port);

/* Takes the ways that @from has read, of the same targets. Both keep their columns. */
void hd_way_columns_copy(struct hd_way_columns *columns, const struct hd_way_columns *from,
			 size_t n_targets);

/* Entries of the ways to @target have changed: they are read again. */
void hd_way_column_forget(struct hd_way_columns *columns, const struct hd_route_target *target);

#endif
