/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sweeps again soon after a sweep that lost MADs (manager/pace.h), in OpenSM's sweeper thread. */
#ifndef HD_OPENSM_RESWEEP_H
#define HD_OPENSM_RESWEEP_H

#include "manager/pace.h"
#include "opensm/alarm.h"
#include "opensm/osm.h"

/* Begin with zeros, and start the alarm. */
struct hd_osm_resweep {
	struct hd_osm_alarm alarm;
	struct hd_pace pace;
};

/* A heavy sweep begins, not before its time. Call without OpenSM's lock. */
void hd_osm_resweep_begin(struct hd_osm_resweep *resweep);

/* Whether this sweep has lost MADs, and one that is asked for may do better. */
bool hd_osm_resweep_may_help(const struct hd_osm_resweep *resweep);

/* An engine refuses what this sweep has found. */
void hd_osm_resweep_refused(struct hd_osm_resweep *resweep);

/* A heavy sweep is over, and has got to its end. */
void hd_osm_resweep_end(struct hd_osm_resweep *resweep);

#endif
