/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Waiting, as OpenSM has to: it may exit meanwhile. */
#ifndef HD_OPENSM_WAITING_H
#define HD_OPENSM_WAITING_H

#include <stdbool.h>
#include <stddef.h>

struct hd_patience;
struct osm_opensm;

/*
 * Sleeps until hd_seconds() (support/clock.h) is @end. False: OpenSM exits. Call without OpenSM's
 * lock.
 */
bool hd_osm_sleep_until(double end);

/*
 * Looks at what was asked or sent, with OpenSM's lock held exclusively: how much of it has no
 * answer. @sends: asks for it or sends it again.
 */
typedef size_t (*hd_osm_look_fn)(void *context, struct osm_opensm *osm, bool sends);

/*
 * Looks, sends and waits in turn, as long as that helps; the last look is one after all answers.
 * @patience begins with zeros. False: OpenSM exits. Call without OpenSM's lock.
 */
bool hd_osm_insist(struct osm_opensm *osm, struct hd_patience *patience, hd_osm_look_fn look,
		   void *context);

#endif
