/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What patterns of ranks share: their hosts, their times, and functions of struct hd_pattern_kind.
 */
#ifndef HD_TRAFFIC_COLLECTIVE_SETUP_H
#define HD_TRAFFIC_COLLECTIVE_SETUP_H

#include "sim/traffic/collective_ranks.h"

/* Options that these functions read, for tables of options. */
#define HD_COLLECTIVE_HOSTS                                                                     \
	{ "hosts", NULL, "", "0..31+40..71, or random:64; a rank each; default: all" },         \
		{ "order", "in-order", "",                                                      \
		  "of ranks on these hosts: in-order, random or random:SEED" },                 \
		{ "start", "0", "", "time from the beginning of the phase until ranks begin" }, \
		{ "repeat", "1", "", "how often each rank does it" },                           \
		{ "compute", "0", "", "time that each rank computes before each repetition" },  \
	{                                                                                       \
		"ratio", "0", "",                                                               \
			"in place of compute: computing by communicating, 3:1 or 0.5; "         \
			"communicating takes as long as at a bus_use of 1"                      \
	}

/* Hosts and their order. HD_EINVAL, HD_ERANGE: no such hosts or order; HD_ENOMEM. */
int hd_collective_place(const struct hd_pattern_setup *setup, struct hd_collective_ranks *ranks,
			struct hd_error *err);

/* Start, repetitions, time to compute. HD_EINVAL, HD_ERANGE: no such times. */
int hd_collective_read_times(const struct hd_pattern_setup *setup,
			     struct hd_collective_ranks *ranks, struct hd_error *err);

/*
 * The time in which the ranks of a node exchange data, to whole ticks. HD_ERANGE: so long that
 * times of the run would not fit into 64 bits.
 */
int hd_collective_set_meeting(double ticks, uint64_t *meeting, struct hd_error *err);

/*
 * The time to compute by `ratio`, if it is given: @communication is the ticks in which the links of
 * ranks carry what a repetition needs at least. HD_EINVAL, HD_ERANGE: no such ratio.
 */
int hd_collective_read_ratio(const struct hd_params *params, double communication,
			     struct hd_collective_ranks *ranks, struct hd_error *err);

/* As those of struct hd_pattern_kind. The first frees @data, a struct hd_collective_ranks. */
void hd_collective_release(void *data);
const struct hd_collective *hd_collective_result(const void *data);
uint32_t hd_collective_class_of(const void *data, uint32_t host);
double hd_collective_load(const void *data, uint32_t class, double load_of_all);

#endif
