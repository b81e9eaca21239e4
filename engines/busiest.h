/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The busiest link between switches: the measure for comparing engines. */
#ifndef HD_ENGINES_BUSIEST_H
#define HD_ENGINES_BUSIEST_H

#include "tables/tables.h"

struct hd_error;

/*
 * Flows of the busiest link between switches, of all pairs of end ports by their base LIDs: a flow
 * for each pair and direction. HD_ENOMEM.
 */
int hd_busiest_link(const struct hd_tables *tables, uint64_t *flows, struct hd_error *err);

/*
 * A lower bound on the flows of the busiest link, for any tables of @fabric: the links of a switch
 * share the flows of its end ports, and the links of the fabric share the hops of all flows.
 * HD_ENOMEM.
 */
int hd_busiest_link_bound(const struct hd_fabric *fabric, uint64_t *flows, struct hd_error *err);

#endif
