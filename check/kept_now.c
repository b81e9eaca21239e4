// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The flows of other tables: what differs is taken away from the sums of the base, and added. */
#include <stdlib.h>
#include <string.h>

#include "check/kept.h"
#include "fabric/faults.h"
#include "support/error.h"

int hd_kept_now_init(struct hd_kept_now *now, const struct hd_kept *kept, struct hd_error *err)
{
	const struct hd_kept_view *view = &kept->view;
	const size_t n_lids = view->fabric->top_lid + (size_t)2, n = view->n + (size_t)1;
	int ret;

	*now = (struct hd_kept_now){
		.kept = kept,
		.cut = malloc((view->fabric->n_ports + (size_t)1) * sizeof(*now->cut)),
		.dirty = malloc(n_lids * sizeof(*now->dirty)),
		.n_lost = malloc(n_lids * sizeof(*now->n_lost)),
		.first_lost = malloc(n_lids * sizeof(*now->first_lost)),
		.first_turn = calloc(n_lids + 1, sizeof(*now->first_turn)),
		.has_new_classes = calloc(n_lids, sizeof(*now->has_new_classes)),
		.is_listed = calloc(hd_kept_n_uses(view) / 64 + 1, sizeof(*now->is_listed)),
		.mark = calloc(n, sizeof(*now->mark)),
		.affected = malloc(n * sizeof(*now->affected)),
	};
	if (!now->cut || !now->dirty || !now->n_lost || !now->first_lost || !now->first_turn ||
	    !now->has_new_classes || !now->mark || !now->affected)
		return hd_error_nomem(err);
	ret = hd_kept_scratch_init(&now->scratch, view->n, err);
	if (!ret)
		ret = hd_kept_sums_init(&now->sums, view, err);
	if (ret)
		return ret;
	hd_kept_sums_copy(&now->sums, &kept->sums, view);
	now->scratch.has_log = kept->lanes.rows != NULL;
	return kept->lanes.rows ? hd_channels_copy(&now->channels, &kept->channels, err) : 0;
}

void hd_kept_now_clear(struct hd_kept_now *now)
{
	free(now->cut);
	free(now->dirty);
	free(now->n_lost);
	free(now->born);
	free(now->gone);
	free(now->all_lost);
	free(now->first_lost);
	free(now->turns);
	free(now->first_turn);
	free(now->turned);
	free(now->has_new_classes);
	free(now->is_listed);
	free(now->mark);
	free(now->affected);
	hd_kept_scratch_clear(&now->scratch);
	hd_kept_sums_clear(&now->sums);
	hd_channels_clear(&now->channels);
	*now = (struct hd_kept_now){ 0 };
}

/* Whether a row is of a pair of ports that both have links, or the in-port is 0. */
static bool is_row_used(const struct hd_fabric *fabric, uint32_t s, unsigned in, unsigned out)
{
	const struct hd_port *ports = fabric->ports + fabric->nodes[s].first_port;

	return ports[out].peer != HD_NONE && (!in || ports[in].peer != HD_NONE);
}

static bool same_rows_at(const struct hd_kept_now *now, const struct hd_kept_lanes *lanes,
			 const struct hd_fabric *fabric, uint32_t s)
{
	const unsigned width = fabric->nodes[s].n_ports + 1u;
	size_t row = now->kept->view.first_row[s];

	for (unsigned out = 0; out < width; out++)
		for (unsigned in = 0; in < width; in++, row++)
			if (is_row_used(fabric, s, in, out) &&
			    hd_kept_row(&now->kept->lanes, row) != hd_kept_row(lanes, row))
				return false;
	return true;
}

/* Whether packets of every class take the same lanes as before at all ports with links. */
static bool same_rows(const struct hd_kept_now *now, const struct hd_kept_lanes *lanes,
		      const struct hd_fabric *fabric)
{
	const struct hd_kept_lanes *mine = &now->kept->lanes;
	const size_t *first = now->kept->view.first_row;

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
		    !same_rows_at(now, lanes, fabric, s))
			return false;
	}
	return true;
}

