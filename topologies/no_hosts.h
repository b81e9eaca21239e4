/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * End nodes that are not hosts, on any switch: aggregation nodes, which are parts of switches,
 * gateways, storage and management nodes. They say nothing about a tree's levels, and the numbers
 * of hosts leave them out.
 */
#ifndef HD_TOPOLOGIES_NO_HOSTS_H
#define HD_TOPOLOGIES_NO_HOSTS_H

#include <stdbool.h>

#include "fabric/fabric.h"

struct hd_error;

/* The option of engines that takes a file of such end nodes. */
#define HD_NO_HOSTS_OPTION                                                                      \
	{                                                                                       \
		"no_hosts", "", "file",                                                         \
			"GUIDs of end nodes that are no hosts, one a line (ports' or nodes'): " \
			"gateways, storage; aggregation nodes are known without"                \
	}

/* Whether a node names itself an aggregation node. */
bool hd_names_aggregation_node(const char *name);

/* Whether @node is an aggregation node, by its description or its device id. */
bool hd_is_aggregation_node(const struct hd_fabric *fabric, uint32_t node);

/*
 * [node] whether it is not a host: aggregation nodes, and end nodes that the file @path names; NULL
 * or "": no file. A line of the file begins with a GUID in hexadecimal, of a node or of one of its
 * ports; more words are ignored; "#" begins a comment. (Lists of OpenSM, as for its io_guid_file,
 * are such files.) GUIDs that the fabric does not have are ignored. *@no_host is from malloc().
 * HD_EPARSE with file and line: no GUID, or a switch's; HD_EIO; HD_ENOMEM.
 */
int hd_no_hosts_find(const struct hd_fabric *fabric, const char *path, bool **no_host,
		     struct hd_error *err);

#endif
