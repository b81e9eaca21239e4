// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The picture of a page. The script finds links and nodes by their order here. */
#include <inttypes.h>

#include "tools/draw/draw.h"
#include "tools/report_page/doc.h"
#include "tools/report_page/page_writer.h"

#define MOST_NAMES    400 /* circles have no room for more */
#define SWITCH_RADIUS 11.0
#define HOST_RADIUS   3.5

struct canvas {
	const struct hd_report_facts *facts;
	const struct hd_drawing *drawing;
	struct hd_paper paper;
	FILE *stream;
};

bool hd_report_is_first(const struct hd_report_facts *facts, uint32_t i)
{
	const struct hd_port *ports = facts->fabric->ports;
	const struct hd_port *one = &ports[facts->links[i]], *before;

	if (!i)
		return true;
	before = &ports[facts->links[i - 1]];
	return one->node != before->node || ports[one->peer].node != ports[before->peer].node;
}

/* Flows by rate of the busiest of the links from @i on that join the same switches. */
static uint64_t busiest_of(const struct hd_report_facts *facts, uint32_t i)
{
	uint64_t most = 0;

	do {
		const uint32_t port = facts->links[i], peer = facts->fabric->ports[port].peer;
		const uint64_t there = hd_report_flows(facts, port);
		const uint64_t back = hd_report_flows(facts, peer);

		most = there > most ? there : most;
		most = back > most ? back : most;
		i++;
	} while (i < facts->n_links && !hd_report_is_first(facts, i));
	return most;
}

/* "l0" to "l4", by the mean load, so that an even load looks even; "u": no flows are known. */
static void put_class(const struct hd_report_facts *facts, uint32_t i, FILE *stream)
{
	static const double bounds[] = { 0.5, 1.25, 1.75, 2.5 }; /* page.js has the same */
	unsigned step = 0;

	if (facts->mean <= 0) {
		fputs("u", stream);
		return;
	}
	while (step < sizeof(bounds) / sizeof(*bounds) &&
	       (double)busiest_of(facts, i) >= bounds[step] * facts->mean)
		step++;
	fprintf(stream, "l%u", step);
}

static void put_links(const struct canvas *canvas)
{
	const struct hd_report_facts *facts = canvas->facts;

	fputs("<g id=\"cables\">\n", canvas->stream);
	for (uint32_t i = 0; i < facts->n_links; i++) {
		if (!hd_report_is_first(facts, i))
			continue;
		fputs("<path class=\"", canvas->stream);
		put_class(facts, i, canvas->stream);
		fputs("\" d=\"", canvas->stream);
		hd_draw_put_curve(canvas->drawing, &canvas->paper, facts->links[i], canvas->stream);
		fputs("\"/>\n", canvas->stream);
	}
	fputs("</g>\n", canvas->stream);
}

/* Links that are gone since the older snapshot, where both switches are still there. */
static void put_gone(const struct canvas *canvas)
{
	const struct hd_report_since *since = &canvas->facts->since;
	const struct hd_fabric *now = canvas->facts->fabric, *before;

	fputs("<g id=\"gone\">\n", canvas->stream);
	for (uint32_t i = 0; since->snapshot && i < since->n_gone; i++) {
		const struct hd_port *port;
		struct hd_spot p, q;
		uint32_t a, b;

		before = since->snapshot->fabric;
		port = &before->ports[since->gone[i]];
		a = hd_fabric_find_node(now, before->nodes[port->node].guid);
		b = hd_fabric_find_node(now, before->nodes[before->ports[port->peer].node].guid);
		if (a == HD_NONE || b == HD_NONE)
			continue;
		p = hd_draw_spot(canvas->drawing, &canvas->paper, a);
		q = hd_draw_spot(canvas->drawing, &canvas->paper, b);
		fprintf(canvas->stream, "<path d=\"M%.1f %.1fL%.1f %.1f\"/>\n", p.x, p.y, q.x, q.y);
	}
	fputs("</g>\n", canvas->stream);
}

/* Cables that the shape of the fabric has and the fabric lacks. */
static void put_absent(const struct canvas *canvas)
{
	const struct hd_drawing *drawing = canvas->drawing;

	fputs("<g id=\"absent\">\n", canvas->stream);
	for (uint32_t i = 0; i < drawing->n_absent; i++) {
		const struct hd_absent_line *line = &drawing->absent[i];

		fputs("<path d=\"", canvas->stream);
		hd_draw_put_curve_between(drawing, &canvas->paper, line->from, line->to,
					  line->class, canvas->stream);
		fputs("\"/>\n", canvas->stream);
	}
	fputs("</g>\n", canvas->stream);
}

