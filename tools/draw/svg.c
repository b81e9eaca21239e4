// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A drawing as SVG. */
#include <inttypes.h>
#include <math.h>

#include "support/error.h"
#include "support/output.h"
#include "tools/link_classes.h"
#include "tools/draw/draw.h"

#define LEGEND      54.0  /* pixels */
#define LEAST_WIDTH 540.0 /* of a legend */

struct canvas {
	const struct hd_drawing *drawing;
	FILE *stream;
	struct hd_paper paper;
	double switch_radius, host_radius;
};

static void put_link(const struct canvas *canvas, uint32_t port)
{
	const struct hd_drawing *drawing = canvas->drawing;
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t peer = fabric->ports[port].peer;
	char colour[8], one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	fputs("<path d=\"", canvas->stream);
	hd_draw_put_curve(drawing, &canvas->paper, port, canvas->stream);
	fprintf(canvas->stream, "\" stroke=\"%s\" stroke-width=\"%.1f\"%s><title>",
		hd_drawing_colour(drawing, port, colour), hd_drawing_width(drawing, port),
		drawing->failed_port[port] ? " stroke-dasharray=\"6 4\"" : "");
	hd_draw_put_text(canvas->stream, hd_port_label(fabric, port, one, sizeof(one)));
	fputs(" - ", canvas->stream);
	hd_draw_put_text(canvas->stream, hd_port_label(fabric, peer, other, sizeof(other)));
	if (drawing->flows)
		fprintf(canvas->stream, ": %" PRIu32 " and %" PRIu32 " flows", drawing->flows[port],
			drawing->flows[peer]);
	if (drawing->failed_port[port])
		fputs(": failed", canvas->stream);
	fputs("</title></path>\n", canvas->stream);
}

static void put_node(const struct canvas *canvas, uint32_t node)
{
	const struct hd_drawing *drawing = canvas->drawing;
	bool is_switch = hd_is_switch(drawing->fabric, node);
	struct hd_spot at = hd_draw_spot(drawing, &canvas->paper, node);
	char label[HD_LABEL_SIZE];

	hd_node_label(drawing->fabric, node, label, sizeof(label));
	fprintf(canvas->stream,
		"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"%s\"><title>",
		at.x, at.y, is_switch ? canvas->switch_radius : canvas->host_radius,
		is_switch ? "#ffffff" : "#999999",
		drawing->failed_node[node] ? "#d7191c" : "#333333");
	hd_draw_put_text(canvas->stream, label);
	fputs("</title></circle>\n", canvas->stream);
	if (!is_switch || drawing->fabric->n_switches > 400)
		return;
	fprintf(canvas->stream, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">", at.x, at.y + 2.5,
		drawing->failed_node[node] ? "#d7191c" : "#333333");
	hd_draw_put_text(canvas->stream, label);
	fputs("</text>\n", canvas->stream);
}

static void put_legend(const struct canvas *canvas, double height)
{
	static const char style[] = "font-size:14px;text-anchor:start";
	const struct hd_fabric *fabric = canvas->drawing->fabric;

	fprintf(canvas->stream,
		"<text x=\"8\" y=\"%.1f\" style=\"%s\">%" PRIu32 " switches, %" PRIu32
		" end nodes%s</text>\n",
		height - 30, style, fabric->n_switches, fabric->n_nodes - fabric->n_switches,
		canvas->drawing->with_hosts ? "" : " (not drawn)");
	fprintf(canvas->stream, "<text x=\"8\" y=\"%.1f\" style=\"%s\">", height - 12, style);
	hd_draw_put_colours(canvas->drawing, canvas->stream);
	fputs("</text>\n", canvas->stream);
}

static void put_svg(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t n_nodes = drawing->with_hosts ? fabric->n_nodes : fabric->n_switches;
	struct canvas canvas = {
		.drawing = drawing, .stream = stream, .switch_radius = 11, .host_radius = 3.5
	};
	double width, height;

	hd_draw_lay(drawing, &canvas.paper);
	width = fmax(canvas.paper.width, LEAST_WIDTH);
	height = canvas.paper.height + LEGEND;
	fprintf(stream,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\">\n"
		"<style>path{fill:none}text{font:6.5px sans-serif;text-anchor:middle}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
		width, height);
	hd_for_each_port(port, fabric)
		if (hd_drawing_has_link(drawing, port))
			put_link(&canvas, port);
	hd_draw_put_absent(drawing, &canvas.paper, stream);
	for (uint32_t node = 0; node < n_nodes; node++)
		put_node(&canvas, node);
	put_legend(&canvas, height);
	fputs("</svg>\n", stream);
}

int hd_draw_write_svg(const struct hd_drawing *drawing, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	if (drawing->boxes)
		hd_draw_boxes_svg(drawing, output.stream);
	else
		put_svg(drawing, output.stream);
	return hd_output_commit(&output, err);
}
