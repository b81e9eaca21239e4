/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ranks of a collective operation that is repeated: what each has sent and received.
 *
 * A rank hands its host one packet at a time, the next one when that begins to leave, so hosts'
 * queues stay short. It sends one message after the other; where several lanes could go on, they
 * take turns. A repetition of a rank begins when its last one is over, and it has computed.
 *
 * A repetition has stages, which a rank begins one after the other. In each, the ranks of a
 * communicator do an operation together.
 *
 * With groups, ranks of a group (a node with several adapters) exchange data within it before the
 * first and after the last stage: all of them meet, and go on together after a time.
 */
#ifndef HD_TRAFFIC_COLLECTIVE_RANKS_H
#define HD_TRAFFIC_COLLECTIVE_RANKS_H

#include "sim/traffic/collective_plan.h"
#include "sim/traffic/pattern.h"

struct hd_collective_lane;
struct hd_collective_message;
struct hd_collective_rank;

/*
 * A part of a repetition: an operation among the ranks of each communicator, that follow one
 * another by @stride. Members of a communicator have numbers 0 to plan.n - 1.
 */
struct hd_collective_stage {
	struct hd_collective_plan plan;
	uint32_t stride;
	uint32_t times; /* how often, one after the other */
};

/* The hooks of struct hd_pattern_kind with this as @data. */
struct hd_collective_ranks {
	struct hd_collective result;
	struct hd_collective_stage stages[HD_COLLECTIVE_PARTS]; /* one after the other */
	unsigned n_stages;
	uint32_t n, n_hosts;
	uint64_t start; /* ticks from the beginning of the phase */
	uint32_t group; /* ranks of a group */
	/* ticks of the exchange within groups before and after the stages; 0: none */
	uint64_t meets[2];
	uint32_t packet;   /* units of a packet */
	uint32_t *host_of; /* [rank] */
	uint32_t *rank_of; /* [host] HD_NONE: it has no rank */
	uint32_t n_lanes;
	uint32_t n_ended;
	uint32_t *n_through; /* [repetition] ranks for which it is over */
	struct hd_collective_rank *ranks;
	struct hd_collective_lane *lanes;       /* [rank * n_lanes + lane] */
	uint32_t *arrived;                      /* [group] ranks that have come to meet */
	struct hd_collective_message *messages; /* under way */
	uint32_t n_messages, free_message;
};

/* Makes the ranks of @ranks, whose members up to rank_of are set. HD_ENOMEM. */
int hd_collective_ranks_make(struct hd_collective_ranks *ranks, struct hd_error *err);
void hd_collective_ranks_free(struct hd_collective_ranks *ranks);

void hd_collective_begin(void *data, uint64_t begin, const struct hd_traffic_actions *actions);
void hd_collective_woken(void *data, uint64_t now, uint32_t host,
			 const struct hd_traffic_actions *actions);
void hd_collective_entered(void *data, uint64_t now, const struct hd_message *message,
			   const struct hd_traffic_actions *actions);
void hd_collective_received(void *data, uint64_t begin, uint64_t now,
			    const struct hd_message *message,
			    const struct hd_traffic_actions *actions);

/* Ranks that still have something to do. */
uint64_t hd_collective_waiting(const void *data);

#endif
