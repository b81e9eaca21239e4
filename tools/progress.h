/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The time of some work, and progress on a terminal if it takes more than a second. */
#ifndef HD_TOOLS_PROGRESS_H
#define HD_TOOLS_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct hd_common;

struct hd_progress {
	const char *what;     /* "proving" */
	const uint64_t *done; /* NULL; or how many of `all` are done, which threads count
			         atomically */
	uint64_t all;
	struct timespec begin;
	bool shown; /* a thread prints the time */
	bool over;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
};

/*
 * Starts the clock for @what, a participle ("proving"). Call hd_progress_end() on every path out.
 */
void hd_progress_begin(struct hd_progress *progress, const struct hd_common *common,
		       const char *what);

/* The same for work that is counted: also prints how much of it is done. */
void hd_progress_begin_counted(struct hd_progress *progress, const struct hd_common *common,
			       const char *what, const uint64_t *done, uint64_t all);

/* Returns the seconds since the beginning; nothing stays on the terminal. */
double hd_progress_end(struct hd_progress *progress);

#endif
