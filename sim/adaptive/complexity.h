/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The number of switching elements of a switch's crossbar: for every VC of every out-port, the VCs
 * of in-ports that packets may come from (all in-ports of hosts count as one); and for the hosts,
 * all VCs of in-ports. One function counts them by what packets may do, the other computes them by
 * Table 4 of Penaranda et al., XORDET and XORADAP (2017).
 */
#ifndef HD_ADAPTIVE_COMPLEXITY_H
#define HD_ADAPTIVE_COMPLEXITY_H

#include <stdint.h>

struct hd_error;

enum hd_crossbar_kind {
	HD_CROSSBAR_ADAPTIVE, /* fully adaptive: any VC, an escape */
	HD_CROSSBAR_OODET,    /* dimension order, any VC */
	HD_CROSSBAR_IODET,    /* a VC by the coordinate in the link's dimension */
	HD_CROSSBAR_XORADAP,  /* any VC of the destination's group, an escape */
	HD_CROSSBAR_XORDET,   /* a VC by the destination; DBBM and BBQ are alike */
	HD_CROSSBARS,
};

/* A grid of @n_dimensions; @n_vcs VCs of a port, and an escape beside them; XORADAP's groups. */
struct hd_crossbar_case {
	unsigned n_dimensions, n_vcs, n_groups;
};

#define HD_CROSSBAR_DIMENSIONS 6
#define HD_CROSSBAR_VCS        31

extern const char *const hd_crossbar_names[HD_CROSSBARS];

/* VCs of a port, with the escape if there is one. */
unsigned hd_crossbar_vcs(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c);

/* By Table 4. */
uint64_t hd_crossbar_formula(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c);

/*
 * Counts at a switch with neighbours in all directions and destinations of every group behind each.
 * HD_EINVAL: too many dimensions or VCs, or groups that do not divide the VCs; HD_ENOMEM.
 */
int hd_crossbar_count(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c, uint64_t *count,
		      struct hd_error *err);

#endif
