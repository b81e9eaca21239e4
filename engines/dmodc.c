// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fat trees as they are cabled, by a closed form: D-mod-K (Zahavi, 2010) where nothing is missing,
 * and a generalisation in the manner of Dmodc (Gliksberg et al., arXiv 2211.13101) where something
 * is.
 *
 * Hosts are numbered along the tree, leaf by leaf and there by port. A switch sends number t up by
 *
 *	slot (t / divider) mod slots,
 *
 * where slots are the cables that the switch and its siblings have (topologies/fat_tree.h), first
 * cables to every parent before second ones, and the divider is the product of the parents on the
 * levels below. So siblings agree on the parent for a destination, and each parent, and each cable
 * down from it, has its share of the destinations of a leaf: on an intact k-ary n-tree every shift
 * permutation has one flow on each link.
 *
 * A slot that a switch lacks, or that does not lead to the destination by a shortest way, is
 * replaced by one that does; other entries stay. At a leaf that is the slot by which least flows
 * leave and come down to the destination's leaf; leaves are gone through one after another, with
 * the flows of all pairs of hosts. Higher up it is chosen by the next digit of t and by which
 * sibling the switch is. A leaf with more hosts than slots has some destinations over, which would
 * all make the same cables busier: leaves choose their slots likewise.
 *
 * Which ways are legal is the business of engines/tree_ways.h.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/ar_options.h"
#include "engines/baseline_routes.h"
#include "engines/engines.h"
#include "engines/even.h"
#include "engines/targets.h"
#include "engines/tree_sets.h"
#include "engines/tree_ways.h"
#include "engines/turns.h"
#include "support/error.h"
#include "topologies/no_hosts.h"

#define MOST_SLOTS (2 * HD_MAX_PORTS)
#define NO_GROUP   0xFFu
#define NO_LENGTH  0xFF /* of no way; not even HD_TREE_FAR */

/* A LID to route to. */
struct item {
	uint32_t number; /* along the tree */
	uint16_t lid;
	uint8_t port; /* of the switch that leads to the LID; 0: its own */
	uint8_t pass; /* LMC offset */
	bool is_over; /* its leaf has more hosts than slots, and this is one of those */
};

struct plan {
	const struct hd_fabric *fabric;
	struct hd_fat_tree *tree;
	struct hd_tree_ways ways;
	struct item *items; /* by switch */
	uint16_t *lids;     /* [item] its LID again, for loops over many */
	uint16_t *over;     /* LIDs of the items that are over */
	uint32_t n_over;
	uint32_t *first_item; /* [switch + 1] */
	bool *has_over;       /* [switch] one of its items is over */
	size_t *first_slot;   /* [switch] in arriving[] and cables_of[] */
	/* for each slot of a leaf that is of a first cable: flows that come down from its parent */
	uint32_t *arriving;
	uint8_t *cables_of; /* likewise: cables from that parent */
	uint32_t *down;     /* likewise: arriving[] by each of these cables */
	/* [leaf's item][its slot of a first cable] flows that come by that parent beside others */
	uint32_t *via;
	size_t *first_via;   /* [switch] */
	uint32_t most_slots; /* of any siblings */
	uint32_t n_hosts;    /* items that are not switches' own */
	bool is_even;        /* no leaf lacks a slot or has items that are over */
	bool *is_thin;       /* [switch] lacks a cable that is no first one to its parent */
	bool *lacks;         /* [first_slot[switch] + slot] which one */
};

/* What is worked out for a switch, and kept while it stays the same for the next. */
struct desk {
	struct plan *plan;
	uint32_t s;
	const struct hd_tree_group *groups;
	unsigned n_groups, n_up;
	/* slots */
	uint32_t divider, n_slots, n_parents, rank;
	bool is_complete; /* the switch has all slots, and no cable up beside them */
	uint8_t n_used[HD_MAX_PORTS + 1]; /* [group] cables that are slots */
	uint8_t slot_port[MOST_SLOTS], slot_group[MOST_SLOTS];
	uint16_t slot_first[MOST_SLOTS]; /* the slot of the first cable to the same parent */
	uint32_t leaving[MOST_SLOTS];    /* [slot] flows that leave by it instead of others */
	/* [group] the links of the ways by it to each switch; what they are where it leads there */
	const uint8_t *lengths[HD_MAX_PORTS + 1], *want[HD_MAX_PORTS + 1];
	uint32_t n_sources;
	/* by destination switch */
	uint8_t *group_to; /* NO_GROUP: no cable leads there */
	uint8_t *want_fall, *want_rise, *count, *count_up, *single;
	/* slot of every item, for the divider and the number of slots that are noted here */
	uint16_t *slot;
	uint32_t slots_divider, slots_n;
};

