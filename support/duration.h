/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Spans of time as users write them: "2.5s", "100us", "3min". */
#ifndef HD_SUPPORT_DURATION_H
#define HD_SUPPORT_DURATION_H

#include <stdint.h>

struct hd_error;

/* The longest: about 31 years. */
#define HD_DURATION_MAX (UINT64_C(1000000000) * 1000000000)

/*
 * Reads @text, a decimal number with a unit (ns, us, ms, s, min, h), or 0, and gives nanoseconds in
 * @ns. Messages call it @what. HD_EINVAL: no number, or no unit; HD_ERANGE: more than
 * HD_DURATION_MAX.
 */
int hd_parse_duration(const char *text, const char *what, uint64_t *ns, struct hd_error *err);

#endif
