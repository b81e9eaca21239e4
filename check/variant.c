// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Subtracts the old paths of flows that differ from the baseline, and adds their new paths. */
#include <stdlib.h>
#include <string.h>

#include "check/baseline.h"
#include "fabric/faults.h"
#include "support/error.h"
#include "tables/lft_copy.h"

int hd_variant_init(struct hd_variant *variant, const struct hd_baseline *base,
		    struct hd_error *err)
{
	const struct hd_flow_view *view = &base->view;
	const size_t n_lids = view->fabric->top_lid + (size_t)2, n = view->n + (size_t)1;
	int ret;

	*variant = (struct hd_variant){
		.base = base,
		.cut = malloc((view->fabric->n_ports + (size_t)1) * sizeof(*variant->cut)),
		.dirty = malloc(n_lids * sizeof(*variant->dirty)),
		.n_lost = malloc(n_lids * sizeof(*variant->n_lost)),
		.first_lost = malloc(n_lids * sizeof(*variant->first_lost)),
		.first_turn = calloc(n_lids + 1, sizeof(*variant->first_turn)),
		.has_new_classes = calloc(n_lids, sizeof(*variant->has_new_classes)),
		.mark = calloc(n, sizeof(*variant->mark)),
		.affected = malloc(n * sizeof(*variant->affected)),
	};
	if (!variant->cut || !variant->dirty || !variant->n_lost || !variant->first_lost ||
	    !variant->first_turn || !variant->has_new_classes || !variant->mark ||
	    !variant->affected)
		return hd_error_nomem(err);
	ret = hd_flow_scratch_init(&variant->scratch, view->n, err);
	if (!ret)
		ret = hd_flow_tree_init(&variant->tree, view->n, err);
	if (!ret)
		ret = hd_flow_sums_init(&variant->sums, view, err);
	if (ret)
		return ret;
	hd_flow_sums_copy(&variant->sums, &base->sums, view);
	if (!base->lanes.rows)
		return 0;
	variant->scratch.is_logged =
		calloc(hd_flow_n_uses(view) / 64 + 1, sizeof(*variant->scratch.is_logged));
	return variant->scratch.is_logged
		       ? hd_channels_copy(&variant->channels, &base->channels, err)
		       : hd_error_nomem(err);
}

void hd_variant_clear(struct hd_variant *variant)
{
	free(variant->cut);
	free(variant->dirty);
	free(variant->n_lost);
	free(variant->added);
	free(variant->removed);
	free(variant->all_lost);
	free(variant->first_lost);
	free(variant->turns);
	free(variant->first_turn);
	free(variant->turned);
	free(variant->has_new_classes);
	free(variant->mark);
	free(variant->affected);
	hd_flow_scratch_clear(&variant->scratch);
	hd_flow_tree_clear(&variant->tree);
	hd_flow_sums_clear(&variant->sums);
	hd_channels_clear(&variant->channels);
	*variant = (struct hd_variant){ 0 };
}

/* Whether a row is of a pair of ports that both have links, or the in-port is 0. */
static bool is_row_used(const struct hd_fabric *fabric, uint32_t s, unsigned in, unsigned out)
{
	const struct hd_port *ports = fabric->ports + fabric->nodes[s].first_port;

	return ports[out].peer != HD_NONE && (!in || ports[in].peer != HD_NONE);
}

static bool same_rows_at(const struct hd_variant *variant, const struct hd_flow_lanes *lanes,
			 const struct hd_fabric *fabric, uint32_t s)
{
	const unsigned width = fabric->nodes[s].n_ports + 1u;
	size_t row = variant->base->view.first_row[s];

	for (unsigned out = 0; out < width; out++)
		for (unsigned in = 0; in < width; in++, row++)
			if (is_row_used(fabric, s, in, out) &&
			    hd_flow_row(&variant->base->lanes, row) != hd_flow_row(lanes, row))
				return false;
	return true;
}

