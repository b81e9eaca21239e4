/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Waiting, as OpenSM has to: it may exit meanwhile. */
#ifndef HD_OPENSM_WAITING_H
#define HD_OPENSM_WAITING_H

#include <stdbool.h>

struct osm_opensm;

/*
 * Sleeps until hd_seconds() (support/clock.h) is @end. False: OpenSM exits. Call without OpenSM's
 * lock.
 */
bool hd_osm_sleep_until(double end);

/*
 * Waits until every request has been answered or has timed out, without OpenSM's lock. True:
 * OpenSM exits.
 */
bool hd_osm_wait(struct osm_opensm *osm);

#endif
