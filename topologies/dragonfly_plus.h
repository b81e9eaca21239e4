/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognition of a Dragonfly+ (Shpiner et al., 2017) in any fabric, for any order of nodes, names
 * and ports. Leaves are the switches with hosts, spines their neighbours; a switch without hosts
 * that has only spines as neighbours is a leaf, too. Links between leaves and spines make groups;
 * links between spines join groups.
 */
#ifndef HD_TOPOLOGIES_DRAGONFLY_PLUS_H
#define HD_TOPOLOGIES_DRAGONFLY_PLUS_H

#include <stdbool.h>

#include "fabric/fabric.h"
#include "topologies/topology.h"

struct hd_error;

/* Groups are numbered by the lowest switch index in them. */
struct hd_dragonfly_plus {
	uint32_t n_groups;
	uint32_t leaves, spines; /* most in one group */
	uint32_t hosts;          /* most on one leaf */
	uint32_t h;              /* most global links on one spine */
	uint32_t *group;         /* [switch] */
	bool *is_spine;          /* [switch] */
	uint32_t *first;         /* [group + 1] where a group's part of switches[] begins */
	uint32_t *n_leaves;      /* [group] */
	uint32_t *switches;      /* [switch] by group, a group's leaves first; both ascending */
	uint8_t *port_class;     /* [port] enum hd_port_class; HD_PORT_UNUSED off the switches */

	/* What an intact Dragonfly+ of these groups has, and this fabric lacks. */
	uint32_t n_missing_switches; /* by which groups are smaller than the largest */
	uint32_t n_missing_local;    /* pairs of a leaf and a spine of one group without a link */
	uint32_t missing_local[2];   /* the first such pair; HD_NONE when none */
	uint32_t n_missing_global;   /* pairs of groups without a link */
	uint32_t missing_global[2];  /* the first such pair, as groups */
	uint32_t n_odd_local;        /* links between leaves, or between spines, of one group */
	uint32_t odd_local[2];       /* the ends of the first */
	uint32_t n_odd_global;       /* links between leaves of two groups, which join no groups */
	uint32_t odd_global[2];
};

/*
 * HD_EREFUSED: no Dragonfly+, with the reason: there is only one group; or more than an eighth of
 * the pairs of a leaf and a spine of one group, or of the pairs of groups, has no link; or there are
 * odd local links for more than an eighth of the former. HD_ENOMEM. Free with
 * hd_dragonfly_plus_free().
 */
int hd_dragonfly_plus_recognise(const struct hd_fabric *fabric, struct hd_dragonfly_plus **result,
				struct hd_error *err);
void hd_dragonfly_plus_free(struct hd_dragonfly_plus *plus);

/* Whether nothing is missing or odd. */
bool hd_dragonfly_plus_is_perfect(const struct hd_dragonfly_plus *plus);

#endif