/* Whether packets of every class take the same lanes as before at all ports with links. */
static bool same_rows(const struct hd_variant *variant, const struct hd_flow_lanes *lanes,
		      const struct hd_fabric *fabric)
{
	const struct hd_flow_lanes *mine = &variant->base->lanes;
	const size_t *first = variant->base->view.first_row;

	if (!mine->rows || !lanes->rows)
		return !mine->rows && !lanes->rows;
	if (!mine->pattern != !lanes->pattern)
		return false;
	hd_for_each_switch(s, fabric) {
		const size_t n = first[s + 1] - first[s];
		const bool same =
			mine->pattern ? !memcmp(mine->pattern + first[s], lanes->pattern + first[s],
						n * sizeof(*lanes->pattern))
				      : !memcmp(mine->rows + first[s], lanes->rows + first[s],
						n * sizeof(*lanes->rows));

		/* the same patterns need not be the same lanes */
		if ((!same || (mine->pattern && lanes->rows != mine->rows)) &&
		    !same_rows_at(variant, lanes, fabric, s))
			return false;
	}
	return true;
}

/* Notes that the flows to @lid that come to @s go otherwise from there. */
static bool add_turn(struct hd_variant *variant, uint32_t lid, uint32_t s)
{
	if (variant->n_turns == variant->turns_capacity) {
		const size_t capacity = 2 * variant->turns_capacity + 1024;
		struct hd_variant_turn *grown = realloc(variant->turns, capacity * sizeof(*grown));

		if (!grown)
			return false;
		variant->turns = grown;
		variant->turns_capacity = capacity;
	}
	variant->turns[variant->n_turns++] = (struct hd_variant_turn){ lid, s };
	return true;
}

/* Marks LIDs whose classes differ. False: sources are not in the same rows. */
static bool compare_classes(struct hd_variant *variant, const struct hd_flow_lanes *lanes)
{
	const struct hd_flow_lanes *mine = &variant->base->lanes;
	const struct hd_flow_view *view = &variant->base->view;
	const uint32_t n_rows = mine->class_row ? view->n : 1;

	if (!mine->classes && !lanes->classes)
		return true;
	if (!mine->classes || !lanes->classes || !mine->class_row != !lanes->class_row)
		return false;
	for (uint32_t s = 0; s < n_rows; s++) {
		const size_t at = (mine->class_row ? mine->class_row[s] : 0) * view->stride;

		if (mine->class_row && mine->class_row[s] != lanes->class_row[s])
			return false;
		if (!memcmp(mine->classes + at, lanes->classes + at, view->stride))
			continue;
		for (uint32_t lid = 0; lid < view->stride && lid <= view->fabric->top_lid; lid++)
			if (mine->classes[at + lid] != lanes->classes[at + lid])
				variant->has_new_classes[lid] = true;
	}
	return true;
}

/* Lists the LIDs whose entries at switch @s differ. False: out of memory. */
static bool compare_lfts(struct hd_variant *variant, const struct hd_tables *tables, uint32_t s)
{
	const struct hd_lid *places = variant->base->view.fabric->lids;
	const uint8_t *before = hd_lft(variant->base->tables, s), *after = hd_lft(tables, s);
	const uint32_t top = variant->base->view.fabric->top_lid;

	if (!hd_lft_may_differ(tables, variant->base->tables, s))
		return true;
	for (uint32_t block = 0; block <= top; block += 64) {
		if (!memcmp(before + block, after + block, 64))
			continue;
		for (uint32_t lid = block; lid < block + 64 && lid <= top; lid++) {
			if (before[lid] == after[lid] || places[lid].port == HD_NONE)
				continue;
			variant->n_changed++;
			if (!add_turn(variant, lid, s))
				return false;
		}
	}
	return true;
}

