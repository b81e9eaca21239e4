// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/waiting.h"

#include <time.h>

#include "opensm/osm.h"
#include "support/clock.h"

/* The longest sleep in one piece, in seconds: OpenSM may exit meanwhile. */
#define NAP 0.05

/*
 * Of osm_state_mgr.c: waits until every request has been answered or has timed out; true when
 * OpenSM exits.
 */
int wait_for_pending_transactions(osm_stats_t *stats);

bool hd_osm_sleep_until(double end)
{
	for (;;) {
		const double left = end - hd_seconds();
		const double nap = left < NAP ? left : NAP;
		const struct timespec time = { .tv_nsec = (long)(nap * 1e9) };

		if (osm_exit_flag)
			return false;
		if (left <= 0)
			return true;
		nanosleep(&time, NULL);
	}
}

bool hd_osm_wait(struct osm_opensm *osm)
{
	return wait_for_pending_transactions(&osm->stats);
}
