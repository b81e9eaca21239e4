/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which hosts are near one another, as schedulers of jobs read it. */
#ifndef HD_TOOLS_PLACES_H
#define HD_TOOLS_PLACES_H

#include <stdio.h>

#include "tools/command.h"
#include "topologies/locality.h"

/* Names of places and machines that any scheduler takes. */
struct hd_place_names {
	char **place;   /* [place] distinct within a plane */
	char **machine; /* [machine] distinct */
};

/*
 * Letters, digits, '-', '_' and '.', beginning and ending with a letter or digit, at most 63 of
 * them: other characters become '_'. A place of level 0 is called as its first switch, others by
 * what they are and a number. HD_ENOMEM. Clear with hd_place_names_clear(), also after an error.
 */
int hd_place_names_make(const struct hd_fabric *fabric, const struct hd_locality *locality,
			struct hd_place_names *names, struct hd_error *err);
void hd_place_names_clear(const struct hd_locality *locality, struct hd_place_names *names);

/* The machines of each place of level 0, and the places in others. */
struct hd_place_members {
	uint32_t *first;   /* [place + 1] */
	uint32_t *members; /* machines or places */
};

/* Of one plane. HD_ENOMEM. Clear with hd_place_members_clear(), also after an error. */
int hd_place_members_find(const struct hd_locality *locality, uint32_t plane,
			  struct hd_place_members *members, struct hd_error *err);
void hd_place_members_clear(struct hd_place_members *members);

/* How schedulers read places. */
enum hd_place_form {
	HD_PLACES_NONE,
	HD_PLACES_TREE,  /* topology.conf of Slurm's topology/tree */
	HD_PLACES_BLOCK, /* topology.conf of Slurm's topology/block */
	HD_PLACES_YAML,  /* topology.yaml, Slurm 24.11 and later */
	HD_PLACES_K8S,   /* labels of Kubernetes nodes */
};

/*
 * Prints the places of @fabric on standard output, and what is left out on stderr. @groups and
 * @no_hosts (or NULL) are the files of hd_shapes_find(). HD_EINVAL: no host; HD_ENOMEM, and what
 * hd_dragonfly_read_groups(), hd_no_hosts_find() and hd_recognise() return.
 */
int hd_places_print(const struct hd_fabric *fabric, enum hd_place_form form, const char *groups,
		    const char *no_hosts, const struct hd_common *common, struct hd_error *err);

/* Print the places. topology.conf has the first plane alone. HD_ENOMEM. */
int hd_slurm_print(FILE *stream, const struct hd_fabric *fabric, const struct hd_locality *locality,
		   enum hd_place_form form, struct hd_error *err);

/* Labels of Kubernetes nodes, for `kubectl apply --server-side`. HD_ENOMEM. */
int hd_k8s_print(FILE *stream, const struct hd_fabric *fabric, const struct hd_locality *locality,
		 struct hd_error *err);

#endif
