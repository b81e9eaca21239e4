/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The check and the load of a whole fabric, kept for those of what is left of it (check/kept.h).
 * What it says is what hd_check() and hd_load_compute() say; where it cannot tell, it says so.
 */
#ifndef HD_CHECK_KEPT_CHECK_H
#define HD_CHECK_KEPT_CHECK_H

#include "check/kept.h"

/* What a fabric's check and load say of it. */
struct hd_kept_result {
	unsigned sls, vls, max_hops; /* as in struct hd_check_result */
	uint32_t worst_load;         /* flows on the busiest link between switches */
	uint64_t n_changed;          /* LFT entries that differ from those of the whole fabric */
};

struct hd_kept_check {
	struct hd_kept kept;
	bool is_kept;        /* false: every answer is that it cannot tell */
	uint32_t *class_row; /* [switch] */
	uint8_t *limit;      /* [port] data VLs of its link */
	uint16_t *serves;    /* [port] VLs that its arbitration serves; 0xFFFF: none is starved */
	uint32_t n_links;    /* ports that lead from switch to switch */
	uint32_t *links;
	unsigned sls;
	uint64_t n_vls[HD_MAX_VLS + 1]; /* [VL] uses whose highest VL it is */
};

/* The check of one thread. */
struct hd_kept_check_now {
	struct hd_kept_now now;
	uint16_t *serves;
	uint32_t *class_row;
	struct hd_kept_luck luck;
};

/*
 * Keeps what is to be known of @tables, which outlive it and are sound by @max_vls; with AR sets,
 * classes or multicast it keeps nothing. HD_ENOMEM. Clear in any case.
 */
int hd_kept_check_init(struct hd_kept_check *check, const struct hd_tables *tables,
		       unsigned max_vls, struct hd_error *err);
void hd_kept_check_clear(struct hd_kept_check *check);
int hd_kept_check_now_init(struct hd_kept_check_now *now, const struct hd_kept_check *check,
			   struct hd_error *err);
void hd_kept_check_now_clear(struct hd_kept_check_now *now);

/*
 * *@is_known: @tables are sound, and @result is theirs. Otherwise nothing is known of them.
 * HD_ENOMEM.
 */
int hd_kept_check_tell(const struct hd_kept_check *check, struct hd_kept_check_now *now,
		       const struct hd_tables *tables, struct hd_kept_result *result,
		       bool *is_known, struct hd_error *err);

#endif
