/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Failures: a new fabric without some links and switches. LIDs and GUIDs stay. */
#ifndef HD_FABRIC_FAULTS_H
#define HD_FABRIC_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;

/*
 * A copy of @fabric without the links at @links (either end's index in ports[]) and without the
 * nodes at @switches. End nodes that lose their last link are left out too, because a subnet
 * manager no longer sees them; switches without links stay. HD_EINVAL: a port without a link, or a
 * node that is not a switch; HD_ENOMEM.
 */
int hd_fabric_without(const struct hd_fabric *fabric, const uint32_t *links, size_t n_links,
		      const uint32_t *switches, size_t n_switches, struct hd_fabric **result,
		      struct hd_error *err);

/*
 * Whether @rest is @whole, with the same numbers of nodes, ports and LIDs, but for links between
 * switches that it lacks. @ports, of whole->n_ports, gets both ports of each of these, @n how many.
 */
bool hd_fabric_lost_links(const struct hd_fabric *whole, const struct hd_fabric *rest,
			  uint32_t *ports, uint32_t *n);

#endif
