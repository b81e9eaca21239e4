/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Netfiles: what ibnetdiscover prints and what ibsim reads. docs/netfile.md has the grammar.
 */
#ifndef HD_FABRIC_NETFILE_H
#define HD_FABRIC_NETFILE_H

#include <stddef.h>
#include <stdio.h>

struct hd_error;
struct hd_fabric;
struct hd_reading;

/*
 * Reads @path ("-": standard input), as @how says (fabric/reading.h). Nodes without a GUID in the
 * file (ibsim's own netfiles) get the GUIDs that ibsim would give them. LIDs are those of the file,
 * or 0. HD_EIO; HD_EPARSE with file and line: anything malformed, a link to a node or port that
 * does not exist, two links on a port; what hd_builder_finish() reports; HD_ENOMEM. If @how is not
 * strict, the reader ignores text before and after the netfile, invalid LIDs, and links to nodes
 * that the file does not have.
 */
int hd_netfile_read(const char *path, const struct hd_reading *how, struct hd_fabric **fabric,
		    struct hd_error *err);

/* The same for @size bytes in memory; messages call the file @name. */
int hd_netfile_parse(const char *name, const char *data, size_t size, const struct hd_reading *how,
		     struct hd_fabric **fabric, struct hd_error *err);

/*
 * Writes a netfile that hd_netfile_parse() reads back as the same fabric, and that Debian's ibsim
 * loads. The format has no place for the LID, LMC, VLs and GUID of a port without a link, nor for
 * line ends in names. HD_EINVAL: a linked port whose number of VLs is no VLCap (1, 2, 4, 8, 15),
 * with @stream half written; HD_EIO: the stream failed.
 */
int hd_netfile_write(const struct hd_fabric *fabric, FILE *stream, struct hd_error *err);

#endif
