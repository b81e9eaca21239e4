/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * New tables, and old ones as the nodes of the new fabric hold them, for a check of their mixtures
 * (check/check.h, `before`): also of packets to hosts and switches that only the old fabric has.
 */
#ifndef HD_CHANGE_BOTH_TABLES_H
#define HD_CHANGE_BOTH_TABLES_H

#include "check/check.h"

struct hd_both_tables {
	const struct hd_tables *now; /* those that were given, or the same with more LIDs */
	struct hd_tables *before;
	uint32_t n_new; /* switches that the old fabric did not have */

	/*
	 * [scope][LID up to the highest] an end port in scope had the LID in the old fabric, and no
	 * end port has it in the new one.
	 */
	bool *failed[HD_CHECK_HOSTS + 1];

	/* Private: the new fabric and tables, if LIDs above its own have failed. */
	struct hd_fabric fabric;
	struct hd_tables *wider;
};

/* @now must outlive @both. What hd_tables_onto() returns. Clear also after an error. */
int hd_both_tables_init(struct hd_both_tables *both, const struct hd_tables *now,
			const struct hd_tables *old, struct hd_error *err);
void hd_both_tables_clear(struct hd_both_tables *both);

/* Asks @options about the mixtures; set the scope before. */
static inline void hd_both_tables_ask(const struct hd_both_tables *both,
				      struct hd_check_options *options)
{
	options->before = both->before;
	options->failed = both->failed[options->scope];
}

#endif
