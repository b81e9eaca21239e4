/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A time series of steps of any length. Latency and misroutes are those of the packets generated in
 * a step, even if they arrive later: so they show what a change of traffic does to the packets
 * after it. Loads are what was generated, and what arrived, in the step.
 */
#ifndef HD_MEASURE_SERIES_H
#define HD_MEASURE_SERIES_H

#include "sim/model/model.h"

struct hd_error;

#define HD_SERIES_STEPS 1000000 /* at most */

struct hd_series_options {
	uint64_t begin, end; /* ticks: begin <= time < end */
	uint64_t step;       /* ticks */
	uint64_t origin;     /* a step begins there; the first and the last step may be shorter */
	uint32_t n_hosts;
	uint32_t unit_ticks; /* of the hosts' links */
};

struct hd_series_step {
	uint64_t offered, accepted;  /* units generated, and arrived, in the step */
	uint64_t generated, packets; /* packets generated in the step; those of them that arrived */
	uint64_t latency, network_latency, misrouted; /* sums over the latter, in ticks; number of
							 misrouted ones */
};

struct hd_series {
	struct hd_series_options options;
	uint64_t lead;    /* ticks that the first step lacks */
	uint64_t pending; /* packets of all steps that have not arrived */
	size_t n;
	struct hd_series_step steps[];
};

/* HD_EINVAL: no steps; HD_ERANGE: too many; HD_ENOMEM. Free with free(). */
int hd_series_new(const struct hd_series_options *options, struct hd_series **series,
		  struct hd_error *err);

/* Events of the model, as hd_measure_generated() and the functions beside it. */
void hd_series_generated(struct hd_series *series, const struct hd_message *message);
void hd_series_refused(struct hd_series *series, const struct hd_message *message);
void hd_series_dropped(struct hd_series *series, const struct hd_message *message);
void hd_series_delivered(struct hd_series *series, uint64_t now, const struct hd_message *message,
			 uint64_t entered, bool is_misrouted);

/* The begin of step @i, in ticks from the origin; its length. */
int64_t hd_series_begin(const struct hd_series *series, size_t i);
uint64_t hd_series_length(const struct hd_series *series, size_t i);

/* @units within step @i, as a share of what the links of all hosts can carry. */
double hd_series_load(const struct hd_series *series, size_t i, uint64_t units);

#endif
