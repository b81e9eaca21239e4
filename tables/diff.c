// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a subnet manager would have to send; diff_match.c and diff_pairs.c have the rest. */
#include "tables/diff.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/classes.h"
#include "tables/diff_ar.h"
#include "tables/diff_match.h"

/* Destinations that both fabrics have: every LID of every matched end port. */
static struct hd_lid_pair *list_lids(const struct hd_match *match, size_t *n)
{
	struct hd_lid_pair *lids = malloc((match->before->top_lid + (size_t)1) * sizeof(*lids));

	*n = 0;
	for (uint32_t i = 0; lids && i < match->n_endports; i++) {
		const struct hd_port *before = &match->before->ports[match->endports[i].before];
		const struct hd_port *after = &match->after->ports[match->endports[i].after];
		unsigned lmc = before->lmc < after->lmc ? before->lmc : after->lmc;

		for (unsigned offset = 0; offset < 1u << lmc; offset++)
			lids[(*n)++] = (struct hd_lid_pair){ (uint16_t)(before->lid + offset),
							     (uint16_t)(after->lid + offset) };
	}
	return lids;
}

/*
 * What an LFT entry means after the change: a port with a link, the switch itself (0), nothing, or
 * this.
 */
#define LINK_GONE 256

/* Maps entries of switch @s before the change to its ports after. */
static void map_entries(const struct hd_match *match, uint32_t s, uint16_t *map)
{
	for (unsigned i = 0; i < 256; i++)
		map[i] = HD_NO_PATH;
	map[0] = 0;
	hd_for_each_number(number, match->before, s) {
		uint32_t port = hd_port_index(match->before, s, number);

		if (match->before->ports[port].peer == HD_NONE)
			continue;
		map[number] = match->port[port] == HD_NONE
				      ? LINK_GONE
				      : match->after->ports[match->port[port]].number;
	}
}

/*
 * Maps entries of switch @s after the change to themselves; those that lead nowhere become no path.
 */
static void clean_entries(const struct hd_fabric *fabric, uint32_t s, uint16_t *map)
{
	for (unsigned i = 0; i < 256; i++)
		map[i] = HD_NO_PATH;
	map[0] = 0;
	hd_for_each_number(number, fabric, s)
		if (hd_peer_node(fabric, s, number) != HD_NONE)
			map[number] = (uint16_t)number;
}

static uint32_t count_entries(const struct hd_match *match, const struct hd_tables *before,
			      const struct hd_tables *after, uint32_t s,
			      const struct hd_lid_pair *lids, size_t n_lids)
{
	const uint8_t *lft = hd_lft(before, s), *lft_after = hd_lft(after, match->node[s]);
	uint16_t map[256], clean[256];
	uint32_t n = 0;

	map_entries(match, s, map);
	clean_entries(match->after, match->node[s], clean);
	for (size_t i = 0; i < n_lids; i++)
		n += map[lft[lids[i].before]] != clean[lft_after[lids[i].after]];
	return n;
}

/*
 * Blocks of the LFT of switch @s after the change that differ from @old, of @n_old bytes. Their
 * numbers go to @list unless it is NULL.
 */
static uint32_t find_blocks(const struct hd_tables *after, uint32_t s, const uint8_t *old,
			    size_t n_old, uint16_t *list)
{
	static const uint8_t nothing[HD_LFT_BLOCK] = {
		[0 ... HD_LFT_BLOCK - 1] = HD_NO_PATH,
	};
	const uint8_t *lft = hd_lft(after, s);
	uint32_t n = 0;

	for (size_t at = 0; at < after->lft_stride; at += HD_LFT_BLOCK) {
		/* cppcheck-suppress nullPointerArithmetic ; @n_old is 0 where @old is NULL */
		if (memcmp(lft + at, at < n_old ? old + at : nothing, HD_LFT_BLOCK) == 0)
			continue;
		if (list)
			list[n] = (uint16_t)(at / HD_LFT_BLOCK);
		n++;
	}
	return n;
}

/*
 * Rows of switch @s that differ, between ports whose links are still there. Their places after the
 * change go to @list unless it is NULL.
 */
