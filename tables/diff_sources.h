/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The sources of pairs, in groups: those of one switch that have equal rows of path SLs and equal
 * kinds of SL2VL rows (tables/diff_vls.h) fare alike to every destination behind another switch.
 */
#ifndef HD_TABLES_DIFF_SOURCES_H
#define HD_TABLES_DIFF_SOURCES_H

#include "tables/diff_match.h"
#include "tables/diff_vls.h"

struct hd_diff_source {
	const struct hd_match_endport *port;
	uint32_t node; /* before */
	/* the switches that it is linked to; n_switches of the fabric: to none */
	uint32_t switch_before, switch_after;
	uint32_t sl_class;
	uint32_t kind;  /* of its own SL2VL rows */
	uint32_t group; /* where is_grouped */
	uint8_t in;     /* the port of switch_before that it is linked to */
	uint8_t column; /* the first in-port there with equal kinds of rows to other switches */
	bool link_stays;
	bool is_grouped; /* not so when it is linked to an end node */
};

struct hd_diff_sources {
	uint32_t n;
	struct hd_diff_source *list; /* ascending by GUID */
	uint32_t *of_port;           /* [port before] place in list; HD_NONE: no source */
	uint32_t *by_group;          /* places in list, by switch_before and group; those without a
				        group come last */
	uint32_t n_grouped;          /* those that have one */
	uint32_t n_groups;
	struct hd_diff_group {
		uint32_t switch_before, switch_after, sl_class;
		uint32_t size;      /* sources */
		uint32_t any;       /* place of one of them */
		uint32_t first_out; /* out-port 0 of switch_before, in equal */
		bool link_stays;
	} * groups;
	/*
	 * [(first_out + out-port) * n_words] a mask as those of struct hd_diff_vls, of the VLs of
	 * the adapter and of the switch
	 */
	uint64_t *equal;
	uint32_t *first_source; /* [switch before] where its sources begin in by_group; after the
				   switches: those that are linked to nothing */
	uint32_t *first_group;  /* [switch before] likewise */
	uint32_t n_sl_classes;  /* sources with equal rows of path SLs before and after: */
	struct hd_diff_sl_class {
		uint32_t before, after; /* rows of path SLs */
	} * sl_classes;
};

/* Clear with hd_diff_sources_clear(), also on failure. HD_ENOMEM. */
int hd_diff_sources_init(const struct hd_match *match, const struct hd_tables *before,
			 const struct hd_tables *after, const struct hd_diff_vls *vls,
			 struct hd_diff_sources *sources, struct hd_error *err);
/* Fills sources->equal, when @vls has its masks. HD_ENOMEM. */
int hd_diff_sources_fill(const struct hd_tables *before, const struct hd_diff_vls *vls,
			 struct hd_diff_sources *sources, struct hd_error *err);
void hd_diff_sources_clear(struct hd_diff_sources *sources);

#endif
