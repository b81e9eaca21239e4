/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * End nodes that are no hosts, wherever they are linked: aggregation nodes, which are parts of
 * switches, gateways, storage and management nodes. They say nothing of a tree's levels, and hosts
 * are numbered without them.
 */
#ifndef HD_TOPOLOGIES_NO_HOSTS_H
#define HD_TOPOLOGIES_NO_HOSTS_H

#include <stdbool.h>

#include "fabric/fabric.h"

struct hd_error;

/* What engines that take a file of them call the option, and what it is. */
#define HD_NO_HOSTS_OPTION                                                                      \
	{                                                                                       \
		"no_hosts", "", "file",                                                         \
			"GUIDs of end nodes that are no hosts, one a line (ports' or nodes'): " \
			"gateways, storage; aggregation nodes are known without"                \
	}

/* Whether @node is an aggregation node, by its description or its device id. */
bool hd_is_aggregation_node(const struct hd_fabric *fabric, uint32_t node);

/*
 * [node] whether it is no host: aggregation nodes, and what the file @path names; NULL or "": no
 * file. A line has a GUID in hexadecimal, that of a node or of one of its ports, and perhaps more
 * words, which are passed over; "#" begins a remark. (Lists of OpenSM, as for its io_guid_file, are
 * such files.) GUIDs that the fabric does not have are passed over. *@no_host is from malloc().
 * HD_EPARSE with file and line: no GUID, or a switch's; HD_EIO; HD_ENOMEM.
 */
int hd_no_hosts_find(const struct hd_fabric *fabric, const char *path, bool **no_host,
		     struct hd_error *err);

#endif
