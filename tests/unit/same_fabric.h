/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Equality of two fabrics in everything there is, for tests. */
#ifndef HD_TESTS_SAME_FABRIC_H
#define HD_TESTS_SAME_FABRIC_H

#include <string.h>

#include "fabric/fabric.h"

static inline bool same_node(const struct hd_fabric *a, const struct hd_fabric *b, uint32_t n)
{
	const struct hd_node *x = &a->nodes[n], *y = &b->nodes[n];

	return x->guid == y->guid && x->sysimg_guid == y->sysimg_guid &&
	       x->first_port == y->first_port && x->vendor_id == y->vendor_id &&
	       x->device_id == y->device_id && x->n_ports == y->n_ports && x->type == y->type &&
	       x->enhanced_port0 == y->enhanced_port0 &&
	       strcmp(hd_node_name(a, n), hd_node_name(b, n)) == 0;
}

static inline bool same_port(const struct hd_port *x, const struct hd_port *y)
{
	return x->guid == y->guid && x->peer == y->peer && x->node == y->node && x->lid == y->lid &&
	       x->lmc == y->lmc && x->number == y->number && x->width == y->width &&
	       x->speed == y->speed && x->vls == y->vls;
}

/* NULL when equal, otherwise what differs. */
static inline const char *fabric_difference(const struct hd_fabric *a, const struct hd_fabric *b)
{
	if (a->n_nodes != b->n_nodes || a->n_switches != b->n_switches ||
	    a->n_ports != b->n_ports || a->n_links != b->n_links || a->top_lid != b->top_lid ||
	    a->n_endports != b->n_endports)
		return "counts";
	hd_for_each_node(n, a)
		if (!same_node(a, b, n))
			return "nodes";
	hd_for_each_port(p, a)
		if (!same_port(&a->ports[p], &b->ports[p]))
			return "ports";
	for (uint32_t lid = 0; lid <= a->top_lid; lid++)
		if (a->lids[lid].port != b->lids[lid].port ||
		    a->lids[lid].via_switch != b->lids[lid].via_switch ||
		    a->lids[lid].via_port != b->lids[lid].via_port)
			return "LIDs";
	for (uint32_t i = 0; i < a->n_endports; i++)
		if (a->endports[i] != b->endports[i])
			return "end ports";
	return NULL;
}

#endif
