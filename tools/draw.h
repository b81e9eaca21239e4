/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pictures of a fabric: a dragonfly as groups on a circle, a grid as a grid, everything else as
 * graphviz lays it out. Links are coloured by the flows that they carry, or by failure.
 */
#ifndef HD_TOOLS_DRAW_H
#define HD_TOOLS_DRAW_H

#include <stdio.h>

#include "tables/tables.h"
#include "topologies/dragonfly.h"
#include "topologies/structure.h"

struct hd_error;

/* In units of the distance of neighbours; y grows downwards. */
struct hd_spot {
	double x, y;
};

struct hd_drawing {
	const struct hd_fabric *fabric; /* failed parts included */
	bool *failed_node;              /* [node] */
	bool *failed_port;              /* [port] its link failed, or a node at its end */
	uint32_t *flows;                /* [port] that leave it; NULL: not known */
	uint32_t most;                  /* flows of a link between switches */
	uint8_t *class;                 /* [port] enum hd_link_class of tools/classes.h */
	bool with_hosts;                /* not in a picture of thousands */
	struct hd_spot *at;             /* [node]; NULL: a shape that has no layout of its own */
};

/*
 * What there is to draw of @fabric: in the colours of failure if @after, what is left of it, is not
 * NULL, otherwise in those of load if @tables are not. Both must be of @fabric. @shape is what it
 * was recognised as, or NULL. Clear with hd_drawing_clear(), whatever the outcome. HD_ENOMEM.
 */
int hd_drawing_make(const struct hd_fabric *fabric, const struct hd_fabric *after,
		    const struct hd_tables *tables, const struct hd_dragonfly *dragonfly,
		    const struct hd_grid *grid, struct hd_drawing *drawing, struct hd_error *err);
void hd_drawing_clear(struct hd_drawing *drawing);

/* Whether @port, of a switch or adapter, is the end from which its link is drawn. */
bool hd_drawing_has_link(const struct hd_drawing *drawing, uint32_t port);

/* "#rrggbb" of the link of @port; and how wide it is, in pixels. */
const char *hd_drawing_colour(const struct hd_drawing *drawing, uint32_t port, char colour[8]);
double hd_drawing_width(const struct hd_drawing *drawing, uint32_t port);

/* Places of all nodes. HD_ENOMEM. */
int hd_draw_place_dragonfly(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			    struct hd_spot **at, struct hd_error *err);
int hd_draw_place_grid(const struct hd_fabric *fabric, const struct hd_grid *grid,
		       struct hd_spot **at, struct hd_error *err);

/* Graphviz's language; with positions where there are some. */
void hd_draw_dot(const struct hd_drawing *drawing, FILE *stream);

/*
 * Writes @path, whole or not at all. An SVG without places comes from graphviz. HD_EIO; HD_EINVAL:
 * graphviz cannot be run; HD_ENOMEM.
 */
int hd_draw_write_dot(const struct hd_drawing *drawing, const char *path, struct hd_error *err);
int hd_draw_write_svg(const struct hd_drawing *drawing, const char *path, struct hd_error *err);

#endif
