/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The busiest link between switches: the measure for comparing engines. Where at least one of
 * HD_BUSIEST_SLOW links between switches is slower than the fastest, flows of a link count as many
 * times as the fastest is faster. A few slow links are faults: they change no engine, which would
 * move most paths, and again when the cable is replaced.
 */
#ifndef HD_ENGINES_BUSIEST_H
#define HD_ENGINES_BUSIEST_H

#include "tables/tables.h"

struct hd_error;

#define HD_BUSIEST_SLOW 8

/*
 * Flows of the busiest link between switches, of all pairs of end ports by their base LIDs: a flow
 * for each pair and direction. HD_ENOMEM.
 */
int hd_busiest_link(const struct hd_tables *tables, uint64_t *flows, struct hd_error *err);

/*
 * Flows of the busiest link in each of some shifts (host i sends to host i + s), added up over
 * HD_BUSIEST_SHIFTS values of s: rounds of an all-to-all. HD_ENOMEM.
 */
#define HD_BUSIEST_SHIFTS 16
int hd_busiest_shifts(const struct hd_tables *tables, uint64_t *flows, struct hd_error *err);

/*
 * A lower bound on the flows of the busiest link, for any tables of @fabric: the links of a switch
 * share the flows of its end ports; the links of the fabric share the hops of all flows; and the
 * links between two halves share the flows between them. Halves are the switches nearer to one end
 * of a link in the middle of the fabric than to the other: on grids, one side of a cut across a
 * dimension. @hops is the mean number of links between switches that a flow needs. HD_ENOMEM.
 */
int hd_busiest_link_bound(const struct hd_fabric *fabric, uint64_t *flows, double *hops,
			  struct hd_error *err);

#endif
