/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names as Slurm writes lists of them: node[001-064,070],login1. */
#ifndef HD_TOOLS_NAME_LIST_H
#define HD_TOOLS_NAME_LIST_H

#include <stddef.h>
#include <stdio.h>

/* Sorts the @n distinct @names, numbers at their ends by value, and prints them. */
void hd_name_list_print(FILE *stream, const char **names, size_t n);

#endif
