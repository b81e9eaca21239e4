// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layer = hop index (DF-DN: Schneider, Bibartiu and Hoefler, 2016): a packet is in layer 0 on the
 * link that leaves its first switch, in layer 1 on the next one, and so on, so that layers only
 * rise and no cycle is possible, whatever the routes. Links from and to end nodes are in layer 0:
 * no channel comes before the former, and none after the latter.
 */
#include <stdlib.h>

#include "sl2vl/hop_classes.h"
#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

/*
 * Numbers distinct rows of hops in order of appearance, by a hash table that is at most half full.
 */
struct numbering {
	uint64_t *hops;
	uint16_t *number; /* 0: free; pattern 0 is the row of zeros, which is never looked up */
	unsigned n;
};

#define HASH_BITS     17
#define MOST_PATTERNS (UINT16_MAX - 1)

static uint16_t number_row(struct numbering *numbering, uint64_t hops)
{
	const size_t mask = ((size_t)1 << HASH_BITS) - 1;
	size_t at = (size_t)(hops * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS));

	while (numbering->number[at] && numbering->hops[at] != hops)
		at = (at + 1) & mask;
	if (!numbering->number[at]) {
		numbering->hops[at] = hops;
		numbering->number[at] = (uint16_t)++numbering->n;
	}
	return numbering->number[at];
}

static int number_rows(const uint64_t *hops, size_t n_rows, struct numbering *numbering,
		       struct hd_layering *layering, struct hd_error *err)
{
	for (size_t row = 0; row < n_rows; row++) {
		layering->pattern[row] = hops[row] ? number_row(numbering, hops[row]) : 0;
		if (numbering->n > MOST_PATTERNS)
			return hd_error_set(err, HD_EREFUSED,
					    "more than %u different uses of ports by flow classes",
					    MOST_PATTERNS);
	}
	return 0;
}

/*
 * Where no flow of a class passes, the layer is that of the first class that has flows there. So
 * layers mostly rise.
 */
static void unpack(uint64_t hops, uint8_t layers[HD_MAX_SLS])
{
	unsigned first = 0;

	while (!hd_row_vl(hops, first))
		first++;
	for (unsigned class = 0; class < HD_MAX_SLS; class ++) {
		unsigned layer = hd_row_vl(hops, class);

		layers[class] = (uint8_t)(layer ? layer : hd_row_vl(hops, first));
	}
}

static int make_patterns(const uint64_t *hops, size_t n_rows, struct hd_layering *layering,
			 struct hd_error *err)
{
	const size_t size = (size_t)1 << HASH_BITS;
	struct numbering numbering = {
		.hops = malloc(size * sizeof(*numbering.hops)),
		.number = calloc(size, sizeof(*numbering.number)),
	};
	int ret = 0;

	layering->pattern = hd_alloc_large((n_rows + 1) * sizeof(*layering->pattern));
	if (!numbering.hops || !numbering.number || !layering->pattern)
		ret = hd_error_nomem(err);
	if (!ret)
		ret = number_rows(hops, n_rows, &numbering, layering, err);
	if (!ret) {
		layering->n_patterns = numbering.n + 1;
		layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
		ret = layering->patterns ? 0 : hd_error_nomem(err);
	}
	for (size_t at = 0; !ret && at < size; at++)
		if (numbering.number[at])
			unpack(numbering.hops[at], layering->patterns[numbering.number[at]]);
	free(numbering.hops);
	free(numbering.number);
	return ret;
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	struct hd_hop_classes classes;
	int ret = hd_hop_classes_find(input, &classes, err);

	if (!ret) {
		layering->n_layers = classes.longest ? classes.longest : 1;
		layering->n_classes = classes.n_classes;
		layering->class_of = classes.class_of;
		classes.class_of = NULL;
		ret = make_patterns(classes.hops, tables->sl2vl_first[tables->fabric->n_switches],
				    layering, err);
	}
	hd_hop_classes_clear(&classes);
	return ret;
}

const struct hd_layer_rule hd_layer_hop = {
	.policy.name = "hop",
	.policy.summary = "any routes: a layer for every hop between switches",
	.policy.reference =
		"DF-DN: Schneider, Bibartiu and Hoefler (2016), as Maglione-Mathey et al., DLA "
		"in OpenSM, section 2.3, describe it",
	.build = build,
};
