/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Things to do later: a binary heap by (time, order of arming). */
#ifndef HD_EMULATOR_TIMERS_H
#define HD_EMULATOR_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_timer {
	uint64_t time; /* ns */
	uint64_t order;
	void (*expire)(void *context, uint64_t argument);
	void (*drop)(void *context,
		     uint64_t argument); /* instead, at hd_timers_free(); may be NULL */
	void *context;
	uint64_t argument;
};

struct hd_timers {
	struct hd_timer *heap;
	size_t n, size;
	uint64_t armed; /* so far */
};

/* False: out of memory, nothing is armed. */
bool hd_timers_add(struct hd_timers *timers, const struct hd_timer *timer);

/* Runs the first of what is due at @now. False: nothing is. */
bool hd_timers_run_first(struct hd_timers *timers, uint64_t now);

/* Runs, in order, what is due at @now; what these arm for then or earlier is run as well. */
void hd_timers_run(struct hd_timers *timers, uint64_t now);

/* UINT64_MAX: nothing is armed. */
uint64_t hd_timers_next(const struct hd_timers *timers);

void hd_timers_free(struct hd_timers *timers);

#endif
