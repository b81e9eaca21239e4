/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A change of tables, prepared for many questions about its mixtures. Parts of the fabric that no
 * changed entry and row affects are followed once (change/region.h). A question follows the rest,
 * and asks whether its dependencies fit into the order of the others (check/order.h). The answers
 * are those of hd_mixtures_are_sound(). Internal to change/.
 */
#ifndef HD_CHANGE_CHANGE_H
#define HD_CHANGE_CHANGE_H

#include "check/dependencies.h"
#include "change/region_mix.h"
#include "change/schedule.h"

struct hd_change {
	/* Entries and rows that change, ascending: [as lft], [as sl2vl]. Lists of a schedule. */
	const uint32_t *entries, *rows;
	size_t n_entries, n_rows;
	struct hd_values now, before; /* of them in the new tables, and in the old ones */

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

	struct hd_usage usage; /* of all mixtures */
	struct hd_dependencies dependencies;
	struct hd_order order;
	uint32_t *link_of_port; /* [port] */
	/* [index as tables->sl2vl n_words] states added by a question; 0 between questions */
	uint64_t *added;
	uint32_t n_patterns; /* patterns of rows that stay; those of `rows` follow */
	struct hd_edge *edges;
	size_t edge_capacity;
	bool loops; /* every mixture has a forwarding loop */
};

/* The loops over entries and rows that change, by their places in the lists. */
#define hd_for_each_changed_entry(place, change) \
	for (size_t place = 0; place < (change)->n_entries; place++)
#define hd_for_each_changed_row(place, change) \
	for (size_t place = 0; place < (change)->n_rows; place++)

/*
 * A change of what the lists of @schedule have, which must outlive the change. HD_ENOMEM. Clear
 * also after an error.
 */
int hd_change_init(struct hd_change *change, const struct hd_schedule *schedule,
		   const struct hd_tables *now, const struct hd_tables *before,
		   struct hd_error *err);
void hd_change_clear(struct hd_change *change);

/* Values of @tables. HD_ENOMEM. Clear also after an error. */
int hd_values_of(const struct hd_change *change, const struct hd_tables *tables,
		 struct hd_values *values, struct hd_error *err);
void hd_values_copy(const struct hd_change *change, struct hd_values *to,
		    const struct hd_values *from);
void hd_values_clear(struct hd_values *values);

/*
 * Prepares the change. Path SLs are those of @before, not of @now. HD_EINVAL: no end port has a
 * LID; HD_ENOMEM.
 */
int hd_change_prepare(struct hd_change *change, const struct hd_tables *now,
		      const struct hd_tables *before, struct hd_error *err);

/*
 * *@is_sound: all mixtures of @a and @b are sound. Entries and rows of @a and @b are old, new, or
 * dropped (an entry that leads nowhere, a row that drops). HD_ENOMEM.
 */
int hd_change_is_sound(struct hd_change *change, const struct hd_values *a,
		       const struct hd_values *b, bool *is_sound, struct hd_error *err);

#endif
