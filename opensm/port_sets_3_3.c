// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* OpenSM 3.3 programs no port sets. */
#include "opensm/port_sets.h"

bool hd_osm_takes_sets(void)
{
	return false;
}

void hd_osm_sets_setup(struct osm_routing_engine *re)
{
	(void)re;
}
