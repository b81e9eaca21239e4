/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The check by brute force, for small fabrics: walks every flow by itself. Also makes small fabrics
 * with arbitrary tables from a string of bytes. For test_check and fuzz_check.
 */
#ifndef HD_TESTS_CHECK_ORACLE_H
#define HD_TESTS_CHECK_ORACLE_H

#include "check/check.h"
#include "check/load.h"

/* Bytes to make a fabric and tables from; zeros when they are used up. */
struct bytes {
	const uint8_t *data;
	size_t size;
	size_t used;
};

struct check_case {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_check_options options;
};

/* Makes a case; false when the bytes make no fabric. Clear also after an error. */
bool make_check_case(struct bytes bytes, struct check_case *c);
void clear_check_case(struct check_case *c);

struct oracle {
	uint64_t n_bad[HD_CHECK_CREDIT_LOOP];
	uint64_t n_looping, n_flows, n_uncovered;
	uint32_t n_unknown_vlarbs; /* of ports that use VLs above 0 */
	uint64_t channels, dependencies;
	unsigned sls, vls, max_hops;
	size_t cycle; /* channels of a shortest cycle; 0: none */
};

void run_oracle(const struct hd_tables *tables, const struct hd_check_options *options,
		struct oracle *oracle);

/*
 * Runs hd_check(), the oracle and hd_load_compute(). NULL: all agree; else a text in @buffer about
 * the difference. Also follows every flow that the result names.
 */
const char *compare_with_oracle(const struct hd_tables *tables,
				const struct hd_check_options *options, char *buffer, size_t size);

/* Whether @flow takes channel (@from, @from_vl) and (@to, @to_vl) right after it. */
bool flow_takes_both(const struct hd_tables *tables, const struct hd_flow *flow, uint32_t from,
		     unsigned from_vl, uint32_t to, unsigned to_vl);

#endif