/* Notes that the flows to @lid that come to @s go otherwise from there. */
static bool add_turn(struct hd_kept_now *now, uint32_t lid, uint32_t s)
{
	if (now->n_turns == now->turns_capacity) {
		const size_t capacity = 2 * now->turns_capacity + 1024;
		struct hd_kept_turn *grown = realloc(now->turns, capacity * sizeof(*grown));

		if (!grown)
			return false;
		now->turns = grown;
		now->turns_capacity = capacity;
	}
	now->turns[now->n_turns++] = (struct hd_kept_turn){ lid, s };
	return true;
}

/* Marks LIDs whose classes differ. False: sources are not in the same rows. */
static bool compare_classes(struct hd_kept_now *now, const struct hd_kept_lanes *lanes)
{
	const struct hd_kept_lanes *mine = &now->kept->lanes;
	const struct hd_kept_view *view = &now->kept->view;
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
				now->has_new_classes[lid] = true;
	}
	return true;
}

/* Lists the LIDs whose entries at switch @s differ. False: out of memory. */
static bool compare_lfts(struct hd_kept_now *now, const struct hd_tables *tables, uint32_t s)
{
	const struct hd_lid *places = now->kept->view.fabric->lids;
	const uint8_t *before = hd_lft(now->kept->tables, s), *after = hd_lft(tables, s);
	const uint32_t top = now->kept->view.fabric->top_lid;

	for (uint32_t block = 0; block <= top; block += 64) {
		if (!memcmp(before + block, after + block, 64))
			continue;
		for (uint32_t lid = block; lid < block + 64 && lid <= top; lid++) {
			if (before[lid] == after[lid] || places[lid].port == HD_NONE)
				continue;
			now->n_changed++;
			if (!add_turn(now, lid, s))
				return false;
		}
	}
	return true;
}

/* Lists the LIDs that are still sent out of a port that has lost its link. */
static bool find_lost(struct hd_kept_now *now, const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = now->kept->view.fabric;

	for (uint32_t i = 0; i < now->n_cut; i++) {
		const struct hd_port *port = &fabric->ports[now->cut[i]];
		const uint8_t *lft = hd_lft(tables, port->node);

		hd_for_each_lid(lid, fabric)
			if (lft[lid] == port->number && fabric->lids[lid].port != HD_NONE &&
			    !add_turn(now, lid, port->node))
				return false;
	}
	return true;
}

/* Puts the turns in order of LIDs, and lists the LIDs. False: out of memory. */
static bool sort_turns(struct hd_kept_now *now)
{
	const struct hd_fabric *fabric = now->kept->view.fabric;
	uint32_t *first = now->first_turn;

	if (now->n_turns > now->turned_capacity) {
		free(now->turned);
		now->turned_capacity = 2 * now->n_turns;
		now->turned = malloc(now->turned_capacity * sizeof(*now->turned));
		if (!now->turned) {
			now->turned_capacity = 0;
			return false;
		}
	}
	for (size_t i = 0; i < now->n_turns; i++)
		first[now->turns[i].lid + 2]++;
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++)
		first[lid + 2] += first[lid + 1];
	/* first[LID + 1] moves from the start of the LID's turns to their end */
	for (size_t i = 0; i < now->n_turns; i++)
		now->turned[first[now->turns[i].lid + 1]++] = now->turns[i].s;
	hd_for_each_lid(lid, fabric)
		if ((first[lid] < first[lid + 1] || now->has_new_classes[lid]) &&
		    fabric->lids[lid].port != HD_NONE && fabric->lids[lid].via_switch != HD_NONE)
			now->dirty[now->n_dirty++] = (uint16_t)lid;
	return true;
}

static void affect(struct hd_kept_now *now, uint32_t s)
{
	if (now->mark[s] == now->stamp)
		return;
	now->mark[s] = now->stamp;
	now->affected[now->n_affected++] = s;
}

/*
 * Goes from the switches that are affected to those whose packets to @lid came by them. False: that
 * takes longer than to look at all switches.
 */
