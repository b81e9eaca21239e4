/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The channels and dependencies of all mixtures of two sets of tables, by brute force, for small
 * fabrics: walks every flow by itself, hop by hop, by every entry, row and SL of both.
 */
#ifndef HD_TESTS_BETWEEN_ORACLE_H
#define HD_TESTS_BETWEEN_ORACLE_H

#include "check/check.h"

struct between_oracle {
	uint64_t channels, dependencies;
};

void run_between_oracle(const struct hd_tables *now, const struct hd_tables *before,
			const struct hd_check_options *options, struct between_oracle *oracle);

#endif
