// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/fabric.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

void hd_fabric_free(struct hd_fabric *fabric)
{
	if (!fabric)
		return;
	free(fabric->nodes);
	free(fabric->ports);
	free(fabric->lids);
	free(fabric->endports);
	free(fabric->names);
	free(fabric);
}

uint32_t hd_fabric_find_node(const struct hd_fabric *fabric, uint64_t guid)
{
	const uint32_t parts[] = { 0, fabric->n_switches, fabric->n_nodes };

	for (int part = 0; part < 2; part++) {
		uint32_t low = parts[part], high = parts[part + 1];

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (fabric->nodes[middle].guid < guid)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < parts[part + 1] && fabric->nodes[low].guid == guid)
			return low;
	}
	return HD_NONE;
}

uint32_t hd_fabric_find_port(const struct hd_fabric *fabric, uint64_t guid)
{
	uint32_t low = 0, high = fabric->n_endports;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (fabric->ports[fabric->endports[middle]].guid < guid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < fabric->n_endports && fabric->ports[fabric->endports[low]].guid == guid)
		return fabric->endports[low];
	return HD_NONE;
}

static int find_number(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		       struct hd_error *err)
{
	uint64_t number;
	uint32_t port;
	int ret;

	ret = hd_parse_number(what, "node", 0, UINT64_MAX, &number, err);
	if (ret)
		return hd_error_set(err, HD_ENOTFOUND, "no node is named '%s'", what);
	if (number <= HD_MAX_LID) {
		if (number <= fabric->top_lid && fabric->lids[number].port != HD_NONE) {
			*node = fabric->ports[fabric->lids[number].port].node;
			return 0;
		}
		return hd_error_set(err, HD_ENOTFOUND, "no port has LID %" PRIu64, number);
	}
	*node = hd_fabric_find_node(fabric, number);
	if (*node != HD_NONE)
		return 0;
	port = hd_fabric_find_port(fabric, number);
	if (port == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND, "no node or port has GUID 0x%016" PRIx64,
				    number);
	*node = fabric->ports[port].node;
	return 0;
}

/*
 * The node that ibnetdiscover's name in quotes, "S-0002c90200400001", means; HD_NONE: @what is no
 * such name.
 */
static uint32_t find_id(const struct hd_fabric *fabric, const char *what)
{
	static const char letters[] = { [HD_SWITCH] = 'S', [HD_CA] = 'H', [HD_ROUTER] = 'R' };
	uint64_t guid;
	uint32_t node;

	if (!what[0] || what[1] != '-' || strlen(what) != 18 ||
	    strspn(what + 2, "0123456789abcdefABCDEF") != 16)
		return HD_NONE;
	guid = strtoull(what + 2, NULL, 16);
	node = hd_fabric_find_node(fabric, guid);
	return node != HD_NONE && letters[fabric->nodes[node].type] == what[0] ? node : HD_NONE;
}

int hd_fabric_find(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		   struct hd_error *err)
{
	uint32_t found = HD_NONE;

	for (uint32_t n = 0; *what && n < fabric->n_nodes; n++) {
		if (strcmp(hd_node_name(fabric, n), what) != 0)
			continue;
		if (found != HD_NONE)
			return hd_error_set(err, HD_ENOTFOUND,
					    "several nodes are named '%s': give a GUID or LID",
					    what);
		found = n;
	}
	if (found == HD_NONE)
		found = find_id(fabric, what);
	*node = found;
	return found != HD_NONE ? 0 : find_number(fabric, what, node, err);
}

const char *hd_node_label(const struct hd_fabric *fabric, uint32_t node, char *buffer, size_t size)
{
	const char *name = hd_node_name(fabric, node);

	if (*name)
		snprintf(buffer, size, "%s", name);
	else
		snprintf(buffer, size, "0x%016" PRIx64, fabric->nodes[node].guid);
	return hd_make_printable(buffer);
}

const char *hd_port_label(const struct hd_fabric *fabric, uint32_t port, char *buffer, size_t size)
{
	size_t used = strlen(hd_node_label(fabric, fabric->ports[port].node, buffer, size));

	snprintf(buffer + used, size - used, "[%u]", fabric->ports[port].number);
	return buffer;
}
