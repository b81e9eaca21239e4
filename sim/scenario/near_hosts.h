/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hosts of a job that are near one another, as a scheduler that knows the topology chooses them. */
#ifndef HD_SCENARIO_NEAR_HOSTS_H
#define HD_SCENARIO_NEAR_HOSTS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;
struct hd_locality;

/* The machine of @locality that has the adapter @node; HD_NONE: none. */
uint32_t hd_near_hosts_machine(const struct hd_locality *locality, const struct hd_fabric *fabric,
			       uint32_t node);

/*
 * Takes @n hosts that are not @taken, and lists them: those of the smallest place with enough of
 * them (topologies/locality.h), of equal ones that with the fewest; within it the emptiest switches
 * first. @n is no more than there are. What hd_locality_find() returns.
 */
int hd_near_hosts_choose(const struct hd_fabric *fabric, const uint32_t *host_ports,
			 uint32_t n_hosts, bool *taken, uint32_t n, uint32_t *list,
			 uint32_t *n_listed, struct hd_error *err);

#endif
