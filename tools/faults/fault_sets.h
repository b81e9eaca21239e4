/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The sets of failures that a study tries, by number. */
#ifndef HD_FAULTS_FAULT_SETS_H
#define HD_FAULTS_FAULT_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;

/* Sets of failures: this many links between switches and switches fail together. */
struct hd_fault_sets {
	uint32_t n_links, n_switches;
	uint64_t n_sample; /* sets chosen at random; 0: every set once */
	uint64_t seed;
	bool is_shuffled; /* every set once, in an order by the seed, in which any may be the last;
			     a sample of so many sets begins alike */
};

/* Sets are not listed one by one if there are more. */
#define HD_FAULT_SETS_MAX UINT64_C(10000000)

/* Links and switches that may fail. */
struct hd_fault_list {
	uint32_t n_links, n_switches;
	uint32_t *links; /* an end of each link between switches, index in ports[], ascending */
	uint64_t n_all;  /* sets that there are, as hd_fault_sets_count() found; UINT64_MAX: too
			    many to count */
	uint32_t *order; /* [n_all] sets at random come in this order; NULL: each by itself */
};

/* HD_ENOMEM. Clear in any case. */
int hd_fault_list_init(struct hd_fault_list *list, const struct hd_fabric *fabric,
		       struct hd_error *err);
void hd_fault_list_clear(struct hd_fault_list *list);

/*
 * How many sets there are to try: @sets->n_sample, which becomes 0 where there are no more sets
 * than that in all. Sets at random are different ones, each equally likely; where there are more
 * than HD_FAULT_SETS_MAX in all, each is drawn by itself, and @sets->is_shuffled means so many.
 * HD_EINVAL: nothing fails, more links or switches than there are, or every one of more than
 * HD_FAULT_SETS_MAX sets; HD_ENOMEM.
 */
int hd_fault_sets_count(struct hd_fault_list *list, struct hd_fault_sets *sets, uint64_t *n_sets,
			struct hd_error *err);

/*
 * Set number @set: its links and then its switches go to @chosen, [sets->n_links +
 * sets->n_switches]. The set depends on its number alone.
 */
void hd_fault_sets_choose(const struct hd_fault_list *list, const struct hd_fault_sets *sets,
			  uint64_t set, uint32_t *chosen);

#endif
