/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * In a sweep that follows one with errors, what OpenSM sends in each sweep and takes for an error when it is lost once: resets of
 * switches' PortStateChange, and partition enforcement of switches that say they enforce none, which never show what they were told.
 * Where MADs are lost by chance, one of these is in most sweeps, and the subnet would never be up. They are sent ahead of OpenSM, again
 * and again while that helps, and OpenSM leaves out what was answered.
 */
#ifndef HD_OPENSM_AHEAD_H
#define HD_OPENSM_AHEAD_H

#include <opensm/osm_config.h> /* decides the layout of the structs in the next headers */

#include <opensm/osm_opensm.h>

/* Discovery is over. Call without OpenSM's lock; waits for answers. */
void hd_osm_ahead_send(struct osm_opensm *osm);

#endif
