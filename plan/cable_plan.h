/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Plans: how a fabric is meant to be cabled. A plan is a fabric, as far as its file tells: a
 * netfile tells everything; a list of cables has names and ports, and neither GUIDs nor, mostly,
 * rates; a spec has a shape and ports, and its names and GUIDs are not those of a real fabric. A
 * plan that is inferred from a fabric (plan/infer.h) has its nodes, and cables without ports.
 */
#ifndef HD_PLAN_CABLE_PLAN_H
#define HD_PLAN_CABLE_PLAN_H

#include "fabric/fabric.h"

struct hd_error;
struct hd_reading;

/* A planned cable. Numbers of nodes from hd_cable_plan.fabric. */
struct hd_cable {
	uint32_t node[2];
	uint8_t port[2];      /* 0: any */
	uint8_t width, speed; /* 0: not told */
};

struct hd_cable_plan {
	struct hd_fabric *fabric; /* NULL: the nodes are those of the fabric that is compared */
	bool has_guids;           /* those of `fabric` are of real nodes */
	bool has_names;           /* its names are; otherwise they count only if cables agree */
	struct hd_cable *cables;
	uint32_t n_cables;
	/*
	 * Groups of an inferred plan, or 0. Any switch may have the cable between two groups, or
	 * any spine where there are spines: the node of such a cable is HD_PLAN_GROUP + group.
	 */
	uint32_t n_groups;
	uint32_t *group;    /* [switch] */
	bool *is_spine;     /* [switch], or NULL */
	uint32_t *group_at; /* [group] the switch of it with the fewest cables to other groups */
	uint32_t *n_global; /* [switch] its cables to other groups */
	uint32_t most_global;
	bool is_loose;     /* the cables within groups are those that the fabric has */
	uint32_t n_absent; /* switches of the shape that the fabric lacks */
};

#define HD_PLAN_GROUP (UINT32_C(1) << 28)

/* Whether a cable between switches @one and @other may be one between two groups of the plan. */
static inline bool hd_cable_plan_may_join(const struct hd_cable_plan *plan, uint32_t one,
					  uint32_t other)
{
	return plan->group[one] != plan->group[other] &&
	       (!plan->is_spine || (plan->is_spine[one] && plan->is_spine[other]));
}

/*
 * The plan that @what names: a list of cables (plan/read_csv.h, plan/read_topo.h), or what
 * hd_fabric_open() takes. Free with hd_cable_plan_free(). What hd_fabric_open() returns;
 * HD_EPARSE with file and line.
 */
int hd_cable_plan_open(const char *what, const struct hd_reading *how, struct hd_cable_plan **plan,
		       struct hd_error *err);
void hd_cable_plan_free(struct hd_cable_plan *plan);

/* A plan of the cables of @fabric, which it takes, also after an error. HD_ENOMEM. */
int hd_cable_plan_of(struct hd_fabric *fabric, struct hd_cable_plan **plan, struct hd_error *err);

#endif
