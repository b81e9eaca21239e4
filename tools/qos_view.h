/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The shares that the VL arbitration of tables gives to VLs and service classes. */
#ifndef HD_TOOLS_QOS_VIEW_H
#define HD_TOOLS_QOS_VIEW_H

#include "check/check.h"
#include "vlarb/saturation.h"
#include "vlarb/guarantee.h"
#include "tables/classes.h"
#include "tools/qos_bound.h"

struct hd_error;

/* Ports that have the same arbitration and the same VLs in use. */
struct hd_qos_kind {
	uint32_t vlarb; /* number in the tables */
	uint16_t vls;
	uint32_t n_ports, first;
	struct hd_vlarb cut;            /* as ports with so many entries have the tables */
	struct hd_backlog mtu, own;     /* with packets of the MTU; of the classes */
	struct hd_guarantee guarantee;  /* with packets of the classes, for any load of others */
	bool has_zero, is_cut, starves; /* weights of 0; entries beyond the capacity; a VL in use
					   gets nothing */
};

/* All that is found. */
struct hd_qos_view {
	const struct hd_tables *tables;
	uint64_t mtu, cap; /* bytes; entries that each table of a port has, 0: all */
	struct hd_bound_traffic traffic;
	struct hd_qos_kind *kinds;
	size_t n_kinds;
	uint32_t n_unknown,
		first_unknown; /* ports with several VLs in use, of unknown arbitration */
	struct hd_check_result result;
	bool checked;

	/* [class] least and greatest share of its lanes, and their longest gap, at any port */
	double least[HD_MAX_CLASSES], most[HD_MAX_CLASSES];
	uint32_t gap[HD_MAX_CLASSES];
	uint16_t class_vls[HD_MAX_CLASSES];

	bool has_bound; /* there are classes, and all ports are looked at */
	struct hd_qos_bound bound;
};

/*
 * Finds in @view, whose tables, mtu, cap and traffic are set and the rest zero, the kinds of all
 * ports, and how long classes wait; or the kind of port @only; HD_NONE: all. What hd_check(),
 * hd_load_compute() and hd_bound_find() return. Clear also after an error.
 */
int hd_qos_look(struct hd_qos_view *view, uint32_t only, struct hd_error *err);
void hd_qos_view_clear(struct hd_qos_view *view);

/* Whether a VL in use gets nothing. */
bool hd_qos_starves(const struct hd_qos_view *view);

/* Whether packets of some class may wait longer than the class file says. */
bool hd_qos_waits(const struct hd_qos_view *view);

#endif
