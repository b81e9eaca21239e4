/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Load: how many flows each channel carries, one flow for every ordered pair of distinct ports of
 * end nodes (base LIDs), as in equations (1)-(3) of the DLA paper. Of service classes, only that of
 * packets without a class counts.
 */
#ifndef HD_CHECK_LOAD_H
#define HD_CHECK_LOAD_H

#include "tables/tables.h"

struct hd_error;

struct hd_load {
	unsigned n_vls;
	uint32_t *flows;      /* [port n_vls + vl] flows that leave `port` on `vl`; a flow that is
				 dropped later counts up to there; a flow whose LFTs lead nowhere
				 does not count */
	uint64_t n_flows;     /* flows that arrive */
	uint64_t n_lost;      /* flows that do not arrive */
	uint64_t n_uncovered; /* flows through switches whose LFTs are not known; not in the other
				 counts */
	uint64_t total_hops;  /* links between switches, over all flows that arrive */
	unsigned max_hops;
};

/*
 * Counts the flows of @tables. Free with hd_load_clear(). HD_EINVAL: no linked end port has a LID;
 * HD_ENOMEM.
 */
int hd_load_compute(const struct hd_tables *tables, struct hd_load *load, struct hd_error *err);

/* The same with each flow once in every service class. */
int hd_load_compute_classes(const struct hd_tables *tables, struct hd_load *load,
			    struct hd_error *err);
void hd_load_clear(struct hd_load *load);

/* Flows that leave @port on any VL. */
uint32_t hd_load_port(const struct hd_load *load, uint32_t port);

/* The same by rate: as many times as the fastest link, of @fastest Mbit/s, is faster. */
uint64_t hd_load_by_rate(const struct hd_load *load, const struct hd_fabric *fabric,
			 uint32_t fastest, uint32_t port);

/* How load spreads over some ports. */
struct hd_load_spread {
	uint32_t n_ports;
	uint32_t min, max; /* 0: no ports */
	double mean;
	uint32_t n_values; /* distinct numbers of flows */
	struct hd_load_value {
		uint32_t flows;
		uint32_t n_ports;
	} * values; /* histogram, ascending by flows */
};

/* Of the @n_ports @ports (indices in ports[]). Free with hd_load_spread_clear(). HD_ENOMEM. */
int hd_load_spread(const struct hd_load *load, const uint32_t *ports, uint32_t n_ports,
		   struct hd_load_spread *spread, struct hd_error *err);
void hd_load_spread_clear(struct hd_load_spread *spread);

#endif
