/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Begins the next sweep soon after one that lost MADs. OpenSM itself waits: after "ERRORS DURING INITIALIZATION", or when all engines have
 * refused, the next sweep begins when its sweep_interval (10 s) is over or a trap comes. Each sweep sends what is left, so a few of them
 * complete it. Where MADs are lost for good, sweeps only fill the log: they come later and later, and after MAX_TRIES of them OpenSM's
 * interval counts again. After a refusal without a lost MAD no sweep is asked for: it would see the same.
 *
 * Everything here runs in OpenSM's sweeper thread.
 */
#ifndef HD_OPENSM_RESWEEP_H
#define HD_OPENSM_RESWEEP_H

#include "opensm/osm.h"
#include <stdbool.h>

#include "opensm/alarm.h"

struct hd_osm_resweep {
	struct osm_opensm *osm;
	struct hd_osm_alarm alarm;
	unsigned tries;    /* sweeps asked for since one ended without errors */
	unsigned n_failed; /* sweeps begun since then */
	double first;      /* when the first of them began, CLOCK_MONOTONIC in seconds */
	double begin;      /* when this one began */
	uint32_t lost;     /* requests without an answer until then */
	bool is_refused;   /* an engine of ours has refused in this sweep, which has lost MADs */
};

/* False: OpenSM's timers do not work. Stop @resweep whatever the outcome. */
bool hd_osm_resweep_start(struct hd_osm_resweep *resweep, struct osm_opensm *osm);
void hd_osm_resweep_stop(struct hd_osm_resweep *resweep);

/*
 * A heavy sweep begins. Traps and what OpenSM finds missing make it sweep without a pause, which helps as long as each sweep completes
 * more; where many in a row had errors, they begin at growing distances, up to 10 s. Call without OpenSM's lock.
 */
void hd_osm_resweep_begin(struct hd_osm_resweep *resweep);

/* Whether this sweep has lost MADs, and one that is asked for may do better. */
bool hd_osm_resweep_may_help(const struct hd_osm_resweep *resweep);

/* An engine refuses what this sweep has found. */
void hd_osm_resweep_refused(struct hd_osm_resweep *resweep);

/* A heavy sweep is over, and has got to its end. */
void hd_osm_resweep_end(struct hd_osm_resweep *resweep);

#endif
