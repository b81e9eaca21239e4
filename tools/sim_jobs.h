/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Jobs of a run, from its details: iterations of operations, and times of messages. */
#ifndef HD_TOOLS_SIM_JOBS_H
#define HD_TOOLS_SIM_JOBS_H

#include <jansson.h>

#include "tools/cmd_sim.h"

/* The details of @run, to be freed with json_decref(). NULL: it has none, or there is no memory. */
json_t *hd_sim_details(const struct hd_sim *sim, size_t run);

/* Flow classes, which jobs are; the operations of one, NULL: it has none. */
size_t hd_sim_classes(const json_t *details);
const char *hd_sim_class_name(const json_t *details, size_t class);
const json_t *hd_sim_operations(const json_t *details, const char *class);

/* An iteration that is over. Times are those of details. */
struct hd_sim_iteration {
	size_t number; /* from 0 */
	const char *operation;
	double computing;  /* when the first rank began to compute */
	double begin, end; /* when the first one began to communicate, and the last one ended */
	size_t n_parts;    /* operations that follow one another; 0: only one */
	const json_t *parts;
};

struct hd_sim_part {
	const char *operation;
	double begin, end;
};

size_t hd_sim_iterations(const json_t *operations);

/* False: iteration @i is not over. */
bool hd_sim_iteration(const json_t *operations, size_t i, struct hd_sim_iteration *iteration);
struct hd_sim_part hd_sim_part(const struct hd_sim_iteration *iteration, size_t i);

#endif