static bool go_back(struct hd_kept_now *now, uint32_t lid)
{
	const struct hd_kept *kept = now->kept;
	const struct hd_fabric *fabric = kept->view.fabric;
	const uint32_t last = fabric->lids[lid].via_switch;
	uint32_t budget = kept->view.n;

	for (uint32_t i = 0; i < now->n_affected; i++) {
		const struct hd_node *node = &fabric->nodes[now->affected[i]];

		if (node->n_ports > budget)
			return false;
		budget -= node->n_ports;
		for (unsigned number = 1; number <= node->n_ports; number++) {
			const struct hd_kept_link *link =
				&kept->sums.links[node->first_port + number];

			if (link->node != HD_NONE && link->node != last &&
			    hd_lft(kept->tables, link->node)[lid] == link->in)
				affect(now, link->node);
		}
	}
	return true;
}

/* Finds the same by going from every switch until it is known whether it is affected. */
static void go_from_all(struct hd_kept_now *now, uint32_t lid)
{
	const struct hd_kept *kept = now->kept;
	const struct hd_fabric *fabric = kept->view.fabric;
	const uint32_t last = fabric->lids[lid].via_switch, known = now->stamp + 1;

	now->mark[last] = now->mark[last] == now->stamp ? now->stamp : known;
	for (uint32_t s = 0; s < kept->view.n; s++) {
		uint32_t at = s, next;
		bool is_affected;

		while (at != HD_NONE && now->mark[at] < now->stamp) {
			const unsigned out = hd_lft(kept->tables, at)[lid];

			now->mark[at] = known;
			at = out && out <= fabric->nodes[at].n_ports
				     ? kept->sums.links[fabric->nodes[at].first_port + out].node
				     : HD_NONE;
		}
		is_affected = at != HD_NONE && now->mark[at] == now->stamp;
		for (at = s; is_affected && now->mark[at] == known; at = next) {
			next = kept->sums
				       .links[fabric->nodes[at].first_port +
					      hd_lft(kept->tables, at)[lid]]
				       .node;
			affect(now, at);
		}
	}
}

/* Finds the switches whose flows to @lid go otherwise, on other lanes, or do not arrive. */
static void find_affected(struct hd_kept_now *now, uint32_t lid)
{
	now->n_affected = 0;
	now->stamp += 2;
	if (now->stamp < 2) {
		memset(now->mark, 0, now->kept->view.n * sizeof(*now->mark));
		now->stamp = 2;
	}
	if (now->has_new_classes[lid]) {
		for (uint32_t s = 0; s < now->kept->view.n; s++)
			affect(now, s);
		return;
	}
	for (uint32_t i = now->first_turn[lid]; i < now->first_turn[lid + 1]; i++)
		affect(now, now->turned[i]);
	if (!go_back(now, lid))
		go_from_all(now, lid);
}

static bool grow_changes(struct hd_kept_change **list, size_t *capacity)
{
	const size_t more = 2 * *capacity + 256;
	struct hd_kept_change *grown = realloc(*list, more * sizeof(*grown));

	if (!grown)
		return false;
	*list = grown;
	*capacity = more;
	return true;
}

/* Lists a use that is born or gone. False: out of memory. */
static bool list_change(struct hd_kept_now *now, uint32_t use, bool is_born)
{
	struct hd_kept_change **list = is_born ? &now->born : &now->gone;
	size_t *n = is_born ? &now->n_born : &now->n_gone;
	size_t *capacity = is_born ? &now->born_capacity : &now->gone_capacity;
	struct hd_kept_change *change;

	if (*n == *capacity && !grow_changes(list, capacity))
		return false;
	change = &(*list)[(*n)++];
	change->use = hd_kept_use_of(&now->kept->view, use);
	change->has_edge = hd_kept_edge_of(now->kept, &change->use, &change->edge);
	return true;
}

/* Lists the uses that there were none of, and those of which there are none now. */
static int list_transitions(struct hd_kept_now *now, struct hd_error *err)
{
	const struct hd_kept_scratch *scratch = &now->scratch;

	for (size_t i = 0; i < scratch->n_log; i++) {
		const uint32_t use = scratch->log[i];
		const bool was = now->kept->sums.uses[use], is = now->sums.uses[use];

		if (was == is || now->is_listed[use / 64] >> use % 64 & 1)
			continue;
		now->is_listed[use / 64] |= UINT64_C(1) << use % 64;
		if (!list_change(now, use, is))
			return hd_error_nomem(err);
	}
	return 0;
}

