// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/fabric_changed.h"

static bool same_node(const struct hd_node *one, const struct hd_node *other)
{
	return one->guid == other->guid && one->first_port == other->first_port &&
	       one->n_ports == other->n_ports && one->type == other->type &&
	       one->enhanced_port0 == other->enhanced_port0;
}

static bool same_port(const struct hd_port *one, const struct hd_port *other)
{
	return one->guid == other->guid && one->peer == other->peer && one->lid == other->lid &&
	       one->lmc == other->lmc && one->vls == other->vls && one->width == other->width &&
	       one->speed == other->speed;
}

bool hd_same_fabric(const struct hd_fabric *one, const struct hd_fabric *other)
{
	if (one->n_nodes != other->n_nodes || one->n_switches != other->n_switches ||
	    one->n_ports != other->n_ports || one->top_lid != other->top_lid)
		return false;
	hd_for_each_node(n, one)
		if (!same_node(&one->nodes[n], &other->nodes[n]))
			return false;
	hd_for_each_port(p, one)
		if (!same_port(&one->ports[p], &other->ports[p]))
			return false;
	return true;
}
