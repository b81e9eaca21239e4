// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/collective_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static uint64_t *copy_times(const uint64_t *times, size_t n)
{
	uint64_t *copy = malloc(n * sizeof(*copy));

	if (copy)
		memcpy(copy, times, n * sizeof(*copy));
	return copy;
}

int hd_collectives_copy(const struct hd_concurrent *concurrent, uint32_t link_unit_ticks,
			struct hd_collective_result **results, struct hd_error *err)
{
	const unsigned n = hd_concurrent_flows(concurrent);

	*results = calloc(n + (size_t)1, sizeof(**results));
	if (!*results)
		return hd_error_nomem(err);
	for (unsigned tag = 0; tag < n; tag++) {
		const struct hd_collective *of =
			hd_concurrent_collective(concurrent, hd_concurrent_class(concurrent, tag));
		struct hd_collective_result *result = &(*results)[tag];

		result->alone = NAN;
		result->class = hd_concurrent_class(concurrent, tag);
		if (!of)
			continue;
		result->of = *of;
		result->of.begins = copy_times(of->begins, of->n_repetitions);
		result->of.ends = copy_times(of->ends, of->n_repetitions);
		result->link_unit_ticks = link_unit_ticks;
		if (of->n_parts) {
			const size_t n_parts = (size_t)of->n_repetitions * of->n_parts;

			result->of.part_begins = copy_times(of->part_begins, n_parts);
			result->of.part_ends = copy_times(of->part_ends, n_parts);
		}
		if (!result->of.begins || !result->of.ends ||
		    (of->n_parts && (!result->of.part_begins || !result->of.part_ends)))
			return hd_error_nomem(err);
	}
	return 0;
}

void hd_collectives_free(struct hd_collective_result *results, unsigned n)
{
	for (unsigned i = 0; results && i < n; i++) {
		free(results[i].of.begins);
		free(results[i].of.ends);
		free(results[i].of.part_begins);
		free(results[i].of.part_ends);
	}
	free(results);
}

const struct hd_collective_result *hd_collectives_first(const struct hd_collective_result *results,
							unsigned n)
{
	for (unsigned i = 0; results && i < n; i++)
		if (results[i].of.n_ranks)
			return &results[i];
	return NULL;
}

double hd_collective_makespan(const struct hd_collective_result *result)
{
	if (!result || !result->of.n_ranks || hd_collective_end(&result->of) == UINT64_MAX)
		return NAN;
	return (double)(hd_collective_end(&result->of) - result->of.begin);
}

double hd_collective_repetition(const struct hd_collective_result *result)
{
	return hd_collective_makespan(result) / (result ? result->of.n_repetitions : 1);
}

double hd_collective_bus(const struct hd_collective_result *result)
{
	double ticks = hd_collective_repetition(result);

	if (isnan(ticks) || !(result->of.bus_factor > 0) || !result->of.bytes)
		return NAN;
	return (double)result->of.bytes * result->of.bus_factor /
	       (ticks - (double)result->of.compute);
}

double hd_collective_bus_use(const struct hd_collective_result *result)
{
	return result ? hd_collective_bus(result) * result->link_unit_ticks / result->of.unit : NAN;
}

double hd_collective_goodput(const struct hd_collective_result *result)
{
	double ticks = hd_collective_makespan(result);

	return isnan(ticks) ? NAN : (double)result->of.arrived / result->of.n_ranks / ticks;
}

double hd_collective_slowdown(const struct hd_collective_result *result)
{
	return result ? hd_collective_repetition(result) / result->alone : NAN;
}
