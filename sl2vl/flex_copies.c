// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "sl2vl/flex.h"
#include "support/error.h"

/* Gives every source switch a row of its own, in which classes are the first of their copies. */
static int copy_classes(const struct hd_layer_input *input, unsigned copies,
			struct hd_layering *layering, struct hd_error *err)
{
	const size_t stride = input->tables->lft_stride;
	const uint32_t n_rows = input->tables->fabric->n_switches;
	uint8_t *rows = calloc(n_rows * stride + 1, 1);

	if (!rows)
		return hd_error_nomem(err);
	for (uint32_t r = 0; layering->class_of && r < n_rows; r++) {
		const uint8_t *row =
			layering->class_of + (layering->by_destination ? 0 : r * stride);

		for (size_t lid = 0; lid < stride; lid++)
			rows[r * stride + lid] = (uint8_t)(row[lid] * copies);
	}
	free(layering->class_of);
	layering->class_of = rows;
	layering->by_destination = false;
	return 0;
}

/* The lane of a copy; the highest there is where it has none, which no flow then takes. */
static uint8_t copy_lane(uint8_t lane, unsigned above, unsigned n_layers)
{
	return (uint8_t)(lane + above < n_layers ? lane + above : n_layers - 1);
}

int hd_flex_copy(const struct hd_layer_input *input, bool rises, struct hd_layering *layering,
		 struct hd_flex_scheme *scheme, struct hd_error *err)
{
	const unsigned step = rises ? 1 : layering->n_layers, n_classes = layering->n_classes;
	unsigned by_layers = input->max_layers / step, by_classes = input->max_classes / n_classes;
	unsigned copies = by_layers < by_classes ? by_layers : by_classes;
	uint8_t host_layer[HD_MAX_SLS];

	scheme->copies = copies ? copies : 1; /* too much for the budget anyway: said elsewhere */
	scheme->fits = calloc(layering->n_patterns, sizeof(*scheme->fits));
	if (!scheme->fits)
		return hd_error_nomem(err);
	if (scheme->copies == 1)
		memset(scheme->fits, 0xFF, layering->n_patterns * sizeof(*scheme->fits));
	if (scheme->copies > 1) {
		layering->n_layers = rises ? input->max_layers : scheme->copies * step;
		layering->n_classes = n_classes * scheme->copies;
	}
	memcpy(host_layer, layering->host_layer, sizeof(host_layer));
	for (unsigned c = 0; scheme->copies > 1 && c < layering->n_classes; c++)
		layering->host_layer[c] = copy_lane(host_layer[c / scheme->copies],
						    c % scheme->copies * step, layering->n_layers);
	for (unsigned p = 0; scheme->copies > 1 && p < layering->n_patterns; p++) {
		uint8_t before[HD_MAX_SLS];

		memcpy(before, layering->patterns[p], sizeof(before));
		for (unsigned c = 0; c < layering->n_classes; c++) {
			unsigned above = c % scheme->copies * step;
			uint8_t lane = before[c / scheme->copies];

			layering->patterns[p][c] = copy_lane(lane, above, layering->n_layers);
			if (lane + above < layering->n_layers)
				scheme->fits[p] |= (uint16_t)(1u << c);
		}
	}
	return copy_classes(input, scheme->copies, layering, err);
}
