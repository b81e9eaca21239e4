// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdio.h>

#include "tools/cmd_sim.h"

static bool is_shown(const struct hd_sim *sim)
{
	return hd_shows_progress(sim->common);
}

/* "1 h 02 min", "3 min 07 s", "12 s" */
static const char *duration(double seconds, char *buffer, size_t size)
{
	unsigned s = (unsigned)(seconds + 0.5);

	if (s >= 3600)
		snprintf(buffer, size, "%u h %02u min", s / 3600, s / 60 % 60);
	else if (s >= 60)
		snprintf(buffer, size, "%u min %02u s", s / 60, s % 60);
	else
		snprintf(buffer, size, "%u s", s);
	return buffer;
}

void hd_sim_progress(const struct hd_sim *sim)
{
	size_t all = sim->scenario->n_runs, own = sim->n_done - sim->n_resumed;
	struct timespec now;
	double seconds;
	char text[32];

	if (!is_shown(sim) || !own)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - sim->begin.tv_sec) +
		  1e-9 * (double)(now.tv_nsec - sim->begin.tv_nsec);
	fprintf(stderr, "\rheddle: %zu of %zu runs, %s left\033[K", sim->n_done, all,
		duration(seconds / (double)own * (double)(all - sim->n_done), text, sizeof(text)));
}

void hd_sim_progress_end(const struct hd_sim *sim)
{
	if (is_shown(sim))
		fputs("\r\033[K", stderr);
}
