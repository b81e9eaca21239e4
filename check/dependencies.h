/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The channel dependency graph that follows from the usage. Internal to check/, change/ and vlarb/.
 *
 * Channels from adapters have no predecessors, and channels to adapters no successors. So only
 * channels between switches can be on cycles: only they are vertices. The others are counted.
 */
#ifndef HD_CHECK_DEPENDENCIES_H
#define HD_CHECK_DEPENDENCIES_H

#include "check/cycle.h"
#include "check/states.h"

struct hd_dependencies {
	uint16_t *vls; /* [port] VLs that packets take out of the port: bit v for VL v */
	uint64_t n_channels, n_dependencies;
	unsigned n_vls; /* highest VL used + 1 */
	bool drops;     /* some node drops packets */

	uint32_t n_links; /* directed links from switch to switch */
	uint32_t *port_of_link;
	struct hd_digraph graph; /* vertex = link * network.n_vls + VL */
};

/*
 * Adds the packets of sources to @usage, which is then complete. HD_ENOMEM. Clear also after an
 * error.
 */
int hd_dependencies_init(struct hd_dependencies *dependencies,
			 const struct hd_check_network *network, struct hd_usage *usage,
			 struct hd_error *err);
void hd_dependencies_clear(struct hd_dependencies *dependencies);

#endif
