/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ranks of a GOAL schedule, as they run: LogGOPSim's arithmetic at hosts, while the fabric has
 * the time of messages. docs/traffic.md has the rules.
 */
#ifndef HD_TRAFFIC_GOAL_RUN_H
#define HD_TRAFFIC_GOAL_RUN_H

#include "sim/traffic/goal.h"
#include "sim/traffic/goal_agenda.h"
#include "sim/traffic/goal_match.h"
#include "sim/traffic/loggop.h"
#include "sim/traffic/packet_turns.h"
#include "sim/traffic/traffic.h"

struct hd_goal_message;

/* Ranks of instance i have numbers from i times the ranks of the schedule; so do operations. */
struct hd_goal_run {
	char *file;
	struct hd_goal goal;
	struct hd_loggop loggop;
	uint64_t tick;   /* ticks of the schedule's unit of time */
	uint32_t unit;   /* bytes of a unit */
	uint32_t packet; /* units */
	bool in_turn;    /* a host sends packets of its messages in turn */
	uint32_t n_instances, n_ranks;
	uint32_t n_hosts;
	uint32_t *host_of; /* [rank] */
	bool *has_rank;    /* [host] */

	/* As it runs: */
	uint64_t n_left; /* operations that have not ended */
	uint64_t end;    /* of the last operation, from the beginning */
	uint64_t begin;
	uint64_t wake;        /* the next time that was asked for; UINT64_MAX: none */
	uint64_t n_under_way; /* messages between a send and their arrival */
	struct hd_goal_agenda agenda;
	uint32_t *waits;                 /* [op] */
	uint64_t *ready;                 /* [op] the latest end of those that it waited for;
					    of a receive that has its message, the message */
	uint8_t *state;                  /* [op] */
	uint32_t *first_cpu, *first_nic; /* [rank] in the following */
	uint64_t *cpu_free, *nic_free_to_send, *nic_free_to_receive;
	struct hd_goal_match match;
	struct hd_goal_message *messages;
	struct hd_outbox_link *links; /* [message] */
	uint32_t n_messages, free_message;
	struct hd_outbox_host *outboxes; /* [host] */
};

/* Makes @run ready, whose members up to has_rank are set. HD_ERANGE: too much of it; HD_ENOMEM. */
int hd_goal_run_make(struct hd_goal_run *run, struct hd_error *err);
void hd_goal_run_free(struct hd_goal_run *run);

/* The hooks of struct hd_pattern_kind with this as @data. */
void hd_goal_begin(void *data, uint64_t begin, const struct hd_traffic_actions *actions);
void hd_goal_woken(void *data, uint64_t now, uint32_t host,
		   const struct hd_traffic_actions *actions);
void hd_goal_entered(void *data, uint64_t now, const struct hd_message *message,
		     const struct hd_traffic_actions *actions);
void hd_goal_received(void *data, uint64_t begin, uint64_t now, const struct hd_message *message,
		      const struct hd_traffic_actions *actions);
uint64_t hd_goal_waiting(const void *data);
uint64_t hd_goal_last_local(const void *data);
int hd_goal_stuck(const void *data, struct hd_error *err);

#endif
