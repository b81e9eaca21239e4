// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/subnet.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "fabric/link_rate.h"
#include "support/error.h"

/*
 * OpenSM's nodes in the order of its map, which is that of their keys and of the builder's ids.
 * Keys stand beside the nodes, since a search among nodes would wait for each that it looks at.
 */
struct listed {
	uint64_t key;
	osm_node_t *node;
};

struct node_list {
	struct listed *nodes;
	uint32_t n;
};

static int compare_keys(const void *a, const void *b)
{
	const struct listed *one = a, *other = b;

	return one->key < other->key ? -1 : one->key > other->key;
}

static uint32_t node_id(const struct node_list *list, const osm_node_t *node)
{
	const struct listed wanted = { .key = cl_qmap_key(&node->map_item) };
	const struct listed *found =
		bsearch(&wanted, list->nodes, list->n, sizeof(wanted), compare_keys);

	return found && found->node == node ? (uint32_t)(found - list->nodes) : HD_NONE;
}

static enum hd_node_type node_type(const osm_node_t *node)
{
	if (node->sw)
		return HD_SWITCH;
	return osm_node_get_type(node) == IB_NODE_TYPE_ROUTER ? HD_ROUTER : HD_CA;
}

/*
 * Whether @node is usable: a switch without its SwitchInfo forwards nothing that OpenSM could
 * program.
 */
static bool is_usable_node(const osm_node_t *node)
{
	return node->sw || osm_node_get_type(node) != IB_NODE_TYPE_SWITCH;
}

static int add_nodes(struct osm_opensm *osm, struct hd_builder *builder, struct node_list *list,
		     struct hd_error *err)
{
	cl_qmap_t *map = &osm->subn.node_guid_tbl;

	list->nodes = malloc((cl_qmap_count(map) + 1) * sizeof(*list->nodes));
	if (!list->nodes)
		return hd_error_nomem(err);
	hd_osm_for_each_node(node, osm) {
		struct hd_node_spec spec = {
			.type = node_type(node),
			.guid = cl_ntoh64(osm_node_get_node_guid(node)),
			.sysimg_guid = cl_ntoh64(node->node_info.sys_guid),
			.vendor_id = cl_ntoh32(ib_node_info_get_vendor_id(&node->node_info)),
			.device_id = cl_ntoh16(node->node_info.device_id),
			.n_ports = osm_node_get_num_physp(node) - 1u,
			.enhanced_port0 = node->sw &&
					  ib_switch_info_is_enhanced_port0(&node->sw->switch_info),
			.name = node->print_desc,
		};
		uint32_t id;
		int ret;

		if (!is_usable_node(node))
			continue;
		ret = hd_builder_add(builder, &spec, &id, err);
		if (ret)
			return ret;
		list->nodes[list->n++] = (struct listed){ cl_qmap_key(&node->map_item), node };
	}
	return 0;
}

static bool is_throttled(struct osm_opensm *osm, osm_physp_t *physp, osm_physp_t *remote)
{
	return osm->subn.opt.avoid_throttled_links && physp->p_node->sw && remote->p_node->sw &&
	       (osm_link_is_throttled(physp, osm->subn.opt.fdr10) ||
		osm_link_is_throttled(remote, osm->subn.opt.fdr10));
}

/*
 * Whether packets may take the link: both ends known, not a loopback plug, not down, and healthy
 * (the babbling-port policy turns ports off by declaring them unhealthy); nor throttled, when
 * OpenSM is to avoid such links between switches. The answer is the same from both ends.
 */
static bool is_usable_link(struct osm_opensm *osm, osm_physp_t *physp)
{
	osm_physp_t *remote = osm_physp_get_remote(physp);

	return remote && remote != physp && osm_physp_get_remote(remote) == physp &&
	       osm_physp_get_port_state(physp) != IB_LINK_DOWN &&
	       osm_physp_get_port_state(remote) != IB_LINK_DOWN && osm_link_is_healthy(physp) &&
	       !is_throttled(osm, physp, remote);
}

/*
 * Data VLs that the link will operate. The link manager negotiates them after QoS is set up, so the
 * number that ports operate now may be that of another subnet manager.
 */
static uint8_t link_vls(struct osm_opensm *osm, const osm_physp_t *physp)
{
	uint8_t code = osm_physp_calc_link_op_vls(&osm->log, &osm->subn, physp,
						  ib_port_info_get_op_vls(&physp->port_info));
	unsigned vls = code ? hd_vlcap_vls(code) : 1;

	return vls ? (uint8_t)vls : HD_MAX_VLS;
}

unsigned hd_osm_vl_mask(const osm_physp_t *physp)
{
	return hd_vl_mask(hd_vlcap_vls(ib_port_info_get_op_vls(&physp->port_info)));
}

static uint8_t link_speed(const osm_physp_t *physp)
{
	const ib_port_info_t *info = &physp->port_info;
	const uint32_t latency = cl_ntoh32(info->link_rt_latency);
	const bool has_extended = info->capability_mask & IB_PORT_CAP_HAS_EXT_SPEEDS;

	if (hd_is_xdr(latency >> 24))
		return HD_XDR;
	return hd_speed_of_codes(has_extended ? ib_port_info_get_link_speed_ext_active(info) : 0,
				 physp->ext_port_info.link_speed_active & FDR10,
				 ib_port_info_get_link_speed_active(info));
}