static uint32_t find_switch_rows(const struct hd_match *match, const struct hd_tables *before,
				 const struct hd_tables *after, uint32_t s,
				 struct hd_diff_row *list)
{
	const struct hd_node *node = &match->before->nodes[s];
	unsigned first = node->enhanced_port0 ? 0 : 1;
	uint32_t s_after = match->node[s], n = 0;

	for (unsigned out = first; out <= node->n_ports; out++) {
		uint32_t out_after = match->port[node->first_port + out];

		for (unsigned in = 0; in <= node->n_ports && out_after != HD_NONE; in++) {
			uint32_t in_after = match->port[node->first_port + in];
			struct hd_diff_row place;

			if (in_after == HD_NONE)
				continue;
			place.in = match->after->ports[in_after].number;
			place.out = match->after->ports[out_after].number;
			if (before->sl2vl[hd_sl2vl_index(before, s, in, out)] ==
			    after->sl2vl[hd_sl2vl_index(after, s_after, place.in, place.out)])
				continue;
			if (list)
				list[n] = place;
			n++;
		}
	}
	return n;
}

static uint64_t count_host_rows(const struct hd_match *match, const struct hd_tables *before,
				const struct hd_tables *after)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < match->n_endports; i++) {
		const struct hd_port *b = &match->before->ports[match->endports[i].before];
		const struct hd_port *a = &match->after->ports[match->endports[i].after];

		if (!hd_is_switch(match->before, b->node))
			n += before->sl2vl[hd_sl2vl_host_index(before, b->node, b->number)] !=
			     after->sl2vl[hd_sl2vl_host_index(after, a->node, a->number)];
	}
	return n;
}

static const struct hd_vlarb *vlarb_of(const struct hd_tables *tables, uint32_t port)
{
	uint32_t i = tables->vlarb_of_port[port];

	return i == HD_NONE ? NULL : &tables->vlarbs[i];
}

/* Ports that are still linked, whose arbitration is known in both tables. */
static uint32_t count_vlarb_ports(const struct hd_match *match, const struct hd_tables *before,
				  const struct hd_tables *after)
{
	uint32_t n = 0;

	hd_for_each_port(p, match->before) {
		const struct hd_vlarb *b = vlarb_of(before, p), *a;

		if (!b || match->port[p] == HD_NONE)
			continue;
		a = vlarb_of(after, match->port[p]);
		/* entries beyond the counts are zero */
		n += a && memcmp(a, b, sizeof(*a)) != 0;
	}
	return n;
}

/* Whether the LFTs of a switch, @old and @s, can be compared. */
static bool are_known(const struct hd_tables *before, uint32_t old, const struct hd_tables *after,
		      uint32_t s)
{
	return hd_lft_is_known(before, old) && hd_lft_is_known(after, s);
}

/* Fills @entries, one for each switch after, in order of GUIDs. */
static void compare_switches(const struct hd_match *match, const struct hd_tables *before,
			     const struct hd_tables *after, const struct hd_lid_pair *lids,
			     size_t n_lids, struct hd_diff_switch *entries)
{
	hd_for_each_switch(s, match->after)
		entries[s].guid = match->after->nodes[s].guid;
#pragma omp parallel for schedule(dynamic, 8)
	hd_for_each_switch(s, match->after) {
		uint32_t old = hd_fabric_find_node(match->before, match->after->nodes[s].guid);

		if (old == HD_NONE || match->node[old] != s) {
			entries[s].lft_blocks = find_blocks(after, s, NULL, 0, NULL);
			continue;
		}
		if (are_known(before, old, after, s)) {
			entries[s].lft_entries =
				count_entries(match, before, after, old, lids, n_lids);
			entries[s].lft_blocks = find_blocks(after, s, hd_lft(before, old),
							    before->lft_stride, NULL);
			entries[s].ar_entries =
				hd_diff_count_ar(match, before, after, old, lids, n_lids);
		}
		entries[s].ar_rows = hd_diff_count_ar_rows(match, before, after, old);
		entries[s].sl2vl_rows = find_switch_rows(match, before, after, old, NULL);
	}
}

