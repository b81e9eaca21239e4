// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Text that all SVG pictures have. */
#include <inttypes.h>

#include "tools/draw/draw.h"

/* Writes a label, which is printable, without what XML would take for its own. */
void hd_draw_put_text(FILE *stream, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", stream);
			break;
		case '>':
			fputs("&gt;", stream);
			break;
		case '&':
			fputs("&amp;", stream);
			break;
		case '"':
			fputs("&quot;", stream);
			break;
		default:
			fputc(*text, stream);
		}
}

void hd_draw_put_colours(const struct hd_drawing *drawing, FILE *stream)
{
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t n_failed_links = 0, n_failed_nodes = 0;

	hd_for_each_port(port, fabric)
		n_failed_links += drawing->failed_port[port] &&
				  fabric->ports[port].peer != HD_NONE &&
				  port < fabric->ports[port].peer;
	hd_for_each_node(node, fabric)
		n_failed_nodes += drawing->failed_node[node];
	if (n_failed_links || n_failed_nodes)
		fprintf(stream, "failed, dashed: %" PRIu32 " links, %" PRIu32 " nodes",
			n_failed_links, n_failed_nodes);
	if (drawing->n_absent)
		fprintf(stream, "%smissing, short dashes: %" PRIu32 " cables%s",
			n_failed_links || n_failed_nodes ? "; " : "", hd_drawing_n_absent(drawing),
			drawing->flows ? "; " : "");
	if (drawing->flows)
		fprintf(stream,
			"links from pale to dark red: 0 to %" PRIu32
			" flows in the busier direction",
			drawing->most);
}