/* Whether packets of some class still take the lane of @edge from that of @use. */
static bool is_supported(const struct hd_kept_now *now, const struct hd_kept_use *use,
			 const struct hd_channel_edge *edge)
{
	const struct hd_kept_view *view = &now->kept->view;
	const hd_sl2vl_row lanes = hd_kept_row(&now->kept->lanes, use->row);

	for (unsigned class = 0; class < view->n_classes; class ++)
		if (hd_row_vl(lanes, class) == edge->to &&
		    now->sums.uses[use->row * view->n_states + (use->lane << view->shift | class)])
			return true;
	return false;
}

/* Takes out dependencies that are gone, or puts them back. */
static void drop_gone(struct hd_kept_now *now, bool back)
{
	for (size_t i = 0; i < now->n_gone; i++) {
		const struct hd_kept_change *gone = &now->gone[i];

		if (!gone->has_edge)
			continue;
		if (back)
			hd_channels_add(&now->channels, &gone->edge);
		else if (!is_supported(now, &gone->use, &gone->edge))
			hd_channels_remove(&now->channels, &gone->edge);
	}
}

/* Adds those that are born; they close no cycle as long as an order can be had. */
static void add_born(struct hd_kept_now *now)
{
	for (size_t i = 0; now->is_acyclic && i < now->n_born; i++) {
		struct hd_kept_change *born = &now->born[i];

		if (!born->has_edge)
			continue;
		now->is_reordered |=
			now->channels.rank[hd_channels_source(&now->channels, &born->edge)] >=
			now->channels.rank[hd_channels_target(&now->channels, &born->edge)];
		now->is_acyclic = hd_channels_try(&now->channels, &born->edge, 1);
	}
}

/* Takes out again what was born, unless it was there before for another class. */
static void drop_born(struct hd_kept_now *now)
{
	for (size_t i = 0; i < now->n_born; i++)
		if (now->born[i].has_edge &&
		    hd_channels_count_new(&now->kept->channels, &now->born[i].edge, 1))
			hd_channels_remove(&now->channels, &now->born[i].edge);
}

static void cut_links(struct hd_kept_now *now)
{
	for (uint32_t i = 0; i < now->n_cut; i++)
		now->sums.links[now->cut[i]].node = HD_NONE;
}

static void join_links(struct hd_kept_now *now)
{
	for (uint32_t i = 0; i < now->n_cut; i++)
		now->sums.links[now->cut[i]] = now->kept->sums.links[now->cut[i]];
}

/* Notes that packets from @s do not arrive. */
static void add_lost(struct hd_kept_now *now, uint32_t lid, uint32_t s)
{
	now->n_lost[lid]++;
	if (now->n_all_lost == now->lost_capacity) {
		const size_t capacity = 2 * now->lost_capacity + 1024;
		uint32_t *grown = realloc(now->all_lost, capacity * sizeof(*grown));

		if (!grown) {
			now->scratch.is_bad = true;
			return;
		}
		now->all_lost = grown;
		now->lost_capacity = capacity;
	}
	now->all_lost[now->n_all_lost++] = s;
}

static int compare_descending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

/* Takes the old flows to a LID away, and adds the new ones. */
static void replace_flows(struct hd_kept_now *now, const struct hd_tables *tables,
			  const struct hd_kept_lanes *lanes, const uint16_t *lid)
{
	const struct hd_kept *kept = now->kept;
	const struct hd_kept_column before = { kept->tables->lft + *lid, kept->view.stride, lid,
					       1 };
	const struct hd_kept_column after = { tables->lft + *lid, kept->view.stride, lid, 1 };

	find_affected(now, *lid);
	now->n_lost[*lid] = kept->n_lost[*lid];
	now->first_lost[*lid] = (uint32_t)now->n_all_lost;
	for (uint32_t i = 0; i < now->n_affected; i++)
		now->n_lost[*lid] -=
			!hd_kept_sums_add(&now->sums, &kept->view, &kept->lanes, &before,
					  now->affected[i], true, &now->scratch);
	cut_links(now);
	for (uint32_t i = 0; i < now->n_affected; i++)
		if (!hd_kept_sums_add(&now->sums, &kept->view, lanes, &after, now->affected[i],
				      false, &now->scratch))
			add_lost(now, *lid, now->affected[i]);
	if (now->n_all_lost > now->first_lost[*lid] + (size_t)1)
		qsort(now->all_lost + now->first_lost[*lid],
		      now->n_all_lost - now->first_lost[*lid], sizeof(*now->all_lost),
		      compare_descending);
	join_links(now);
}

