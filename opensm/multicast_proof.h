/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* OpenSM's multicast trees together with unicast (manager/multicast_tables.h). */
#ifndef HD_OPENSM_MULTICAST_PROOF_H
#define HD_OPENSM_MULTICAST_PROOF_H

#include "opensm/plugin.h"

/*
 * Proves unicast and OpenSM's multicast trees together, where switches hold what @engine wants;
 * logs what is wrong.
 */
void hd_osm_check_multicast(struct hd_osm_engine *engine);

#endif
