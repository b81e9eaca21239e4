// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/resweep.h"

#include "opensm/waiting.h"
#include "support/clock.h"

/* Sixteen times 20 ms after one another, as each completes more, then 40, ... 5,120 ms: 10 s in all. */
#define MAX_TRIES   24
#define MAX_QUICK   16
#define FIRST_DELAY 20

/* For so many seconds nothing is routed because the next sweep may find more: where time-outs are long, few sweeps are in that. */
#define MAX_WAIT 4.0

/* Sweeps with errors in a row that may follow at once; then 0.1, 0.2, ... s, and at most so many, after the one before. */
#define MAX_AT_ONCE 24
#define MAX_PAUSE   10.0

bool hd_osm_resweep_start(struct hd_osm_resweep *resweep, struct osm_opensm *osm)
{
	resweep->osm = osm;
	return hd_osm_alarm_start(&resweep->alarm, osm);
}

void hd_osm_resweep_stop(struct hd_osm_resweep *resweep)
{
	hd_osm_alarm_stop(&resweep->alarm);
}

/* Requests of subnet management that nobody has answered, when none is under way. */
static uint32_t count_lost(const struct osm_opensm *osm)
{
	const osm_stats_t *stats = &osm->stats;

	return (uint32_t)(stats->qp0_mads_sent - stats->qp0_unicasts_sent - stats->qp0_mads_rcvd);
}

/* Seconds from the begin of a sweep with errors to that of the next one. */
static double pause_after(unsigned n_failed)
{
	double pause = 0.1;

	if (n_failed < MAX_AT_ONCE)
		return 0;
	for (unsigned n = MAX_AT_ONCE; n < n_failed && pause < MAX_PAUSE; n++)
		pause *= 2;
	return pause < MAX_PAUSE ? pause : MAX_PAUSE;
}

void hd_osm_resweep_begin(struct hd_osm_resweep *resweep)
{
	hd_osm_sleep_until(resweep->begin + pause_after(resweep->n_failed));
	resweep->begin = hd_seconds();
	if (!resweep->n_failed++)
		resweep->first = resweep->begin;
	hd_osm_alarm_clear(&resweep->alarm);
	resweep->lost = count_lost(resweep->osm);
	resweep->is_refused = false;
}

static void again(struct hd_osm_resweep *resweep)
{
	if (resweep->tries >= MAX_TRIES || hd_osm_alarm_is_set(&resweep->alarm))
		return;
	resweep->tries++;
	hd_osm_alarm_set(&resweep->alarm, resweep->tries <= MAX_QUICK
						  ? FIRST_DELAY
						  : FIRST_DELAY << (resweep->tries - MAX_QUICK));
}

bool hd_osm_resweep_may_help(const struct hd_osm_resweep *resweep)
{
	return count_lost(resweep->osm) != resweep->lost && resweep->tries < MAX_QUICK &&
	       hd_seconds() - resweep->first < MAX_WAIT;
}

void hd_osm_resweep_refused(struct hd_osm_resweep *resweep)
{
	if (count_lost(resweep->osm) == resweep->lost) {
		resweep->n_failed = 0;
		return;
	}
	resweep->is_refused = true;
	again(resweep);
}

void hd_osm_resweep_end(struct hd_osm_resweep *resweep)
{
	if (resweep->is_refused || resweep->osm->subn.subnet_initialization_error) {
		again(resweep);
		return;
	}
	resweep->tries = 0;
	resweep->n_failed = 0;
}
