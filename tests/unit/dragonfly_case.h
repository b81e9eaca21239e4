/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dragonflies to recognise. */
#ifndef HD_TESTS_DRAGONFLY_CASE_H
#define HD_TESTS_DRAGONFLY_CASE_H

#include "tests/unit/unit.h"

#include "fabric/faults.h"
#include "topologies/dragonfly.h"

static inline struct hd_fabric *make(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err = { 0 };

	if (hd_topology_build(spec, &fabric, &err))
		fail_msg("%s: %s", spec, err.text);
	return fabric;
}

static inline struct hd_dragonfly *recognise(const struct hd_fabric *fabric, const char *what)
{
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };

	if (hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err))
		fail_msg("%s: %s", what, err.text);
	return dragonfly;
}

/*
 * Checks that @dragonfly found the groups of the fabric before it was shuffled: runs of @a
 * switches.
 */
static inline void assert_groups(const struct hd_dragonfly *dragonfly, const uint32_t *node_of,
				 uint32_t n, uint32_t a, const char *what)
{
	if (dragonfly->n_groups != (n + a - 1) / a)
		fail_msg("%s: %u groups", what, (unsigned)dragonfly->n_groups);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t mate = s / a * a;
		uint32_t here = node_of ? node_of[s] : s, there = node_of ? node_of[mate] : mate;

		if (dragonfly->group[here] != dragonfly->group[there])
			fail_msg("%s: switch %u is in another group", what, (unsigned)s);
	}
}

/* Links between switches, one end each; the caller frees. */
static inline uint32_t *switch_links(const struct hd_fabric *fabric, uint32_t *n_links)
{
	uint32_t *links = malloc(fabric->n_ports * sizeof(*links));

	assert_non_null(links);
	*n_links = 0;
	hd_for_each_port(port, fabric) {
		uint32_t peer = fabric->ports[port].peer;

		if (peer != HD_NONE && peer > port &&
		    hd_is_switch(fabric, fabric->ports[peer].node))
			links[(*n_links)++] = port;
	}
	return links;
}

#endif
