// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/resweep.h"

/* 20, 40, ... 5,120 ms after one another: 10 s in all. */
#define MAX_TRIES   9
#define FIRST_DELAY 20

/* Runs in OpenSM's timer thread, without a lock. */
static void sweep_again(void *context)
{
	struct hd_osm_resweep *resweep = context;
	struct osm_opensm *osm = resweep->osm;

	atomic_store(&resweep->is_timed, false);
	if (osm_exit_flag)
		return;
	osm->subn.force_heavy_sweep = TRUE;
	osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
}

bool hd_osm_resweep_start(struct hd_osm_resweep *resweep, struct osm_opensm *osm)
{
	resweep->osm = osm;
	cl_timer_construct(&resweep->timer);
	return cl_timer_init(&resweep->timer, sweep_again, resweep) == CL_SUCCESS;
}

void hd_osm_resweep_stop(struct hd_osm_resweep *resweep)
{
	if (resweep->osm)
		cl_timer_destroy(&resweep->timer);
}

/* Requests of subnet management that nobody has answered, when none is under way. */
static uint32_t count_lost(const struct osm_opensm *osm)
{
	const osm_stats_t *stats = &osm->stats;

	return (uint32_t)(stats->qp0_mads_sent - stats->qp0_unicasts_sent - stats->qp0_mads_rcvd);
}

void hd_osm_resweep_begin(struct hd_osm_resweep *resweep)
{
	cl_timer_stop(&resweep->timer);
	atomic_store(&resweep->is_timed, false);
	resweep->lost = count_lost(resweep->osm);
	resweep->is_refused = false;
}

static void again(struct hd_osm_resweep *resweep)
{
	if (resweep->tries >= MAX_TRIES || atomic_load(&resweep->is_timed))
		return;
	atomic_store(&resweep->is_timed, true);
	cl_timer_start(&resweep->timer, FIRST_DELAY << resweep->tries++);
}

void hd_osm_resweep_refused(struct hd_osm_resweep *resweep)
{
	if (count_lost(resweep->osm) == resweep->lost)
		return;
	resweep->is_refused = true;
	again(resweep);
}

void hd_osm_resweep_end(struct hd_osm_resweep *resweep)
{
	if (resweep->is_refused || resweep->osm->subn.subnet_initialization_error)
		again(resweep);
	else
		resweep->tries = 0;
}
