/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How long packets of each service class wait at most on their way, by the VL arbitration of all
 * ports on it. docs/qos.md, "Bounds", says what is assumed.
 */
#ifndef HD_VLARB_BOUND_H
#define HD_VLARB_BOUND_H

#include "tables/classes.h"

struct hd_error;

/* What hosts send: in each class every host to all others alike. */
struct hd_bound_traffic {
	double load;     /* part of the class's share of the slowest host's link */
	uint64_t burst;  /* bytes that a host sends at once in a class at most; 0: a packet */
	uint64_t buffer; /* bytes of a VL where a link ends; 0: no matter how many */
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
	uint32_t source; /* the pair that waits most, of which the lowest; HD_NONE: no pair */
	uint16_t lid;

	/* where flows need the greatest part of what is guaranteed; above 1: not feasible */
	double need;
	struct hd_bound_channel needed;

	/* where most bytes wait at the end of a link; INFINITY: no bound */
	double bytes;
	struct hd_bound_channel full;
};

struct hd_bound {
	struct hd_bound_class list[HD_MAX_CLASSES]; /* [class] */
	uint32_t unknown; /* a port in use whose rate or arbitration is not known; HD_NONE */
};

/*
 * The bounds of the classes of @tables, which has some. HD_EREFUSED: packets may wait for one
 * another in a circle; HD_EINVAL: no end port has a LID; HD_ENOMEM.
 */
int hd_bound_find(const struct hd_tables *tables, const struct hd_bound_traffic *traffic,
		  struct hd_bound *bound, struct hd_error *err);

#endif
