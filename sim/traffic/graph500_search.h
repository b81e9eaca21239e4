/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The processes of Graph500's breadth-first search. On each level they send one another messages of
 * queries, as fast as they can while they answer incoming queries; then they tell all others that
 * they have sent all; then they meet in a reduction to the root's process and a broadcast from
 * there.
 *
 * A process does one thing at a time. It answers queries first. Without queries, and if its last
 * message has begun to leave the host, it makes its next message. That takes an exponential time,
 * whose mean is the time of its queries (equation 2.20 of the thesis in continuous time).
 */
#ifndef HD_TRAFFIC_GRAPH500_SEARCH_H
#define HD_TRAFFIC_GRAPH500_SEARCH_H

#include "sim/traffic/pattern.h"

#define HD_GRAPH500_MOST_QUERIES 65536 /* of a message */

struct hd_graph500_process;

/* The hooks of struct hd_pattern_kind with this as @data. */
struct hd_graph500 {
	struct hd_application application;
	uint32_t n; /* processes */
	uint32_t n_hosts;
	uint32_t root;     /* the rank */
	uint32_t *host_of; /* [rank], then all other hosts */
	uint32_t *rank_of; /* [host] place in host_of */
	struct hd_graph500_process *processes;
	uint32_t n_reduced, n_through, n_ended;
	double query; /* ticks to make or answer a query */
	uint32_t coalescing, unit, packet;
	bool has_neighbour;
};

/*
 * Makes the processes of @g, whose n, host_of, root and application are set; they draw from the
 * streams of their hosts, @stream + host. @g->processes is to be freed. HD_ENOMEM.
 */
int hd_graph500_make(struct hd_graph500 *g, uint64_t seed, uint64_t stream, struct hd_error *err);

void hd_graph500_begin(void *data, uint64_t begin, const struct hd_traffic_actions *actions);
void hd_graph500_woken(void *data, uint64_t now, uint32_t host,
		       const struct hd_traffic_actions *actions);
void hd_graph500_entered(void *data, uint64_t now, const struct hd_message *message,
			 const struct hd_traffic_actions *actions);
void hd_graph500_received(void *data, uint64_t begin, uint64_t now,
			  const struct hd_message *message,
			  const struct hd_traffic_actions *actions);

#endif
