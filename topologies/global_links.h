/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Links between groups, for any topology that links its groups in pairs. A group has a * h global
 * ports, j = switch * h + port, on the a switches that have such ports. With g = a * h + 1 groups,
 * each pair has one link, and the arrangement says between which ports; with fewer groups, pairs
 * have several links. docs/topologies.md has the numbering.
 */
#ifndef HD_TOPOLOGIES_GLOBAL_LINKS_H
#define HD_TOPOLOGIES_GLOBAL_LINKS_H

#include <stdint.h>

struct hd_error;
struct hd_params;

enum hd_arrangement {
	HD_PALM_TREE,
	HD_CONSECUTIVE,
	HD_RANDOM,
};

struct hd_global_links {
	uint32_t a, h, g; /* g <= a * h + 1 */
	enum hd_arrangement arrangement;
	uint64_t seed;
};

/* The option that hd_global_links_parse() reads. */
#define HD_GLOBAL_LINKS_OPTION                                                              \
	{                                                                                   \
		"global", "palmtree", "",                                                   \
			"global arrangement: palmtree, consecutive, random or random(SEED)" \
	}

/* HD_EINVAL: no such arrangement. */
int hd_global_links_parse(const struct hd_params *params, uint32_t a, uint32_t h, uint32_t g,
			  struct hd_global_links *links, struct hd_error *err);

/* Links port @j of @group with port @peer_j of @peer_group. */
typedef void hd_global_link(void *context, uint32_t group, uint32_t j, uint32_t peer_group,
			    uint32_t peer_j);

/* Calls @link for every link; a single group has none. HD_ENOMEM. */
int hd_global_links_lay(const struct hd_global_links *shape, hd_global_link *link, void *context,
			struct hd_error *err);

#endif
