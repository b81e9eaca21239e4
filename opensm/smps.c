// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/smps.h"

#include "opensm/sm.h"

osm_physp_t *hd_osm_manager(osm_physp_t *physp)
{
	osm_node_t *node = osm_physp_get_node_ptr(physp);

	return node->sw ? osm_node_get_physp_ptr(node, 0) : physp;
}

bool hd_osm_has_rows(osm_physp_t *physp)
{
	const osm_physp_t *manager = hd_osm_manager(physp);

	return manager && manager->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP;
}

/* A MAD to the node of @way along its path; @data NULL: Get. */
static void transmit(struct osm_opensm *osm, osm_physp_t *way, ib_net16_t attribute,
		     uint32_t modifier, const void *data, size_t size, osm_madw_context_t *context)
{
	const osm_physp_t *manager = hd_osm_manager(way);
	const struct hd_sm_mad mad = {
		.attribute = attribute,
		.modifier = modifier,
		.key = manager ? ib_port_info_get_m_key(&manager->port_info) : 0,
		.data = data,
		.size = size,
	};

	hd_sm_send(osm, hd_sm_path(osm, way), way, &mad, context);
}

void hd_osm_send_row(struct osm_opensm *osm, osm_physp_t *physp, unsigned in,
		     const hd_sl2vl_row *row)
{
	const osm_node_t *node = osm_physp_get_node_ptr(physp);
	osm_madw_context_t context = { 0 };
	ib_slvl_table_t table;

	if (row)
		hd_row_to_mad(*row, table.raw_vl_by_sl);
	context.slvl_context.node_guid = osm_node_get_node_guid(node);
	context.slvl_context.port_guid = osm_physp_get_port_guid(physp);
	context.slvl_context.set_method = row != NULL;
	transmit(osm, physp, IB_MAD_ATTR_SLVL_TABLE,
		 node->sw ? in << 8 | osm_physp_get_port_num(physp) : 0, row ? &table : NULL,
		 sizeof(table), &context);
}

void hd_osm_set_vlarb(struct osm_opensm *osm, osm_physp_t *physp, unsigned number,
		      const void *block)
{
	const osm_node_t *node = osm_physp_get_node_ptr(physp);
	osm_madw_context_t context = { 0 };

	context.vla_context.node_guid = osm_node_get_node_guid(node);
	context.vla_context.port_guid = osm_physp_get_port_guid(physp);
	context.vla_context.set_method = TRUE;
	transmit(osm, physp, IB_MAD_ATTR_VL_ARBITRATION,
		 (number + 1) << 16 | (node->sw ? osm_physp_get_port_num(physp) : 0), block,
		 sizeof(ib_vl_arb_table_t), &context);
}

void hd_osm_send_lft(struct osm_opensm *osm, osm_switch_t *sw, size_t block, const uint8_t *entries)
{
	osm_physp_t *way = osm_node_get_physp_ptr(sw->p_node, 0);
	osm_madw_context_t context = { 0 };

	if (!way)
		return;
	context.lft_context.node_guid = osm_node_get_node_guid(sw->p_node);
	context.lft_context.set_method = entries != NULL;
	transmit(osm, way, IB_MAD_ATTR_LIN_FWD_TBL, (uint32_t)block, entries, IB_SMP_DATA_SIZE,
		 &context);
}

void hd_osm_send_port(struct osm_opensm *osm, osm_physp_t *physp, uint32_t number,
		      const ib_port_info_t *info)
{
	osm_madw_context_t context = { 0 };

	context.pi_context.node_guid = osm_node_get_node_guid(osm_physp_get_node_ptr(physp));
	context.pi_context.port_guid = osm_physp_get_port_guid(physp);
	context.pi_context.set_method = info != NULL;
	transmit(osm, physp, IB_MAD_ATTR_PORT_INFO, number, info, sizeof(*info), &context);
}

void hd_osm_get_switch(struct osm_opensm *osm, osm_node_t *node)
{
	osm_madw_context_t context = { 0 };

	context.si_context.node_guid = osm_node_get_node_guid(node);
	transmit(osm, osm_node_get_physp_ptr(node, 0), IB_MAD_ATTR_SWITCH_INFO, 0, NULL, 0,
		 &context);
}

void hd_osm_get_behind(struct osm_opensm *osm, osm_physp_t *physp)
{
	const struct hd_sm_mad mad = { .attribute = IB_MAD_ATTR_NODE_INFO };
	const uint8_t number = osm_physp_get_port_num(physp);
	osm_physp_t *manager = hd_osm_manager(physp);
	osm_madw_context_t context = { 0 };
	osm_dr_path_t path;

	if (!manager)
		return;
	path = *hd_sm_path(osm, manager);
	if (osm_dr_path_extend(&path, number))
		return;
	context.ni_context.node_guid = osm_node_get_node_guid(osm_physp_get_node_ptr(physp));
	context.ni_context.port_num = number;
	hd_sm_send(osm, &path, manager, &mad, &context);
}

void hd_osm_get_pkeys(struct osm_opensm *osm, osm_physp_t *physp, bool is_external, unsigned block)
{
	osm_physp_t *way = hd_osm_manager(physp);
	osm_madw_context_t context = { 0 };

	if (!way)
		return;
	context.pkey_context.node_guid = osm_node_get_node_guid(osm_physp_get_node_ptr(physp));
	context.pkey_context.port_guid = osm_physp_get_port_guid(physp);
	transmit(osm, way, IB_MAD_ATTR_P_KEY_TABLE,
		 is_external ? (uint32_t)osm_physp_get_port_num(physp) << 16 | block : block, NULL,
		 0, &context);
}
