/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How layer rule `valiant` tells a packet's first global link from its second. A switch sees
 * in-port, out-port and SL. So every link between two groups has a colour, which follows from the
 * two groups. The SL gives a flow class; for each colour, the class has a layer for the link and a
 * layer for local links after it.
 */
#ifndef HD_SL2VL_VALIANT_H
#define HD_SL2VL_VALIANT_H

#include "tables/tables.h"

struct hd_error;

/* Enough for any number of groups that fits into 16 bits. */
#define HD_VALIANT_COLOURS 20

struct hd_valiant_scheme {
	unsigned n_layers, n_classes, n_colours;
	uint8_t global[HD_VALIANT_COLOURS][HD_MAX_SLS]; /* [colour][class] layer */
	uint8_t after[HD_VALIANT_COLOURS][HD_MAX_SLS];  /* [colour][class] layer of local links
							   after that link */
	uint8_t turns[HD_MAX_VLS];                      /* as in struct hd_layering */

	/* The colour of links from one group to another. */
	unsigned (*colour)(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t to);

	/*
	 * The class of flows between different groups through @via; minimal routes have @via ==
	 * @from or @to.
	 */
	unsigned (*choose)(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t via,
			   uint32_t to);

	/* for layers by global links (valiant_hops.c): */
	uint32_t *colours;                                         /* [group] */
	uint8_t class_for[HD_VALIANT_COLOURS][HD_VALIANT_COLOURS]; /* [first][second] */
};

/* Layers by the global links that a packet has passed: 3 of them, in 2 to 6 classes. HD_ENOMEM. */
int hd_valiant_by_hops(uint32_t n_groups, struct hd_valiant_scheme *scheme, struct hd_error *err);

/* Layers by the order of groups: 3 of them, in 2 classes. */
void hd_valiant_by_order(struct hd_valiant_scheme *scheme);

#endif
