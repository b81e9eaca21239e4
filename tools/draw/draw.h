/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pictures of a fabric: a dragonfly as groups on a circle, a grid as a grid, a tree in levels, and
 * any other fabric so that distances on paper are about distances in links. Trees and other fabrics
 * have a box for every switch, with the number of its end nodes, and one line for parallel links.
 * Colours of links show their flows, or failures.
 */
#ifndef HD_DRAW_DRAW_H
#define HD_DRAW_DRAW_H

#include <stdio.h>

#include "tables/tables.h"
#include "topologies/dragonfly.h"
#include "topologies/low_diameter.h"
#include "topologies/structure.h"

struct hd_error;
struct hd_gaps;
struct hd_shapes;

#define HD_RED "#d7191c" /* of what failed or is absent */

/* In units of the distance of neighbours, pixels in pictures of boxes; y grows downwards. */
struct hd_spot {
	double x, y;
};

/* The links between two switches that have failed, or those that have not. */
struct hd_bundle {
	uint32_t port; /* of the link with most flows, the end on the switch of lower number */
	uint32_t n;
	uint32_t flows; /* of that link, in its busier direction */
	bool failed;
};

/* Only for pictures of boxes. */
struct hd_boxes {
	uint32_t *level; /* [switch] 0 has the hosts; NULL: no levels */
	uint32_t n_levels;
	uint32_t *hosts;            /* [switch] number of its end nodes, */
	uint32_t *lost;             /* [switch] and of those whose link failed */
	char (*label)[32];          /* [switch] the part of its name that others do not have */
	bool upright;               /* labels are written upwards */
	double width, height, font; /* of a box; pixels */
	struct hd_bundle *bundles;  /* in the order of drawing: failed and busy ones come last,
				       on top */
	uint32_t n_bundles;
	uint32_t usual; /* the number of links that most lines stand for */
};

/* Cables between two switches that the shape of the fabric has, and the fabric lacks. */
struct hd_absent_line {
	uint32_t from, to;
	uint32_t n;
	uint8_t class; /* enum hd_load_class */
};

struct hd_drawing {
	const struct hd_fabric *fabric; /* failed parts included */
	bool *failed_node;              /* [node] */
	bool *failed_port;              /* [port] its link failed, or a node at its end */
	uint32_t *flows;                /* [port] flows that leave it; NULL: not known */
	uint32_t most;                  /* flows of a link between switches */
	uint8_t *class;                 /* [port] enum hd_load_class of tools/link_classes.h */
	bool with_hosts;                /* not in a picture of thousands */
	struct hd_spot *at;             /* [node], or [switch] of boxes */
	struct hd_boxes *boxes;         /* NULL: a circle for every node */
	struct hd_absent_line *absent;  /* none until hd_drawing_add_absent() */
	uint32_t n_absent;
};

/*
 * Makes a drawing of @fabric. Colours show failures if @after, the rest of the fabric, is not NULL;
 * otherwise load if @tables are not NULL. Both must be of @fabric. @shape is the recognised
 * topology, or NULL. Clear with hd_drawing_clear(), also after an error. HD_ENOMEM.
 */
int hd_drawing_make(const struct hd_fabric *fabric, const struct hd_fabric *after,
		    const struct hd_tables *tables, const struct hd_dragonfly *dragonfly,
		    const struct hd_grid *grid, const struct hd_low_diameter *low,
		    struct hd_drawing *drawing, struct hd_error *err);
/* The same, for the topologies that were recognised. */
int hd_drawing_of_shapes(const struct hd_fabric *fabric, const struct hd_fabric *after,
			 const struct hd_tables *tables, const struct hd_shapes *shapes,
			 struct hd_drawing *drawing, struct hd_error *err);
void hd_drawing_clear(struct hd_drawing *drawing);

/*
 * Adds the cables that are missing from where they should be; @gaps are those of the drawn fabric.
 * HD_ENOMEM.
 */
int hd_drawing_add_absent(struct hd_drawing *drawing, const struct hd_gaps *gaps,
			  struct hd_error *err);

/* Their number: of cables, not of lines. */
uint32_t hd_drawing_n_absent(const struct hd_drawing *drawing);

