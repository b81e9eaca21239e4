/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Time that does not jump, in seconds; and waiting. */
#ifndef HD_OPENSM_CLOCK_H
#define HD_OPENSM_CLOCK_H

#include <stdbool.h>

struct osm_opensm;

double hd_osm_seconds(void);

/* Sleeps until hd_osm_seconds() is @end. False: OpenSM exits. Call without OpenSM's lock. */
bool hd_osm_sleep_until(double end);

/*
 * Waits until every request has been answered or has timed out, without OpenSM's lock. True:
 * OpenSM exits.
 */
bool hd_osm_wait(struct osm_opensm *osm);

#endif
