/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Placement: the hosts of a trace's tasks, and the number of copies of the trace. */
#ifndef HD_TRAFFIC_PLACEMENT_H
#define HD_TRAFFIC_PLACEMENT_H

#include "sim/traffic/pattern.h"
#include "sim/traffic/records.h"

struct hd_random;

/* Options of patterns that place tasks, for their tables. */
#define HD_PLACEMENT_OPTIONS                                                                    \
	{ "tasks", "1", "tasks",                                                                \
	  "tasks of a host, which has as many that follow one another; messages within a host " \
	  "are delivered at once" },                                                            \
		{ "instances", "1", "",                                                         \
		  "how often the trace is replayed, each time on hosts "                        \
		  "of its own" },                                                               \
		{ "place", "blocks", "",                                                        \
		  "hosts of an instance: blocks, those that follow one another; "               \
		  "interleaved, every instances-th; or random, any" },                          \
	{                                                                                       \
		"hosts", NULL, "",                                                              \
			"0..31+40..71, or random:64: hosts of all instances; default: all"      \
	}

enum hd_placement_kind { HD_PLACE_BLOCKS, HD_PLACE_INTERLEAVED, HD_PLACE_RANDOM };

struct hd_placement {
	uint32_t n_hosts, tasks, instances;
	uint32_t *host_of; /* [n_usable] hosts that tasks may have, in this order; NULL: all */
	uint32_t n_usable;
	enum hd_placement_kind kind;
};

/*
 * Reads the options of @setup; free with hd_placement_clear(), also after an error. HD_EINVAL,
 * HD_ERANGE: more instances than hosts, no such hosts; HD_ENOMEM.
 */
int hd_placement_read(const struct hd_pattern_setup *setup, struct hd_placement *placement,
		      struct hd_error *err);
void hd_placement_clear(struct hd_placement *placement);

/* Empty records for the tasks of one instance. */
void hd_placement_begin(const struct hd_placement *placement, uint64_t tick, uint64_t unit,
			struct hd_records *records);

/*
 * Lists the hosts of all instances, of @hosts each, one after the other; @random draws those of
 * HD_PLACE_RANDOM. NULL: no memory.
 */
uint32_t *hd_placement_list(const struct hd_placement *placement, uint32_t hosts,
			    struct hd_random *random);

/*
 * Makes hosts of the tasks of @records, and one copy of them for each instance. @random draws the
 * hosts of HD_PLACE_RANDOM. HD_ERANGE: too many messages; HD_ENOMEM.
 */
int hd_placement_apply(const struct hd_placement *placement, struct hd_random *random,
		       struct hd_records *records, struct hd_error *err);

#endif
