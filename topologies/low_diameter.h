/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognition of a Slim Fly or a PolarFly in any fabric, from its links alone, for any order of
 * nodes, names and ports. Links and switches may be missing.
 */
#ifndef HD_TOPOLOGIES_LOW_DIAMETER_H
#define HD_TOPOLOGIES_LOW_DIAMETER_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;

enum hd_low_kind {
	HD_LOW_SLIMFLY,
	HD_LOW_POLARFLY,
};

/* Two switches that the topology links, and no cable does. */
struct hd_low_pair {
	uint32_t a, b; /* a < b */
};

struct hd_low_diameter {
	enum hd_low_kind kind;
	uint32_t q;
	uint32_t p;      /* most hosts on one switch */
	uint32_t *place; /* [switch] vertex of topologies/mms_graph.h, polarity_graph.h */
	uint32_t n_missing_switches;
	uint32_t n_missing;          /* pairs of switches that are there */
	struct hd_low_pair *missing; /* [n_missing] by (a, b) */
};

/*
 * HD_EREFUSED: neither, with the reason: no such graph has about as many switches and links, or the
 * links do not fit; more than an eighth of the switches or of the links is missing; HD_ENOMEM. Free
 * with hd_low_diameter_free().
 */
int hd_low_diameter_recognise(const struct hd_fabric *fabric, struct hd_low_diameter **result,
			      struct hd_error *err);
void hd_low_diameter_free(struct hd_low_diameter *low);

/* "Slim Fly", "PolarFly"; as specs have it, "slimfly", "polarfly". */
const char *hd_low_diameter_title(const struct hd_low_diameter *low);
const char *hd_low_diameter_name(const struct hd_low_diameter *low);

static inline bool hd_low_diameter_is_perfect(const struct hd_low_diameter *low)
{
	return !low->n_missing_switches && !low->n_missing;
}

#endif