/* Lists the LIDs to which flows change. False: out of memory. */
static bool list_dirty(struct hd_kept_now *now, const struct hd_tables *tables)
{
	for (uint32_t s = 0; s < now->kept->view.n; s++)
		if (!compare_lfts(now, tables, s))
			return false;
	return find_lost(now, tables) && sort_turns(now);
}

int hd_kept_follow(struct hd_kept_now *now, const struct hd_tables *tables,
		   const struct hd_kept_lanes *lanes, bool *is_known, struct hd_error *err)
{
	const struct hd_kept *kept = now->kept;
	int ret;

	now->n_changed = 0;
	now->is_acyclic = true;
	*is_known =
		hd_fabric_lost_links(kept->view.fabric, tables->fabric, now->cut, &now->n_cut) &&
		same_rows(now, lanes, tables->fabric) && compare_classes(now, lanes);
	if (!*is_known)
		return 0;
	if (!list_dirty(now, tables))
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < now->n_dirty; i++)
		replace_flows(now, tables, lanes, &now->dirty[i]);
	*is_known = !now->scratch.is_bad;
	if (!kept->lanes.rows)
		return 0;
	ret = list_transitions(now, err);
	if (ret)
		return ret;
	drop_gone(now, false);
	add_born(now);
	return 0;
}

/* Makes the sums those of the base again. */
static void restore_sums(struct hd_kept_now *now)
{
	const struct hd_kept_sums *from = &now->kept->sums;
	const struct hd_kept_view *view = &now->kept->view;
	struct hd_kept_scratch *scratch = &now->scratch;

	memcpy(now->sums.load, from->load, view->fabric->n_ports * sizeof(*from->load));
	memcpy(now->sums.n_ways, from->n_ways, (view->n + (size_t)1) * sizeof(*from->n_ways));
	for (size_t i = 0; i < scratch->n_log; i++) {
		now->sums.uses[scratch->log[i]] = from->uses[scratch->log[i]];
		now->is_listed[scratch->log[i] / 64] = 0;
	}
	if (scratch->is_bad)
		hd_kept_sums_copy(&now->sums, from, view);
	scratch->n_log = 0;
	scratch->is_bad = false;
}

void hd_kept_back(struct hd_kept_now *now)
{
	drop_born(now);
	drop_gone(now, true);
	if (now->is_reordered)
		hd_channels_copy_ranks(&now->channels, &now->kept->channels);
	restore_sums(now);
	memset(now->first_turn, 0,
	       (now->kept->view.fabric->top_lid + (size_t)3) * sizeof(*now->first_turn));
	memset(now->has_new_classes, 0, now->kept->view.fabric->top_lid + (size_t)1);
	now->is_reordered = false;
	now->n_turns = 0;
	now->n_all_lost = 0;
	now->n_born = now->n_gone = 0;
	now->n_cut = now->n_dirty = 0;
}

uint32_t hd_kept_lost(const struct hd_kept_now *now, uint32_t lid, const uint32_t **lost)
{
	const bool is_dirty =
		now->first_turn[lid] < now->first_turn[lid + 1] || now->has_new_classes[lid];

	*lost = NULL;
	if (!is_dirty)
		return now->kept->n_lost[lid];
	/* those of the base that still do not arrive are not among those that were followed */
	if (!now->kept->n_lost[lid])
		*lost = now->all_lost + now->first_lost[lid];
	return now->n_lost[lid];
}
