/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Time that does not jump, in seconds. */
#ifndef HD_OPENSM_CLOCK_H
#define HD_OPENSM_CLOCK_H

#include <stdbool.h>

double hd_osm_seconds(void);

/* Sleeps until hd_osm_seconds() is @end. False: OpenSM exits. Call without OpenSM's lock. */
bool hd_osm_sleep_until(double end);

#endif
