/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Distances between switches: breadth-first searches from 64 switches at a time, a bit for each. */
#ifndef HD_FABRIC_DISTANCES_H
#define HD_FABRIC_DISTANCES_H

#include "fabric/fabric.h"

struct hd_error;

#define HD_UNREACHABLE 255

/*
 * distances[from * n_switches + to] is the number of links between two switches, or HD_UNREACHABLE
 * if there is no path or the path is longer than 254. End nodes do not forward. The caller frees
 * @distances. HD_ENOMEM: there is no memory for n_switches^2 bytes.
 */
int hd_switch_distances(const struct hd_fabric *fabric, uint8_t **distances, struct hd_error *err);

/* The ports of one switch that lead to switches, and those switches' distances to all. */
struct hd_exits {
	const uint8_t *mine; /* the switch's own distances to all */
	uint32_t n_switches;
	unsigned n;
	uint8_t port[HD_MAX_PORTS];
	const uint8_t *distance[HD_MAX_PORTS]; /* rows of the distances */
};

/*
 * Those of switch @s; least hop counts over each are one more than the distance of what is there.
 */
void hd_exits_find(const struct hd_fabric *fabric, const uint8_t *distances, uint32_t s,
		   struct hd_exits *exits);

/*
 * Bit k: exit @i is nearer than the switch itself to switch @first + k, by one link. So it is the
 * first link of a shortest path, unless that switch is unreachable. There are 64 bits at most.
 */
uint64_t hd_exits_nearer(const struct hd_exits *exits, unsigned i, uint32_t first);

/*
 * counts[d] becomes the number of ordered pairs of distinct switches at distance d; pairs farther
 * apart are not counted. Memory grows with the number of switches, not of pairs. HD_ENOMEM.
 */
int hd_switch_distance_counts(const struct hd_fabric *fabric, uint64_t counts[HD_UNREACHABLE],
			      struct hd_error *err);

#endif
