/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How the cables of a fabric differ from a plan, and the shortest list of moves that mends it.
 *
 * Cables that the plan and the fabric share are left out. An end of a planned cable that is missing
 * and an end of a cable that is not planned meet where they use the same port. So what is left
 * falls apart into chains and rings, in which planned and present cables alternate. Each of them is
 * mended by itself:
 *
 * - a planned cable alone is missing; a present one alone is extra;
 * - a ring of k planned and k present cables: k cables have changed places. One exchange of two
 *   plugs puts one cable into its place and leaves a ring of k - 1, the last exchange two: k - 1
 *   moves, as for a permutation, where each cycle of k needs k - 1 exchanges;
 * - a chain of as many planned as present cables: each present cable keeps one plug and the other
 *   moves to the port that the cable before has left: k moves;
 * - with a planned cable more, one is missing in the end: k moves and a new cable; with a present
 *   cable more, it is taken out first, and the others follow.
 *
 * The cables of nodes that are not planned are taken out before all others, and those of absent
 * nodes are connected last. But a switch that is not planned keeps its cables, except those in
 * ports that planned cables need; and an absent switch comes with its cables.
 *
 * No list is shorter: a move touches at most two cables, so it changes the sum of all these counts
 * by at most one.
 *
 * If a plan has no ports (plan/infer.h), or other ones than the fabric, the ends that meet are
 * those on the same switch. Which of them meet is free: those are joined first that make rings of
 * two.
 */
#ifndef HD_PLAN_DIFFER_H
#define HD_PLAN_DIFFER_H

#include "plan/pairs.h"

/* A port, as it is told: a node of the fabric, of the plan, or any switch of a group. */
struct hd_place {
	uint32_t present; /* node of the fabric; HD_NONE: none */
	uint32_t planned; /* node of the plan, where there is none in the fabric; or HD_NONE */
	uint32_t group;   /* of an inferred plan; HD_NONE: the node is given */
	uint8_t port;     /* 0: any */
};

struct hd_place_pair {
	struct hd_place ends[2];
	uint8_t width, speed;
};

enum hd_finding_kind {
	HD_MISSING,   /* a planned cable */
	HD_EXTRA,     /* a cable */
	HD_SWAPPED,   /* cables that changed places */
	HD_MOVED,     /* a cable with one end or both in other ports */
	HD_SLOW,      /* a cable that came up below its speed, */
	HD_NARROW,    /* with fewer lanes */
	HD_ABSENT,    /* a node of the plan, with its cables */
	HD_UNPLANNED, /* a node, with its cables */
	HD_N_FINDINGS,
};

/* One word for each. */
extern const char *const hd_finding_names[HD_N_FINDINGS];

struct hd_finding {
	enum hd_finding_kind kind;
	uint32_t first_planned, n_planned; /* in hd_differences.planned */
	uint32_t first_present, n_present; /* in hd_differences.present */
	uint32_t first_move, n_moves;      /* in hd_differences.moves */
	/*
	 * HD_SLOW, HD_NARROW: the width and speed that it should have. HD_ABSENT, HD_UNPLANNED: the
	 * node is `node`, of the plan or of the fabric.
	 */
	uint8_t width, speed;
	uint32_t node;
	/* the node of the fabric that it is told at; HD_NONE: a switch that the fabric lacks */
	uint32_t at;
};

enum hd_move_kind {
	HD_CONNECT,  /* a cable from places[0] to places[1] */
	HD_REMOVE,   /* the cable there */
	HD_EXCHANGE, /* the plugs in places[0] and places[1] */
	HD_MOVE,     /* the plug in places[0] to places[1] */
};

struct hd_move {
	enum hd_move_kind kind;
	struct hd_place places[2];
};

struct hd_differences {
	uint32_t n_planned_cables, n_as_planned; /* of those that are compared */
	bool by_ports;           /* cables are compared by their ports; else by their nodes */
	bool no_ends, no_trunks; /* the plan has no cables to end nodes, between switches */
	uint32_t n_findings, n_planned, n_present, n_moves;
	uint32_t n_of[HD_N_FINDINGS];
	struct hd_finding *findings; /* by the switch that they are told at, and its port */
	struct hd_place_pair *planned, *present;
	struct hd_move *moves; /* to be made in the order of this array; findings index it */
};

/*
 * Compares. @match is NULL where @plan has no nodes of its own. Clear with
 * hd_differences_clear(), also after an error. HD_ENOMEM.
 */
int hd_differ(const struct hd_cable_plan *plan, const struct hd_plan_match *match,
	      const struct hd_fabric *now, struct hd_differences *differences,
	      struct hd_error *err);
void hd_differences_clear(struct hd_differences *differences);

/* "NAME[PORT]", "NAME", or "group 3 (NAME ...)"; returns @buffer of HD_LABEL_SIZE bytes. */
const char *hd_place_label(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			   const struct hd_place *place, char *buffer);

#endif
