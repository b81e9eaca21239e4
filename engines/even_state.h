/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a search for even loads (engines/even.h) holds: the ways to each LID, the loads of links, and
 * the turns that ways take, which are counted by columns. For engines/even*.c alone.
 */
#ifndef HD_ENGINES_EVEN_STATE_H
#define HD_ENGINES_EVEN_STATE_H

#include "engines/even.h"
#include "engines/turns.h"
#include "engines/way_columns.h"

#define HD_EVEN_GAIN 40 /* the part of the busiest link that must be gained */

/* A channel that is hot, or has been. */
struct hd_even_hot {
	const uint8_t *lft; /* of the switch that it leaves */
	uint32_t channel;
	uint8_t port;
};

/* A switch of the way that may be left, and what the way has up to there. */
struct hd_even_mark {
	uint32_t stamp; /* other than that of the search: it is not on the way */
	uint32_t length;
	uint64_t worst; /* flows of the busiest link */
};

struct hd_even {
	const struct hd_fabric *fabric;
	struct hd_tables *tables;
	uint32_t n; /* switches */
	struct hd_turn_graph graph;
	struct hd_turns turns;
	bool has_turns;     /* turns and n_taken[] are those of all ways */
	bool is_moved;      /* a search has moved ways, so that they are not as they came */
	uint16_t *n_taken;  /* [channel out * most_outs + in] columns that take the turn */
	uint32_t *place;    /* [channel in] its place at the switch where it ends */
	uint32_t most_outs; /* channels that leave any switch */
	uint32_t *sources;  /* [switch] end ports there */
	const struct hd_even_request *request;
	const uint32_t *weight; /* request->weight */
	uint8_t *rule;  /* [switch * LFT stride + LID] as request->rule(); NULL: all may move */
	uint64_t *load; /* [channel] flows times weight */
	uint64_t bound; /* what the busiest link cannot be below */
	uint64_t hot;   /* flows from which on links are relieved */
	uint32_t n_hot; /* channels that are hot, or have been since that was set */
	struct hd_even_hot *hot_list;
	bool *is_listed;     /* [channel] */
	uint8_t *is_hot;     /* [channel] 1: it has so many flows, 0: less */
	uint32_t *target_of; /* [LID] its place in the list of all targets; HD_NONE: none */
	struct hd_way_columns columns;
	struct hd_way_column *column; /* the one that is looked at */
	uint8_t *has_hot;             /* scratch, [switch] 1: a link on the way is hot */
	struct hd_even_mark *mark;    /* [switch] */
	uint32_t stamp;
	/*
	 * [(switch @last * n + switch) * n_words] bits: channels of the switch that lead nearer to
	 * @last; 0: not found out. NULL: too many.
	 */
	uint64_t *nearer;
	uint64_t *tried; /* scratch, bits: channels of a switch */
	uint32_t *ins;   /* scratch, channels by which packets of the column come to a switch */
	uint32_t n_ins;
	uint32_t *list; /* scratch, [switch] */

	/* with request->known; NULL: without */
	bool *is_missing; /* [channel] its link is missing; channels are those of the whole fabric */
	uint32_t *dirty;  /* places of targets whose ways are not as known */
	uint32_t n_dirty;
};

struct hd_even_known {
	struct hd_even even;
	struct hd_even_request request;
	struct hd_route_targets targets; /* a copy */
	uint8_t *lft;                    /* likewise */
	size_t stride;
};

static inline uint64_t hd_even_weigh(const struct hd_even *even, uint32_t channel, uint64_t flows)
{
	return even->weight ? even->weight[channel] * flows : flows;
}

static inline struct hd_turn hd_even_turn(const struct hd_even *even, uint32_t in, uint32_t out)
{
	return (struct hd_turn){ .node = even->graph.to[in], .in = in, .out = out };
}

/* Turns that there may be, taken or not. */
static inline size_t hd_even_n_kinds(const struct hd_even *even)
{
	return (size_t)even->graph.n_channels * even->most_outs;
}

/* Reads and sorts the ways to @target. False: some packets do not arrive. */
bool hd_even_look_at(struct hd_even *even, const struct hd_route_target *target);

/* Adds the flows of the column to links. */
void hd_even_add_flows(struct hd_even *even);

/* The flows of the busiest link. */
uint64_t hd_even_find_busiest(const struct hd_even *even);

/* Takes all turns of the column, whatever cycles they close. */
void hd_even_put_column(struct hd_even *even);

/* Leaves all turns of the ways in @column. */
void hd_even_leave_column(struct hd_even *even, const struct hd_way_column *column);

/* Lists the channels by which packets of the column come to @s, where they leave by @out. */
void hd_even_list_ins(struct hd_even *even, uint32_t s, uint32_t out);

/*
 * Takes the turns from ins[] to @out, and that from there on. False: they would close a cycle, and
 * are not taken.
 */
bool hd_even_take_turns(struct hd_even *even, uint32_t out);

/* Leaves the turns from the first @n of ins[] to @out, and that from there on. */
void hd_even_leave_turns(struct hd_even *even, uint32_t out, uint32_t n);

/* Frees what the search holds, but for a graph that is of what is known. */
void hd_even_state_clear(struct hd_even *even);

#endif
