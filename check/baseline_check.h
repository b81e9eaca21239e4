/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The check and the load of a fabric without some links, from the baseline of the whole fabric
 * (check/baseline.h). Results are those of hd_check() and hd_load_compute(); where the baseline
 * does not suffice, there is no result.
 */
#ifndef HD_CHECK_BASELINE_CHECK_H
#define HD_CHECK_BASELINE_CHECK_H

#include "check/baseline.h"

/* Results of a check and of a load. */
struct hd_variant_result {
	unsigned sls, vls, max_hops; /* as in struct hd_check_result */
	uint64_t worst_load;         /* flows on the busiest link between switches, by rate */
	uint64_t n_changed;          /* LFT entries that differ from those of the whole fabric */
};

struct hd_baseline_check {
	struct hd_baseline base;
	bool has_base;       /* false: no result for any tables */
	uint32_t *class_row; /* [switch] */
	uint8_t *limit;      /* [port] data VLs of its link */
	uint16_t *serves;    /* [port] VLs that its arbitration serves; 0xFFFF: none is starved */
	uint32_t n_links;    /* ports that lead from switch to switch */
	struct hd_baseline_link {
		uint32_t port, mbps;
	} * links;
	uint32_t fastest; /* hd_fastest_mbps() */
	unsigned sls;
	uint64_t n_vls[HD_MAX_VLS + 1]; /* [VL] uses whose highest VL it is */
};

/* The check of one thread. */
struct hd_variant_check {
	struct hd_variant variant;
	uint16_t *serves;
	uint32_t *class_row;
	struct hd_variant_tries tries;
};

/*
 * Keeps what is to be known of @tables, which outlive it and are sound by @max_vls; with AR sets,
 * classes or multicast it keeps nothing. HD_ENOMEM. Clear in any case.
 */
int hd_baseline_check_init(struct hd_baseline_check *check, const struct hd_tables *tables,
			   unsigned max_vls, struct hd_error *err);
void hd_baseline_check_clear(struct hd_baseline_check *check);
int hd_variant_check_init(struct hd_variant_check *variant, const struct hd_baseline_check *check,
			  struct hd_error *err);
void hd_variant_check_clear(struct hd_variant_check *variant);

/*
 * *@is_known: @tables are sound, and @result is theirs. Otherwise nothing is known of them.
 * HD_ENOMEM.
 */
int hd_variant_check_tell(const struct hd_baseline_check *check, struct hd_variant_check *variant,
			  const struct hd_tables *tables, struct hd_variant_result *result,
			  bool *is_known, struct hd_error *err);

#endif
