/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * OpenSM's headers. osm_config.h decides the layout of the structs in the others: a file that lacks
 * it reads other fields than the daemon has, without a word from the compiler.
 */
#ifndef HD_OPENSM_OSM_H
#define HD_OPENSM_OSM_H

#include <opensm/osm_config.h>

#include <opensm/osm_opensm.h>

/* Goes through a map of the subnet, whose objects begin with their map item. */
#define hd_osm_for_each(type, object, map)                                                    \
	for (type *object = (type *)cl_qmap_head(map); &object->map_item != cl_qmap_end(map); \
	     object = (type *)cl_qmap_next(&object->map_item))

#define hd_osm_for_each_node(node, osm) \
	hd_osm_for_each(osm_node_t, node, &(osm)->subn.node_guid_tbl)
#define hd_osm_for_each_switch(sw, osm) hd_osm_for_each(osm_switch_t, sw, &(osm)->subn.sw_guid_tbl)
#define hd_osm_for_each_port(port, osm) \
	hd_osm_for_each(osm_port_t, port, &(osm)->subn.port_guid_tbl)

/*
 * Goes through the ports of @node that OpenSM knows, port 0 of a switch first. A break leaves the
 * port alone, not the node.
 */
#define hd_osm_for_each_physp(physp, node)                                              \
	for (uint32_t number_ = 0; number_ < osm_node_get_num_physp(node); number_++)   \
		for (osm_physp_t *physp = osm_node_get_physp_ptr(node, number_); physp; \
		     physp = NULL)

#endif
