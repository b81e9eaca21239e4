// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/send_order.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/onto.h"

/* What is known of a switch and one LID. */
enum way { UNKNOWN, ON_THE_WAY, ARRIVES, ENDS };

struct search {
	const struct hd_tables *next, *now;
	struct hd_tables *first; /* made for the first entry that mends */
	uint8_t *ways;           /* [switch] enum way, to the LID of the moment */
	uint32_t *path;          /* switches on the way */
	uint64_t *changes;       /* [switch] LIDs of the present block that get another entry */
	size_t n_mended;         /* entries that change, where nothing arrives now */
	size_t n_others;
};

/* Where packets to @lid come to next from the switch @s; HD_NONE: they end there, or arrive. */
static uint32_t next_switch(const struct hd_tables *now, uint32_t s, uint32_t lid, bool *arrives)
{
	const struct hd_fabric *fabric = now->fabric;
	const uint8_t out = hd_lft(now, s)[lid];
	uint32_t peer;

	*arrives = fabric->lids[lid].via_switch == s && fabric->lids[lid].via_port == out;
	if (*arrives || !out || out > fabric->nodes[s].n_ports)
		return HD_NONE;
	peer = hd_peer_node(fabric, s, out);
	return peer != HD_NONE && hd_is_switch(fabric, peer) ? peer : HD_NONE;
}

/* Follows packets to @lid from the switch @s. */
static void follow(struct search *search, uint32_t s, uint32_t lid)
{
	bool arrives = false;
	size_t n = 0;

	while (s != HD_NONE && search->ways[s] == UNKNOWN) {
		search->ways[s] = ON_THE_WAY;
		search->path[n++] = s;
		s = next_switch(search->now, s, lid, &arrives);
	}
	/* one that is on the way already closes a circle */
	if (s != HD_NONE)
		arrives = search->ways[s] == ARRIVES;
	while (n)
		search->ways[search->path[--n]] = arrives ? ARRIVES : ENDS;
}

/* Tables with all rows of the next ones, and none of their entries. */
static int make_first(struct search *search, struct hd_error *err)
{
	const struct hd_tables *next = search->next;
	int ret = hd_tables_onto(search->now, search->now->fabric, &search->first, NULL, err);

	if (!ret)
		memcpy(search->first->sl2vl, next->sl2vl,
		       next->sl2vl_first[next->fabric->n_nodes] * sizeof(*next->sl2vl));
	return ret;
}

/* Takes the entries to @lid that mend, and counts both kinds. */
static int part_lid(struct search *search, uint32_t lid, struct hd_error *err)
{
	const struct hd_fabric *fabric = search->now->fabric;
	int ret = 0;

	memset(search->ways, UNKNOWN, fabric->n_switches);
	hd_for_each_switch(s, fabric) {
		if (!(search->changes[s] >> lid % HD_LFT_BLOCK & 1))
			continue;
		follow(search, s, lid);
		if (search->ways[s] == ARRIVES) {
			search->n_others++;
			continue;
		}
		if (!search->n_mended++)
			ret = make_first(search, err);
		if (ret)
			return ret;
		hd_lft(search->first, s)[lid] = hd_lft(search->next, s)[lid];
	}
	return 0;
}

/*
 * Finds what changes in the block of LIDs from @first on, of which a switch has all entries in one
 * cache line. Returns the LIDs that some switch gets another entry for.
 */
static uint64_t find_changes(struct search *search, uint32_t first)
{
	uint64_t any = 0;

	hd_for_each_switch(s, search->now->fabric) {
		const uint8_t *now = hd_lft(search->now, s) + first;
		const uint8_t *next = hd_lft(search->next, s) + first;

		search->changes[s] = 0;
		if (memcmp(now, next, HD_LFT_BLOCK) == 0)
			continue;
		for (unsigned i = 0; i < HD_LFT_BLOCK; i++)
			search->changes[s] |= (uint64_t)(now[i] != next[i]) << i;
		any |= search->changes[s];
	}
	return any;
}

static int part_block(struct search *search, uint32_t first, struct hd_error *err)
{
	uint64_t left = find_changes(search, first);
	int ret = 0;

	for (; !ret && left; left &= left - 1) {
		const uint32_t lid = first + (uint32_t)__builtin_ctzll(left);

		if (lid && lid <= search->now->fabric->top_lid)
			ret = part_lid(search, lid, err);
	}
	return ret;
}

static int allocate(struct search *search, struct hd_error *err)
{
	const size_t n = search->now->fabric->n_switches + (size_t)1;

	search->ways = malloc(n);
	search->path = malloc(n * sizeof(*search->path));
	search->changes = malloc(n * sizeof(*search->changes));
	return search->ways && search->path && search->changes ? 0 : hd_error_nomem(err);
}

int hd_send_first(const struct hd_tables *next, const struct hd_tables *now,
		  struct hd_tables **first, struct hd_error *err)
{
	struct search search = { .next = next, .now = now };
	int ret = allocate(&search, err);

	*first = NULL;
	for (uint32_t lid = 0; !ret && lid <= now->fabric->top_lid; lid += HD_LFT_BLOCK)
		ret = part_block(&search, lid, err);
	if (!ret && search.n_mended && search.n_others)
		*first = search.first;
	else
		hd_tables_free(search.first);
	free(search.ways);
	free(search.path);
	free(search.changes);
	return ret;
}
