// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/switch_levels.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Counts the hosts of every switch; returns the most on one. */
static uint32_t count_hosts(const struct hd_fabric *fabric, const bool *no_host, uint32_t *hosts)
{
	uint32_t most = 0;

	hd_for_each_switch(s, fabric) {
		hosts[s] = 0;
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			hosts[s] += peer != HD_NONE && !hd_is_switch(fabric, peer) &&
				    !(no_host && no_host[peer]);
		}
		if (hosts[s] > most)
			most = hosts[s];
	}
	return most;
}

/* Lists the leaves in @queue. */
static void begin_at_leaves(struct hd_switch_levels *levels, uint32_t n, uint32_t least,
			    uint32_t *queue)
{
	for (uint32_t s = 0; s < n; s++) {
		levels->level[s] = HD_NONE;
		if (levels->hosts[s] < least)
			continue;
		levels->level[s] = 0;
		queue[levels->n_leaves++] = s;
	}
}

/* Sets the levels, breadth first from the @n_leaves switches in @queue. */
static void spread(const struct hd_fabric *fabric, struct hd_switch_levels *levels, uint32_t *queue)
{
	uint32_t end = levels->n_leaves;

	for (uint32_t i = 0; i < end; i++) {
		uint32_t s = queue[i];

		levels->n_levels = levels->level[s] + 1;
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) ||
			    levels->level[peer] != HD_NONE)
				continue;
			levels->level[peer] = levels->level[s] + 1;
			queue[end++] = peer;
		}
	}
}

static void count_links(const struct hd_fabric *fabric, struct hd_switch_levels *levels)
{
	hd_for_each_switch(s, fabric)
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) || peer <= s)
				continue;
			levels->n_links++;
			levels->n_across += levels->level[s] != levels->level[peer];
		}
}

int hd_switch_levels_find(const struct hd_fabric *fabric, struct hd_switch_levels *levels,
			  struct hd_error *err)
{
	return hd_switch_levels_find_above(fabric, NULL, 0, levels, err);
}

int hd_switch_levels_find_above(const struct hd_fabric *fabric, const bool *no_host, uint32_t least,
				struct hd_switch_levels *levels, struct hd_error *err)
{
	uint32_t most;
	size_t n = fabric->n_switches + (size_t)1;
	uint32_t *queue = malloc(n * sizeof(*queue));

	*levels = (struct hd_switch_levels){ .n_levels = 1 };
	levels->level = malloc(n * sizeof(*levels->level));
	levels->hosts = malloc(n * sizeof(*levels->hosts));
	if (!queue || !levels->level || !levels->hosts) {
		free(queue);
		return hd_error_nomem(err);
	}
	most = count_hosts(fabric, no_host, levels->hosts);
	if (!least)
		least = most >= 4 ? 2 : most ? 1 : 0;
	begin_at_leaves(levels, fabric->n_switches, least, queue);
	/* where all are leaves there is nothing to find */
	if (levels->n_leaves < fabric->n_switches) {
		spread(fabric, levels, queue);
		count_links(fabric, levels);
	}
	free(queue);
	return 0;
}

void hd_switch_levels_clear(struct hd_switch_levels *levels)
{
	free(levels->level);
	free(levels->hosts);
	*levels = (struct hd_switch_levels){ 0 };
}

bool hd_switch_levels_are_of_tree(const struct hd_switch_levels *levels)
{
	return levels->n_levels > 1 &&
	       (levels->n_links - levels->n_across) * UINT64_C(8) <= levels->n_links;
}
