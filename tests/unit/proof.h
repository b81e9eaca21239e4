/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Proofs of tables, in tests. */
#ifndef TESTS_UNIT_PROOF_H
#define TESTS_UNIT_PROOF_H

#include "check/check.h"

/*
 * Fails the test if @tables are not sound, with @what (or NULL) and the reason. @options as of
 * hd_check(). Returns the counts of the result, which need no clearing.
 */
struct hd_check_result assert_sound_by(const struct hd_tables *tables,
				       const struct hd_check_options *options, const char *what);

/* The same with the default options of hd_check(). */
struct hd_check_result assert_sound(const struct hd_tables *tables, const char *what);

bool is_sound(const struct hd_tables *tables);

#endif