/* Lists the LIDs that are still sent out of a port that has lost its link. */
static bool find_lost(struct hd_variant *variant, const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = variant->base->view.fabric;

	for (uint32_t i = 0; i < variant->n_cut; i++) {
		const struct hd_port *port = &fabric->ports[variant->cut[i]];
		const uint8_t *lft = hd_lft(tables, port->node);

		hd_for_each_lid(lid, fabric)
			if (lft[lid] == port->number && fabric->lids[lid].port != HD_NONE &&
			    !add_turn(variant, lid, port->node))
				return false;
	}
	return true;
}

/* Puts the turns in order of LIDs, and lists the LIDs. False: out of memory. */
static bool sort_turns(struct hd_variant *variant)
{
	const struct hd_fabric *fabric = variant->base->view.fabric;
	uint32_t *first = variant->first_turn;

	if (variant->n_turns > variant->turned_capacity) {
		free(variant->turned);
		variant->turned_capacity = 2 * variant->n_turns;
		variant->turned = malloc(variant->turned_capacity * sizeof(*variant->turned));
		if (!variant->turned) {
			variant->turned_capacity = 0;
			return false;
		}
	}
	for (size_t i = 0; i < variant->n_turns; i++)
		first[variant->turns[i].lid + 2]++;
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++)
		first[lid + 2] += first[lid + 1];
	/* first[LID + 1] moves from the start of the LID's turns to their end */
	for (size_t i = 0; i < variant->n_turns; i++)
		variant->turned[first[variant->turns[i].lid + 1]++] = variant->turns[i].s;
	hd_for_each_lid(lid, fabric)
		if ((first[lid] < first[lid + 1] || variant->has_new_classes[lid]) &&
		    fabric->lids[lid].port != HD_NONE && fabric->lids[lid].via_switch != HD_NONE)
			variant->dirty[variant->n_dirty++] = (uint16_t)lid;
	return true;
}

static void affect(struct hd_variant *variant, uint32_t s)
{
	if (variant->mark[s] == variant->stamp)
		return;
	variant->mark[s] = variant->stamp;
	variant->affected[variant->n_affected++] = s;
}

/*
 * Goes from the switches that are affected to those whose packets to @lid came by them. False: that
 * takes longer than to look at all switches.
 */
static bool go_back(struct hd_variant *variant, uint32_t lid)
{
	const struct hd_baseline *base = variant->base;
	const struct hd_fabric *fabric = base->view.fabric;
	const uint32_t last = fabric->lids[lid].via_switch;
	uint32_t budget = base->view.n;

	for (uint32_t i = 0; i < variant->n_affected; i++) {
		const struct hd_node *node = &fabric->nodes[variant->affected[i]];

		if (node->n_ports > budget)
			return false;
		budget -= node->n_ports;
		for (unsigned number = 1; number <= node->n_ports; number++) {
			const struct hd_flow_link *link =
				&base->sums.links[node->first_port + number];

			if (link->node != HD_NONE && link->node != last &&
			    hd_lft(base->tables, link->node)[lid] == link->in)
				affect(variant, link->node);
		}
	}
	return true;
}

/* Finds the same by going from every switch until it is known whether it is affected. */
static void go_from_all(struct hd_variant *variant, uint32_t lid)
{
	const struct hd_baseline *base = variant->base;
	const struct hd_fabric *fabric = base->view.fabric;
	const uint32_t last = fabric->lids[lid].via_switch, known = variant->stamp + 1;

	variant->mark[last] = variant->mark[last] == variant->stamp ? variant->stamp : known;
	for (uint32_t s = 0; s < base->view.n; s++) {
		uint32_t at = s, next;
		bool is_affected;

		while (at != HD_NONE && variant->mark[at] < variant->stamp) {
			const unsigned out = hd_lft(base->tables, at)[lid];

			variant->mark[at] = known;
			at = out && out <= fabric->nodes[at].n_ports
				     ? base->sums.links[fabric->nodes[at].first_port + out].node
				     : HD_NONE;
		}
		is_affected = at != HD_NONE && variant->mark[at] == variant->stamp;
		for (at = s; is_affected && variant->mark[at] == known; at = next) {
			next = base->sums
				       .links[fabric->nodes[at].first_port +
					      hd_lft(base->tables, at)[lid]]
				       .node;
			affect(variant, at);
		}
	}
}

