// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A drawing in graphviz's language. */
#include <inttypes.h>

#include "support/error.h"
#include "support/output.h"
#include "tools/draw/draw.h"

/* Writes a label, which is printable. */
static void put_escaped(const char *text, FILE *stream)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', stream);
		fputc(*text, stream);
	}
}

static void put_string(const char *text, FILE *stream)
{
	fputc('"', stream);
	put_escaped(text, stream);
	fputc('"', stream);
}

/* Names are not unique: nodes are called by number. */
static void put_node(const struct hd_drawing *drawing, uint32_t node, FILE *stream)
{
	bool is_switch = hd_is_switch(drawing->fabric, node);
	char label[HD_LABEL_SIZE];

	fprintf(stream, "\tn%" PRIu32 " [label=", node);
	put_string(hd_node_label(drawing->fabric, node, label, sizeof(label)), stream);
	fprintf(stream, ", shape=%s", is_switch ? "box" : "ellipse");
	if (drawing->failed_node[node])
		fputs(", color=\"#d7191c\", fontcolor=\"#d7191c\", style=dashed", stream);
	else if (is_switch)
		fputs(", style=filled, fillcolor=\"#f0f0f0\"", stream);
	if (drawing->at)
		fprintf(stream, ", pos=\"%.2f,%.2f!\"", 1.5 * drawing->at[node].x,
			-1.5 * drawing->at[node].y);
	fputs("];\n", stream);
}

static void put_link(const struct hd_drawing *drawing, uint32_t port, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t peer = fabric->ports[port].peer;
	char colour[8];

	fprintf(stream, "\tn%" PRIu32 " -- n%" PRIu32 " [color=\"%s\", penwidth=%.1f",
		fabric->ports[port].node, fabric->ports[peer].node,
		hd_drawing_colour(drawing, port, colour), hd_drawing_width(drawing, port));
	if (drawing->failed_port[port])
		fputs(", style=dashed", stream);
	fprintf(stream, ", taillabel=%u, headlabel=%u", fabric->ports[port].number,
		fabric->ports[peer].number);
	if (drawing->flows)
		fprintf(stream, ", tooltip=\"%" PRIu32 " and %" PRIu32 " flows\"",
			drawing->flows[port], drawing->flows[peer]);
	fputs("];\n", stream);
}

static void put_box(const struct hd_drawing *drawing, uint32_t s, FILE *stream)
{
	const struct hd_boxes *boxes = drawing->boxes;
	char name[HD_LABEL_SIZE];

	fprintf(stream, "\tn%" PRIu32 " [label=\"", s);
	put_escaped(boxes->label[s], stream);
	if (boxes->hosts[s])
		fprintf(stream, "\\n%" PRIu32 " end node%s", boxes->hosts[s],
			boxes->hosts[s] > 1 ? "s" : "");
	fprintf(stream, "\", shape=box, style=\"rounded%s",
		drawing->failed_node[s] ? ",dashed" : "");
	if (drawing->failed_node[s])
		fputs("\", color=\"#d7191c\", fontcolor=\"#d7191c\"", stream);
	else
		fputs(",filled\", fillcolor=\"#f8f4ea\"", stream);
	/* in inches, of 72 pixels here */
	fprintf(stream, ", pos=\"%.2f,%.2f!\", tooltip=", drawing->at[s].x / 72,
		-drawing->at[s].y / 72);
	put_string(hd_node_label(drawing->fabric, s, name, sizeof(name)), stream);
	fputs("];\n", stream);
}

/* Writes the upper end first, since dot puts it above. */
static void put_bundle(const struct hd_drawing *drawing, const struct hd_bundle *bundle,
		       FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	const uint32_t *level = drawing->boxes->level;
	uint32_t peer = fabric->ports[bundle->port].peer;
	uint32_t a = fabric->ports[bundle->port].node, b = fabric->ports[peer].node;
	bool turned = level && level[b] > level[a];
	char colour[8];

	fprintf(stream, "\tn%" PRIu32 " -- n%" PRIu32 " [color=\"%s\", penwidth=%.1f",
		turned ? b : a, turned ? a : b, hd_drawing_colour(drawing, bundle->port, colour),
		hd_drawing_width(drawing, bundle->port));
	if (bundle->failed)
		fputs(", style=dashed", stream);
	if (bundle->n != 1)
		fprintf(stream, ", label=%" PRIu32, bundle->n);
	if (drawing->flows)
		fprintf(stream, ", tooltip=\"%" PRIu32 " and %" PRIu32 " flows\"",
			drawing->flows[bundle->port], drawing->flows[peer]);
	fputs("];\n", stream);
}

/* The upper end first, as for bundles. */
static void put_absent(const struct hd_drawing *drawing, FILE *stream)
{
	const uint32_t *level = drawing->boxes ? drawing->boxes->level : NULL;

	for (uint32_t i = 0; i < drawing->n_absent; i++) {
		const struct hd_absent_line *line = &drawing->absent[i];
		bool turned = level && level[line->to] > level[line->from];

		fprintf(stream,
			"\tn%" PRIu32 " -- n%" PRIu32 " [color=\"" HD_RED
			"\", penwidth=2.0, style=dashed, label=\"%" PRIu32 " missing\"];\n",
			turned ? line->to : line->from, turned ? line->from : line->to, line->n);
	}
}

static void put_boxes(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_boxes *boxes = drawing->boxes;

	hd_for_each_switch(s, drawing->fabric)
		put_box(drawing, s, stream);
	for (uint32_t level = 0; boxes->level && level < boxes->n_levels; level++) {
		fputs("\t{ rank=same;", stream);
		hd_for_each_switch(s, drawing->fabric)
			if (boxes->level[s] == level)
				fprintf(stream, " n%" PRIu32 ";", s);
		fputs(" }\n", stream);
	}
	for (uint32_t i = 0; i < boxes->n_bundles; i++)
		put_bundle(drawing, &boxes->bundles[i], stream);
}

void hd_draw_dot(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t n_nodes = drawing->with_hosts ? fabric->n_nodes : fabric->n_switches;

	fprintf(stream,
		"graph fabric {\n"
		"\tgraph [overlap=%s, splines=%s, outputorder=edgesfirst];\n"
		"\tnode [fontname=\"sans-serif\", fontsize=10, height=0.2, width=0.2];\n"
		"\tedge [fontname=\"sans-serif\", fontsize=6, fontcolor=\"#999999\"];\n",
		drawing->boxes ? "true" : "prism", drawing->boxes ? "line" : "true");
	put_absent(drawing, stream);
	if (drawing->boxes) {
		put_boxes(drawing, stream);
		fputs("}\n", stream);
		return;
	}
	for (uint32_t node = 0; node < n_nodes; node++)
		put_node(drawing, node, stream);
	hd_for_each_port(port, fabric)
		if (hd_drawing_has_link(drawing, port))
			put_link(drawing, port, stream);
	fputs("}\n", stream);
}

int hd_draw_write_dot(const struct hd_drawing *drawing, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	hd_draw_dot(drawing, output.stream);
	return hd_output_commit(&output, err);
}
