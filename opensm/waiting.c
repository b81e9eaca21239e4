// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/waiting.h"

#include <time.h>

#include "manager/patience.h"
#include "opensm/sm.h"
#include "support/clock.h"

/* The longest sleep in one piece, in seconds: OpenSM may exit meanwhile. */
#define NAP 0.05

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

static size_t look_locked(struct osm_opensm *osm, hd_osm_look_fn look, void *context, bool sends)
{
	size_t n;

	cl_plock_excl_acquire(&osm->lock);
	n = look(context, osm, sends);
	cl_plock_release(&osm->lock);
	return n;
}

bool hd_osm_insist(struct osm_opensm *osm, struct hd_patience *patience, hd_osm_look_fn look,
		   void *context)
{
	while (hd_patience_lasts(patience, look_locked(osm, look, context, false), hd_seconds())) {
		look_locked(osm, look, context, true);
		if (hd_sm_wait(osm))
			return false;
	}
	return true;
}
