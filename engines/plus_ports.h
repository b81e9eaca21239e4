/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ports of a Dragonfly+'s switches by where they lead. */
#ifndef HD_ENGINES_PLUS_PORTS_H
#define HD_ENGINES_PLUS_PORTS_H

#include "tables/ar.h"
#include "topologies/dragonfly_plus.h"

enum hd_plus_kind {
	HD_PLUS_OTHER,   /* to a host, to nowhere, or to a switch that packets do not pass to */
	HD_PLUS_UP,      /* of a leaf, to a spine of its group */
	HD_PLUS_DOWN,    /* of a spine, to a leaf of its group */
	HD_PLUS_BETWEEN, /* of a spine, to a spine of another group */
};

/* The kind of port @number of switch @s. @next gets the switch at its other end, if of no other. */
static inline enum hd_plus_kind hd_plus_kind(const struct hd_fabric *fabric,
					     const struct hd_dragonfly_plus *plus, uint32_t s,
					     unsigned number, uint32_t *next)
{
	const uint32_t node = number ? hd_peer_node(fabric, s, number) : HD_NONE;

	if (node == HD_NONE || !hd_is_switch(fabric, node))
		return HD_PLUS_OTHER;
	*next = node;
	if (plus->group[s] != plus->group[node])
		return plus->is_spine[s] && plus->is_spine[node] ? HD_PLUS_BETWEEN : HD_PLUS_OTHER;
	if (plus->is_spine[s] == plus->is_spine[node])
		return HD_PLUS_OTHER;
	return plus->is_spine[s] ? HD_PLUS_DOWN : HD_PLUS_UP;
}

/* All ports of @s whose links lead to switch @to. */
static inline struct hd_port_set hd_plus_ports_to(const struct hd_fabric *fabric, uint32_t s,
						  uint32_t to)
{
	struct hd_port_set set = { { 0 } };

	hd_for_each_number(number, fabric, s)
		if (hd_peer_node(fabric, s, number) == to)
			hd_port_set_add(&set, number);
	return set;
}

#endif
