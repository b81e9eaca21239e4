// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/lid_ways.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define DARK (HD_NONE - 1) /* in `next` */

static uint32_t switch_behind(const struct hd_fabric *fabric, uint32_t port)
{
	const uint32_t peer = fabric->ports[port].peer;
	const uint32_t node = peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;

	return node != HD_NONE && hd_is_switch(fabric, node) ? node : HD_NONE;
}

int hd_ways_init(struct hd_ways *ways, const struct hd_tables *tables, const bool *is_dark,
		 struct hd_error *err)
{
	const size_t n = tables->fabric->n_switches + (size_t)1;

	const struct hd_fabric *fabric = tables->fabric;

	*ways = (struct hd_ways){ .tables = tables };
	ways->ways = malloc(n);
	ways->path = malloc(n * sizeof(*ways->path));
	ways->next = malloc((fabric->n_ports + (size_t)1) * sizeof(*ways->next));
	if (!ways->ways || !ways->path || !ways->next)
		return hd_error_nomem(err);
	hd_for_each_port(port, fabric)
		ways->next[port] = is_dark && is_dark[port] ? DARK : switch_behind(fabric, port);
	return 0;
}

void hd_ways_clear(struct hd_ways *ways)
{
	free(ways->ways);
	free(ways->path);
	free(ways->next);
	*ways = (struct hd_ways){ .tables = NULL };
}

void hd_ways_to(struct hd_ways *ways, uint32_t lid)
{
	ways->lid = lid;
	memset(ways->ways, HD_WAY_UNKNOWN, ways->tables->fabric->n_switches);
}

/* Where packets come to next from the switch @s; HD_NONE: nowhere, and *@way says why. */
static uint32_t next_switch(const struct hd_ways *ways, uint32_t s, enum hd_way *way)
{
	const struct hd_fabric *fabric = ways->tables->fabric;
	const struct hd_lid *lid = &fabric->lids[ways->lid];
	const uint8_t out = hd_lft(ways->tables, s)[ways->lid];
	uint32_t next;

	*way = lid->via_switch == s && lid->via_port == out ? HD_WAY_ARRIVES : HD_WAY_ENDS;
	if (*way == HD_WAY_ARRIVES || !out || out > fabric->nodes[s].n_ports)
		return HD_NONE;
	next = ways->next[hd_port_index(fabric, s, out)];
	if (next != DARK)
		return next;
	*way = HD_WAY_DARK;
	return HD_NONE;
}

enum hd_way hd_ways_from(struct hd_ways *ways, uint32_t s)
{
	enum hd_way way = HD_WAY_ENDS;
	uint32_t at = s;
	size_t n = 0;

	while (at != HD_NONE && ways->ways[at] == HD_WAY_UNKNOWN) {
		ways->ways[at] = HD_WAY_FOLLOWED;
		ways->path[n++] = at;
		at = next_switch(ways, at, &way);
	}
	if (at != HD_NONE)
		way = ways->ways[at] == HD_WAY_FOLLOWED ? HD_WAY_ENDS : ways->ways[at];
	while (n)
		ways->ways[ways->path[--n]] = (uint8_t)way;
	return ways->ways[s];
}
