// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/send_order.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"
#include "tables/onto.h"

/* What is known of a switch and one LID. */
enum way { UNKNOWN, ON_THE_WAY, ARRIVES, ENDS };

/* The LIDs of a block that a switch gets another entry for. */
struct block_change {
	uint32_t s, block;
	uint64_t lids;
};

struct mended {
	uint32_t s, lid;
};

struct search {
	const struct hd_tables *next, *now;
	uint8_t *ways;  /* [switch] enum way, to the LID of the moment */
	uint32_t *path; /* switches on the way */
	struct block_change *changes;
	size_t n_changes, most_changes;
	uint32_t *first_change; /* [block] where its changes begin in `by_block`; n_blocks: end */
	uint32_t *by_block;     /* places in `changes`, by block and switch */
	struct mended *mended;  /* entries that change, where nothing arrives now */
	size_t n_mended, most_mended;
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

/* Tables with all rows of the next ones, and of their entries those that mend. */
static int make_first(const struct search *search, struct hd_tables **first, struct hd_error *err)
{
	const struct hd_tables *next = search->next;
	int ret = hd_tables_onto(search->now, search->now->fabric, first, NULL, err);

	if (ret)
		return ret;
	memcpy((*first)->sl2vl, next->sl2vl,
	       next->sl2vl_first[next->fabric->n_nodes] * sizeof(*next->sl2vl));
	for (size_t i = 0; i < search->n_mended; i++) {
		const struct mended *at = &search->mended[i];

		hd_lft(*first, at->s)[at->lid] = hd_lft(next, at->s)[at->lid];
	}
	return 0;
}

static int note_mended(struct search *search, uint32_t s, uint32_t lid, struct hd_error *err)
{
	struct mended *grown = hd_make_room(search->mended, search->n_mended, &search->most_mended,
					    sizeof(*grown));

	if (!grown)
		return hd_error_nomem(err);
	search->mended = grown;
	search->mended[search->n_mended++] = (struct mended){ .s = s, .lid = lid };
	return 0;
}

/* Notes the entries to @lid that mend, of the changes of its block, and counts the others. */
static int part_lid(struct search *search, const uint32_t *changes, size_t n, uint32_t lid,
		    struct hd_error *err)
{
	int ret = 0;

	memset(search->ways, UNKNOWN, search->now->fabric->n_switches);
	for (size_t i = 0; !ret && i < n; i++) {
		const struct block_change *change = &search->changes[changes[i]];
		const uint32_t s = change->s;

		if (!(change->lids >> lid % HD_LFT_BLOCK & 1))
			continue;
		follow(search, s, lid);
		if (search->ways[s] == ARRIVES)
			search->n_others++;
		else
			ret = note_mended(search, s, lid, err);
	}
	return ret;
}

/* Notes what changes at switch @s, whose row is read from one end to the other. */
static int note_changes(struct search *search, uint32_t s, struct hd_error *err)
{
	const uint8_t *now = hd_lft(search->now, s), *next = hd_lft(search->next, s);
	const size_t stride = search->now->lft_stride;

	if (memcmp(now, next, stride) == 0)
		return 0;
	for (uint32_t lid = 0; lid < stride; lid += HD_LFT_BLOCK) {
		struct block_change change = { .s = s, .block = lid / HD_LFT_BLOCK };
		struct block_change *grown;

		if (memcmp(now + lid, next + lid, HD_LFT_BLOCK) == 0)
			continue;
		for (unsigned i = 0; i < HD_LFT_BLOCK; i++)
			change.lids |= (uint64_t)(now[lid + i] != next[lid + i]) << i;
		grown = hd_make_room(search->changes, search->n_changes, &search->most_changes,
				     sizeof(*grown));
		if (!grown)
			return hd_error_nomem(err);
		search->changes = grown;
		search->changes[search->n_changes++] = change;
	}
	return 0;
}

/* Puts the changes in the order of blocks. */
static int sort_changes(struct search *search, struct hd_error *err)
{
	const size_t n_blocks = search->now->lft_stride / HD_LFT_BLOCK;
	uint32_t *first = calloc(n_blocks + 2, sizeof(*first));

	search->first_change = first;
	search->by_block = malloc((search->n_changes + 1) * sizeof(*search->by_block));
	if (!first || !search->by_block)
		return hd_error_nomem(err);
	/* counts are two places behind, so that the places of blocks end one place behind */
	for (size_t i = 0; i < search->n_changes; i++)
		first[search->changes[i].block + 2]++;
	for (size_t block = 2; block < n_blocks + 2; block++)
		first[block] += first[block - 1];
	for (size_t i = 0; i < search->n_changes; i++)
		search->by_block[first[search->changes[i].block + 1]++] = (uint32_t)i;
	return 0;
}

static int part_block(struct search *search, uint32_t block, struct hd_error *err)
{
	const uint32_t *changes = search->by_block + search->first_change[block];
	const size_t n = search->first_change[block + 1] - search->first_change[block];
	uint64_t left = 0;
	int ret = 0;

	for (size_t i = 0; i < n; i++)
		left |= search->changes[changes[i]].lids;
	for (; !ret && left; left &= left - 1) {
		const uint32_t lid = block * HD_LFT_BLOCK + (uint32_t)__builtin_ctzll(left);

		if (lid && lid <= search->now->fabric->top_lid)
			ret = part_lid(search, changes, n, lid, err);
	}
	return ret;
}

static int find_changes(struct search *search, struct hd_error *err)
{
	int ret = 0;

	for (uint32_t s = 0; !ret && s < search->now->fabric->n_switches; s++)
		ret = note_changes(search, s, err);
	return ret ? ret : sort_changes(search, err);
}

static int allocate(struct search *search, struct hd_error *err)
{
	const size_t n = search->now->fabric->n_switches + (size_t)1;

	search->ways = malloc(n);
	search->path = malloc(n * sizeof(*search->path));
	return search->ways && search->path ? 0 : hd_error_nomem(err);
}

int hd_send_first(const struct hd_tables *next, const struct hd_tables *now,
		  struct hd_tables **first, struct hd_error *err)
{
	struct search search = { .next = next, .now = now };
	int ret = allocate(&search, err);

	*first = NULL;
	if (!ret)
		ret = find_changes(&search, err);
	for (uint32_t block = 0; !ret && block < now->lft_stride / HD_LFT_BLOCK; block++)
		ret = part_block(&search, block, err);
	if (!ret && search.n_mended && search.n_others)
		ret = make_first(&search, first, err);
	free(search.mended);
	free(search.ways);
	free(search.path);
	free(search.changes);
	free(search.first_change);
	free(search.by_block);
	return ret;
}