/* Finds the switches whose flows to @lid go otherwise, on other lanes, or do not arrive. */
static void find_affected(struct hd_variant *variant, uint32_t lid)
{
	variant->n_affected = 0;
	variant->stamp += 2;
	if (variant->stamp < 2) {
		memset(variant->mark, 0, variant->base->view.n * sizeof(*variant->mark));
		variant->stamp = 2;
	}
	if (variant->has_new_classes[lid]) {
		for (uint32_t s = 0; s < variant->base->view.n; s++)
			affect(variant, s);
		return;
	}
	for (uint32_t i = variant->first_turn[lid]; i < variant->first_turn[lid + 1]; i++)
		affect(variant, variant->turned[i]);
	if (!go_back(variant, lid))
		go_from_all(variant, lid);
}

static bool grow_changes(struct hd_variant_change **list, size_t *capacity)
{
	const size_t more = 2 * *capacity + 256;
	struct hd_variant_change *grown = realloc(*list, more * sizeof(*grown));

	if (!grown)
		return false;
	*list = grown;
	*capacity = more;
	return true;
}

/* Lists a use that is added or removed. False: out of memory. */
static bool list_change(struct hd_variant *variant, uint32_t use, bool is_added)
{
	struct hd_variant_change **list = is_added ? &variant->added : &variant->removed;
	size_t *n = is_added ? &variant->n_added : &variant->n_removed;
	size_t *capacity = is_added ? &variant->added_capacity : &variant->removed_capacity;
	struct hd_variant_change *change;

	if (*n == *capacity && !grow_changes(list, capacity))
		return false;
	change = &(*list)[(*n)++];
	change->use = hd_flow_use_of(&variant->base->view, use);
	change->has_edge = hd_baseline_edge_of(variant->base, &change->use, &change->edge);
	return true;
}

/* Lists the uses that there were none of, and those of which there are none now. */
static int list_transitions(struct hd_variant *variant, struct hd_error *err)
{
	const struct hd_flow_scratch *scratch = &variant->scratch;

	for (size_t i = 0; i < scratch->n_log; i++) {
		const uint32_t use = scratch->log[i];
		const bool was = variant->base->sums.uses[use], is = variant->sums.uses[use];

		if (was != is && !list_change(variant, use, is))
			return hd_error_nomem(err);
	}
	return 0;
}

/* Whether packets of some class still take the lane of @edge from that of @use. */
static bool is_supported(const struct hd_variant *variant, const struct hd_flow_use *use,
			 const struct hd_channel_edge *edge)
{
	const struct hd_flow_view *view = &variant->base->view;
	const hd_sl2vl_row lanes = hd_flow_row(&variant->base->lanes, use->row);

	for (unsigned class = 0; class < view->n_classes; class ++)
		if (hd_row_vl(lanes, class) == edge->to &&
		    variant->sums
			    .uses[use->row * view->n_states + (use->lane << view->shift | class)])
			return true;
	return false;
}

/* Takes out dependencies that are removed, or puts them back. */
static void drop_removed(struct hd_variant *variant, bool back)
{
	for (size_t i = 0; i < variant->n_removed; i++) {
		const struct hd_variant_change *removed = &variant->removed[i];

		if (!removed->has_edge)
			continue;
		if (back)
			hd_channels_add(&variant->channels, &removed->edge);
		else if (!is_supported(variant, &removed->use, &removed->edge))
			hd_channels_remove(&variant->channels, &removed->edge);
	}
}

