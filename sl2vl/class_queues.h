/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Queue rules of service classes that have their own. Path SLs of service classes differ by
 * constants (tables/classes.h), so queue classes are common to all of them: destinations are in one
 * common queue class if every rule puts them into one, and each rule has a queue for it at every
 * out-port.
 */
#ifndef HD_SL2VL_CLASS_QUEUES_H
#define HD_SL2VL_CLASS_QUEUES_H

#include "sl2vl/lanes.h"

/* The rules of all service classes. */
struct hd_class_queues {
	unsigned n;
	struct hd_queues list[HD_MAX_CLASSES + 1]; /* [0] that of classes without a rule */
	uint8_t of_lanes[HD_MAX_CLASSES];          /* [lanes] index in list */
};

/*
 * Reads the queue rules of @classes (NULL: none); @text is the rule of the others (NULL: one
 * queue). HD_EINVAL: no such rule, with the class and its line.
 */
int hd_class_queues_parse(const char *text, const struct hd_classes *classes,
			  struct hd_class_queues *rules, struct hd_error *err);

/* The queues of @lanes, and those of all @n_lanes lanes together. */
static inline unsigned hd_lanes_queues(const struct hd_class_queues *rules, unsigned lanes)
{
	return rules->list[rules->of_lanes[lanes]].n_queues;
}

static inline unsigned hd_all_queues(const struct hd_class_queues *rules, unsigned n_lanes)
{
	unsigned n = 0;

	for (unsigned lanes = 0; lanes < n_lanes; lanes++)
		n += hd_lanes_queues(rules, lanes);
	return n;
}

/*
 * Queue classes that the rules need together, before routes are known: a guess, rather too large.
 */
unsigned hd_class_queues_guess(const struct hd_class_queues *rules);

/*
 * As hd_queueing_build(), for @rules, which must exist longer than the result. HD_EREFUSED: a
 * rule's own reason, or more than 16 queue classes, with the numbers.
 */
int hd_class_queues_build(const struct hd_class_queues *rules, const struct hd_tables *tables,
			  const struct hd_structure *structure, struct hd_queueing *queueing,
			  struct hd_error *err);

#endif
