// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/open.h"

#include <string.h>
#include <unistd.h>

#include "fabric/netfile.h"
#include "support/error.h"
#include "tables/snapshot.h"
#include "tables/snapshot_files.h"
#include "topologies/topology.h"

bool hd_fabric_is_spec(const char *what)
{
	return access(what, F_OK) != 0 && (hd_topology_is_spec(what) || strchr(what, ':'));
}

int hd_fabric_open(const char *what, const struct hd_reading *how, struct hd_fabric **fabric,
		   struct hd_error *err)
{
	*fabric = NULL;
	if (!*what)
		return hd_error_set(err, HD_EINVAL, "the fabric's name is empty");
	if (strcmp(what, "-") == 0)
		return hd_netfile_read(what, how, fabric, err);
	if (hd_snapshot_is_directory(what))
		return hd_snapshot_read_fabric(what, how, fabric, err);
	if (hd_fabric_is_spec(what))
		return hd_topology_build(what, fabric, err);
	return hd_netfile_read(what, how, fabric, err);
}