/* Whether @port, of a switch or adapter, is the end from which its link is drawn. */
bool hd_drawing_has_link(const struct hd_drawing *drawing, uint32_t port);

/* The colour of the link of @port, "#rrggbb"; and its width, in pixels. */
const char *hd_drawing_colour(const struct hd_drawing *drawing, uint32_t port, char colour[8]);
double hd_drawing_width(const struct hd_drawing *drawing, uint32_t port);

/* Places of all nodes. HD_ENOMEM. */
int hd_draw_place_dragonfly(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			    struct hd_spot **at, struct hd_error *err);
int hd_draw_place_slimfly(const struct hd_fabric *fabric, const struct hd_low_diameter *low,
			  struct hd_spot **at, struct hd_error *err);
int hd_draw_place_grid(const struct hd_fabric *fabric, const struct hd_grid *grid,
		       struct hd_spot **at, struct hd_error *err);

/*
 * Places of boxes in rows by level, with few crossings; @at is [switch]. HD_ENOMEM.
 * Takes n log n of links.
 */
int hd_draw_place_levels(const struct hd_fabric *fabric, struct hd_boxes *boxes,
			 struct hd_spot **at, struct hd_error *err);

/*
 * Places of boxes so that distances on paper are about distances in links; @at is [switch]. The
 * same fabric gets the same places. HD_ENOMEM. Takes about a second for thousands of switches.
 */
int hd_draw_place_spread(const struct hd_fabric *fabric, struct hd_boxes *boxes,
			 struct hd_spot **at, struct hd_error *err);

/*
 * Makes the boxes of @drawing, whose other members are set, and places them. HD_ENOMEM; free with
 * hd_draw_boxes_free().
 */
int hd_draw_boxes_make(struct hd_drawing *drawing, struct hd_error *err);
void hd_draw_boxes_free(struct hd_boxes *boxes);

#define HD_PILL 14.0 /* height of the number of end nodes at a box */

/* The paper of a drawing, without a legend. */
struct hd_paper {
	double left, top, unit; /* of struct hd_spot; pixels of a unit */
	double width, height;   /* pixels */
	struct hd_spot middle;
};

void hd_draw_lay(const struct hd_drawing *drawing, struct hd_paper *paper);

/* Where @node is on paper, in pixels. */
struct hd_spot hd_draw_spot(const struct hd_drawing *drawing, const struct hd_paper *paper,
			    uint32_t node);

/* Where a link to @other leaves the box of @s: in rows, by the side that faces @other. */
struct hd_spot hd_draw_end(const struct hd_drawing *drawing, const struct hd_paper *paper,
			   uint32_t s, uint32_t other);

/* Writes the curve of the link of @port, as the attribute d of an SVG path has it. */
void hd_draw_put_curve(const struct hd_drawing *drawing, const struct hd_paper *paper,
		       uint32_t port, FILE *stream);

/* The same between two switches that no link joins; @class is enum hd_load_class. */
void hd_draw_put_curve_between(const struct hd_drawing *drawing, const struct hd_paper *paper,
			       uint32_t node, uint32_t peer, uint8_t class, FILE *stream);

/* Writes the absent cables as SVG paths. */
void hd_draw_put_absent(const struct hd_drawing *drawing, const struct hd_paper *paper,
			FILE *stream);

/* The picture of boxes as SVG. */
void hd_draw_boxes_svg(const struct hd_drawing *drawing, FILE *stream);

/* Writes text in an SVG file; writes a legend of the links' colours, if they have a meaning. */
void hd_draw_put_text(FILE *stream, const char *text);
void hd_draw_put_colours(const struct hd_drawing *drawing, FILE *stream);

/* Writes the drawing in Graphviz's language, with positions. */
void hd_draw_dot(const struct hd_drawing *drawing, FILE *stream);

/* Writes @path completely or not at all. HD_EIO; HD_ENOMEM. */
int hd_draw_write_graphml(const struct hd_drawing *drawing, const char *path, struct hd_error *err);
int hd_draw_write_dot(const struct hd_drawing *drawing, const char *path, struct hd_error *err);
int hd_draw_write_svg(const struct hd_drawing *drawing, const char *path, struct hd_error *err);

#endif
