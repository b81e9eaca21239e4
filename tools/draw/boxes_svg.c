// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A picture of boxes as SVG. */
#include <inttypes.h>
#include <math.h>

#include "tools/command.h"
#include "tools/draw/draw.h"

#define LEAST_WIDTH 560.0 /* of a legend */
#define LEGEND      70.0

struct canvas {
	const struct hd_drawing *drawing;
	FILE *stream;
	struct hd_paper paper;
};

static void put_path(const struct canvas *canvas, const struct hd_bundle *bundle)
{
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_boxes *boxes = drawing->boxes;
	double width = hd_drawing_width(drawing, bundle->port);
	char colour[8];

	const char *stroke = hd_drawing_colour(drawing, bundle->port, colour);
	bool plain = !bundle->failed && !drawing->flows;

	/* among many lines, those that differ are to stand out */
	if (plain && bundle->n == boxes->usual && boxes->n_bundles > 100 &&
	    boxes->n_bundles > 3 * drawing->fabric->n_switches) {
		stroke = "#9aa7b5";
		width *= boxes->n_bundles > 600 ? 0.5 : 0.75;
	} else if (plain && bundle->n != boxes->usual) {
		stroke = "#333333";
	}
	fputs("<path d=\"", canvas->stream);
	hd_draw_put_curve(drawing, &canvas->paper, bundle->port, canvas->stream);
	fprintf(canvas->stream, "\" stroke=\"%s\" stroke-width=\"%.2f\"%s><title>", stroke, width,
		bundle->failed ? " stroke-dasharray=\"6 4\"" : "");
}

static void put_bundle(const struct canvas *canvas, const struct hd_bundle *bundle)
{
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t peer = fabric->ports[bundle->port].peer;
	uint32_t a = fabric->ports[bundle->port].node, b = fabric->ports[peer].node;
	char name[HD_LABEL_SIZE];

	put_path(canvas, bundle);
	hd_draw_put_text(canvas->stream, hd_node_label(fabric, a, name, sizeof(name)));
	fputs(" - ", canvas->stream);
	hd_draw_put_text(canvas->stream, hd_node_label(fabric, b, name, sizeof(name)));
	fprintf(canvas->stream, ": %" PRIu32 " link%s", bundle->n, bundle->n > 1 ? "s" : "");
	if (drawing->flows)
		fprintf(canvas->stream, ", %" PRIu32 " and %" PRIu32 " flows%s",
			drawing->flows[bundle->port], drawing->flows[peer],
			bundle->n > 1 ? " on the busiest" : "");
	if (bundle->failed)
		fputs(", failed", canvas->stream);
	fputs("</title></path>\n", canvas->stream);
}

/* Writes the number of links of a line, where most lines have another: nearer to the lower end. */
static void put_count(const struct canvas *canvas, const struct hd_bundle *bundle, uint32_t rank)
{
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_boxes *boxes = drawing->boxes;
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t a = fabric->ports[bundle->port].node;
	uint32_t b = fabric->ports[fabric->ports[bundle->port].peer].node;
	struct hd_spot p, q;
	double share;

	if (bundle->n == boxes->usual)
		return;
	p = hd_draw_end(drawing, &canvas->paper, a, b);
	q = hd_draw_end(drawing, &canvas->paper, b, a);
	if (boxes->level && boxes->level[a] == boxes->level[b]) {
		p.y -= 0.75 * (18 + 0.12 * fabs(q.x - p.x));
		q.y = p.y;
		share = 0.5;
	} else {
		share = boxes->level ? 0.12 + 0.05 * (rank % 5) : 0.38 + 0.08 * (rank % 4);
		if (boxes->level && boxes->level[a] > boxes->level[b])
			share = 1 - share;
	}
	p.x += share * (q.x - p.x);
	p.y += share * (q.y - p.y);
	fprintf(canvas->stream,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"#ffffff\" stroke=\"%s\" "
		"stroke-width=\"0.8\"/><text x=\"%.1f\" y=\"%.1f\" class=\"n\">%" PRIu32
		"</text>\n",
		p.x, p.y, bundle->failed ? "#d7191c" : "#777777", p.x, p.y + 3.2, bundle->n);
}

/* Writes the number of end nodes: below boxes of the lowest level, above those of higher levels. */
static void put_hosts(const struct canvas *canvas, uint32_t s)
{
	const struct hd_boxes *boxes = canvas->drawing->boxes;
	struct hd_spot spot = hd_draw_spot(canvas->drawing, &canvas->paper, s);
	bool above = boxes->level && boxes->level[s] > 0;
	double width = boxes->lost[s] ? 30 : boxes->hosts[s] > 99 ? 22 : 17;
	double y = spot.y + (above ? -1 : 1) * (boxes->height / 2 + HD_PILL / 2 + 2);

	if (!boxes->hosts[s])
		return;
	if (boxes->upright)
		width = fmin(width, boxes->width + 4);
	fprintf(canvas->stream,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
		"fill=\"#dfe7f1\" stroke=\"%s\" stroke-width=\"0.6\"/>"
		"<text x=\"%.1f\" y=\"%.1f\" class=\"n\"%s>",
		spot.x - width / 2, y - HD_PILL / 2, width, HD_PILL, HD_PILL / 2,
		boxes->lost[s] ? "#d7191c" : "#9fb3cc", spot.x, y + 3.2,
		boxes->lost[s] ? " fill=\"#d7191c\"" : "");
	if (boxes->lost[s])
		fprintf(canvas->stream, "%" PRIu32 "/", boxes->hosts[s] - boxes->lost[s]);
	fprintf(canvas->stream, "%" PRIu32 "</text>\n", boxes->hosts[s]);
}

