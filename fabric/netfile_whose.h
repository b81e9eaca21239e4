/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that people give for a netfile and that are something else. */
#ifndef HD_FABRIC_NETFILE_WHOSE_H
#define HD_FABRIC_NETFILE_WHOSE_H

#include <stddef.h>

/*
 * What a file is that has the @size bytes at @line as a line before its first node, and what to
 * give instead; NULL: perhaps a netfile.
 */
const char *hd_netfile_whose(const char *line, size_t size);

#endif
