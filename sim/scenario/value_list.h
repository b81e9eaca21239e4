/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Values of a key: one, a list "a, b, c", or a range: "0.0:1.0:0.1" (first, last, step) and "1..5".
 * A unit at the end of a list or range is the unit of all its numbers that have none.
 */
#ifndef HD_SCENARIO_VALUE_LIST_H
#define HD_SCENARIO_VALUE_LIST_H

#include <stddef.h>

#include "sim/scenario/keys.h"

struct hd_error;

#define HD_LIST_MAX 10000 /* values of one key */

struct hd_list {
	char **items;
	size_t n;
};

/* Splits @text by the kind of @key. HD_EINVAL, HD_ERANGE, HD_ENOMEM; then @list is empty. */
int hd_list_parse(const struct hd_scenario_key *key, const char *text, struct hd_list *list,
		  struct hd_error *err);
void hd_list_clear(struct hd_list *list);

#endif
