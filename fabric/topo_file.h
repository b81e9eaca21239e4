/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Topology files of ibutils (ibdm-topo-file(1)): systems of known types, and cables between their
 * plugs,
 *
 *	MTS2400 S-1
 *	   P1 -4x-10G-> MT23108 H-1 P1
 *
 * A type is an .ibnl file (fabric/ibnl.h): in the directory of the topology file, in the
 * directories that $IBDM_IBNL_PATH names, or among those of ibutils. A topology file has no GUIDs
 * and no LIDs.
 */
#ifndef HD_FABRIC_TOPO_FILE_H
#define HD_FABRIC_TOPO_FILE_H

#include "fabric/fabric.h"

struct hd_error;
struct hd_ibnl;

/*
 * Whether @data is a topology file: its first lines, comments left out, are a system and a cable.
 */
bool hd_topo_file_is(const char *data, size_t size);

/*
 * Makes the fabric. Nodes are named "SYSTEM/BOARD/NODE", as by ibutils, and get the GUIDs that
 * nodes of netfiles without GUIDs get. With file and line: HD_ENOTFOUND, no file has the type of a
 * system; HD_EPARSE. HD_ENOMEM.
 */
int hd_topo_file_parse(const char *name, const char *data, size_t size, struct hd_fabric **fabric,
		       struct hd_error *err);

/* The same with these types of systems only. */
int hd_topo_file_parse_with(const char *name, const char *data, size_t size,
			    struct hd_ibnl *const *types, size_t n_types, struct hd_fabric **fabric,
			    struct hd_error *err);

#endif
