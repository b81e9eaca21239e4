/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What has not answered in a sweep. OpenSM drops a node or a link when one MAD of its discovery is
 * lost for good: a NodeInfo, SwitchInfo, PortInfo or a block of P_Keys. But the node goes on
 * sending and forwarding by what it holds, which then is part of no plan. So it is asked again
 * before OpenSM drops it.
 */
#ifndef HD_OPENSM_UNANSWERED_H
#define HD_OPENSM_UNANSWERED_H

#include "opensm/plugin.h"

/*
 * Has OpenSM discover again what was not found in this sweep: what it knew before, and in the first
 * sweep whatever is behind a link that is up. plugin->discovered gets the ports that carry packets,
 * as far as is known, and have not answered then either, or nobody behind them. To be called when a
 * heavy sweep has found everything, without OpenSM's lock. False: OpenSM exits.
 */
bool hd_osm_unanswered_ask(struct hd_osm_plugin *plugin);

#endif
