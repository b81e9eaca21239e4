// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Absent cables in an SVG picture. */
#include <inttypes.h>

#include "tools/draw/draw.h"

void hd_draw_put_absent(const struct hd_drawing *drawing, const struct hd_paper *paper,
			FILE *stream)
{
	char name[HD_LABEL_SIZE];

	for (uint32_t i = 0; i < drawing->n_absent; i++) {
		const struct hd_absent_line *line = &drawing->absent[i];

		fputs("<path d=\"", stream);
		hd_draw_put_curve_between(drawing, paper, line->from, line->to, line->class,
					  stream);
		fputs("\" stroke=\"" HD_RED
		      "\" stroke-width=\"2.0\" stroke-dasharray=\"3 3\"><title>",
		      stream);
		hd_draw_put_text(stream,
				 hd_node_label(drawing->fabric, line->from, name, sizeof(name)));
		fputs(" - ", stream);
		hd_draw_put_text(stream,
				 hd_node_label(drawing->fabric, line->to, name, sizeof(name)));
		fprintf(stream, ": %" PRIu32 " missing</title></path>\n", line->n);
	}
}
