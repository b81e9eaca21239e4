/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Load: how many flows each channel carries, one flow for every ordered pair of distinct end nodes'
 * ports (base LIDs), as papers/dla-opensm.txt counts in equations (1)-(3).
 */
#ifndef HD_CHECK_LOAD_H
#define HD_CHECK_LOAD_H

#include "tables/tables.h"

struct hd_error;

struct hd_load {
	unsigned n_vls;
	uint32_t *flows;     /* [port * n_vls + vl] flows that leave `port` on `vl` */
	uint64_t n_flows;    /* flows in all: those that arrive */
	uint64_t n_lost;     /* flows that do not */
	uint64_t total_hops; /* links between switches, over all flows that arrive */
	unsigned max_hops;
};

/* Counts the flows of @tables. Free with hd_load_clear(). HD_ENOMEM. */
int hd_load_compute(const struct hd_tables *tables, struct hd_load *load, struct hd_error *err);
void hd_load_clear(struct hd_load *load);

/* Flows that leave @port on any VL. */
uint32_t hd_load_port(const struct hd_load *load, uint32_t port);

#endif
