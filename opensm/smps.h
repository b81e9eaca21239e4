/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The MADs that the plug-in sends, as OpenSM makes them: answers go into OpenSM's own copies.
 * Nothing is sent where the way to a node is not known. Call with OpenSM's lock.
 */
#ifndef HD_OPENSM_SMPS_H
#define HD_OPENSM_SMPS_H

#include "opensm/osm.h"
#include "tables/tables.h"

/*
 * The port of the same node with its M_Key and capabilities: port 0 of a switch; NULL: not known.
 */
osm_physp_t *hd_osm_manager(osm_physp_t *physp);

/* Whether the node of @physp has SL2VL tables. */
bool hd_osm_has_rows(osm_physp_t *physp);

/* The SL2VL row of @physp for in-port @in; @row NULL: asks for it. */
void hd_osm_send_row(struct osm_opensm *osm, osm_physp_t *physp, unsigned in,
		     const hd_sl2vl_row *row);

/* Block @number (0 to 3) of VL arbitration. */
void hd_osm_set_vlarb(struct osm_opensm *osm, osm_physp_t *physp, unsigned number,
		      const void *block);

/* Block @block of an LFT; @entries NULL: asks for it. */
void hd_osm_send_lft(struct osm_opensm *osm, osm_switch_t *sw, size_t block,
		     const uint8_t *entries);

/*
 * PortInfo of port @number of the node of @physp, which is the way there; @info NULL: asks for it.
 */
void hd_osm_send_port(struct osm_opensm *osm, osm_physp_t *physp, uint32_t number,
		      const ib_port_info_t *info);

/* SwitchInfo; NodeInfo of what is behind @physp. OpenSM goes on from the answer. */
void hd_osm_get_switch(struct osm_opensm *osm, osm_node_t *node);
void hd_osm_get_behind(struct osm_opensm *osm, osm_physp_t *physp);

/* Block @block of P_Keys; @is_external: of a port of a switch other than port 0. */
void hd_osm_get_pkeys(struct osm_opensm *osm, osm_physp_t *physp, bool is_external, unsigned block);

#endif
