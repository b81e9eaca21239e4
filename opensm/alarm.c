// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/alarm.h"

/* Runs in OpenSM's timer thread, without a lock. */
static void sweep(void *context)
{
	struct hd_osm_alarm *alarm = context;
	struct osm_opensm *osm = alarm->osm;

	atomic_store(&alarm->is_set, false);
	if (osm_exit_flag)
		return;
	osm->subn.force_heavy_sweep = TRUE;
	osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
}

bool hd_osm_alarm_start(struct hd_osm_alarm *alarm, struct osm_opensm *osm)
{
	alarm->osm = osm;
	cl_timer_construct(&alarm->timer);
	return cl_timer_init(&alarm->timer, sweep, alarm) == CL_SUCCESS;
}

void hd_osm_alarm_stop(struct hd_osm_alarm *alarm)
{
	if (alarm->osm)
		cl_timer_destroy(&alarm->timer);
}

void hd_osm_alarm_set(struct hd_osm_alarm *alarm, unsigned ms)
{
	atomic_store(&alarm->is_set, true);
	cl_timer_start(&alarm->timer, ms);
}

void hd_osm_alarm_clear(struct hd_osm_alarm *alarm)
{
	cl_timer_stop(&alarm->timer);
	atomic_store(&alarm->is_set, false);
}

bool hd_osm_alarm_is_set(const struct hd_osm_alarm *alarm)
{
	return atomic_load(&alarm->is_set);
}
