// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/lid_columns.h"

#include <stdlib.h>

#include "support/error.h"

struct destination {
	uint64_t hash; /* of the LID's entries and classes */
	uint32_t via_switch;
	uint16_t lid;
};

static int compare(const void *a, const void *b)
{
	const struct destination *x = a, *y = b;

	if (x->via_switch != y->via_switch)
		return x->via_switch < y->via_switch ? -1 : 1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->lid - y->lid;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
}

/* The classes of flows from @s by destination LID; NULL where they do not depend on both. */
static const uint8_t *classes_of(const struct hd_tables *tables, const struct hd_layering *layering,
				 uint32_t s)
{
	return layering->class_of && !layering->by_destination
		       ? layering->class_of + s * tables->lft_stride
		       : NULL;
}

/*
 * Lists the LIDs that some switch leads to, with the hash of their entries and classes at the other
 * switches.
 */
static uint32_t list(const struct hd_tables *tables, const struct hd_layering *layering,
		     struct destination *destinations)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t n = 0;

	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].port != HD_NONE && fabric->lids[lid].via_switch != HD_NONE)
			destinations[n++] = (struct destination){
				.hash = layering->by_destination ? layering->class_of[lid] : 0,
				.via_switch = fabric->lids[lid].via_switch,
				.lid = (uint16_t)lid,
			};
	hd_for_each_switch(s, fabric) {
		const uint8_t *lft = hd_lft(tables, s);
		const uint8_t *class_of = classes_of(tables, layering, s);

		for (uint32_t i = 0; i < n; i++) {
			struct destination *to = &destinations[i];
			unsigned class = class_of ? class_of[to->lid] : 0;

			if (to->via_switch != s)
				to->hash = mix(to->hash, lft[to->lid] | class << 8);
		}
	}
	return n;
}

/* Whether two LIDs may be alike, which equal hashes alone do not prove. */
static bool may_be_alike(const struct hd_layering *layering, const struct destination *a,
			 const struct destination *b)
{
	return a->via_switch == b->via_switch && a->hash == b->hash &&
	       (!layering->by_destination ||
		layering->class_of[a->lid] == layering->class_of[b->lid]);
}

/*
 * Finds the destinations that are like the ones before them, in their order. LFTs are read one
 * after another, since a column has each of its entries on another page.
 */
static void compare_neighbours(const struct hd_tables *tables, const struct hd_layering *layering,
			       const struct destination *destinations, uint32_t n,
			       bool *is_like_last)
{
	for (uint32_t i = 1; i < n; i++)
		is_like_last[i] = may_be_alike(layering, &destinations[i - 1], &destinations[i]);
	hd_for_each_switch(s, tables->fabric) {
		const uint8_t *lft = hd_lft(tables, s);
		const uint8_t *class_of = classes_of(tables, layering, s);

		for (uint32_t i = 1; i < n; i++) {
			const uint16_t a = destinations[i - 1].lid, b = destinations[i].lid;

			if (destinations[i].via_switch != s)
				is_like_last[i] &= lft[a] == lft[b] &&
						   (!class_of || class_of[a] == class_of[b]);
		}
	}
}

int hd_lid_columns_find(struct hd_lid_columns *columns, const struct hd_tables *tables,
			const struct hd_layering *layering, struct hd_error *err)
{
	const size_t most = tables->fabric->top_lid + (size_t)2;
	struct destination *destinations = malloc(most * sizeof(*destinations));
	bool *is_like_last = calloc(most, sizeof(*is_like_last));
	uint32_t n;

	*columns = (struct hd_lid_columns){
		.first = malloc(most * sizeof(*columns->first)),
		.lids = malloc(most * sizeof(*columns->lids)),
	};
	if (!destinations || !is_like_last || !columns->first || !columns->lids) {
		free(destinations);
		free(is_like_last);
		return hd_error_nomem(err);
	}
	n = list(tables, layering, destinations);
	qsort(destinations, n, sizeof(*destinations), compare);
	compare_neighbours(tables, layering, destinations, n, is_like_last);
	for (uint32_t i = 0; i < n; i++) {
		if (!is_like_last[i])
			columns->first[columns->n++] = i;
		columns->lids[i] = destinations[i].lid;
	}
	columns->first[columns->n] = n;
	free(destinations);
	free(is_like_last);
	return 0;
}

void hd_lid_columns_clear(struct hd_lid_columns *columns)
{
	free(columns->first);
	free(columns->lids);
	*columns = (struct hd_lid_columns){ 0 };
}
