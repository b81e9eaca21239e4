// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A drawing in graphviz's language. */
#include <inttypes.h>

#include "support/error.h"
#include "support/output.h"
#include "tools/draw.h"

/* A label, which is printable. Names are not unique: nodes are called by number. */
static void put_string(const char *text, FILE *stream)
{
	fputc('"', stream);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', stream);
		fputc(*text, stream);
	}
	fputc('"', stream);
}

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

void hd_draw_dot(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t n_nodes = drawing->with_hosts ? fabric->n_nodes : fabric->n_switches;

	fputs("graph fabric {\n"
	      "\tgraph [overlap=prism, splines=true, outputorder=edgesfirst];\n"
	      "\tnode [fontname=\"sans-serif\", fontsize=10, height=0.2, width=0.2];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=6, fontcolor=\"#999999\"];\n",
	      stream);
	for (uint32_t node = 0; node < n_nodes; node++)
		put_node(drawing, node, stream);
	for (uint32_t port = 0; port < fabric->n_ports; port++)
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