/* The cable of @slot at @s among those to the same parent. */
static unsigned cable_of_slot(const struct hd_siblings *siblings, const uint32_t *slots,
			      uint32_t slot)
{
	unsigned cable = 0;

	for (uint32_t i = 0; i < slot && slot >= siblings->n_parents; i++)
		cable += slots[i] == slots[slot];
	return cable;
}

/* Whether the slots of leaf @to are such as those of the leaf that the desk is of. */
static bool has_such_slots(const struct desk *desk, uint32_t to)
{
	const struct hd_fat_tree *tree = desk->plan->tree;
	const struct hd_siblings *siblings;

	if (tree->level[desk->s] || tree->level[to] || tree->siblings[to] == HD_NONE)
		return false;
	siblings = &tree->sibling[tree->siblings[to]];
	return siblings->n_slots == desk->n_slots && siblings->n_parents == desk->n_parents;
}

/* Whether switch @s has the cable of @slot, or no cable to that parent at all. */
static bool has_slot(const struct plan *plan, uint32_t s, uint32_t slot)
{
	const struct hd_siblings *siblings = &plan->tree->sibling[plan->tree->siblings[s]];
	const uint32_t *slots = plan->tree->slot_parent + siblings->first_slot;

	if (slot < siblings->n_parents)
		return true;
	for (uint32_t g = plan->ways.first_group[s]; g < plan->ways.first_group[s + 1]; g++)
		if (plan->ways.group[g].peer == slots[slot])
			return cable_of_slot(siblings, slots, slot) < plan->ways.group[g].n_cables;
	return true;
}

/* The slots of @s and its siblings. */
static uint32_t count_slots(const struct plan *plan, uint32_t s)
{
	const uint32_t siblings = plan->tree->siblings[s];

	return siblings == HD_NONE ? 0 : plan->tree->sibling[siblings].n_slots;
}

/* Finds the places of switches in first_slot[] and first_via[], and makes what has these places. */
static int place_slots(struct plan *plan, struct hd_error *err)
{
	const struct hd_fat_tree *tree = plan->tree;
	const uint32_t n = plan->ways.n;
	size_t n_slots = 0, n_via = 0;

	plan->first_via = malloc((n + (size_t)1) * sizeof(*plan->first_via));
	plan->first_slot = malloc((n + (size_t)1) * sizeof(*plan->first_slot));
	for (uint32_t s = 0; plan->first_slot && plan->first_via && s < n; s++) {
		plan->first_slot[s] = n_slots;
		plan->first_via[s] = n_via;
		n_slots += count_slots(plan, s);
		if (tree->siblings[s] != HD_NONE && !tree->level[s])
			n_via += (size_t)tree->sibling[tree->siblings[s]].n_parents *
				 (plan->first_item[s + 1] - plan->first_item[s]);
	}
	plan->via = calloc(n_via + 1, sizeof(*plan->via));
	plan->arriving = calloc(n_slots + 1, sizeof(*plan->arriving));
	plan->cables_of = calloc(n_slots + 1, sizeof(*plan->cables_of));
	plan->down = calloc(n_slots + 1, sizeof(*plan->down));
	plan->lacks = calloc(n_slots + 1, sizeof(*plan->lacks));
	plan->is_thin = calloc(n + (size_t)1, sizeof(*plan->is_thin));
	return plan->first_slot && plan->first_via && plan->via && plan->arriving &&
			       plan->cables_of && plan->down && plan->lacks && plan->is_thin
		       ? 0
		       : hd_error_nomem(err);
}

static void find_thin(struct plan *plan)
{
	for (uint32_t s = 0; s < plan->ways.n; s++) {
		const uint32_t n = count_slots(plan, s);

		for (uint32_t slot = 0; slot < n; slot++) {
			const bool lacks = !has_slot(plan, s, slot);

			plan->lacks[plan->first_slot[s] + slot] = lacks;
			plan->is_thin[s] |= lacks;
		}
	}
}

/*
 * Numbers the hosts of the leaves along the tree, then end nodes on other switches; switches' own
 * LIDs go by their places along the tree.
 */
static void number_items(struct plan *plan, const struct hd_route_targets *targets,
			 uint32_t *number_of_port, uint32_t *place)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint32_t n = 0;

	for (uint32_t i = 0; i < fabric->n_switches; i++) {
		const uint32_t s = plan->tree->order[i], begin = n;
		uint32_t n_slots = 0, n_full;

		if (plan->tree->siblings[s] != HD_NONE)
			n_slots = plan->tree->sibling[plan->tree->siblings[s]].n_slots;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

			if (peer != HD_NONE && fabric->ports[peer].node >= fabric->n_switches &&
			    fabric->ports[peer].lid)
				number_of_port[hd_port_index(fabric, s, number)] = n++;
		}
		n_full = n_slots ? (n - begin) / n_slots * n_slots : 0;
		plan->has_over[s] = n_full && n_full < n - begin;
		/* the management port's place holds the first number that is over */
		number_of_port[hd_port_index(fabric, s, 0)] =
			plan->has_over[s] ? begin + n_full : UINT32_MAX;
		place[s] = i;
	}
	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *target = &targets->list[i];
		const uint32_t s = target->via_switch;
		const uint32_t port = hd_port_index(fabric, s, target->via_port);
		struct item *item = &plan->items[plan->first_item[s]++];

		*item = (struct item){ .number = target->via_port ? number_of_port[port] : place[s],
				       .lid = target->lid,
				       .port = target->via_port,
				       .pass = target->via_port ? target->pass : 0 };
		item->is_over = target->via_port &&
				item->number >= number_of_port[hd_port_index(fabric, s, 0)];
		plan->lids[item - plan->items] = target->lid;
		if (item->is_over)
			plan->over[plan->n_over++] = target->lid;
	}
}

