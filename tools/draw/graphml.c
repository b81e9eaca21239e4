// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A drawing as GraphML, for networkx, Gephi, yEd: all that heddle knows of each node and link. */
#include <inttypes.h>

#include "fabric/link_rate.h"
#include "support/error.h"
#include "support/output.h"
#include "tools/draw/draw.h"

/* Attributes of nodes and of edges; those of links between ports are of the source first. */
static const struct {
	const char *of, *name, *type;
} keys[] = {
	{ "node", "name", "string" },     { "node", "type", "string" },
	{ "node", "guid", "string" },     { "node", "lid", "int" },
	{ "node", "failed", "boolean" },  { "edge", "source_port", "int" },
	{ "edge", "target_port", "int" }, { "edge", "width", "int" },
	{ "edge", "speed", "string" },    { "edge", "mbps", "int" },
	{ "edge", "failed", "boolean" },  { "edge", "flows", "int" },
	{ "edge", "flows_back", "int" },
};

static void put_number(FILE *stream, const char *of, const char *name, uint32_t value)
{
	fprintf(stream, "<data key=\"%s_%s\">%" PRIu32 "</data>", of, name, value);
}

static void put_failed(FILE *stream, const char *of, bool failed)
{
	if (failed)
		fprintf(stream, "<data key=\"%s_failed\">true</data>", of);
}

static void put_node(const struct hd_drawing *drawing, uint32_t node, FILE *stream)
{
	static const char *const types[] = {
		[HD_SWITCH] = "switch", [HD_CA] = "adapter", [HD_ROUTER] = "router"
	};
	const struct hd_node *n = &drawing->fabric->nodes[node];
	const uint16_t lid = drawing->fabric->ports[n->first_port].lid;
	char label[HD_LABEL_SIZE];

	fprintf(stream, "    <node id=\"n%" PRIu32 "\"><data key=\"node_name\">", node);
	hd_draw_put_text(stream, hd_node_label(drawing->fabric, node, label, sizeof(label)));
	fprintf(stream, "</data><data key=\"node_type\">%s</data>", types[n->type]);
	fprintf(stream, "<data key=\"node_guid\">0x%016" PRIx64 "</data>", n->guid);
	if (lid)
		put_number(stream, "node", "lid", lid);
	put_failed(stream, "node", drawing->failed_node[node]);
	fputs("</node>\n", stream);
}

static void put_link(const struct hd_drawing *drawing, uint32_t port, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	const struct hd_port *from = &fabric->ports[port], *to = &fabric->ports[from->peer];

	fprintf(stream, "    <edge source=\"n%" PRIu32 "\" target=\"n%" PRIu32 "\">", from->node,
		to->node);
	put_number(stream, "edge", "source_port", from->number);
	put_number(stream, "edge", "target_port", to->number);
	if (from->width)
		put_number(stream, "edge", "width", from->width);
	if (from->speed != HD_SPEED_UNKNOWN)
		fprintf(stream, "<data key=\"edge_speed\">%s</data>", hd_speed_names[from->speed]);
	if (hd_link_mbps(from->width, from->speed))
		put_number(stream, "edge", "mbps", hd_link_mbps(from->width, from->speed));
	put_failed(stream, "edge", drawing->failed_port[port]);
	if (drawing->flows) {
		put_number(stream, "edge", "flows", drawing->flows[port]);
		put_number(stream, "edge", "flows_back", drawing->flows[from->peer]);
	}
	fputs("</edge>\n", stream);
}

static void put_all(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
	      stream);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		fprintf(stream,
			"  <key id=\"%s_%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
			keys[i].of, keys[i].name, keys[i].of, keys[i].name, keys[i].type);
	fputs("  <graph id=\"fabric\" edgedefault=\"undirected\">\n", stream);
	hd_for_each_node(node, fabric)
		put_node(drawing, node, stream);
	hd_for_each_port(port, fabric) {
		const uint32_t peer = fabric->ports[port].peer;

		if (peer != HD_NONE && port < peer)
			put_link(drawing, port, stream);
	}
	fputs("  </graph>\n</graphml>\n", stream);
}

int hd_draw_write_graphml(const struct hd_drawing *drawing, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	put_all(drawing, output.stream);
	return hd_output_commit(&output, err);
}
