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
		     uint64_t argument); /* is called instead at hd_timers_free(); may be NULL */
	void *context;
	uint64_t argument;
};

struct hd_timers {
	struct hd_timer *heap;
	size_t n, size;
	uint64_t armed; /* timers that were ever armed */
};

/* False: out of memory, the timer is not armed. */
bool hd_timers_add(struct hd_timers *timers, const struct hd_timer *timer);

/* Runs the first timer that is due at @now. False: none is. */
bool hd_timers_run_first(struct hd_timers *timers, uint64_t now);

/*
 * Runs, in order, the timers that are due at @now; timers that these arm for then or earlier are
 * run as well.
 */
void hd_timers_run(struct hd_timers *timers, uint64_t now);

/* UINT64_MAX: nothing is armed. */
uint64_t hd_timers_next(const struct hd_timers *timers);

void hd_timers_free(struct hd_timers *timers);

#endif
