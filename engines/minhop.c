// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Shortest paths, balanced: every switch sends each destination to the least used of the ports that
 * lead closer to it. What OpenSM's minhop does, as an offline baseline; it knows nothing of credit
 * loops.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/targets.h"
#include "engines/engines.h"
#include "fabric/distances.h"
#include "support/error.h"

/* What one thread needs to route one switch. */
struct workspace {
	uint8_t *candidates;   /* [n_switches * n_ports] ports that lead closer to each switch */
	uint8_t *n_candidates; /* [n_switches] */
};

/*
 * Lists, for every other switch, the ports of @s whose far end is nearer to it. Ports in ascending
 * order of (peer GUID, port number), so that renumbered ports keep their turn.
 */
static void list_candidates(const struct hd_fabric *fabric, const uint8_t *distances, uint32_t s,
			    const uint8_t *ports, unsigned n_ports, struct workspace *work)
{
	const uint32_t n = fabric->n_switches;
	const uint8_t *mine = distances + (size_t)s * n;

	memset(work->n_candidates, 0, n);
	for (unsigned i = 0; i < n_ports; i++) {
		const uint8_t *theirs = distances + (size_t)hd_peer_node(fabric, s, ports[i]) * n;

		for (uint32_t to = 0; to < n; to++) {
			/* unconditional store, counted only when it is one: no branch to miss */
			work->candidates[(size_t)to * n_ports + work->n_candidates[to]] = ports[i];
			work->n_candidates[to] += theirs[to] < mine[to];
		}
	}
}

static void route_switch(const struct hd_route_targets *destinations, uint32_t s, unsigned n_ports,
			 const struct workspace *work, uint8_t *lft)
{
	uint32_t used[HD_MAX_PORTS + 1];

	for (unsigned pass = 0; pass < destinations->n_passes; pass++) {
		memset(used, 0, sizeof(used));
		for (size_t i = destinations->first[pass]; i < destinations->first[pass + 1]; i++) {
			const struct hd_route_target *to = &destinations->list[i];
			const uint8_t *ports = work->candidates + (size_t)to->via_switch * n_ports;
			unsigned n = work->n_candidates[to->via_switch], best, at;

			if (to->via_switch == s) {
				lft[to->lid] = to->via_port;
				continue;
			}
			if (!n)
				continue;
			/* ties go to another port in each pass, so that LMC offsets take other paths */
			at = pass % n;
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

/* The ports of @s that lead to other switches, by (peer, port number). */
static unsigned list_ports(const struct hd_fabric *fabric, uint32_t s, uint8_t *ports)
{
	unsigned n = 0;

	for (unsigned number = 1; number <= fabric->nodes[s].n_ports; number++) {
		uint32_t peer = hd_peer_node(fabric, s, number);
		unsigned at;

		if (peer >= fabric->n_switches || peer == s)
			continue;
		for (at = n++; at && hd_peer_node(fabric, s, ports[at - 1]) > peer; at--)
			ports[at] = ports[at - 1];
		ports[at] = (uint8_t)number;
	}
	return n;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_route_targets destinations;
	uint8_t *distances = NULL;
	bool failed = false;
	int ret = hd_route_targets_list(fabric, &destinations, err);

	if (!ret)
		ret = hd_switch_distances(fabric, &distances, err);
	if (ret)
		goto out;
#pragma omp parallel if (fabric->n_switches > 64)
	{
		struct workspace work = {
			.candidates = malloc(((size_t)fabric->n_switches + 1) * (HD_MAX_PORTS + 1)),
			.n_candidates = malloc(fabric->n_switches + (size_t)1),
		};
		uint8_t ports[HD_MAX_PORTS];

		if (!work.candidates || !work.n_candidates) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic, 16)
		for (uint32_t s = 0; s < fabric->n_switches; s++) {
			unsigned n_ports = list_ports(fabric, s, ports);

			if (!work.candidates || !work.n_candidates)
				continue;
			list_candidates(fabric, distances, s, ports, n_ports, &work);
			route_switch(&destinations, s, n_ports, &work, hd_lft(routes->tables, s));
		}
		free(work.candidates);
		free(work.n_candidates);
	}
	if (failed)
		ret = hd_error_nomem(err);
out:
	hd_route_targets_free(&destinations);
	free(distances);
	return ret;
}

static const struct hd_option options[] = { { NULL, NULL, NULL, NULL } };
static const char *const layer_rules[] = { "single", NULL };

const struct hd_engine hd_engine_minhop = {
	.name = "minhop",
	.summary = "balanced shortest paths on any fabric; not free of credit loops in general",
	.reference = "OpenSM's minhop, as a baseline",
	.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