static int list_items(struct plan *plan, const struct hd_route_targets *targets,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = plan->fabric;
	const size_t n = fabric->n_switches + (size_t)1;
	uint32_t *number_of_port = malloc((fabric->n_ports + (size_t)1) * sizeof(*number_of_port));
	uint32_t *place = malloc(n * sizeof(*place));
	int ret = 0;

	plan->first_item = calloc(n + 1, sizeof(*plan->first_item));
	plan->has_over = calloc(n, sizeof(*plan->has_over));
	plan->items = malloc((targets->n + 1) * sizeof(*plan->items));
	plan->lids = malloc((targets->n + 1) * sizeof(*plan->lids));
	plan->over = malloc((targets->n + 1) * sizeof(*plan->over));
	if (!number_of_port || !place || !plan->first_item || !plan->has_over || !plan->items ||
	    !plan->lids || !plan->over)
		ret = hd_error_nomem(err);
	if (!ret) {
		/* counted one place on, so that filling in moves every beginning to its place */
		for (size_t i = 0; i < targets->n; i++)
			plan->first_item[targets->list[i].via_switch + 2]++;
		for (size_t s = 2; s < n + 1; s++)
			plan->first_item[s] += plan->first_item[s - 1];
		plan->first_item++;
		number_items(plan, targets, number_of_port, place);
		plan->first_item--;
	}
	free(number_of_port);
	free(place);
	return ret;
}

/* Sets up slots of switch @s. */
static void find_slots(struct desk *desk)
{
	const struct plan *plan = desk->plan;
	const struct hd_fat_tree *tree = plan->tree;
	const struct hd_siblings *siblings;
	uint32_t n_cables = 0;

	memset(desk->n_used, 0, sizeof(desk->n_used));
	desk->n_slots = 0;
	desk->is_complete = false;
	desk->divider = tree->divider[desk->s];
	desk->rank = 0;
	desk->n_parents = 1;
	for (unsigned g = 0; g < desk->n_groups; g++)
		if (desk->groups[g].is_up)
			n_cables += desk->groups[g].n_cables;
	if (tree->siblings[desk->s] == HD_NONE)
		return;
	siblings = &tree->sibling[tree->siblings[desk->s]];
	if (siblings->n_slots > MOST_SLOTS || !siblings->n_slots)
		return;
	desk->n_slots = siblings->n_slots;
	desk->n_parents = siblings->n_parents;
	desk->rank = tree->rank[desk->s];
	desk->is_complete = n_cables == desk->n_slots;
	for (uint32_t i = 0; i < desk->n_slots; i++) {
		const uint32_t parent = tree->slot_parent[siblings->first_slot + i];
		unsigned g = 0;

		desk->slot_first[i] = (uint16_t)i;
		for (uint32_t first = 0; i >= desk->n_parents && first < desk->n_parents; first++)
			if (tree->slot_parent[siblings->first_slot + first] == parent)
				desk->slot_first[i] = (uint16_t)first;
		while (g < desk->n_groups && desk->groups[g].peer != parent)
			g++;
		if (g == desk->n_groups || desk->n_used[g] == desk->groups[g].n_cables) {
			desk->slot_group[i] = NO_GROUP;
			desk->is_complete = false;
			continue;
		}
		desk->slot_group[i] = (uint8_t)g;
		desk->slot_port[i] =
			plan->ways.cable[desk->groups[g].first_cable + desk->n_used[g]++];
	}
}

static void desk_begin(struct desk *desk, uint32_t s)
{
	const struct hd_tree_ways *ways = &desk->plan->ways;

	desk->s = s;
	desk->groups = ways->group + ways->first_group[s];
	desk->n_groups = ways->first_group[s + 1] - ways->first_group[s];
	find_slots(desk);
	memset(desk->leaving, 0, sizeof(desk->leaving));
	desk->n_sources = 0;
	for (uint32_t i = desk->plan->first_item[s]; i < desk->plan->first_item[s + 1]; i++)
		desk->n_sources += desk->plan->items[i].port != 0;
}

