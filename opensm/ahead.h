/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Some Sets OpenSM sends in every sweep, and takes for an error if one is lost: resets of switches'
 * PortStateChange, and partition enforcement at switches that say they enforce none, since these
 * never show that they were told. Where MADs are lost by chance, one of these is lost in most
 * sweeps, and the subnet would never be up. After a sweep with errors the plug-in sends them before
 * OpenSM does, again as long as that helps. OpenSM then leaves out what was answered.
 */
#ifndef HD_OPENSM_AHEAD_H
#define HD_OPENSM_AHEAD_H

#include "opensm/osm.h"

/* Discovery is over. Call without OpenSM's lock; waits for answers. */
void hd_osm_ahead_send(struct osm_opensm *osm);

#endif
