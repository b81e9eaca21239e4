/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics that are cabled otherwise than planned, for tests. A failure fails the test. */
#ifndef HD_TESTS_UNIT_PLAN_CASE_H
#define HD_TESTS_UNIT_PLAN_CASE_H

#include "plan/differ.h"

/* What is done to cables. */
struct faults {
	unsigned n_removed, n_moved, n_exchanged;
	unsigned n_strangers; /* nodes that nobody planned, in ports of planned cables */
	bool trunks_only;     /* cables between switches */
	bool other_ports;     /* and all ports of switches have other numbers */
};

/*
 * A copy of @fabric with @faults at random, with two more ports on each switch. @anonymous: nodes
 * have other names and GUIDs, hence another order.
 */
struct hd_fabric *faulty_copy(const struct hd_fabric *fabric, const struct faults *faults,
			      bool anonymous, uint64_t seed);

/*
 * Makes the moves that @differences lists on the cables of @now. Every one must be possible when it
 * comes, and the cables must be as planned in the end, but for those of switches that one side
 * lacks.
 */
void assert_moves_mend(const struct hd_cable_plan *plan, const struct hd_plan_match *match,
		       const struct hd_fabric *now, const struct hd_differences *differences);

#endif
