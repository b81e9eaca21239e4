/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bounds on the time that packets wait at each channel of an acyclic graph of channels, by network
 * calculus: channel after channel, in topological order (docs/qos.md, "Bounds"). A channel
 * guarantees a rate after a latency; the traffic into it keeps to a burst and a rate. Times in ns,
 * rates in bytes per ns.
 */
#ifndef HD_VLARB_WAITS_H
#define HD_VLARB_WAITS_H

#include <stdbool.h>

#include "check/cycle.h"

/* A channel, a vertex of the graph. */
struct hd_wait_channel {
	double rate, latency; /* guaranteed; rate 0: nothing */
	double need;          /* rate of all that comes */
	double burst;         /* bytes that one sender may send at once */
	uint32_t n_flows;     /* pairs of hosts whose packets come; 0: the channel is not used */
	uint32_t n_senders;   /* hosts whose packets begin here; found for all other channels */

	/* found; INFINITY: no bound */
	double before; /* the longest wait of packets before they come */
	double wait;   /* the longest wait here */
};

/*
 * Finds the bounds of @channels [graph->n]. @any_order: packets leave a channel in any order;
 * otherwise in the order in which they came. HD_EREFUSED: the graph has a cycle; HD_ENOMEM.
 */
int hd_waits_find(const struct hd_digraph *graph, bool any_order, struct hd_wait_channel *channels,
		  struct hd_error *err);

/* Bytes that may wait behind @channel if packets wait @wait at most. */
double hd_waits_buffer(const struct hd_wait_channel *channel, double wait, double link_rate);

#endif
