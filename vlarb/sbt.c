// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/sbt.h"

#include <math.h>
#include <string.h>

#include "support/divisor.h"

#define MOST_WEIGHT 65535

/* Common multiples of packets beyond this are not looked for: weights would be too large. */
#define MOST_COMMON (UINT64_C(1) << 30)

/* A multiple of all lengths of packets; 0: it is too large. */
static uint64_t common_length(const struct hd_sbt_share *classes, unsigned n)
{
	uint64_t common = 1;

	for (unsigned c = 0; c < n && common; c++) {
		common = hd_multiple(common, classes[c].packet);
		if (common > MOST_COMMON)
			common = 0;
	}
	return common;
}

/* Divides @numbers by what they have in common; returns the greatest. */
static uint64_t reduce(uint64_t *numbers, unsigned n)
{
	uint64_t divisor = 0, most = 0;

	for (unsigned c = 0; c < n; c++)
		divisor = hd_divisor(divisor, numbers[c]);
	for (unsigned c = 0; c < n; c++) {
		numbers[c] /= divisor;
		most = numbers[c] > most ? numbers[c] : most;
	}
	return most;
}

/* Whole numbers of packets in proportion to shares of the link. False: they are too large. */
static bool find_packets(const struct hd_sbt_share *classes, unsigned n, uint64_t *numbers)
{
	const uint64_t common = common_length(classes, n);

	if (!common)
		return false;
	for (unsigned c = 0; c < n; c++)
		numbers[c] = classes[c].parts;
	reduce(numbers, n);
	for (unsigned c = 0; c < n; c++)
		if (__builtin_mul_overflow(numbers[c], common / classes[c].packet, &numbers[c]))
			return false;
	return reduce(numbers, n) <= MOST_WEIGHT;
}

void hd_sbt_weights(const struct hd_sbt_share *classes, unsigned n, uint32_t *weights)
{
	uint64_t numbers[HD_SBT_CLASSES];
	double wanted[HD_SBT_CLASSES], most = 0;
	const bool is_exact = find_packets(classes, n, numbers);

	for (unsigned c = 0; c < n; c++) {
		wanted[c] = (double)classes[c].parts / classes[c].packet;
		most = fmax(most, wanted[c]);
	}
	for (unsigned c = 0; c < n; c++)
		weights[c] = is_exact ? (uint32_t)numbers[c]
				      : (uint32_t)fmax(1, round(wanted[c] / most * MOST_WEIGHT));
}

void hd_sbt_begin(const struct hd_sbt *sbt, struct hd_sbt_port *port)
{
	*port = (struct hd_sbt_port){ 0 };
	memcpy(port->left, sbt->weights, sizeof(port->left));
}

/* The first VL with weight among @vls, from the last one that sent on; n_vls: none. */
static unsigned find_weight(const struct hd_sbt *sbt, const struct hd_sbt_port *port, uint32_t vls,
			    unsigned *without, unsigned *n_without)
{
	*n_without = 0;
	for (unsigned i = 0; i < sbt->n_vls; i++) {
		const unsigned vl = (port->last + i) % sbt->n_vls;

		if (!(vls >> vl & 1))
			continue;
		if (port->left[sbt->class_of[vl]])
			return vl;
		*without = vl;
		++*n_without;
	}
	return sbt->n_vls;
}

unsigned hd_sbt_serve(const struct hd_sbt *sbt, struct hd_sbt_port *port, uint32_t vls)
{
	unsigned without = 0, n_without;
	unsigned vl = find_weight(sbt, port, vls, &without, &n_without);

	if (vl == sbt->n_vls && (!sbt->is_literal || n_without == sbt->n_entries)) {
		memcpy(port->left, sbt->weights, sizeof(port->left));
		if (!sbt->is_literal)
			vl = find_weight(sbt, port, vls, &without, &n_without);
	}
	if (vl == sbt->n_vls) {
		/* it sends all the same, and no weight is counted */
		port->last = without;
		return without;
	}
	port->last = vl;
	port->left[sbt->class_of[vl]]--;
	return vl;
}
