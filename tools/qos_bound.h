/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle qos show: bounds on the wait of packets of each class. */
#ifndef HD_TOOLS_QOS_BOUND_H
#define HD_TOOLS_QOS_BOUND_H

#include <jansson.h>

#include "vlarb/bound.h"

/* The bounds of all classes. */
struct hd_qos_bound {
	const struct hd_tables *tables;
	struct hd_bound_traffic traffic;
	struct hd_bound found;
	char refusal[1024]; /* why there are none; "": there are */
};

/*
 * Finds the bounds by the tables of @bound, which have classes, and its traffic. What
 * hd_bound_find() returns, except HD_EREFUSED.
 */
int hd_qos_bound(struct hd_qos_bound *bound, struct hd_error *err);

/* Whether packets of class @class may wait longer than the class file says. */
bool hd_qos_bound_fails(const struct hd_qos_bound *bound, unsigned class);

/* Prints a line for each class. */
void hd_qos_bound_show(const struct hd_qos_bound *bound);

/* The bound of class @class; null: there is none. */
json_t *hd_qos_bound_json(const struct hd_qos_bound *bound, unsigned class);

#endif