/*
 * Whether the link at @physp is added from this end: from the node that comes first in the list, or
 * from the first port, so that either end is looked at once.
 */
static bool is_first_end(osm_physp_t *physp, osm_physp_t *remote)
{
	const uint64_t key = cl_qmap_key(&osm_physp_get_node_ptr(physp)->map_item);
	const uint64_t other = cl_qmap_key(&osm_physp_get_node_ptr(remote)->map_item);

	return key == other ? osm_physp_get_port_num(physp) < osm_physp_get_port_num(remote)
			    : key < other;
}

/* What OpenSM knows of @physp, one end of a link, at node @id. */
static void set_end(struct osm_opensm *osm, struct hd_builder *builder, uint32_t id,
		    const osm_physp_t *physp)
{
	struct hd_port *port = hd_builder_port(builder, id, osm_physp_get_port_num(physp));

	if (!port)
		return;
	port->vls = link_vls(osm, physp);
	port->width = hd_width_of_code(physp->port_info.link_width_active);
	port->speed = link_speed(physp);
}

static int add_links(struct osm_opensm *osm, struct hd_builder *builder,
		     const struct node_list *list, struct hd_error *err)
{
	for (uint32_t id = 0; id < list->n; id++) {
		hd_osm_for_each_physp(physp, list->nodes[id].node)
		{
			osm_physp_t *remote = osm_physp_get_remote(physp);
			uint32_t peer;
			int ret;

			if (!osm_physp_get_port_num(physp) || !remote ||
			    !is_first_end(physp, remote) || !is_usable_link(osm, physp))
				continue;
			peer = node_id(list, osm_physp_get_node_ptr(remote));
			if (peer == HD_NONE)
				continue;
			set_end(osm, builder, id, physp);
			set_end(osm, builder, peer, remote);
			ret = hd_builder_link(builder, id, osm_physp_get_port_num(physp), peer,
					      osm_physp_get_port_num(remote), err);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/* GUIDs and LIDs of end ports: port 0 of switches, ports of adapters and routers. */
static void set_endports(struct osm_opensm *osm, struct hd_builder *builder,
			 const struct node_list *list)
{
	hd_osm_for_each_port(end, osm) {
		uint32_t id = node_id(list, end->p_node);
		struct hd_port *port;
		uint16_t low, high;

		if (id == HD_NONE || !end->p_physp)
			continue;
		port = hd_builder_port(builder, id,
				       end->p_node->sw ? 0 : osm_physp_get_port_num(end->p_physp));
		if (!port)
			continue;
		port->guid = cl_ntoh64(osm_port_get_guid(end));
		osm_port_get_lid_range_ho(end, &low, &high);
		if (!low)
			continue;
		port->lid = low;
		while (port->lmc < HD_MAX_LMC && low + (1 << port->lmc) - 1 < high)
			port->lmc++;
	}
}

int hd_osm_fabric(struct osm_opensm *osm, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_builder *builder = hd_builder_new();
	struct node_list list = { 0 };
	int ret;

	*fabric = NULL;
	if (!builder)
		return hd_error_nomem(err);
	ret = add_nodes(osm, builder, &list, err);
	if (!ret)
		ret = add_links(osm, builder, &list, err);
	if (!ret) {
		set_endports(osm, builder, &list);
		ret = hd_builder_finish(builder, fabric, err);
	} else {
		hd_builder_free(builder);
	}
	free(list.nodes);
	return ret;
}

bool hd_osm_port_is_active(osm_node_t *node, uint32_t number)
{
	const osm_physp_t *physp =
		number < osm_node_get_num_physp(node) ? osm_node_get_physp_ptr(node, number) : NULL;

	return physp && osm_physp_get_port_state(physp) == IB_LINK_ACTIVE;
}

void hd_osm_find_lit(osm_node_t *node, struct hd_osm_lit *lit)
{
	memset(lit, 0, sizeof(*lit));
	hd_osm_for_each_physp(physp, node)
	{
		const unsigned number = osm_physp_get_port_num(physp);

		if (number <= HD_MAX_PORTS)
			lit->is[number] = hd_osm_port_is_lit(physp);
	}
}

osm_node_t *hd_osm_find_node(const struct osm_opensm *osm, const struct hd_fabric *fabric,
			     uint32_t n)
{
	osm_node_t *node = osm_get_node_by_guid(&osm->subn, cl_hton64(fabric->nodes[n].guid));

	return node && (node->sw != NULL) == hd_is_switch(fabric, n) ? node : NULL;
}

uint32_t hd_osm_find_index(const struct hd_fabric *fabric, const osm_node_t *node)
{
	const uint32_t n = hd_fabric_find_node(fabric, cl_ntoh64(osm_node_get_node_guid(node)));

	return n != HD_NONE && (node->sw != NULL) == hd_is_switch(fabric, n) ? n : HD_NONE;
}

uint32_t hd_osm_find_port(const struct hd_fabric *fabric, osm_physp_t *physp)
{
	const uint32_t n = hd_osm_find_index(fabric, osm_physp_get_node_ptr(physp));
	const unsigned number = osm_physp_get_port_num(physp);

	if (n == HD_NONE || number > fabric->nodes[n].n_ports)
		return HD_NONE;
	return hd_port_index(fabric, n, number);
}
