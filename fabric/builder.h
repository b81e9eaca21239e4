/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The one way to make a fabric: add nodes and links in any order, then finish. The netfile reader,
 * topologies, fault injection and the OpenSM plug-in all go through the builder, so its checks hold
 * for every fabric there is.
 */
#ifndef HD_FABRIC_BUILDER_H
#define HD_FABRIC_BUILDER_H

#include "fabric/fabric.h"

struct hd_builder;
struct hd_error;

/* A node to add; members that are not known stay zero. */
struct hd_node_spec {
	enum hd_node_type type;
	uint64_t guid; /* required, unique */
	uint64_t sysimg_guid;
	uint32_t vendor_id;
	uint32_t device_id;
	unsigned n_ports; /* 1 .. HD_MAX_PORTS; a switch may have 0 */
	bool enhanced_port0;
	unsigned
		line; /* where a file has the node, for errors of hd_builder_finish(); 0: nowhere */
	const char *name; /* copied; at most HD_MAX_NAME bytes; NULL: "" */
};

/* NULL when out of memory. */
struct hd_builder *hd_builder_new(void);
void hd_builder_free(struct hd_builder *builder);

/*
 * Adds a node. @id gets its number in this builder (0, 1, ... in order of addition). HD_ERANGE: too
 * many ports, too long a name, more than HD_MAX_LID switches or HD_MAX_NODES nodes; HD_ENOMEM.
 * hd_builder_finish() finds duplicate GUIDs.
 */
int hd_builder_add(struct hd_builder *builder, const struct hd_node_spec *spec, uint32_t *id,
		   struct hd_error *err);

/*
 * A port of a node of this builder. The caller may set guid, lid, lmc, width, speed and vls, but
 * not peer, node or number. NULL when the node has no such port. Valid until the next
 * hd_builder_add(). Port GUIDs default to the node GUID (switch port 0) or node GUID + port number
 * (adapters). That is only a guess: an adapter's port without a link loses its GUID if another port
 * has the same one.
 */
struct hd_port *hd_builder_port(struct hd_builder *builder, uint32_t id, unsigned number);

/* Makes a port what hd_builder_add() made it, but for its link. */
void hd_builder_reset_port(struct hd_builder *builder, uint32_t id, unsigned number);

/* Gives the switch @id another GUID, and also its port 0 if that port has the switch's old GUID. */
void hd_builder_set_switch_guid(struct hd_builder *builder, uint32_t id, uint64_t guid);

/* Says that the management port of the switch @id is an enhanced one. */
void hd_builder_set_enhanced_port0(struct hd_builder *builder, uint32_t id);

/*
 * Links two ports. Giving the same link twice, from either end, is fine. HD_ERANGE: no such port,
 * or port 0; HD_EINVAL: a port already linked elsewhere, or to itself.
 */
int hd_builder_link(struct hd_builder *builder, uint32_t id, unsigned number, uint32_t peer_id,
		    unsigned peer_number, struct hd_error *err);

/*
 * A builder that holds @fabric, to make a changed copy: without the nodes that @without_nodes[node]
 * marks, and without the links that @without_links marks at the index of either end in ports[].
 * NULL marks nothing. Nodes keep the order of @fabric, and their numbers too if @without_nodes is
 * NULL. HD_ENOMEM.
 */
int hd_builder_copy(const struct hd_fabric *fabric, const bool *without_nodes,
		    const bool *without_links, struct hd_builder **builder, struct hd_error *err);

/*
 * Makes the fabric, in canonical order, and frees @builder whatever the outcome.
 * HD_EINVAL: a GUID that is 0 or used twice, or LID ranges that overlap; HD_ERANGE: a LID outside
 * 1 .. HD_MAX_LID or an LMC above HD_MAX_LMC, both with the line of the (later) node; more switches
 * and linked end ports than HD_MAX_LID; HD_ENOMEM.
 */
int hd_builder_finish(struct hd_builder *builder, struct hd_fabric **fabric, struct hd_error *err);

#endif
