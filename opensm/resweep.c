// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/resweep.h"

#include "opensm/sm.h"
#include "opensm/waiting.h"
#include "support/clock.h"

void hd_osm_resweep_begin(struct hd_osm_resweep *resweep)
{
	hd_osm_sleep_until(hd_pace_next(&resweep->pace));
	hd_osm_alarm_clear(&resweep->alarm);
	hd_pace_begin(&resweep->pace, hd_seconds(), hd_sm_count_lost(resweep->alarm.osm));
}

static void again(struct hd_osm_resweep *resweep)
{
	const bool is_asked_for = hd_osm_alarm_is_set(&resweep->alarm);
	const unsigned delay = is_asked_for ? 0 : hd_pace_again(&resweep->pace);

	if (delay)
		hd_osm_alarm_set(&resweep->alarm, delay);
}

bool hd_osm_resweep_may_help(const struct hd_osm_resweep *resweep)
{
	return hd_pace_may_help(&resweep->pace, hd_seconds(), hd_sm_count_lost(resweep->alarm.osm));
}

void hd_osm_resweep_refused(struct hd_osm_resweep *resweep)
{
	if (hd_pace_refused(&resweep->pace, hd_sm_count_lost(resweep->alarm.osm)))
		again(resweep);
}

void hd_osm_resweep_end(struct hd_osm_resweep *resweep)
{
	if (hd_pace_end(&resweep->pace, resweep->alarm.osm->subn.subnet_initialization_error))
		again(resweep);
}