/* Adds what leaves the leaf of the desk by each slot, to each destination there. */
static void offer(struct plan *plan, const struct desk *desk, uint32_t *offered)
{
	for (uint32_t slot = 0; slot < desk->n_slots; slot++) {
		const bool is_there = desk->slot_group[slot] != NO_GROUP;

		plan->cables_of[plan->first_slot[desk->s] + desk->slot_first[slot]] += is_there;
		plan->is_even &= is_there;
		if (is_there)
			offered[(desk->n_slots - 1) * plan->most_slots + slot] += desk->n_sources;
	}
	plan->is_even &= !plan->has_over[desk->s];
	plan->n_hosts += desk->n_sources;
}

/* Adds flows to what comes down to @to by @slot of its siblings that is of a first cable. */
static void add_arrival(struct plan *plan, uint32_t to, uint32_t slot, uint32_t flows)
{
	const size_t at = plan->first_slot[to] + slot;
	const uint32_t n_cables = plan->cables_of[at];

	plan->arriving[at] += flows;
	plan->down[at] = n_cables ? plan->arriving[at] / n_cables : 0;
}

/* What comes to the leaf of the desk by the slots that it has. */
static void expect_arrivals(struct plan *plan, const struct desk *desk, const uint32_t *offered)
{
	for (uint32_t i = plan->first_item[desk->s]; i < plan->first_item[desk->s + 1]; i++) {
		const struct item *item = &plan->items[i];
		uint32_t slot;

		if (!desk->n_slots || !item->port || item->is_over)
			continue;
		slot = (item->number + item->pass) % desk->n_slots;
		if (desk->slot_group[slot] != NO_GROUP)
			add_arrival(plan, desk->s, desk->slot_first[slot],
				    offered[(desk->n_slots - 1) * plan->most_slots + slot]);
	}
}

static uint32_t find_most_slots(const struct hd_fat_tree *tree)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < tree->n_siblings; i++)
		if (tree->sibling[i].n_slots > most && tree->sibling[i].n_slots <= MOST_SLOTS)
			most = tree->sibling[i].n_slots;
	return most;
}

static int count_arrivals(struct plan *plan, struct hd_error *err)
{
	const struct hd_fat_tree *tree = plan->tree;
	struct desk desk = { .plan = plan };
	const uint32_t most = find_most_slots(tree);
	uint32_t *offered = calloc(most * (size_t)most + 1, sizeof(*offered));

	if (!offered)
		return hd_error_nomem(err);
	plan->most_slots = most;
	plan->is_even = true;
	for (uint32_t i = 0; i < 2 * tree->n_at[0]; i++) {
		desk_begin(&desk, tree->order[i % tree->n_at[0]]);
		if (i < tree->n_at[0])
			offer(plan, &desk, offered);
		else
			expect_arrivals(plan, &desk, offered);
	}
	free(offered);
	return 0;
}

static void count_one(uint8_t *restrict count, uint8_t *restrict single,
		      const uint8_t *restrict theirs, const uint8_t *restrict want, uint8_t g,
		      uint32_t n)
{
	HD_TREE_ROWS
	for (uint32_t i = 0; i < n; i++) {
		bool leads = theirs[i] == want[i];

		count[i] = (uint8_t)(count[i] + leads);
		single[i] = leads ? g : single[i];
	}
}

static void want_lengths(const uint8_t *restrict fall, const uint8_t *restrict way,
			 uint8_t *restrict want_fall, uint8_t *restrict want_rise, uint32_t n)
{
	HD_TREE_ROWS
	for (uint32_t i = 0; i < n; i++) {
		want_fall[i] = (uint8_t)(fall[i] < HD_TREE_FAR ? fall[i] - 1 : NO_LENGTH);
		want_rise[i] =
			(uint8_t)(fall[i] == HD_TREE_FAR && way[i] < HD_TREE_FAR ? way[i] - 1
										 : NO_LENGTH);
	}
}

/* Counts, for every destination, the groups that lead there by a shortest legal way. */
static void count_groups(struct desk *desk)
{
	const struct plan *plan = desk->plan;
	const uint32_t n = plan->ways.n;

	want_lengths(plan->ways.fall + (size_t)desk->s * n, plan->ways.way + (size_t)desk->s * n,
		     desk->want_fall, desk->want_rise, n);
	memset(desk->group_to, NO_GROUP, n);
	for (unsigned g = 0; g < desk->n_groups; g++) {
		const struct hd_tree_group *group = &desk->groups[g];

		desk->group_to[group->peer] = (uint8_t)g;
		desk->lengths[g] = (group->is_rising ? plan->ways.way : plan->ways.fall) +
				   (size_t)group->peer * n;
		desk->want[g] = group->is_rising ? desk->want_rise : desk->want_fall;
	}
	/* nothing is one link short of the switch itself */
	desk->want_fall[desk->s] = NO_LENGTH;
	memset(desk->count, 0, n);
	memset(desk->count_up, 0, n);
	desk->n_up = 0;
	for (unsigned up = 0; up < 2; up++)
		for (unsigned g = 0; g < desk->n_groups; g++) {
			if (desk->groups[g].is_up != up)
				continue;
			desk->n_up += up;
			count_one(up ? desk->count_up : desk->count, desk->single, desk->lengths[g],
				  desk->want[g], (uint8_t)g, n);
		}
}

