/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that people give instead of a netfile. */
#ifndef HD_FABRIC_NETFILE_WHOSE_H
#define HD_FABRIC_NETFILE_WHOSE_H

#include <stddef.h>

/*
 * Says which kind of file has the line of @size bytes at @line before its first node, and which
 * file to give instead. NULL: the file may be a netfile.
 */
const char *hd_netfile_whose(const char *line, size_t size);

#endif
