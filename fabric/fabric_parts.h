/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parts of a fabric: switches that links between switches connect. Adapters do not forward, so the
 * planes of a fabric are parts, and each of them is a subnet of its own.
 */
#ifndef HD_FABRIC_FABRIC_PARTS_H
#define HD_FABRIC_FABRIC_PARTS_H

#include <stdint.h>

struct hd_error;
struct hd_fabric;

struct hd_parts {
	uint32_t n;
	uint32_t *part;  /* [switch] numbered by the lowest switch index in them */
	uint32_t *size;  /* [part] switches */
	uint32_t *first; /* [part] the lowest switch index */
	uint32_t *order; /* [part] the largest first; of one size, ascending */
};

/* Clear with hd_parts_clear(), also after an error. HD_ENOMEM. */
int hd_parts_find(const struct hd_fabric *fabric, struct hd_parts *parts, struct hd_error *err);
void hd_parts_clear(struct hd_parts *parts);

/* A copy of @fabric with the switches of @part alone, and the end nodes linked to them. HD_ENOMEM. */
int hd_parts_take(const struct hd_fabric *fabric, const struct hd_parts *parts, uint32_t part,
		  struct hd_fabric **result, struct hd_error *err);

/*
 * What a subnet manager would find: parts without any LID go from *@fabric, which is replaced, if
 * another part has LIDs. @n_parts gets how many parts went, @n_switches their switches. HD_ENOMEM.
 */
int hd_fabric_keep_subnet(struct hd_fabric **fabric, uint32_t *n_parts, uint32_t *n_switches,
			  struct hd_error *err);

#endif
