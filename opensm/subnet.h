/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* OpenSM's subnet object as a struct hd_fabric. */
#ifndef HD_OPENSM_SUBNET_H
#define HD_OPENSM_SUBNET_H

#include "opensm/plugin.h"

/*
 * OpenSM's subnet as a fabric. HD_EINVAL, HD_ERANGE: the subnet makes no fabric;
 * HD_ENOMEM.
 */
int hd_osm_fabric(struct osm_opensm *osm, struct hd_fabric **fabric, struct hd_error *err);

/*
 * The bits of VLs that @physp operates: OpenSM cuts all others off. All bits where the port tells
 * nothing.
 */
unsigned hd_osm_vl_mask(const osm_physp_t *physp);

/* Whether port @number of @node is up: packets that are sent there arrive. */
bool hd_osm_port_is_active(osm_node_t *node, uint32_t number);

/*
 * Whether the port may carry packets before the next sweep: a port that is armed becomes active with
 * the first packet that comes in.
 */
static inline bool hd_osm_port_is_lit(const osm_physp_t *physp)
{
	return osm_physp_get_port_state(physp) >= IB_LINK_ARMED;
}

/* Which ports of a node are lit. */
struct hd_osm_lit {
	bool is[HD_MAX_PORTS + 1]; /* [number] */
};

/* For who asks for pairs of ports, of which a switch has many. */
void hd_osm_find_lit(osm_node_t *node, struct hd_osm_lit *lit);

/* OpenSM's node that is node @n of @fabric, of the same kind; NULL: there is none. */
osm_node_t *hd_osm_find_node(const struct osm_opensm *osm, const struct hd_fabric *fabric,
			     uint32_t n);

/* The node of @fabric that is OpenSM's @node, of the same kind; HD_NONE: there is none. */
uint32_t hd_osm_find_index(const struct hd_fabric *fabric, const osm_node_t *node);

/* The port of @fabric that is OpenSM's @physp, index in ports[], or HD_NONE. */
uint32_t hd_osm_find_port(const struct hd_fabric *fabric, osm_physp_t *physp);

#endif