static void put_end_links(const struct canvas *canvas)
{
	const struct hd_fabric *fabric = canvas->facts->fabric;

	fputs("<g id=\"ends\">\n", canvas->stream);
	hd_for_each_port(p, fabric) {
		struct hd_spot a, b;

		if (!hd_drawing_has_link(canvas->drawing, p) || hd_is_switch_link(fabric, p))
			continue;
		a = hd_draw_spot(canvas->drawing, &canvas->paper, fabric->ports[p].node);
		b = hd_draw_spot(canvas->drawing, &canvas->paper,
				 fabric->ports[fabric->ports[p].peer].node);
		fprintf(canvas->stream, "<path d=\"M%.1f %.1fL%.1f %.1f\"/>\n", a.x, a.y, b.x, b.y);
	}
	fputs("</g>\n", canvas->stream);
}

static void put_circles(const struct canvas *canvas)
{
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t n = drawing->with_hosts ? fabric->n_nodes : fabric->n_switches;
	char label[HD_LABEL_SIZE];

	if (drawing->with_hosts)
		put_end_links(canvas);
	fputs("<g id=\"nodes\">\n", canvas->stream);
	for (uint32_t node = 0; node < n; node++) {
		struct hd_spot at = hd_draw_spot(drawing, &canvas->paper, node);

		fprintf(canvas->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"%s/>\n", at.x,
			at.y, hd_is_switch(fabric, node) ? SWITCH_RADIUS : HOST_RADIUS,
			hd_is_switch(fabric, node) ? "" : " class=\"h\"");
	}
	fputs("</g>\n<g id=\"names\" font-size=\"6.5\">\n", canvas->stream);
	for (uint32_t s = 0; fabric->n_switches <= MOST_NAMES && s < fabric->n_switches; s++) {
		struct hd_spot at = hd_draw_spot(drawing, &canvas->paper, s);

		fprintf(canvas->stream, "<text x=\"%.1f\" y=\"%.1f\">", at.x, at.y + 2.5);
		hd_draw_put_text(canvas->stream, hd_node_label(fabric, s, label, sizeof(label)));
		fputs("</text>\n", canvas->stream);
	}
	fputs("</g>\n", canvas->stream);
}

static void put_name(const struct canvas *canvas, uint32_t s)
{
	const struct hd_boxes *boxes = canvas->drawing->boxes;
	struct hd_spot at = hd_draw_spot(canvas->drawing, &canvas->paper, s);

	if (boxes->upright)
		fprintf(canvas->stream, "<text transform=\"translate(%.1f %.1f) rotate(-90)\">",
			at.x + 0.36 * boxes->font, at.y);
	else
		fprintf(canvas->stream, "<text x=\"%.1f\" y=\"%.1f\">", at.x,
			at.y + 0.36 * boxes->font);
	hd_draw_put_text(canvas->stream, boxes->label[s]);
	fputs("</text>\n", canvas->stream);
}

/* The number of end nodes: below boxes of the lowest level, above those of higher levels. */
static void put_hosts(const struct canvas *canvas, uint32_t s)
{
	const struct hd_boxes *boxes = canvas->drawing->boxes;
	struct hd_spot at = hd_draw_spot(canvas->drawing, &canvas->paper, s);
	bool above = boxes->level && boxes->level[s] > 0;
	double y = at.y + (above ? -1 : 1) * (boxes->height / 2 + HD_PILL / 2 + 2);

	if (boxes->hosts[s])
		fprintf(canvas->stream,
			"<text class=\"n\" x=\"%.1f\" y=\"%.1f\">%" PRIu32 "</text>\n", at.x,
			y + 3.2, boxes->hosts[s]);
}

static void put_boxes(const struct canvas *canvas)
{
	const struct hd_boxes *boxes = canvas->drawing->boxes;
	uint32_t n = canvas->drawing->fabric->n_switches;

	fputs("<g id=\"nodes\">\n", canvas->stream);
	for (uint32_t s = 0; s < n; s++) {
		struct hd_spot at = hd_draw_spot(canvas->drawing, &canvas->paper, s);

		fprintf(canvas->stream,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\"/>\n",
			at.x - boxes->width / 2, at.y - boxes->height / 2, boxes->width,
			boxes->height);
	}
	fprintf(canvas->stream, "</g>\n<g id=\"names\" font-size=\"%.1f\">\n", boxes->font);
	for (uint32_t s = 0; s < n; s++) {
		put_name(canvas, s);
		put_hosts(canvas, s);
	}
	fputs("</g>\n", canvas->stream);
}

void hd_report_put_picture(const struct hd_report_facts *facts, const struct hd_drawing *drawing,
			   FILE *stream)
{
	struct canvas canvas = { .facts = facts, .drawing = drawing, .stream = stream };

	hd_draw_lay(drawing, &canvas.paper);
	fprintf(stream,
		"<svg id=\"svg\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
		"role=\"group\" aria-label=\"Picture of %" PRIu32 " switches and %" PRIu32
		" links between them\" tabindex=\"0\">\n",
		canvas.paper.width, canvas.paper.height, facts->fabric->n_switches, facts->n_links);
	put_links(&canvas);
	put_gone(&canvas);
	put_absent(&canvas);
	if (drawing->boxes)
		put_boxes(&canvas);
	else
		put_circles(&canvas);
	fputs("</svg>\n", stream);
}