static void put_box(const struct canvas *canvas, uint32_t s)
{
	static const char *const fills[] = { "#ffffff", "#fdf3dc", "#fbe3c8", "#f6d2bd" };
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_boxes *boxes = drawing->boxes;
	struct hd_spot spot = hd_draw_spot(canvas->drawing, &canvas->paper, s);
	bool failed = drawing->failed_node[s];
	uint32_t level = boxes->level ? boxes->level[s] : 0;
	char name[HD_LABEL_SIZE];

	fprintf(canvas->stream,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\" "
		"fill=\"%s\" stroke=\"%s\"%s><title>",
		spot.x - boxes->width / 2, spot.y - boxes->height / 2, boxes->width, boxes->height,
		fills[level > 3 ? 3 : level], failed ? "#d7191c" : "#444444",
		failed ? " stroke-dasharray=\"4 3\"" : "");
	hd_draw_put_text(canvas->stream, hd_node_label(drawing->fabric, s, name, sizeof(name)));
	fprintf(canvas->stream, ", 0x%016" PRIx64 "</title></rect>\n",
		drawing->fabric->nodes[s].guid);
	if (boxes->upright)
		fprintf(canvas->stream,
			"<text transform=\"translate(%.1f %.1f) rotate(-90)\" fill=\"%s\">",
			spot.x + 0.36 * boxes->font, spot.y, failed ? "#d7191c" : "#222222");
	else
		fprintf(canvas->stream, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">", spot.x,
			spot.y + 0.36 * boxes->font, failed ? "#d7191c" : "#222222");
	hd_draw_put_text(canvas->stream, boxes->label[s]);
	fputs("</text>\n", canvas->stream);
}

/* Begins the legend's line @number. */
static void begin_line(const struct canvas *canvas, double height, unsigned number)
{
	fprintf(canvas->stream,
		"<text x=\"12\" y=\"%.1f\" style=\"font-size:14px;text-anchor:start\">",
		height - LEGEND + 18 * number);
}

/* Whether there are lines with a number. */
static bool has_counts(const struct hd_boxes *boxes)
{
	for (uint32_t i = 0; i < boxes->n_bundles; i++)
		if (boxes->bundles[i].n != boxes->usual)
			return true;
	return false;
}

static void put_legend(const struct canvas *canvas, double height)
{
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_fabric *fabric = drawing->fabric;

	begin_line(canvas, height, 1);
	fprintf(canvas->stream,
		"%" PRIu32 " switches, %" PRIu32
		" end nodes, as numbers at their switches</text>\n",
		fabric->n_switches, fabric->n_nodes - fabric->n_switches);
	if (drawing->boxes->usual > 1 || has_counts(drawing->boxes)) {
		begin_line(canvas, height, 2);
		fprintf(canvas->stream, "a line without a number is %" PRIu32 " link%s</text>\n",
			drawing->boxes->usual, drawing->boxes->usual > 1 ? "s" : "");
	}
	begin_line(canvas, height, 3);
	hd_draw_put_colours(drawing, canvas->stream);
	fputs("</text>\n", canvas->stream);
}

void hd_draw_boxes_svg(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_boxes *boxes = drawing->boxes;
	uint32_t n = drawing->fabric->n_switches;
	struct canvas canvas = { .drawing = drawing, .stream = stream };
	double width, height;

	hd_draw_lay(drawing, &canvas.paper);
	width = canvas.paper.width;
	height = canvas.paper.height + LEGEND;
	if (width < LEAST_WIDTH) {
		canvas.paper.left -= (LEAST_WIDTH - width) / 2;
		width = LEAST_WIDTH;
	}
	fprintf(stream,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\">\n"
		"<style>path{fill:none}text{font:%.1fpx sans-serif;text-anchor:middle}"
		".n{font-size:9px}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
		width, height, width, height, boxes->font);
	for (uint32_t i = 0; i < boxes->n_bundles; i++)
		put_bundle(&canvas, &boxes->bundles[i]);
	hd_draw_put_absent(drawing, &canvas.paper, stream);
	for (uint32_t s = 0; s < n; s++) {
		put_hosts(&canvas, s);
		put_box(&canvas, s);
	}
	for (uint32_t i = 0; i < boxes->n_bundles; i++)
		put_count(&canvas, &boxes->bundles[i], i);
	put_legend(&canvas, height);
	fputs("</svg>\n", stream);
}
