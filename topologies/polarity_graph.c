// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/polarity_graph.h"

#include "topologies/finite_field.h"
#include "topologies/switch_graph.h"

/* -@x / @y; @y is not 0. */
static uint32_t minus_quotient(const struct hd_field *field, uint32_t x, uint32_t y)
{
	const uint32_t inverse =
		field->power[(field->q - 1 - (uint32_t)field->exponent[y]) % (field->q - 1)];

	return hd_field_subtract(field, 0, hd_field_multiply(field, x, inverse));
}

void hd_polarity_line(const struct hd_field *field, uint32_t u, uint32_t *points)
{
	const uint32_t q = field->q;
	const uint32_t x = u > q, y = u > q ? (u - 1 - q) / q : u > 0;
	const uint32_t z = u > q ? (u - 1 - q) % q : u ? u - 1 : 1;
	uint32_t n = 0;

	/* points (0, 0, 1) and (0, 1, c) */
	if (!z)
		points[n++] = 0;
	for (uint32_t c = 0; c < q; c++)
		if (z ? c == minus_quotient(field, y, z) : !y)
			points[n++] = 1 + c;
	/* points (1, b, c): x + y b + z c = 0 */
	for (uint32_t b = 0; b < q; b++) {
		const uint32_t sum = hd_field_add(field, x, hd_field_multiply(field, y, b));

		if (z)
			points[n++] = 1 + q + b * q + minus_quotient(field, sum, z);
		else if (!sum)
			for (uint32_t c = 0; c < q; c++)
				points[n++] = 1 + q + b * q + c;
	}
}

int hd_polarity_graph(uint32_t q, struct hd_switch_graph *graph, struct hd_error *err)
{
	struct hd_field field;
	uint32_t points[HD_POLARITY_MOST + 1];
	int ret = hd_switch_graph_begin(q * q + q + 1, q + 1, graph, err);

	if (ret)
		return ret;
	hd_field_init(&field, q);
	for (uint32_t s = 0; s < graph->n; s++) {
		uint32_t n = graph->first[s];

		hd_polarity_line(&field, s, points);
		for (uint32_t i = 0; i <= q; i++)
			if (points[i] != s)
				graph->neighbour[n++] = points[i];
		graph->first[s + 1] = n;
		hd_switch_graph_listed(graph, s);
	}
	return 0;
}
