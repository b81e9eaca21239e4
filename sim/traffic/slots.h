/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Arrivals in slots of time, and the two-state chain of bursty traffic. */
#ifndef HD_TRAFFIC_SLOTS_H
#define HD_TRAFFIC_SLOTS_H

#include "sim/traffic/deviate.h"

/*
 * The slot of option "slot" (a packet when there is neither value nor default) in ticks, and the
 * probability that a slot has a packet. HD_EINVAL, HD_ERANGE.
 */
int hd_slots_init(const struct hd_arrival_setup *setup, uint64_t *slot, double *p,
		  struct hd_error *err);

/* Moves the time of @source on by @slots; false: the time would be too large. */
static inline bool hd_advance_slots(const struct hd_arrival *arrival, struct hd_source *source,
				    uint64_t slots)
{
	return slots < UINT64_MAX / 2 / arrival->slot &&
	       hd_advance(source, slots * arrival->slot, 0);
}

/* Probabilities of the chain (fairness-contention-flexvc, equations 1.4 - 1.7). */
struct hd_on_off {
	double on;     /* of being in state ON: packets per slot */
	double on2off; /* of leaving the state after a packet */
	double off2on; /* of entering the state, also in the same slot */
};

/* For @on packets per slot, 0 .. 1, in bursts of @burst >= 1 packets on average. */
struct hd_on_off hd_on_off(double on, double burst);

#endif