/* The slot of every item, at switches with this divider and number of slots. */
static void find_item_slots(struct desk *desk)
{
	const struct plan *plan = desk->plan;
	const uint32_t n = plan->first_item[plan->ways.n];

	if (!desk->n_slots ||
	    (desk->slots_divider == desk->divider && desk->slots_n == desk->n_slots))
		return;
	desk->slots_divider = desk->divider;
	desk->slots_n = desk->n_slots;
	for (uint32_t i = 0; i < n; i++)
		desk->slot[i] =
			(uint16_t)((plan->items[i].number / desk->divider + plan->items[i].pass) %
				   desk->n_slots);
}

/* How many destinations take turns over the parents on the way down to @group, or up to it. */
static uint32_t divider_of(const struct desk *desk, const struct hd_tree_group *group)
{
	const struct hd_fat_tree *tree = desk->plan->tree;
	const uint32_t below = group->is_up ? desk->s : group->peer;

	if (tree->level[desk->s] == tree->level[group->peer] || tree->siblings[below] == HD_NONE ||
	    !tree->sibling[tree->siblings[below]].n_parents)
		return tree->divider[desk->s];
	return tree->divider[below] * tree->sibling[tree->siblings[below]].n_parents;
}

/*
 * Destinations of leaf @to below by the cables to it: first those that are meant to come this way,
 * in turn; then the others, by the flows that do, to the cable with least. Returns false where that
 * is not known.
 */
static bool share_cables(const struct desk *desk, uint32_t to, const struct hd_tree_group *group,
			 uint8_t *lft)
{
	const struct plan *plan = desk->plan;
	const struct hd_fat_tree *tree = plan->tree;
	uint64_t flows[HD_MAX_PORTS];
	const struct hd_siblings *siblings;
	uint32_t parent = 0;

	if (tree->level[to] || tree->siblings[to] == HD_NONE)
		return false;
	siblings = &tree->sibling[tree->siblings[to]];
	while (parent < siblings->n_parents &&
	       tree->slot_parent[siblings->first_slot + parent] != desk->s)
		parent++;
	if (parent == siblings->n_parents)
		return false;
	memset(flows, 0, group->n_cables * sizeof(*flows));
	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = plan->first_item[to]; i < plan->first_item[to + 1]; i++) {
			const struct item *item = &plan->items[i];
			const uint32_t slot = (item->number + item->pass) % siblings->n_slots;
			const bool is_meant =
				item->port && !item->is_over &&
				tree->slot_parent[siblings->first_slot + slot] == desk->s;
			unsigned least = 0;

			if (is_meant == (turn == 1))
				continue;
			for (unsigned c = 1; c < group->n_cables; c++)
				if (flows[c] < flows[least])
					least = c;
			flows[least] += is_meant ? plan->n_hosts
						 : plan->via[plan->first_via[to] +
							     (i - plan->first_item[to]) *
								     siblings->n_parents +
							     parent];
			lft[item->lid] = plan->ways.cable[group->first_cable + least];
		}
	return true;
}

/* All destinations of @to by the cables of one group: by the same rule as up. */
static void fill_by_group(const struct desk *desk, uint32_t to, const struct hd_tree_group *group,
			  uint8_t *lft)
{
	const struct plan *plan = desk->plan;
	const uint8_t *cables = plan->ways.cable + group->first_cable;
	const uint32_t begin = plan->first_item[to], end = plan->first_item[to + 1];
	const uint32_t divider = divider_of(desk, group);

	if (group->n_cables == 1) {
		for (uint32_t i = begin; i < end; i++)
			lft[plan->items[i].lid] = cables[0];
		return;
	}
	if (!plan->is_even && group->peer == to && share_cables(desk, to, group, lft))
		return;
	for (uint32_t i = begin; i < end; i++)
		lft[plan->items[i].lid] =
			cables[(plan->items[i].number / divider + plan->items[i].pass) %
			       group->n_cables];
}

/*
 * Whether what comes to leaf @to by slots of the leaf that the desk is of may meet fewer cables
 * down than it came by.
 */
static bool is_thinner(const struct desk *desk, uint32_t to)
{
	return desk->plan->is_thin[to] && has_such_slots(desk, to);
}

/* Lists the cables of the groups that lead somewhere. */
static uint32_t list_cables(const struct desk *desk, const bool *leads, uint8_t *cables)
{
	uint32_t n = 0;

	for (unsigned g = 0; g < desk->n_groups; g++) {
		const struct hd_tree_group *group = &desk->groups[g];

		if (!leads[g])
			continue;
		memcpy(cables + n, desk->plan->ways.cable + group->first_cable, group->n_cables);
		n += group->n_cables;
	}
	return n;
}

