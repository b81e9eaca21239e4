/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How long a host's processors and adapters are busy with a message: the LogGOP parameters. */
#ifndef HD_TRAFFIC_LOGGOP_H
#define HD_TRAFFIC_LOGGOP_H

#include <stdint.h>

#include "support/policy.h"

struct hd_error;

/* Times are in ticks. */
struct hd_loggop {
	uint64_t L; /* from the end of a sender's work until its message begins to enter the link */
	uint64_t o; /* of a processor, for each message that it sends or takes in */
	uint64_t g; /* of an adapter, for each message */
	double G;   /* of an adapter, for each byte that it sends after the first */
	uint64_t S; /* bytes: the sending of a larger message ends with its receipt */
};

extern const struct hd_registry hd_host_models;

/*
 * The model of @spec, "none" or "loggop:L=...,o=...". NULL: none. Its unit of time, a nanosecond or
 * a cycle, has @unit ticks; @G is that of a host's link. HD_EINVAL; HD_ERANGE; HD_ENOMEM.
 */
int hd_loggop_read(const char *spec, uint64_t unit, double G, struct hd_loggop *loggop,
		   struct hd_error *err);

#endif
