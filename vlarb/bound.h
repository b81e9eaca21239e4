/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bounds on the time that packets of each service class wait on their path, from the VL arbitration
 * of all its ports. docs/qos.md, "Bounds", has the assumptions.
 */
#ifndef HD_VLARB_BOUND_H
#define HD_VLARB_BOUND_H

#include "tables/classes.h"

struct hd_error;

/* What hosts send: in each class, every host sends the same to all others. */
struct hd_bound_traffic {
	double load;     /* part of the class's share of the slowest host's link */
	uint64_t burst;  /* most bytes that a host sends at once in a class; 0: a packet */
	uint64_t buffer; /* bytes of a VL's buffer at the end of a link; 0: unbounded */
	bool any_order;  /* packets that wait for a link may overtake one another */
	unsigned cap;    /* entries that each table of VL arbitration has; 0: all */
};

/* A VL of a port. */
struct hd_bound_channel {
	uint32_t port; /* HD_NONE: there is none */
	unsigned vl;
};

struct hd_bound_class {
	double wait;     /* ns; INFINITY: there is no bound */
	uint32_t source; /* the pair that waits longest; of several the lowest; HD_NONE: no pair */
	uint16_t lid;

	/* the channel whose flows need the greatest part of its guarantee; above 1: not feasible */
	double need;
	struct hd_bound_channel needed;

	/* the channel with the most bytes that wait at the end of its link; INFINITY: no bound */
	double bytes;
	struct hd_bound_channel full;
};

struct hd_bound {
	struct hd_bound_class list[HD_MAX_CLASSES]; /* [class] */
	uint32_t unknown; /* a port in use whose rate or arbitration is not known; HD_NONE */
};

/*
 * The bounds of the classes of @tables, which must have classes. HD_EREFUSED: a credit loop;
 * HD_EINVAL: no end port has a LID; HD_ENOMEM.
 */
int hd_bound_find(const struct hd_tables *tables, const struct hd_bound_traffic *traffic,
		  struct hd_bound *bound, struct hd_error *err);

#endif
