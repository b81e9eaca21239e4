/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The engine that engine heddle takes for a fabric, with the reason, and its results beside the
 * next best engine's.
 */
#ifndef HD_TOOLS_SERVED_BY_H
#define HD_TOOLS_SERVED_BY_H

#include <jansson.h>

#include "check/check.h"
#include "check/load.h"
#include "engines/choose.h"

struct hd_fields;

/* The result of an engine. */
struct hd_served {
	bool is_routed;
	char refusal[256]; /* why it is not */
	unsigned sls, vls;
	bool are_rates_alike; /* of all links between switches */
	uint64_t busiest;     /* flows of the busiest link between switches (engines/busiest.h) */
	double load;          /* times the mean */
};

/* Which engines hd_served_by_find() routes and proves with. */
enum hd_served_depth {
	/* as HD_SERVED_ONE, but none where LFTs alone were compared (engines/choose.h): seconds */
	HD_SERVED_NAME,
	HD_SERVED_ONE, /* up to the one that is taken */
	HD_SERVED_ALL,
};

struct hd_served_by {
	struct hd_choices choices;
	unsigned first;      /* the engine that engine heddle takes; choices.n: it refuses */
	bool is_first_named; /* that is the one which it tries first: no tables were made */
	char unknown[256];   /* why that is not known; "": it is known */
	bool are_all_tried;
	struct hd_served served[HD_MOST_CHOICES];
};

/* The tables of the engine that is taken, with their proof and their flows. */
struct hd_served_tables {
	struct hd_tables *tables; /* NULL: no engine serves the fabric */
	struct hd_check_result result;
	struct hd_load load;
};

void hd_served_tables_clear(struct hd_served_tables *kept);

/*
 * Lists the engines for @fabric in the order in which engine heddle tries them, and routes and
 * proves as @depth says, on a copy with LIDs if @fabric has none. @kept, of zeros or NULL, gets the
 * tables of the one that is taken; @fabric then has LIDs. @sound, or NULL, is an engine whose
 * tables are known to be sound: it is not tried again, and its results are not filled in.
 * HD_ENOMEM.
 */
int hd_served_by_find(const struct hd_fabric *fabric, enum hd_served_depth depth,
		      const struct hd_engine *sound, struct hd_served_tables *kept,
		      struct hd_served_by *served_by, struct hd_error *err);

/* "SLs 1, VLs 2, busiest link 64 flows, 1.20 times the mean", in @text, which it returns. */
const char *hd_served_describe(const struct hd_served *served, char *text, size_t size);

/* As fields, which are printed if @fields is NULL; adds "engines" to @root. */
void hd_served_by_tell(const struct hd_served_by *served_by, struct hd_fields *fields);
void hd_served_by_json(const struct hd_served_by *served_by, json_t *root);

#endif
