/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Scenarios: what to simulate. An INI file gives values to keys (sim/scenario/keys.h),
 * command lines override them; keys with several values sweep, several sweep as a product. A
 * combination is a point, a point with a seed is a run.
 */
#ifndef HD_SCENARIO_SCENARIO_H
#define HD_SCENARIO_SCENARIO_H

#include "sim/scenario/value_list.h"
#include "sim/scenario/quantity.h"

struct hd_error;
struct hd_snapshot;

/* The values of a key, and where they were set. */
struct hd_values {
	struct hd_list list;
	struct hd_quantity *quantities; /* [list.n] */
	unsigned line;                  /* of the file; 0: no file */
	bool is_set, is_override;
};

struct hd_scenario {
	char *file;                /* NULL: none */
	struct hd_snapshot *given; /* tables that the caller has, for all points; they exist longer
				      than the scenario. NULL: keys give the tables */
	struct hd_values keys[HD_N_KEYS];
	enum hd_clock clock;
	size_t n_points, n_runs; /* a run is a point and a seed */
};

/* No key set. NULL when out of memory. */
struct hd_scenario *hd_scenario_new(void);
void hd_scenario_free(struct hd_scenario *scenario);

/*
 * Reads the file @path, or text as from a file @name. HD_EPARSE, with file and line: an unknown or
 * repeated section or key, a malformed list; HD_EIO; HD_ENOMEM.
 */
int hd_scenario_read(struct hd_scenario *scenario, const char *path, struct hd_error *err);
int hd_scenario_read_text(struct hd_scenario *scenario, const char *name, const char *text,
			  size_t size, struct hd_error *err);

/* Overrides a key. HD_EINVAL: no such key, a malformed list; HD_ENOMEM. */
int hd_scenario_set(struct hd_scenario *scenario, enum hd_key key, const char *value,
		    struct hd_error *err);

/* The same for "section.key=value". */
int hd_scenario_set_pair(struct hd_scenario *scenario, const char *pair, struct hd_error *err);

/*
 * Fills in the defaults and reads every value. Call it once, after the last value is set.
 * HD_EINVAL: an impossible value, with file and line if a file has it, or a key of fabric and
 * tables although the tables are given; HD_ERANGE: more than 10 million runs; HD_ENOMEM.
 */
int hd_scenario_finish(struct hd_scenario *scenario, struct hd_error *err);

/* Whether the values of @key make several points. */
bool hd_scenario_is_swept(const struct hd_scenario *scenario, enum hd_key key);

/* Index of the value that @key has at @point; the last key varies fastest. */
size_t hd_scenario_index(const struct hd_scenario *scenario, size_t point, enum hd_key key);
const char *hd_scenario_value(const struct hd_scenario *scenario, size_t point, enum hd_key key);
const struct hd_quantity *hd_scenario_quantity(const struct hd_scenario *scenario, size_t point,
					       enum hd_key key);

/* Fails with the place where @key was set: "FILE:LINE: link.bandwidth: TEXT". Returns err->code. */
int hd_scenario_blame(const struct hd_scenario *scenario, enum hd_key key, struct hd_error *err);

#endif
