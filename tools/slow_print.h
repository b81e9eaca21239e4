/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shows the links that came up slow (fabric/slow_links.h). */
#ifndef HD_TOOLS_SLOW_PRINT_H
#define HD_TOOLS_SLOW_PRINT_H

#include <jansson.h>

#include "fabric/slow_links.h"

/* The rate of @port, "4xHDR", in @buffer. */
const char *hd_slow_links_rate(const struct hd_fabric *fabric, uint32_t port, char *buffer,
			       size_t size);

/* Prints the list, if there are any; at most @most of them. */
void hd_slow_links_print(const struct hd_fabric *fabric, const struct hd_slow_links *slow,
			 uint32_t most);

/* `slow_links` in @root: pairs of ports with the link's rate and the usual one. */
void hd_slow_links_json(const struct hd_fabric *fabric, const struct hd_slow_links *slow,
			json_t *root);

#endif
