// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/mms_graph.h"

#include "topologies/finite_field.h"
#include "topologies/switch_graph.h"

bool hd_mms_exists(uint32_t q)
{
	return q > 2 && q <= HD_MMS_MOST && q % 4 != 2 && hd_is_prime_power(q);
}

uint32_t hd_mms_degree(uint32_t q)
{
	return q % 4 == 3 ? (3 * q + 1) / 2 : q % 4 == 1 ? (3 * q - 1) / 2 : 3 * q / 2;
}

/* The set X of half @half = 0, the set Y of half 1. Returns the number of its elements. */
static uint32_t list_steps(const struct hd_field *field, uint32_t half, uint8_t *steps)
{
	const uint32_t q = field->q, w = (q + 1) / 4;
	uint32_t n = 0;

	/* of d = -1 alone, the powers change from even ones to odd ones in the middle */
	for (uint32_t i = 0; i < q - 1; i += 2)
		if (q % 4 != 3 || i < 2 * w)
			steps[n++] = field->power[(i + half) % (q - 1)];
	for (uint32_t i = 2 * w - 1; q % 4 == 3 && i <= 4 * w - 3; i += 2)
		steps[n++] = field->power[(i + half) % (q - 1)];
	return n;
}

int hd_mms_graph(uint32_t q, struct hd_switch_graph *graph, struct hd_error *err)
{
	struct hd_field field;
	int ret = hd_switch_graph_begin(2 * q * q, hd_mms_degree(q), graph, err);

	if (ret)
		return ret;
	hd_field_init(&field, q);
	for (uint32_t half = 0; half < 2; half++) {
		uint8_t steps[HD_FIELD_MOST];
		const uint32_t n_steps = list_steps(&field, half, steps);

		for (uint32_t i = 0; i < q * q; i++) {
			const uint32_t s = half * q * q + i, column = i / q, row = i % q;
			uint32_t n = graph->first[s];

			for (uint32_t k = 0; k < n_steps; k++)
				graph->neighbour[n++] =
					s - row + hd_field_add(&field, row, steps[k]);
			for (uint32_t other = 0; other < q; other++) {
				const uint32_t product = hd_field_multiply(&field, column, other);

				graph->neighbour[n++] =
					half ? other * q + hd_field_add(&field, product, row)
					     : q * q + other * q +
							hd_field_subtract(&field, row, product);
			}
			graph->first[s + 1] = n;
			hd_switch_graph_listed(graph, s);
		}
	}
	return 0;
}