/* Adds those that are added; they close no cycle as long as an order can be had. */
static void add_added(struct hd_variant *variant)
{
	for (size_t i = 0; variant->is_acyclic && i < variant->n_added; i++) {
		struct hd_variant_change *added = &variant->added[i];

		if (!added->has_edge)
			continue;
		variant->is_reordered |=
			variant->channels
				.rank[hd_channels_source(&variant->channels, &added->edge)] >=
			variant->channels
				.rank[hd_channels_target(&variant->channels, &added->edge)];
		variant->is_acyclic = hd_channels_try(&variant->channels, &added->edge, 1);
	}
}

/* Takes out again what was added, unless it was there before for another class. */
static void drop_added(struct hd_variant *variant)
{
	for (size_t i = 0; i < variant->n_added; i++)
		if (variant->added[i].has_edge &&
		    hd_channels_count_new(&variant->base->channels, &variant->added[i].edge, 1))
			hd_channels_remove(&variant->channels, &variant->added[i].edge);
}

static void cut_links(struct hd_variant *variant)
{
	for (uint32_t i = 0; i < variant->n_cut; i++)
		variant->sums.links[variant->cut[i]].node = HD_NONE;
}

static void join_links(struct hd_variant *variant)
{
	for (uint32_t i = 0; i < variant->n_cut; i++)
		variant->sums.links[variant->cut[i]] = variant->base->sums.links[variant->cut[i]];
}

/* Notes that packets from @s do not arrive. */
static void add_lost(struct hd_variant *variant, uint32_t s)
{
	if (variant->n_all_lost == variant->lost_capacity) {
		const size_t capacity = 2 * variant->lost_capacity + 1024;
		uint32_t *grown = realloc(variant->all_lost, capacity * sizeof(*grown));

		if (!grown) {
			variant->scratch.is_bad = true;
			return;
		}
		variant->all_lost = grown;
		variant->lost_capacity = capacity;
	}
	variant->all_lost[variant->n_all_lost++] = s;
}

static int compare_descending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

/*
 * Adds the flows to a LID from the switches that are affected, or takes them away. Returns how many
 * of these do not arrive.
 */
static uint32_t add_flows(struct hd_variant *variant, const struct hd_flow_lanes *lanes,
			  const struct hd_flow_column *column, bool take_away)
{
	const struct hd_baseline *base = variant->base;
	const uint32_t lid = column->lids[0];
	const uint32_t last = base->view.fabric->lids[lid].via_switch;
	const bool is_usual =
		!variant->has_new_classes[lid] && variant->mark[last] != variant->stamp;
	uint32_t n_lost = 0;

	if (is_usual && hd_flow_tree_serves(&base->view, lanes) &&
	    hd_flow_tree_add(&variant->tree, &variant->sums, &base->view, lanes, column,
			     variant->affected, variant->n_affected, take_away, &variant->scratch))
		return 0;
	for (uint32_t i = 0; i < variant->n_affected; i++) {
		if (hd_flow_sums_add(&variant->sums, &base->view, lanes, column,
				     variant->affected[i], take_away, &variant->scratch))
			continue;
		n_lost++;
		if (!take_away)
			add_lost(variant, variant->affected[i]);
	}
	return n_lost;
}

/* Takes the old flows to a LID away, and adds the new ones. */
static void replace_flows(struct hd_variant *variant, const struct hd_tables *tables,
			  const struct hd_flow_lanes *lanes, const uint16_t *lid)
{
	const struct hd_baseline *base = variant->base;
	const struct hd_flow_column before = { base->tables->lft + *lid, base->view.stride, lid,
					       1 };
	const struct hd_flow_column after = { tables->lft + *lid, base->view.stride, lid, 1 };

	find_affected(variant, *lid);
	variant->n_lost[*lid] = base->n_lost[*lid];
	variant->first_lost[*lid] = (uint32_t)variant->n_all_lost;
	variant->n_lost[*lid] -= add_flows(variant, &base->lanes, &before, true);
	cut_links(variant);
	variant->n_lost[*lid] += add_flows(variant, lanes, &after, false);
	if (variant->n_all_lost > variant->first_lost[*lid] + (size_t)1)
		qsort(variant->all_lost + variant->first_lost[*lid],
		      variant->n_all_lost - variant->first_lost[*lid], sizeof(*variant->all_lost),
		      compare_descending);
	join_links(variant);
}