/* The slots of the desk's switch that serve a destination. */
struct serving {
	uint32_t n;
	uint16_t slot[MOST_SLOTS];  /* ascending */
	uint16_t place[MOST_SLOTS]; /* [slot] in slot[]: the first that is no less */
	bool serves[MOST_SLOTS];    /* [slot] */
	bool is_known; /* what comes down to the destination is known by the slot that it left by */
};

/* Of those slots, the one with least flows where they are most; the first from @begin on. */
static uint32_t find_least(const struct desk *desk, uint32_t to, const struct serving *list,
			   uint32_t begin)
{
	const uint32_t *down = desk->plan->down + desk->plan->first_slot[to];
	const uint32_t base =
		(uint32_t)((uint64_t)desk->plan->n_hosts * desk->n_sources / desk->n_slots);
	uint32_t best = 0, i = list->place[begin];
	uint64_t least = UINT64_MAX;

	for (uint32_t left = list->n; left; left--, i++) {
		uint32_t slot, out, in;
		uint64_t cost;

		i = i < list->n ? i : 0;
		slot = list->slot[i];
		out = base + desk->leaving[slot];
		in = list->is_known ? down[desk->slot_first[slot]] : 0;
		cost = (uint64_t)(out > in ? out : in) << 32 | (out > in ? in : out);
		best = cost < least ? slot : best;
		least = cost < least ? cost : least;
	}
	return best;
}

/*
 * Of the slots that serve @to, that with least flows where they are most, at this leaf or where
 * they come down to @to; the first from @begin on. Notes that flows go there.
 */
static uint32_t choose_slot(struct desk *desk, uint32_t to, uint32_t item,
			    const struct serving *list, uint32_t begin)
{
	struct plan *plan = desk->plan;
	const struct hd_fat_tree *tree = plan->tree;
	const uint32_t best = find_least(desk, to, list, begin % desk->n_slots);

	if (!plan->items[item].port) /* switches' own LIDs carry little */
		return best;
	desk->leaving[best] += desk->n_sources;
	if (!list->is_known)
		return best;
	add_arrival(plan, to, desk->slot_first[best], desk->n_sources);
	plan->via[plan->first_via[to] +
		  (size_t)(item - plan->first_item[to]) *
			  tree->sibling[tree->siblings[to]].n_parents +
		  desk->slot_first[best]] += desk->n_sources;
	return best;
}

/*
 * Where several parents of leaf @to are below, destinations come down by the parent that is theirs
 * at the leaf: by the cable of its slot there, which is the one that packets from the leaf's
 * siblings would take up. Fills down[slot of @to]: 0: no cable of the desk leads to that parent.
 * Returns how many slots there are.
 */
static uint32_t list_downs(const struct desk *desk, uint32_t to, const bool *leads, uint8_t *down)
{
	const struct hd_fat_tree *tree = desk->plan->tree;
	const struct hd_siblings *siblings;

	if (tree->level[to] || tree->siblings[to] == HD_NONE)
		return 0;
	siblings = &tree->sibling[tree->siblings[to]];
	if (siblings->n_slots > MOST_SLOTS)
		return 0;
	for (uint32_t slot = 0; slot < siblings->n_slots; slot++) {
		const uint32_t *parents = tree->slot_parent + siblings->first_slot;
		const unsigned g = desk->group_to[parents[slot]];

		down[slot] = 0;
		if (g == NO_GROUP || !leads[g])
			continue;
		down[slot] = desk->plan->ways.cable[desk->groups[g].first_cable +
						    cable_of_slot(siblings, parents, slot) %
							    desk->groups[g].n_cables];
	}
	return siblings->n_slots;
}

/* Lists the slots that serve @to. Groups in @leads lead there. */
static void list_serving(const struct desk *desk, uint32_t to, const bool *leads,
			 struct serving *list)
{
	const bool *lacks = desk->plan->lacks + desk->plan->first_slot[to];
	const bool is_thin = is_thinner(desk, to);
	uint32_t n = 0;

	for (uint32_t slot = 0; slot < desk->n_slots; slot++) {
		const bool serves = leads[desk->slot_group[slot]] && !(is_thin && lacks[slot]);

		list->serves[slot] = serves;
		list->place[slot] = (uint16_t)n;
		list->slot[n] = (uint16_t)slot;
		n += serves;
	}
	list->n = n;
	list->is_known = has_such_slots(desk, to);
}

