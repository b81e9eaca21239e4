/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Times and amounts of data as options of patterns: "1.5ns", "64MiB". */
#ifndef HD_TRAFFIC_AMOUNTS_H
#define HD_TRAFFIC_AMOUNTS_H

#include <stdint.h>

struct hd_error;
struct hd_params;

/*
 * Option @key as a time in ticks: "1.5ns" (ps, ns, us, ms, s; 0 needs no unit), or a number of
 * cycles of @cycle_ticks each if that is not 0. HD_EINVAL: no such time; HD_ERANGE: not in @min ..
 * @max ticks. *@ticks is set where there is no error, and nowhere else.
 */
int hd_amount_time(const struct hd_params *params, const char *key, uint32_t cycle_ticks,
		   double min, double max, double *ticks, struct hd_error *err);

/*
 * Option @key as whole bytes: "64MiB", "1500" (B, KiB, MiB, GiB, TiB). HD_EINVAL: no such amount;
 * HD_ERANGE: more than @max.
 */
int hd_amount_bytes(const struct hd_params *params, const char *key, uint64_t max, uint64_t *bytes,
		    struct hd_error *err);

#endif
