/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collective operations of a run: their times as results. */
#ifndef HD_SCENARIO_COLLECTIVE_TIMES_H
#define HD_SCENARIO_COLLECTIVE_TIMES_H

#include "sim/traffic/concurrent.h"

struct hd_error;

/* The operation of a traffic class; n_ranks 0: it has none. */
struct hd_collective_result {
	struct hd_collective of;
	unsigned class;           /* of traffic */
	uint32_t link_unit_ticks; /* of a host's link */
	double alone;             /* ticks of a repetition of the job alone; NaN: not known */
};

/*
 * Copies the operations of @concurrent: [tag] that of the class which has the flow class of the
 * tag. @results has hd_concurrent_flows() members; free with hd_collectives_free(). HD_ENOMEM.
 */
int hd_collectives_copy(const struct hd_concurrent *concurrent, uint32_t link_unit_ticks,
			struct hd_collective_result **results, struct hd_error *err);
void hd_collectives_free(struct hd_collective_result *results, unsigned n);

/* The first operation of @n; NULL: there is none, or @results is NULL. */
const struct hd_collective_result *hd_collectives_first(const struct hd_collective_result *results,
							unsigned n);

/*
 * What follows is not a number for an operation that is NULL, that there is not, or that is not
 * over. In ticks: from the beginning of its phase to its end; the mean time of a repetition.
 */
double hd_collective_makespan(const struct hd_collective_result *result);
double hd_collective_repetition(const struct hd_collective_result *result);
/*
 * In bytes per tick: the bus bandwidth of nccl-tests, by the time in which ranks do not compute;
 * the mean of what arrived at a rank. The first also as a share of a host's link.
 */
double hd_collective_bus(const struct hd_collective_result *result);
double hd_collective_bus_use(const struct hd_collective_result *result);
double hd_collective_goodput(const struct hd_collective_result *result);

/* How many times as long a repetition takes as alone. */
double hd_collective_slowdown(const struct hd_collective_result *result);

#endif
