/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hosts of a job in a rail-optimised fabric: hosts that follow one another, as many as there are
 * rails, are a node's adapters, one on each switch of a rail group.
 */
#ifndef HD_SCENARIO_RAIL_HOSTS_H
#define HD_SCENARIO_RAIL_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;

/*
 * Takes @n hosts that are not @taken, and lists them: from the smallest rail group with enough of
 * them, or else from one group after the other; within a group node by node, whole ones first. A
 * rail group is @rails switches that follow one another in the order of their first hosts. 0: all
 * switches that machines with several adapters are linked to; of other machines, the switches of
 * the smallest place of several switches (topologies/locality.h). @n is no more than there are.
 * What hd_locality_find() returns.
 */
int hd_rail_hosts_choose(const struct hd_fabric *fabric, const uint32_t *host_ports,
			 uint32_t n_hosts, bool *taken, uint32_t n, uint32_t rails, uint32_t *list,
			 uint32_t *n_listed, struct hd_error *err);

#endif
