// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where the nodes and links of a drawing are on paper, in pixels. */
#include <math.h>

#include "tools/draw/draw.h"
#include "tools/link_classes.h"

#define UNIT         60.0 /* pixels, of circles */
#define MARGIN       60.0
#define BOXES_MARGIN 30.0

/* The least and the greatest place of the first @n nodes. */
static void find_extent(const struct hd_spot *at, uint32_t n, struct hd_spot *least,
			struct hd_spot *most)
{
	*least = *most = n ? at[0] : (struct hd_spot){ 0, 0 };
	for (uint32_t node = 1; node < n; node++) {
		*least = (struct hd_spot){ fmin(least->x, at[node].x), fmin(least->y, at[node].y) };
		*most = (struct hd_spot){ fmax(most->x, at[node].x), fmax(most->y, at[node].y) };
	}
}

static void lay_boxes(const struct hd_drawing *drawing, struct hd_paper *paper)
{
	const struct hd_boxes *boxes = drawing->boxes;
	struct hd_spot least, most;

	find_extent(drawing->at, drawing->fabric->n_switches, &least, &most);
	paper->unit = 1;
	paper->left = least.x - boxes->width / 2 - BOXES_MARGIN;
	paper->top = least.y - boxes->height / 2 - HD_PILL - BOXES_MARGIN;
	paper->width = most.x - paper->left + boxes->width / 2 + BOXES_MARGIN;
	paper->height = most.y - paper->top + boxes->height / 2 + HD_PILL + BOXES_MARGIN;
}

void hd_draw_lay(const struct hd_drawing *drawing, struct hd_paper *paper)
{
	const struct hd_fabric *fabric = drawing->fabric;
	struct hd_spot least, most;

	if (drawing->boxes) {
		lay_boxes(drawing, paper);
		return;
	}
	find_extent(drawing->at, drawing->with_hosts ? fabric->n_nodes : fabric->n_switches, &least,
		    &most);
	paper->unit = UNIT;
	paper->left = least.x - MARGIN / UNIT;
	paper->top = least.y - MARGIN / UNIT;
	paper->width = (most.x - least.x) * UNIT + 2 * MARGIN;
	paper->height = (most.y - least.y) * UNIT + 2 * MARGIN;
	paper->middle = (struct hd_spot){ (least.x + most.x) / 2, (least.y + most.y) / 2 };
}

static struct hd_spot on_paper(const struct hd_paper *paper, struct hd_spot at)
{
	return (struct hd_spot){ (at.x - paper->left) * paper->unit,
				 (at.y - paper->top) * paper->unit };
}

struct hd_spot hd_draw_spot(const struct hd_drawing *drawing, const struct hd_paper *paper,
			    uint32_t node)
{
	return on_paper(paper, drawing->at[node]);
}

struct hd_spot hd_draw_end(const struct hd_drawing *drawing, const struct hd_paper *paper,
			   uint32_t s, uint32_t other)
{
	const struct hd_boxes *boxes = drawing->boxes;
	struct hd_spot spot = hd_draw_spot(drawing, paper, s);

	if (boxes->level && boxes->level[s] > boxes->level[other])
		spot.y += boxes->height / 2;
	else if (boxes->level)
		spot.y -= boxes->height / 2;
	return spot;
}

/*
 * The point that a link between circles bends to. Global links bend towards the middle, long ones
 * of a grid upwards and to the left, away from the hosts, as far as the paper goes; other links are
 * straight.
 */
static struct hd_spot bend(const struct hd_paper *paper, uint8_t class, struct hd_spot a,
			   struct hd_spot b)
{
	double length = hypot(b.x - a.x, b.y - a.y);
	struct hd_spot middle = { (a.x + b.x) / 2, (a.y + b.y) / 2 };

	if (class == HD_LOAD_GLOBAL) {
		middle.x += 0.4 * (paper->middle.x - middle.x);
		middle.y += 0.4 * (paper->middle.y - middle.y);
	} else if (class == HD_LOAD_SWITCH && length > 1.5) {
		middle.x -= fmin(0.12 * fabs(b.y - a.y), 1.2);
		middle.y -= fmin(0.12 * fabs(b.x - a.x), 1.2);
	}
	return middle;
}

static void put_between_boxes(const struct hd_drawing *drawing, const struct hd_paper *paper,
			      uint32_t a, uint32_t b, FILE *stream)
{
	const struct hd_boxes *boxes = drawing->boxes;
	struct hd_spot p = hd_draw_end(drawing, paper, a, b), q = hd_draw_end(drawing, paper, b, a);

	fprintf(stream, "M%.1f %.1f", p.x, p.y);
	if (boxes->level && boxes->level[a] == boxes->level[b]) {
		/* an arc above the row */
		double rise = 18 + 0.12 * fabs(q.x - p.x);

		fprintf(stream, "C%.1f %.1f %.1f %.1f %.1f %.1f", p.x, p.y - rise, q.x, q.y - rise,
			q.x, q.y);
	} else if (boxes->level && fabs((double)boxes->level[a] - boxes->level[b]) > 1.5) {
		/* around the boxes of the rows between */
		fprintf(stream, "Q%.1f %.1f %.1f %.1f", (p.x + q.x) / 2 + 40, (p.y + q.y) / 2, q.x,
			q.y);
	} else {
		fprintf(stream, "L%.1f %.1f", q.x, q.y);
	}
}

void hd_draw_put_curve_between(const struct hd_drawing *drawing, const struct hd_paper *paper,
			       uint32_t node, uint32_t peer, uint8_t class, FILE *stream)
{
	struct hd_spot a = drawing->at[node], b, p, q, m;

	if (drawing->boxes) {
		put_between_boxes(drawing, paper, node, peer, stream);
		return;
	}
	b = drawing->at[peer];
	p = on_paper(paper, a);
	m = on_paper(paper, bend(paper, class, a, b));
	q = on_paper(paper, b);
	fprintf(stream, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", p.x, p.y, m.x, m.y, q.x, q.y);
}

void hd_draw_put_curve(const struct hd_drawing *drawing, const struct hd_paper *paper,
		       uint32_t port, FILE *stream)
{
	const struct hd_port *ports = drawing->fabric->ports;

	hd_draw_put_curve_between(drawing, paper, ports[port].node, ports[ports[port].peer].node,
				  drawing->class[port], stream);
}
