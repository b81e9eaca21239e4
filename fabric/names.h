/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The names of nodes: which of them are not unique, and names that users give by GUID. */
#ifndef HD_FABRIC_NAMES_H
#define HD_FABRIC_NAMES_H

#include <stddef.h>

struct hd_error;
struct hd_fabric;
struct hd_reading;

/* Sets shares_name of every node. HD_ENOMEM. */
int hd_fabric_mark_names(struct hd_fabric *fabric, struct hd_error *err);

/*
 * Names nodes by the --node-name-map of infiniband-diags at @path: lines 0xGUID "NAME", where GUID
 * is a node's, blank lines, and comments from '#' on. The last line of a GUID counts. GUIDs that
 * the fabric does not have are ignored, because one map serves a whole site. A line of another form
 * is an oddity (fabric/reading.h). HD_EIO; HD_EPARSE with file and line; HD_ENOMEM.
 */
int hd_fabric_read_names(struct hd_fabric *fabric, const char *path, const struct hd_reading *how,
			 struct hd_error *err);

/* The same for @size bytes in memory; messages call the file @file. */
int hd_fabric_parse_names(struct hd_fabric *fabric, const char *file, const char *data, size_t size,
			  const struct hd_reading *how, struct hd_error *err);

#endif
