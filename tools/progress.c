// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/command.h"

/* Prints the time after every whole second until the work is over, then clears the line. */
static void *show(void *argument)
{
	struct hd_progress *progress = argument;
	struct timespec wake = progress->begin;
	bool told = false;

	pthread_mutex_lock(&progress->lock);
	while (!progress->over) {
		wake.tv_sec++;
		while (!progress->over &&
		       pthread_cond_timedwait(&progress->ended, &progress->lock, &wake) == 0)
			;
		if (progress->over)
			break;
		told = true;
		fprintf(stderr, "\rheddle: %s, ", progress->what);
		if (progress->done)
			fprintf(stderr, "%" PRIu64 " of %" PRIu64 ", ",
				__atomic_load_n(progress->done, __ATOMIC_RELAXED), progress->all);
		fprintf(stderr, "%ld s ", (long)(wake.tv_sec - progress->begin.tv_sec));
	}
	pthread_mutex_unlock(&progress->lock);
	if (told)
		fputs("\r\033[K", stderr);
	return NULL;
}

void hd_progress_begin(struct hd_progress *progress, const struct hd_common *common,
		       const char *what)
{
	hd_progress_begin_counted(progress, common, what, NULL, 0);
}

void hd_progress_begin_counted(struct hd_progress *progress, const struct hd_common *common,
			       const char *what, const uint64_t *done, uint64_t all)
{
	pthread_condattr_t clock;

	*progress = (struct hd_progress){ .what = what, .done = done, .all = all };
	clock_gettime(CLOCK_MONOTONIC, &progress->begin);
	if (!hd_shows_progress(common))
		return;
	pthread_mutex_init(&progress->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&progress->ended, &clock);
	pthread_condattr_destroy(&clock);
	/* without the thread the work goes on silently */
	progress->shown = pthread_create(&progress->thread, NULL, show, progress) == 0;
}

double hd_progress_end(struct hd_progress *progress)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (progress->shown) {
		pthread_mutex_lock(&progress->lock);
		progress->over = true;
		pthread_cond_signal(&progress->ended);
		pthread_mutex_unlock(&progress->lock);
		pthread_join(progress->thread, NULL);
		pthread_cond_destroy(&progress->ended);
		pthread_mutex_destroy(&progress->lock);
	}
	return (double)(now.tv_sec - progress->begin.tv_sec) +
	       1e-9 * (double)(now.tv_nsec - progress->begin.tv_nsec);
}
