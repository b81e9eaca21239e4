// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "sl2vl/flex_classes.h"
#include "support/error.h"

/* Gives every source switch a row of its own, in which a flow has the first copy of its class. */
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

/* How many layers each copy is above the first. */
static void place_copies(unsigned copies, unsigned n_layers, unsigned max_layers, bool rises,
			 uint8_t *above)
{
	unsigned room = max_layers - n_layers;

	for (unsigned copy = 0; copy < copies; copy++)
		if (!rises)
			above[copy] = (uint8_t)(copy * n_layers);
		else if (copies > room)
			above[copy] = (uint8_t)copy; /* only short paths can take the highest
						        copies */
		else
			above[copy] = (uint8_t)(copy * room / (copies - 1));
}

/*
 * Replaces the @n_classes lanes by those of all copies; returns the classes that have a lane in
 * their copy.
 */
static uint16_t copy_lanes(const struct hd_layering *layering, unsigned n_classes, unsigned copies,
			   const uint8_t *above, uint8_t *lanes)
{
	uint8_t before[HD_MAX_SLS];
	uint16_t fits = 0;

	memcpy(before, lanes, sizeof(before));
	for (unsigned c = 0; c < n_classes * copies; c++) {
		unsigned lane = before[c / copies] + above[c % copies];

		if (lane < layering->n_layers)
			fits |= (uint16_t)(1u << c);
		/* where the copy has no such lane, any lane will do, since no flow takes it */
		lanes[c] = (uint8_t)(lane < layering->n_layers ? lane : layering->n_layers - 1);
	}
	return fits;
}

int hd_flex_copy(const struct hd_layer_input *input, bool rises, struct hd_layering *layering,
		 struct hd_flex_scheme *scheme, struct hd_error *err)
{
	const unsigned n_classes = layering->n_classes, n_layers = layering->n_layers;
	unsigned by_layers = input->max_layers / (rises ? 1 : n_layers);
	unsigned copies = input->max_classes / n_classes;
	uint8_t above[HD_MAX_SLS] = { 0 };

	if (copies > by_layers)
		copies = by_layers;
	if (copies < 2 || input->max_layers < n_layers)
		copies = 1; /* there is no room for copies, or not even for the rule itself,
			       which is refused elsewhere */
	if (copies > 1) {
		place_copies(copies, n_layers, input->max_layers, rises, above);
		layering->n_layers = rises ? input->max_layers : copies * n_layers;
		for (unsigned i = n_layers; !rises && i < layering->n_layers; i++)
			layering->turns[i] = layering->turns[i - n_layers];
	}
	scheme->copies = copies;
	scheme->fits = calloc(layering->n_patterns, sizeof(*scheme->fits));
	if (!scheme->fits)
		return hd_error_nomem(err);
	copy_lanes(layering, n_classes, copies, above, layering->host_layer);
	for (unsigned p = 0; p < layering->n_patterns; p++)
		scheme->fits[p] =
			copy_lanes(layering, n_classes, copies, above, layering->patterns[p]);
	layering->n_classes = n_classes * copies;
	return copy_classes(input, copies, layering, err);
}