/* Destinations of @to by those groups that lead there: by slots as far as these do. */
static void fill_by_slots(struct desk *desk, uint32_t to, uint8_t *lft)
{
	const struct plan *plan = desk->plan;
	const bool is_leaf = !plan->tree->level[desk->s];
	bool leads[NO_GROUP + 1];
	uint8_t cables[HD_MAX_PORTS], down[MOST_SLOTS];
	uint32_t n = 0, n_downs = 0;
	struct serving list;
	bool has_slots;

	for (unsigned g = 0; g < desk->n_groups; g++)
		leads[g] = desk->lengths[g][to] == desk->want[g][to];
	leads[NO_GROUP] = false;
	list_serving(desk, to, leads, &list);
	has_slots = list.n > 0;
	if (!has_slots) {
		n = list_cables(desk, leads, cables);
		n_downs = list_downs(desk, to, leads, down);
	}
	for (uint32_t i = plan->first_item[to]; i < plan->first_item[to + 1]; i++) {
		const struct item *item = &plan->items[i];
		const uint32_t slot = has_slots ? desk->slot[i] : 0;
		uint32_t next;

		if (has_slots && list.serves[slot] && !(is_leaf && item->is_over)) {
			lft[item->lid] = desk->slot_port[slot];
			continue;
		}
		if (n_downs && down[(item->number + item->pass) % n_downs]) {
			lft[item->lid] = down[(item->number + item->pass) % n_downs];
			continue;
		}
		next = item->number / desk->divider + item->pass;
		if (!has_slots) {
			lft[item->lid] = cables[next % n];
			continue;
		}
		next = next / desk->n_slots + slot + desk->rank;
		lft[item->lid] = desk->slot_port[is_leaf ? choose_slot(desk, to, i, &list, next)
							 : list.slot[next % list.n]];
	}
}

static void fill_row(struct desk *desk, uint8_t *lft)
{
	const struct plan *plan = desk->plan;
	const uint16_t *lids = plan->lids, *slots = desk->slot;
	const uint8_t *ports = desk->slot_port;

	count_groups(desk);
	find_item_slots(desk);
	for (uint32_t to = 0; to < plan->ways.n; to++) {
		const uint32_t begin = plan->first_item[to], end = plan->first_item[to + 1];
		const unsigned n = desk->count[to] + desk->count_up[to];

		if (to == desk->s)
			for (uint32_t i = begin; i < end; i++)
				lft[plan->items[i].lid] = plan->items[i].port;
		else if (n == 1)
			fill_by_group(desk, to, &desk->groups[desk->single[to]], lft);
		else if (desk->count_up[to] == desk->n_up && n == desk->n_up && desk->is_complete &&
			 !(plan->has_over[to] && desk->divider == 1) && !is_thinner(desk, to))
			for (uint32_t i = begin; i < end; i++)
				lft[lids[i]] = ports[slots[i]];
		else if (n)
			fill_by_slots(desk, to, lft);
	}
}

static bool desk_new(struct plan *plan, struct desk *desk)
{
	const size_t n = plan->ways.n + (size_t)1;

	*desk = (struct desk){ .plan = plan };
	desk->group_to = malloc(n);
	desk->want_fall = malloc(n);
	desk->want_rise = malloc(n);
	desk->count = malloc(n);
	desk->count_up = malloc(n);
	desk->single = calloc(n, 1);
	desk->slot = malloc((plan->first_item[plan->ways.n] + (size_t)1) * sizeof(*desk->slot));
	return desk->group_to && desk->want_fall && desk->want_rise && desk->count &&
	       desk->count_up && desk->single && desk->slot;
}

static void desk_clear(struct desk *desk)
{
	free(desk->group_to);
	free(desk->want_fall);
	free(desk->want_rise);
	free(desk->count);
	free(desk->count_up);
	free(desk->single);
	free(desk->slot);
}

/* Fills the rows of the desk's thread; those of leaves one after another where they depend. */
static void fill_rows(struct desk *desk, bool is_ready, struct hd_tables *tables)
{
	const struct plan *plan = desk->plan;

#pragma omp single
	for (uint32_t i = 0; i < plan->tree->n_at[0]; i++) {
		if (!is_ready || plan->is_even)
			continue;
		desk_begin(desk, plan->tree->order[i]);
		fill_row(desk, hd_lft(tables, plan->tree->order[i]));
	}
#pragma omp for schedule(dynamic, 16)
	for (uint32_t s = 0; s < plan->ways.n; s++) {
		if (!is_ready || (!plan->is_even && !plan->tree->level[s]))
			continue;
		desk_begin(desk, s);
		fill_row(desk, hd_lft(tables, s));
	}
}

static int fill(struct plan *plan, struct hd_tables *tables, struct hd_error *err)
{
	bool failed = false;

#pragma omp parallel if (plan->ways.n > 64)
	{
		struct desk desk;
		bool is_ready = desk_new(plan, &desk);

		if (!is_ready) {
#pragma omp atomic write
			failed = true;
		}
		fill_rows(&desk, is_ready, tables);
		desk_clear(&desk);
	}
	return failed ? hd_error_nomem(err) : 0;
}

