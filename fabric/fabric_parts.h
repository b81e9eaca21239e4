/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parts of a fabric: switches that paths over other switches connect. Adapters do not forward, so
 * each plane of a fabric is a part, and a subnet of its own.
 */
#ifndef HD_FABRIC_FABRIC_PARTS_H
#define HD_FABRIC_FABRIC_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;

struct hd_parts {
	uint32_t n;
	uint32_t *part;  /* [switch] its part; parts ascend by their lowest switch index */
	uint32_t *size;  /* [part] switches */
	uint32_t *first; /* [part] the lowest switch index */
	uint32_t *order; /* the parts, the largest first; those of one size ascend */
};

/* Clear with hd_parts_clear(), also after an error. HD_ENOMEM. */
int hd_parts_find(const struct hd_fabric *fabric, struct hd_parts *parts, struct hd_error *err);
void hd_parts_clear(struct hd_parts *parts);

/* A copy of @fabric with the switches of @part alone, and the end nodes linked to them. HD_ENOMEM. */
int hd_parts_take(const struct hd_fabric *fabric, const struct hd_parts *parts, uint32_t part,
		  struct hd_fabric **result, struct hd_error *err);

/*
 * Removes what the subnet manager that gave the LIDs does not find: parts without any LID, if
 * another part has LIDs. *@fabric is then replaced by a copy. *@n_parts gets the number of parts
 * that were removed, *@n_switches that of their switches. HD_ENOMEM.
 */
int hd_fabric_keep_subnet(struct hd_fabric **fabric, uint32_t *n_parts, uint32_t *n_switches,
			  struct hd_error *err);

/* The line for the user about what went; @hint, how to choose another part, or "". Returns @buffer. */
const char *hd_parts_left_out(uint32_t n_parts, uint32_t n_switches, const char *hint, char *buffer,
			      size_t size);

#endif