/* Lists the LIDs to which flows change. False: out of memory. */
static bool list_dirty(struct hd_variant *variant, const struct hd_tables *tables)
{
	for (uint32_t s = 0; s < variant->base->view.n; s++)
		if (!compare_lfts(variant, tables, s))
			return false;
	return find_lost(variant, tables) && sort_turns(variant);
}

int hd_variant_follow(struct hd_variant *variant, const struct hd_tables *tables,
		      const struct hd_flow_lanes *lanes, bool *is_known, struct hd_error *err)
{
	const struct hd_baseline *base = variant->base;
	int ret;

	variant->n_changed = 0;
	variant->is_acyclic = true;
	*is_known = hd_fabric_lost_links(base->view.fabric, tables->fabric, variant->cut,
					 &variant->n_cut) &&
		    same_rows(variant, lanes, tables->fabric) && compare_classes(variant, lanes);
	if (!*is_known)
		return 0;
	if (!list_dirty(variant, tables))
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < variant->n_dirty; i++)
		replace_flows(variant, tables, lanes, &variant->dirty[i]);
	*is_known = !variant->scratch.is_bad;
	if (!base->lanes.rows)
		return 0;
	ret = list_transitions(variant, err);
	if (ret)
		return ret;
	drop_removed(variant, false);
	add_added(variant);
	return 0;
}

/* Makes the sums those of the base again. */
static void restore_sums(struct hd_variant *variant)
{
	const struct hd_flow_sums *from = &variant->base->sums;
	const struct hd_flow_view *view = &variant->base->view;
	struct hd_flow_scratch *scratch = &variant->scratch;

	memcpy(variant->sums.load, from->load, view->fabric->n_ports * sizeof(*from->load));
	memcpy(variant->sums.n_ways, from->n_ways, (view->n + (size_t)1) * sizeof(*from->n_ways));
	for (size_t i = 0; i < scratch->n_log; i++) {
		variant->sums.uses[scratch->log[i]] = from->uses[scratch->log[i]];
		scratch->is_logged[scratch->log[i] / 64] = 0;
	}
	if (scratch->is_bad)
		hd_flow_sums_copy(&variant->sums, from, view);
	scratch->n_log = 0;
	scratch->is_bad = false;
}

void hd_variant_reset(struct hd_variant *variant)
{
	drop_added(variant);
	drop_removed(variant, true);
	if (variant->is_reordered)
		hd_channels_copy_ranks(&variant->channels, &variant->base->channels);
	restore_sums(variant);
	memset(variant->first_turn, 0,
	       (variant->base->view.fabric->top_lid + (size_t)3) * sizeof(*variant->first_turn));
	memset(variant->has_new_classes, 0, variant->base->view.fabric->top_lid + (size_t)1);
	variant->is_reordered = false;
	variant->n_turns = 0;
	variant->n_all_lost = 0;
	variant->n_added = variant->n_removed = 0;
	variant->n_cut = variant->n_dirty = 0;
}

uint32_t hd_variant_lost(const struct hd_variant *variant, uint32_t lid, const uint32_t **lost)
{
	const bool is_dirty = variant->first_turn[lid] < variant->first_turn[lid + 1] ||
			      variant->has_new_classes[lid];

	*lost = NULL;
	if (!is_dirty)
		return variant->base->n_lost[lid];
	/* those of the base that still do not arrive are not among those that were followed */
	if (variant->n_lost[lid] && !variant->base->n_lost[lid])
		*lost = variant->all_lost + variant->first_lost[lid];
	return variant->n_lost[lid];
}
