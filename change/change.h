/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A change of tables, ready for many questions about mixtures on its way. What no entry and no row
 * of the change has to do with is followed once (change/region.h); a question follows what is left,
 * and asks whether its dependencies go with the others' order (check/order.h). The answers are those of
 * hd_mixtures_are_sound(). Internal to check/.
 */
#ifndef HD_CHANGE_CHANGE_H
#define HD_CHANGE_CHANGE_H

#include "check/dependencies.h"
#include "change/region_mix.h"

struct hd_change {
	/* What changes, ascending: [as lft], [as sl2vl]. */
	size_t *entries, *rows;
	size_t n_entries, n_rows;

	/* Private. */
	struct hd_check_network network;
	struct hd_destinations destinations;
	struct hd_region_ground ground;
	uint32_t *first_change;
	struct hd_region_change *changes;
	bool *row_changes, *source_changes;
	uint32_t *row_switches;

	struct hd_region *regions;
	uint32_t n_regions;
	uint64_t n_region_nodes; /* of all regions */
	uint16_t *lids;          /* of regions */
	struct hd_region_store *stores;
	struct hd_region_worker *workers;
	unsigned n_workers;

	struct hd_usage usage; /* what all mixtures have */
	struct hd_dependencies dependencies;
	struct hd_order order;
	uint32_t *link_of_port; /* [port] */
	uint64_t *added;        /* [as usage.states] what a question adds; 0 between questions */
	uint32_t n_patterns;    /* that stay; those of `rows` follow */
	struct hd_edge *edges;
	size_t edge_capacity;
	bool loops; /* every mixture does */
};

/* Goes through the entries, the rows that change. */
#define hd_for_each_changed(i, list, n_list) \
	for (size_t i##_at = 0, i; i##_at < (n_list) && (i = (list)[i##_at], true); i##_at++)
#define hd_for_each_changed_entry(i, change) \
	hd_for_each_changed(i, (change)->entries, (change)->n_entries)
#define hd_for_each_changed_row(i, change) hd_for_each_changed(i, (change)->rows, (change)->n_rows)

/* Finds what changes from @before to @now, tables on one fabric. HD_ENOMEM. Clear in any case. */
int hd_change_init(struct hd_change *change, const struct hd_tables *now,
		   const struct hd_tables *before, struct hd_error *err);
void hd_change_clear(struct hd_change *change);

/*
 * Gets the change ready. Path SLs are those of @before, whatever @now has. HD_EINVAL: no end port
 * has a LID; HD_ENOMEM.
 */
int hd_change_prepare(struct hd_change *change, const struct hd_tables *now,
		      const struct hd_tables *before, struct hd_error *err);

/*
 * *@is_sound: all mixtures of @a and @b are, each of which has entries and rows of either set of
 * tables, or such that lead nowhere or drop. HD_ENOMEM.
 */
int hd_change_is_sound(struct hd_change *change, const struct hd_tables *a,
		       const struct hd_tables *b, bool *is_sound, struct hd_error *err);

#endif
