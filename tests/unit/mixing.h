/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables before and after a change, and mixtures of them. */
#ifndef HD_TESTS_MIXING_H
#define HD_TESTS_MIXING_H

#include "check/check.h"
#include "support/random.h"

/* The tables of @engine with its defaults. */
struct hd_tables *route_by(const struct hd_fabric *fabric, const char *engine);

/* The same after @previous, which @engine made: with lanes that stay. */
struct hd_tables *route_behind(const struct hd_fabric *fabric, const char *engine,
			       const struct hd_tables *previous);

/* hd_tables_onto(), which works. */
struct hd_tables *put_onto(const struct hd_tables *tables, const struct hd_fabric *fabric);

/* Pairs that both tables serve have one path SL. */
void assert_same_sls(const struct hd_tables *now, const struct hd_tables *previous);

/* A mixture: every entry, every row and every path SL is from one or the other. */
struct hd_tables *mix(const struct hd_tables *now, const struct hd_tables *before,
		      struct hd_random *random);

/* Whether there is a forwarding loop or a credit loop. */
bool loops(const struct hd_tables *tables, const struct hd_check_options *options);

/* The fabric without link @number of those between switches; NULL: there are fewer. */
struct hd_fabric *fail_link(const struct hd_fabric *fabric, unsigned number);

#endif
