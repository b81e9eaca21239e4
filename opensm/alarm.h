/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A time at which OpenSM is to begin a heavy sweep, as on SIGHUP. */
#ifndef HD_OPENSM_ALARM_H
#define HD_OPENSM_ALARM_H

#include "opensm/osm.h"

#include <complib/cl_timer.h>
#include <stdatomic.h>
#include <stdbool.h>

struct hd_osm_alarm {
	struct osm_opensm *osm;
	cl_timer_t timer;
	atomic_bool is_set; /* the timer's thread clears this when it has run */
};

/* False: OpenSM's timers do not work. Stop @alarm whatever the outcome. */
bool hd_osm_alarm_start(struct hd_osm_alarm *alarm, struct osm_opensm *osm);
void hd_osm_alarm_stop(struct hd_osm_alarm *alarm);

/* In @ms milliseconds; and not at all any more. */
void hd_osm_alarm_set(struct hd_osm_alarm *alarm, unsigned ms);
void hd_osm_alarm_clear(struct hd_osm_alarm *alarm);
bool hd_osm_alarm_is_set(const struct hd_osm_alarm *alarm);

#endif
