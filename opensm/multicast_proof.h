/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Multicast is OpenSM's: it builds a tree per group from the hop counts, after unicast routing, and
 * its packets take the engine's SL2VL tables. So they can close a cycle that unicast alone does
 * not have. With DLA, unicast never leaves VL 1 for another link between switches (l-g-l: VL 1 is
 * the last link), but a tree that is wider than l-g-l does: a packet that climbs l-g-l to the root
 * goes down again on VL 1 over further local and global links. One tree cannot close a cycle, since
 * packets never turn round in it; several trees with different roots can.
 *
 * Trees exist only after unicast routing is done and change as members come and go, so they cannot
 * be part of the proof that decides about an engine. They are proved at the end of every heavy
 * sweep instead, unicast included, and a cycle is reported: the way out is fewer groups.
 */
#ifndef HD_OPENSM_MULTICAST_PROOF_H
#define HD_OPENSM_MULTICAST_PROOF_H

#include "opensm/plugin.h"

/* Proves unicast and OpenSM's multicast trees together; logs what is wrong. */
void hd_osm_check_multicast(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine);

#endif
