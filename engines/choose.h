/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which engine serves a fabric best: what engine heddle takes. Those that are made for its shape are
 * compared with those that serve any fabric, by the flows of the busiest link.
 */
#ifndef HD_ENGINES_CHOOSE_H
#define HD_ENGINES_CHOOSE_H

#include "engines/engine.h"

struct hd_error;
struct hd_shapes;

#define HD_MOST_CHOICES 8

/*
 * Up to so many LIDs times links of switches all engines are compared, which takes about half a
 * second. Beyond that, a whole shape has its own engine without a comparison, and elsewhere the first
 * engine that serves is compared with updn alone.
 */
#define HD_CHOOSE_WORK (UINT64_C(1) << 27)

struct hd_choice {
	const struct hd_engine *engine;
	char why[128];
	bool is_previous;  /* by which request->previous was made */
	unsigned place;    /* among those that serve the shape, the best suited first */
	bool is_compared;  /* busiest or refusal is known */
	uint64_t busiest;  /* flows of the busiest link */
	char refusal[256]; /* "": it does not refuse */
};

struct hd_choices {
	unsigned n;
	struct hd_choice list[HD_MOST_CHOICES];
};

/*
 * The engines for what has those shapes: those that are made for the shape; those that serve any
 * fabric; and but for trees those that need more SLs and VLs for shortest paths.
 */
void hd_choices_list(const struct hd_shapes *shapes, struct hd_choices *choices);

/*
 * The engines for @fabric and @request in the order in which they are to be tried: those whose
 * busiest link has no more than a fiftieth more flows than the least, as they are listed, then the
 * others by those flows; those that refuse last. The engine of the tables of before comes first as
 * long as it has no more than a quarter more flows than the least: another one would move nearly all
 * ways, and hosts do not ask for path SLs again. The flows are those of the canonical copy of the
 * fabric, so that the order follows from how it is cabled, and not from its GUIDs and LIDs
 * (topologies/canonical.h). With the GUIDs that there are, engines may do a few percent better or worse,
 * on a small fabric that lacks links a fifth. HD_ENOMEM, and what engines return but for HD_EREFUSED.
 */
int hd_choose(const struct hd_fabric *fabric, const struct hd_route_request *request,
	      struct hd_choices *choices, struct hd_error *err);

/*
 * Takes the first of the engines in that order which does not refuse and whose tables
 * request->accept() takes. HD_EREFUSED: all refuse, the reason of the last; HD_ENOMEM.
 */
int hd_choose_and_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_tables **tables, struct hd_structure *structure,
			struct hd_error *err);

#endif
