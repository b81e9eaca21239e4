// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define PORTS      (HD_MAX_PORTS + (size_t)1)
#define MOST_KINDS 4096u

static uint32_t count_kinds(const struct hd_kinds *kinds, uint32_t s)
{
	if (!kinds)
		return 1;
	return kinds->divider[s] < MOST_KINDS ? kinds->divider[s] : MOST_KINDS;
}

static uint32_t count_most_kinds(const struct hd_kinds *kinds, uint32_t n_switches)
{
	uint32_t most = 1;

	for (uint32_t s = 0; s < n_switches; s++)
		if (count_kinds(kinds, s) > most)
			most = count_kinds(kinds, s);
	return most;
}

static int candidates_new(const struct hd_fabric *fabric, struct hd_candidates *candidates)
{
	*candidates = (struct hd_candidates){
		.fabric = fabric,
		.list = malloc(((size_t)fabric->n_switches + 1) * (HD_MAX_PORTS + 1)),
		.count = malloc(fabric->n_switches + (size_t)1),
	};
	return candidates->list && candidates->count ? 0 : HD_ENOMEM;
}

static void candidates_clear(struct hd_candidates *candidates)
{
	free(candidates->list);
	free(candidates->count);
}

void hd_candidates_begin(struct hd_candidates *candidates, uint32_t s)
{
	const struct hd_fabric *fabric = candidates->fabric;
	uint8_t *ports = candidates->ports;
	unsigned n = 0;

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number);
		unsigned at;

		if (peer >= fabric->n_switches || peer == s)
			continue;
		for (at = n++; at && hd_peer_node(fabric, s, ports[at - 1]) > peer; at--)
			ports[at] = ports[at - 1];
		ports[at] = (uint8_t)number;
	}
	candidates->n_ports = n;
	memset(candidates->count, 0, fabric->n_switches);
}

/* Fills @lft, the row of @s: destinations of each kind take the candidates by turns. */
static void take_turns(const struct hd_candidates *candidates, uint32_t s,
		       const struct hd_route_targets *targets, const struct hd_kinds *kinds,
		       uint32_t *all_used, uint8_t *lft)
{
	const uint32_t n_kinds = count_kinds(kinds, s);

	for (unsigned pass = 0; pass < targets->n_passes; pass++) {
		memset(all_used, 0, n_kinds * PORTS * sizeof(*all_used));
		for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++) {
			const struct hd_route_target *to =
				&targets->list[kinds ? kinds->order[i] : i];
			const uint8_t *ports =
				candidates->list + (size_t)to->via_switch * candidates->n_ports;
			unsigned n = candidates->count[to->via_switch], best, at;
			uint32_t *used = all_used;

			if (to->via_switch == s) {
				lft[to->lid] = to->via_port;
				continue;
			}
			if (!n)
				continue;
			/*
			 * ties go to another port in each pass, so that LMC offsets take different
			 * paths; and for each kind
			 */
			at = pass;
			if (kinds && n_kinds > 1) {
				at += kinds->number[to->lid] % n_kinds;
				used += kinds->number[to->lid] % n_kinds * PORTS;
			}
			at %= n;
			best = ports[at];
			for (unsigned k = 1; k < n; k++) {
				at = at + 1 == n ? 0 : at + 1;
				if (used[ports[at]] < used[best])
					best = ports[at];
			}
			used[best]++;
			lft[to->lid] = (uint8_t)best;
		}
	}
}

/* Makes the candidates of @s the sets of its entries. */
static int make_sets(const struct hd_candidates *candidates, uint32_t s,
		     const struct hd_route_targets *targets, enum hd_ar_state state,
		     struct hd_tables *tables)
{
	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *to = &targets->list[i];
		const uint8_t *ports =
			candidates->list + (size_t)to->via_switch * candidates->n_ports;
		struct hd_port_set set = { { 0 } };
		int ret;

		if (to->via_switch == s)
			continue;
		for (unsigned k = 0; k < candidates->count[to->via_switch]; k++)
			hd_port_set_add(&set, ports[k]);
		ret = hd_ar_set(tables, s, to->lid, state, &set);
		if (ret)
			return ret;
	}
	return 0;
}

int hd_candidates_fill(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		       hd_candidates_fn list, const void *context, const struct hd_kinds *kinds,
		       enum hd_ar_state state, struct hd_tables *tables, struct hd_error *err)
{
	const uint32_t n_kinds = count_most_kinds(kinds, fabric->n_switches);
	bool failed = false;

#pragma omp parallel if (fabric->n_switches > 64)
	{
		struct hd_candidates candidates;
		uint32_t *used = malloc(n_kinds * PORTS * sizeof(*used));
		bool ready = candidates_new(fabric, &candidates) == 0 && used;

		if (!ready) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic, 16)
		hd_for_each_switch(s, fabric) {
			if (!ready)
				continue;
			list(context, s, &candidates);
			take_turns(&candidates, s, targets, kinds, used, hd_lft(tables, s));
			if (tables->ar && make_sets(&candidates, s, targets, state, tables)) {
#pragma omp atomic write
				failed = true;
			}
		}
		candidates_clear(&candidates);
		free(used);
	}
	return failed ? hd_error_nomem(err) : 0;
}