/* Lists the blocks and rows that have been counted. */
static int list_changes(const struct hd_match *match, const struct hd_tables *before,
			const struct hd_tables *after, struct hd_diff *diff, struct hd_error *err)
{
	size_t n_blocks = 0, n_rows = 0;

	for (size_t i = 0; i < diff->n_switches; i++) {
		diff->switches[i].first_block = n_blocks;
		diff->switches[i].first_row = n_rows;
		n_blocks += diff->switches[i].lft_blocks;
		n_rows += diff->switches[i].sl2vl_rows;
	}
	diff->blocks = malloc((n_blocks + 1) * sizeof(*diff->blocks));
	diff->rows = malloc((n_rows + 1) * sizeof(*diff->rows));
	if (!diff->blocks || !diff->rows)
		return hd_error_nomem(err);
	for (size_t i = 0; i < diff->n_switches; i++) {
		const struct hd_diff_switch *entry = &diff->switches[i];
		uint32_t s = hd_fabric_find_node(match->after, entry->guid);
		uint32_t old = hd_fabric_find_node(match->before, entry->guid);
		bool stays = old != HD_NONE && match->node[old] == s;

		if (!stays || are_known(before, old, after, s))
			find_blocks(after, s, stays ? hd_lft(before, old) : NULL,
				    stays ? before->lft_stride : 0,
				    diff->blocks + entry->first_block);
		if (stays)
			find_switch_rows(match, before, after, old, diff->rows + entry->first_row);
	}
	return 0;
}

static int diff_tables(const struct hd_match *match, const struct hd_tables *before,
		       const struct hd_tables *after, struct hd_diff *diff, struct hd_error *err)
{
	size_t n_lids;
	struct hd_lid_pair *lids = list_lids(match, &n_lids);

	diff->switches = calloc(match->after->n_switches + (size_t)1, sizeof(*diff->switches));
	if (!lids || !diff->switches) {
		free(lids);
		return hd_error_nomem(err);
	}
	compare_switches(match, before, after, lids, n_lids, diff->switches);
	free(lids);
	hd_for_each_switch(s, match->after) {
		struct hd_diff_switch entry = diff->switches[s];

		diff->lft_entries += entry.lft_entries;
		diff->lft_blocks += entry.lft_blocks;
		diff->ar_entries += entry.ar_entries;
		diff->ar_rows += entry.ar_rows;
		diff->sl2vl_rows += entry.sl2vl_rows;
		if (entry.lft_entries || entry.lft_blocks || entry.ar_entries || entry.ar_rows ||
		    entry.sl2vl_rows)
			diff->switches[diff->n_switches++] = entry;
	}
	diff->sl2vl_rows += count_host_rows(match, before, after);
	diff->vlarb_ports = count_vlarb_ports(match, before, after);
	diff->has_ar = before->ar || after->ar;
	diff->classes = hd_classes_count_changes(before->classes, after->classes);
	return list_changes(match, before, after, diff, err);
}

int hd_diff_compute(const struct hd_tables *before, const struct hd_tables *after,
		    hd_diff_pair_fn each, void *context, struct hd_diff *diff, struct hd_error *err)
{
	struct hd_match match;
	int ret;

	*diff = (struct hd_diff){ 0 };
	ret = hd_match_fabrics(before->fabric, after->fabric, &match, diff, err);
	if (!ret)
		ret = diff_tables(&match, before, after, diff, err);
	if (!ret)
		ret = hd_diff_pairs(&match, before, after, each, context, diff, err);
	hd_match_clear(&match);
	if (ret)
		hd_diff_clear(diff);
	return ret;
}

void hd_diff_clear(struct hd_diff *diff)
{
	free(diff->switches);
	free(diff->blocks);
	free(diff->rows);
	free(diff->flows[0]);
	free(diff->flows[1]);
	*diff = (struct hd_diff){ 0 };
}

bool hd_diff_is_empty(const struct hd_diff *diff)
{
	return !diff->nodes_added && !diff->nodes_removed && !diff->links_added &&
	       !diff->links_removed && !diff->ports_moved && !diff->lids_changed &&
	       !diff->pairs_changed && !diff->n_switches && !diff->sl2vl_rows &&
	       !diff->vlarb_ports && !diff->classes;
}
