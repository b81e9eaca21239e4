/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Jobs: traffic classes with hosts of their own: first those with lists of hosts, then the others,
 * in the order of the scenario. No two jobs have a host in common.
 */
#ifndef HD_SCENARIO_JOBS_H
#define HD_SCENARIO_JOBS_H

#include "sim/scenario/setup.h"

struct hd_error;
struct hd_fabric;

/*
 * Gives @patterns[class] of @setup the pattern of each job, with options for its hosts and its
 * start; NULL: the class is no job. Hosts are numbered as @host_ports [n_hosts], which are in
 * @fabric's ports. Free with hd_jobs_free(). HD_EINVAL: an impossible place, or too few hosts are
 * left; HD_ENOMEM.
 */
int hd_jobs_place(const struct hd_setup *setup, const struct hd_fabric *fabric,
		  const uint32_t *host_ports, uint32_t n_hosts, uint64_t seed, char **patterns,
		  struct hd_error *err);
void hd_jobs_free(const struct hd_setup *setup, char **patterns);

/* Whether class @class of @setup is a job that others run beside. */
bool hd_jobs_has_others(const struct hd_setup *setup, unsigned class);

#endif
