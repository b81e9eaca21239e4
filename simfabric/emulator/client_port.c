// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The end port that a client attaches to, by the name or GUID that it gives. */
#include <string.h>

#include "simfabric/emulator/clients.h"
#include "support/error.h"
#include "support/text.h"

/* libumad2sim passes on no more than so many bytes of a name. */
#define CUT_LENGTH 31

/* The first end port of @node that has a link; where none has, the first. */
static uint32_t first_endport(const struct hd_fabric *fabric, uint32_t node)
{
	if (hd_is_switch(fabric, node))
		return hd_port_index(fabric, node, 0);
	hd_for_each_number(number, fabric, node) {
		uint32_t port = hd_port_index(fabric, node, number);

		if (fabric->ports[port].peer != HD_NONE)
			return port;
	}
	return fabric->nodes[node].n_ports ? hd_port_index(fabric, node, 1) : HD_NONE;
}

/* The only node whose name begins with @what; HD_NONE: none or several. */
static uint32_t find_cut_name(const struct hd_fabric *fabric, const char *what)
{
	uint32_t found = HD_NONE;

	hd_for_each_node(node, fabric) {
		if (strncmp(hd_node_name(fabric, node), what, strlen(what)) != 0)
			continue;
		if (found != HD_NONE)
			return HD_NONE;
		found = node;
	}
	return found;
}

int hd_clients_find_port(const struct hd_fabric *fabric, const char *host, uint32_t *port,
			 struct hd_error *err)
{
	uint64_t guid;
	uint32_t node;
	int ret;

	if (!*host) {
		/* adapters follow the switches */
		node = fabric->n_nodes > fabric->n_switches ? fabric->n_switches : 0;
		if (!fabric->n_nodes)
			return hd_error_set(err, HD_ENOTFOUND, "the fabric has no node");
	} else {
		ret = hd_fabric_find(fabric, host, &node, err);
		if (ret && strlen(host) >= CUT_LENGTH) {
			node = find_cut_name(fabric, host);
			ret = node == HD_NONE ? ret : 0;
		}
		if (ret)
			return ret;
		if (strcmp(hd_node_name(fabric, node), host) != 0 &&
		    hd_parse_number(host, "host", 0, UINT64_MAX, &guid, NULL) == 0) {
			*port = hd_fabric_find_port(fabric, guid);
			if (*port != HD_NONE && fabric->ports[*port].node == node)
				return 0;
		}
	}
	*port = first_endport(fabric, node);
	if (*port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "'%s' has no port", host);
	return 0;
}