/* The slots of a switch's destinations, whether they lead there or not. */
static void list_slots(void *context, uint32_t s, uint8_t *row)
{
	struct desk *desk = context;
	const struct plan *plan = desk->plan;
	const uint32_t n = plan->first_item[plan->ways.n];
	const uint16_t *lids = plan->lids, *slots = desk->slot;
	const bool is_leaf = !plan->tree->level[s];
	uint8_t ports[MOST_SLOTS];

	desk_begin(desk, s);
	find_item_slots(desk);
	if (!desk->n_slots)
		return;
	for (uint32_t slot = 0; slot < desk->n_slots; slot++)
		ports[slot] = desk->slot_group[slot] == NO_GROUP ? 0 : desk->slot_port[slot];
	for (uint32_t i = 0; i < n; i++)
		row[lids[i]] = ports[slots[i]];
	for (uint32_t i = 0; is_leaf && i < plan->n_over; i++)
		row[plan->over[i]] = 0;
}

/* *@weight, to be freed, is that of hd_turn_weigh(); NULL: links have one rate. */
static int weigh(const struct hd_fabric *fabric, uint32_t **weight, struct hd_error *err)
{
	struct hd_turn_graph graph;
	int ret = hd_turn_graph_init(&graph, fabric, err);

	*weight = ret ? NULL : malloc((graph.n_channels + (size_t)1) * sizeof(**weight));
	if (!ret && !*weight)
		ret = hd_error_nomem(err);
	if (!ret && !hd_turn_weigh(&graph, *weight)) {
		free(*weight);
		*weight = NULL;
	}
	hd_turn_graph_clear(&graph);
	return ret;
}

static int even_out(struct plan *plan, struct hd_tables *tables,
		    const struct hd_route_targets *targets, const struct hd_route_request *asked,
		    struct hd_error *err)
{
	struct desk desk;
	struct hd_even_request request = {
		.rule = list_slots,
		.context = &desk,
		.enough = asked->enough,
		.known = asked->variant ? asked->variant->base->even : NULL,
	};
	uint32_t *weight = NULL;
	int ret = desk_new(plan, &desk) ? weigh(plan->fabric, &weight, err) : hd_error_nomem(err);

	request.weight = weight;
	if (weight)
		request.enough *= HD_TURN_QUARTERS;
	else if (!ret && asked->baseline && !asked->baseline->even)
		ret = hd_even_know(tables, targets, &asked->baseline->even, err);
	if (!ret)
		ret = hd_even_out(tables, targets, &request, NULL, err);
	free(weight);
	desk_clear(&desk);
	return ret;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	static const char *const ar_words[] = { "no", "yes", NULL };
	struct plan plan = { .fabric = fabric };
	enum hd_ar_state state = HD_AR_STATIC;
	struct hd_route_targets targets;
	unsigned with_sets = 0;
	int ret = hd_route_targets_list(fabric, &targets, err);

	if (!ret && request->params)
		ret = hd_ar_begin(request->params, ar_words, &with_sets, &state, routes, err);
	if (!ret)
		ret = hd_fat_tree_recognise_without(
			fabric, request->params ? hd_params_get(request->params, "no_hosts") : NULL,
			&plan.tree, err);

	if (!ret)
		ret = hd_tree_ways_find(fabric, plan.tree, &plan.ways, err);
	if (!ret)
		ret = list_items(&plan, &targets, err);
	if (!ret)
		ret = place_slots(&plan, err);
	if (!ret) {
		find_thin(&plan);
		ret = count_arrivals(&plan, err);
	}
	if (!ret)
		ret = fill(&plan, routes->tables, err);
	/*
	 * entries that were evened out need not keep the order of sets: together they close cycles
	 */
	if (!ret && !with_sets)
		ret = even_out(&plan, routes->tables, &targets, request, err);
	if (!ret && with_sets)
		ret = hd_tree_sets(&plan.ways, &targets, state, routes->tables, err);
	hd_route_targets_free(&targets);
	hd_fat_tree_free(plan.tree);
	hd_tree_ways_clear(&plan.ways);
	free(plan.items);
	free(plan.lids);
	free(plan.over);
	free(plan.first_item);
	free(plan.has_over);
	free(plan.is_thin);
	free(plan.lacks);
	free(plan.first_slot);
	free(plan.first_via);
	free(plan.via);
	free(plan.arriving);
	free(plan.cables_of);
	free(plan.down);
	return ret;
}

static const struct hd_option options[] = {
	HD_NO_HOSTS_OPTION,
	HD_AR_OPTIONS("yes: AR tables with all cables by which a shortest legal path begins"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "single", NULL };

const struct hd_engine hd_engine_dmodc = {
	.policy.name = "dmodc",
	.policy.summary = "fat trees as they are cabled: D-mod-K, also around missing cables",
	.policy.reference = "Zahavi (2010); Gliksberg et al., arXiv 2211.13101",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
