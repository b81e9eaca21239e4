/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shows the cables that a fabric lacks of its shape, and odd ones (plan/gaps.h). */
#ifndef HD_TOOLS_GAPS_PRINT_H
#define HD_TOOLS_GAPS_PRINT_H

#include <jansson.h>

#include "plan/gaps.h"

/* A field that says which shape counts, if it is not the one that was recognised, or none. */
void hd_gaps_tell(const struct hd_fabric *fabric, const struct hd_gaps *gaps);

/* The lists, at most @most cables of each. */
void hd_gaps_print(const struct hd_gaps *gaps, uint32_t most);

/* "... and 16 more (--all)" for those of @n that are not shown. */
void hd_print_more(uint32_t n, uint32_t most);

/* `missing_cables`, `odd_cables` and the shape that they are of in @root. */
void hd_gaps_json(const struct hd_gaps *gaps, json_t *root);

/*
 * An end of @pair as an object: {"name", "guid", "port", "ports", "likely_ports"} of a switch,
 * {"group", "switches"} of a group. @ports: the cable is missing; NULL: there are no `ports`,
 * `likely_ports` and `switches`.
 */
json_t *hd_place_json(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		      const struct hd_place pair[2], unsigned end,
		      const struct hd_free_ports *ports);

#endif
