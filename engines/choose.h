/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The choice of engine heddle: the engine that serves a fabric best. Engines for the fabric's
 * topology are compared with engines for any fabric, by the flows of the busiest link.
 */
#ifndef HD_ENGINES_CHOOSE_H
#define HD_ENGINES_CHOOSE_H

#include "engines/engine.h"

struct hd_error;
struct hd_shapes;

#define HD_MOST_CHOICES 8

/*
 * All engines are compared if LIDs times links of switches is at most HD_CHOOSE_WORK, which takes
 * up to a few seconds; where a flow has more hops than HD_CHOOSE_HOPS in the mean, by the square of
 * that less. On a larger fabric, an intact topology gets its own engine without a comparison; on
 * another, the first engine that has LFTs is compared only with updn, and by LFTs alone: whether
 * lanes fit turns out when the fabric itself is routed.
 */
#define HD_CHOOSE_WORK (UINT64_C(1) << 27)
#define HD_CHOOSE_HOPS 4.0

struct hd_choice {
	const struct hd_engine *engine;
	const char *option; /* of the engine, "key=value"; NULL: its defaults */
	char name[32];      /* of the engine, with the option */
	char why[128];
	bool is_previous; /* request->previous is this engine's */
	unsigned place;   /* among the engines for the topology, the best suited first */
	bool is_compared; /* busiest or refusal is known */
	uint64_t
		busiest; /* flows of the busiest link; an upper bound if the search ended early: for
			      the engine of the old tables, where it suits the topology best and
			      has few enough */
	uint64_t shifts; /* flows of the busiest link in shifts, added up (engines/busiest.h) */
	unsigned vls;    /* hd_tables_most_vls(); 0: lanes were not made */
	char refusal[256]; /* "": the engine does not refuse */
};

struct hd_choices {
	unsigned n;
	bool is_large; /* LFTs alone were compared, or nothing: HD_CHOOSE_WORK */
	struct hd_choice list[HD_MOST_CHOICES];
};

/*
 * The engines for a fabric with these topologies: those that are made for the topology; those that
 * serve any fabric; and, unless it is a tree, those that need more SLs and VLs for shortest paths.
 */
void hd_choices_list(const struct hd_shapes *shapes, struct hd_choices *choices);

/*
 * The engines for @fabric and @request in the order in which to try them: first those whose busiest
 * link has at most 2% more flows than the least, in the order of the list, then the others by these
 * flows, then those that are not compared, in the order of the list (the search ends when an engine
 * has few enough, whatever the others have), then those that refuse. The engine of the old tables comes first if it has at most 25%
 * more flows than the least: another engine would move nearly all paths, and hosts do not ask for
 * path SLs again. Flows are counted on the canonical copy of the fabric, so the order follows from
 * the cabling, and not from GUIDs and LIDs (topologies/canonical.h). With the real GUIDs, engines
 * may be a few percent better or worse, on a small fabric that lacks links 20%. On tori and meshes
 * that lack parts, engine any with several layers stands before any with one; on fat trees, dmodc
 * before any if that is about as good, and rounds of an all-to-all are better; an engine of the
 * topology that has more VLs than any, before any if its busiest link has at most an eighth more
 * flows, dla a third (docs/defaults.md).
 * HD_ENOMEM, and what engines return except HD_EREFUSED.
 */
int hd_choose(const struct hd_fabric *fabric, const struct hd_route_request *request,
	      struct hd_choices *choices, struct hd_error *err);

/* Routes by @choice, as hd_route() does. */
int hd_route_choice(const struct hd_choice *choice, const struct hd_fabric *fabric,
		    const struct hd_route_request *request, struct hd_tables **tables,
		    struct hd_error *err);

/*
 * Takes the first engine in that order that does not refuse and whose tables request->accept()
 * accepts. HD_EREFUSED: all refuse, with the reason of the last; HD_ENOMEM.
 */
int hd_choose_and_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_tables **tables, struct hd_structure *structure,
			struct hd_error *err);

#endif
