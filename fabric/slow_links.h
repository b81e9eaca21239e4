/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Links that came up slower or narrower than those beside them, because of a bad cable or a setting
 * of a port. A link between switches is slow if it is below the usual rate of such links at both of
 * its switches; a link to an end node, if it is below the usual rate on its switch. The usual rate
 * is the most frequent one, the faster of equals; a switch with fewer than three such links has
 * none.
 */
#ifndef HD_FABRIC_SLOW_LINKS_H
#define HD_FABRIC_SLOW_LINKS_H

#include "fabric/fabric.h"

struct hd_error;

struct hd_slow_link {
	uint32_t port;  /* of a switch, index in ports[]; the lower one of two */
	uint32_t usual; /* a port of the switch with the usual rate */
};

struct hd_slow_links {
	uint32_t n;
	struct hd_slow_link *list; /* ascending by port */
};

/* Links whose rate is not known do not count. Clear with hd_slow_links_clear(). HD_ENOMEM. */
int hd_slow_links_find(const struct hd_fabric *fabric, struct hd_slow_links *slow,
		       struct hd_error *err);
void hd_slow_links_clear(struct hd_slow_links *slow);

#endif
