/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * When the next sweep begins after one that lost MADs. OpenSM itself waits: after "ERRORS DURING
 * INITIALIZATION", or when all engines have refused, the next sweep begins when its sweep_interval
 * (10 s) is over or a trap comes. Each sweep sends what is left, so a few of them complete it.
 * Where MADs are lost for good, sweeps only fill the log: they come later and later, and after some
 * of them the subnet manager's interval counts again. After a refusal without a lost MAD no sweep
 * is asked for: it would see the same.
 *
 * All times are seconds of one clock; MADs that are lost are counted from any number on.
 */
#ifndef HD_MANAGER_PACE_H
#define HD_MANAGER_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Begin with zeros. */
struct hd_pace {
	unsigned tries;    /* sweeps asked for since one ended without errors */
	unsigned n_failed; /* sweeps begun since then */
	double first;      /* when the first of them began */
	double begin;      /* when this one began */
	uint32_t lost;     /* requests without an answer until then */
	bool is_refused;   /* an engine has refused in this sweep, which has lost MADs */
};

/*
 * When a sweep may begin. Traps and what OpenSM finds missing make it sweep without a pause, which
 * helps as long as each sweep completes more; where many in a row had errors, they begin at growing
 * distances, up to 10 s.
 */
double hd_pace_next(const struct hd_pace *pace);

/* A heavy sweep begins. */
void hd_pace_begin(struct hd_pace *pace, double now, uint32_t lost);

/* Whether this sweep has lost MADs, and one that is asked for may do better. */
bool hd_pace_may_help(const struct hd_pace *pace, double now, uint32_t lost);

/* An engine refuses what this sweep has found. True: another is to be asked for. */
bool hd_pace_refused(struct hd_pace *pace, uint32_t lost);

/* A heavy sweep has got to its end, maybe with errors. True: another is to be asked for. */
bool hd_pace_end(struct hd_pace *pace, bool has_errors);

/* Another sweep is asked for: in how many milliseconds; 0: not any more. */
unsigned hd_pace_again(struct hd_pace *pace);

#endif
