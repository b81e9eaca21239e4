/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle check --between: output in addition to the verdict. */
#ifndef HD_TOOLS_CHECK_BETWEEN_H
#define HD_TOOLS_CHECK_BETWEEN_H

#include <jansson.h>

#include "change/both_tables.h"

struct hd_common;
struct hd_error;

/*
 * Opens the snapshot @old: its tables as the nodes of @now's fabric hold them. What
 * hd_input_snapshot() and hd_input_both() return. Clear @both also after an error.
 */
int hd_check_between_open(const char *old, const struct hd_tables *now,
			  const struct hd_common *common, struct hd_both_tables *both,
			  struct hd_error *err);

/* How much differs, and how many packets may be lost during the change. */
void hd_check_between_print_counts(const struct hd_tables *now, const struct hd_tables *before,
				   const struct hd_check_result *result);

/*
 * For a loop or a cycle of @result, by @options with the old tables: which switches would hold
 * which tables. HD_ENOMEM.
 */
int hd_check_between_print_mixture(const struct hd_tables *now,
				   const struct hd_check_options *options,
				   const struct hd_check_result *result, struct hd_error *err);

/* The same in JSON, as keys of @object. HD_ENOMEM. */
int hd_check_between_json(const struct hd_tables *now, const struct hd_check_options *options,
			  const struct hd_check_result *result, json_t *object,
			  struct hd_error *err);

#endif
