/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which receive gets which message, as in MPI: each rank has receives that wait for messages, and
 * messages that came before their receives. The first of either that fits is taken.
 */
#ifndef HD_TRAFFIC_GOAL_MATCH_H
#define HD_TRAFFIC_GOAL_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A receive or a message: of a rank, from another; source and tag of a receive may be HD_GOAL_ANY.
 */
struct hd_goal_offer {
	uint32_t rank, source, tag;
	uint32_t what; /* its owner's number of it */
};

struct hd_goal_item;

struct hd_goal_match {
	struct hd_goal_item *items;
	uint32_t n_items, free; /* list of items that are not in use */
	uint32_t *buckets;      /* [n_buckets] those with a source and a tag, by these */
	uint32_t n_buckets;     /* a power of two */
	struct hd_goal_queue *messages, *any; /* [rank] messages; receives from any source or tag */
	uint64_t n_posted;                    /* receives */
};

/* @n_ops: how many receives there will be. False: out of memory, here and below. */
bool hd_goal_match_init(struct hd_goal_match *match, uint32_t n_ranks, uint64_t n_ops);
void hd_goal_match_free(struct hd_goal_match *match);

/*
 * @message came: the receive that takes it goes to @receive and waits no more; otherwise the
 * message waits, and @receive is HD_NONE.
 */
bool hd_goal_match_message(struct hd_goal_match *match, const struct hd_goal_offer *message,
			   uint32_t *receive);

/* The same for @receive and messages that came before it. */
bool hd_goal_match_receive(struct hd_goal_match *match, const struct hd_goal_offer *receive,
			   uint32_t *message);

/* Calls @take for all receives, or all messages, that wait, in any order. */
void hd_goal_match_each(const struct hd_goal_match *match, bool messages,
			void (*take)(void *context, const struct hd_goal_offer *offer),
			void *context);

#endif
