/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The topologies of a fabric, as `heddle topo` prints them. */
#ifndef HD_TOOLS_SHAPES_H
#define HD_TOOLS_SHAPES_H

#include <jansson.h>

#include "topologies/recognise.h"

struct hd_fields;

/*
 * Recognises @fabric; @groups (or NULL) is a file of groups of a dragonfly, @no_hosts (or NULL) one
 * of end nodes that are no hosts of a fat tree. Clear with hd_shapes_clear(), also after an error.
 * What hd_dragonfly_read_groups() and hd_no_hosts_find() return; HD_ENOMEM.
 */
int hd_shapes_find(const struct hd_fabric *fabric, const char *groups, const char *no_hosts,
		   struct hd_shapes *shapes, struct hd_error *err);

/* Fields: the topology and its missing parts. @fields NULL: they are printed. */
void hd_shapes_tell(const struct hd_fabric *fabric, const struct hd_shapes *shapes,
		    struct hd_fields *fields);

/* The same in @root: `shape`, `grid`, and the reason if there is none. */
void hd_shapes_json(const struct hd_shapes *shapes, json_t *root);

#endif
