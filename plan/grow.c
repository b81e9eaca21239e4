// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/grow.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define MOST_ROUNDS 16 /* of corrections */

static uint64_t pair_of(uint32_t planned, uint32_t present)
{
	return (uint64_t)planned << 32 | present;
}

static uint32_t slot_of(uint64_t pair, uint32_t n_slots)
{
	return (uint32_t)((pair * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (n_slots - 1);
}

int hd_grow_begin(struct hd_grow *grow, struct hd_plan_match *match, struct hd_error *err)
{
	*grow = (struct hd_grow){ .match = match, .n_slots = 1024, .run = 1 };
	grow->votes = calloc(grow->n_slots, sizeof(*grow->votes));
	grow->grown = malloc((match->plan->n_switches + (size_t)1) * sizeof(*grow->grown));
	return grow->votes && grow->grown ? 0 : hd_error_nomem(err);
}

void hd_grow_end(struct hd_grow *grow)
{
	free(grow->votes);
	free(grow->heap);
	free(grow->grown);
}

/* The slot of @pair, or the free one where it belongs. */
static struct hd_vote *find_vote(struct hd_vote *votes, uint32_t n_slots, uint32_t run,
				 uint64_t pair)
{
	uint32_t slot = slot_of(pair, n_slots);

	while (votes[slot].run == run && votes[slot].pair != pair)
		slot = (slot + 1) & (n_slots - 1);
	return &votes[slot];
}

static int widen(struct hd_grow *grow)
{
	struct hd_vote *wider = calloc((size_t)grow->n_slots * 2, sizeof(*wider));

	if (!wider)
		return HD_ENOMEM;
	for (uint32_t i = 0; i < grow->n_slots; i++)
		if (grow->votes[i].run == grow->run)
			*find_vote(wider, grow->n_slots * 2, grow->run, grow->votes[i].pair) =
				grow->votes[i];
	free(grow->votes);
	grow->votes = wider;
	grow->n_slots *= 2;
	return 0;
}

static bool is_before(const struct hd_ballot *a, const struct hd_ballot *b)
{
	return a->n != b->n ? a->n > b->n : a->turn < b->turn;
}

static int push(struct hd_grow *grow, struct hd_ballot ballot)
{
	uint32_t at = grow->n_heap;

	if (grow->n_heap == grow->heap_room) {
		uint32_t room = grow->heap_room ? 2 * grow->heap_room : 1024;
		struct hd_ballot *wider = realloc(grow->heap, room * sizeof(*wider));

		if (!wider)
			return HD_ENOMEM;
		grow->heap = wider;
		grow->heap_room = room;
	}
	for (grow->n_heap++; at && is_before(&ballot, &grow->heap[(at - 1) / 2]); at = (at - 1) / 2)
		grow->heap[at] = grow->heap[(at - 1) / 2];
	grow->heap[at] = ballot;
	return 0;
}

static struct hd_ballot pop(struct hd_grow *grow)
{
	struct hd_ballot first = grow->heap[0], last = grow->heap[--grow->n_heap];
	uint32_t at = 0, below = 1;

	while (below < grow->n_heap) {
		if (below + 1 < grow->n_heap &&
		    is_before(&grow->heap[below + 1], &grow->heap[below]))
			below++;
		if (!is_before(&grow->heap[below], &last))
			break;
		grow->heap[at] = grow->heap[below];
		at = below;
		below = 2 * at + 1;
	}
	grow->heap[at] = last;
	return first;
}

static int vote(struct hd_grow *grow, uint64_t pair)
{
	struct hd_vote *found;

	if (2 * grow->n_votes >= grow->n_slots && widen(grow))
		return HD_ENOMEM;
	found = find_vote(grow->votes, grow->n_slots, grow->run, pair);
	if (found->run != grow->run) {
		*found = (struct hd_vote){ .pair = pair, .run = grow->run };
		grow->n_votes++;
	}
	found->n++;
	return push(grow, (struct hd_ballot){ pair, found->n, grow->turn++ });
}

/* The switch at the other end of a port, and its port there; HD_NONE: none. */
static uint32_t switch_beyond(const struct hd_fabric *fabric, uint32_t port, unsigned *number)
{
	uint32_t peer = port == HD_NONE ? HD_NONE : fabric->ports[port].peer;

	if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[peer].node))
		return HD_NONE;
	*number = fabric->ports[peer].number;
	return fabric->ports[peer].node;
}

/*
 * The switch that the cable of @port of the plan votes for, as that at its other end, which is
 * @planned; HD_NONE: it has no vote.
 */
static uint32_t choice_of(const struct hd_plan_match *match, uint32_t port, uint32_t *planned)
{
	unsigned there = 0, here = 0;
	uint32_t present;

	*planned = switch_beyond(match->plan, port, &there);
	if (*planned == HD_NONE)
		return HD_NONE;
	present = switch_beyond(match->now, hd_matched_port(match, port), &here);
	return here == there ? present : HD_NONE;
}

int hd_grow_vote(struct hd_grow *grow, uint32_t planned)
{
	const struct hd_plan_match *match = grow->match;
	int ret = 0;

	for (unsigned number = 1; !ret && number <= match->plan->nodes[planned].n_ports; number++) {
		uint32_t peer, choice;

		choice = choice_of(match, hd_port_index(match->plan, planned, number), &peer);
		if (peer == HD_NONE)
			continue;
		if (match->to_now[peer] != HD_NONE) {
			if (match->to_now[peer] == choice)
				grow->n_agreed++;
			else
				grow->n_against++;
		} else if (choice != HD_NONE && match->to_plan[choice] == HD_NONE) {
			ret = vote(grow, pair_of(peer, choice));
		}
	}
	return ret;
}

static int take(struct hd_grow *grow, uint32_t planned, uint32_t present)
{
	hd_pair(grow->match, planned, present, HD_BY_STRUCTURE);
	grow->grown[grow->n_grown++] = planned;
	return hd_grow_vote(grow, planned);
}

int hd_grow_run(struct hd_grow *grow, uint32_t planned, uint32_t present, uint32_t most)
{
	int ret = planned == HD_NONE ? 0 : take(grow, planned, present);

	while (!ret && grow->n_heap && grow->n_grown < most) {
		struct hd_ballot ballot = pop(grow);

		planned = (uint32_t)(ballot.pair >> 32);
		present = (uint32_t)ballot.pair;
		/* pairs stand in the heap once for each vote, and the last one comes first */
		if (grow->match->to_now[planned] == HD_NONE &&
		    grow->match->to_plan[present] == HD_NONE)
			ret = take(grow, planned, present);
	}
	return ret;
}

void hd_grow_forget(struct hd_grow *grow)
{
	grow->run++;
	grow->n_grown = grow->n_heap = grow->n_votes = grow->turn = 0;
	grow->n_agreed = grow->n_against = 0;
}

void hd_grow_undo(struct hd_grow *grow)
{
	for (uint32_t i = 0; i < grow->n_grown; i++)
		hd_unpair(grow->match, grow->grown[i]);
	hd_grow_forget(grow);
}

/* Corrections */

struct tally {
	uint32_t choice[HD_MAX_PORTS];
	unsigned n[HD_MAX_PORTS];
	unsigned n_choices;
};

/* What the matched neighbours of @planned say. */
static void count(const struct hd_plan_match *match, uint32_t planned, struct tally *tally)
{
	tally->n_choices = 0;
	hd_for_each_number(number, match->plan, planned) {
		uint32_t port =
			match->plan->ports[hd_port_index(match->plan, planned, number)].peer;
		uint32_t back, choice;
		unsigned i = 0;

		if (port == HD_NONE)
			continue;
		choice = choice_of(match, port, &back);
		if (choice == HD_NONE)
			continue;
		while (i < tally->n_choices && tally->choice[i] != choice)
			i++;
		if (i == tally->n_choices) {
			tally->choice[tally->n_choices] = choice;
			tally->n[tally->n_choices++] = 0;
		}
		tally->n[i]++;
	}
}

static unsigned votes_for(const struct tally *tally, uint32_t choice)
{
	for (unsigned i = 0; i < tally->n_choices; i++)
		if (tally->choice[i] == choice)
			return tally->n[i];
	return 0;
}

/* The choice with the most votes; HD_NONE: there is none. */
static uint32_t winner(const struct tally *tally)
{
	unsigned best = 0;

	for (unsigned i = 1; i < tally->n_choices; i++)
		if (tally->n[i] > tally->n[best])
			best = i;
	return tally->n_choices ? tally->choice[best] : HD_NONE;
}

/* Whether @planned moved. @other is room for a second tally. */
static bool correct(struct hd_plan_match *match, uint32_t planned, struct tally *tally,
		    struct tally *other)
{
	uint32_t choice, holder;

	if (match->by[planned] != HD_UNMATCHED && match->by[planned] != HD_BY_STRUCTURE)
		return false;
	count(match, planned, tally);
	choice = winner(tally);
	if (choice == HD_NONE || choice == match->to_now[planned] ||
	    votes_for(tally, choice) <= votes_for(tally, match->to_now[planned]))
		return false;
	holder = match->to_plan[choice];
	if (holder != HD_NONE) {
		if (match->by[holder] != HD_BY_STRUCTURE)
			return false;
		count(match, holder, other);
		if (votes_for(other, choice) >= votes_for(tally, choice))
			return false;
		hd_unpair(match, holder);
	}
	if (match->to_now[planned] != HD_NONE)
		hd_unpair(match, planned);
	hd_pair(match, planned, choice, HD_BY_STRUCTURE);
	return true;
}

int hd_grow_correct(struct hd_plan_match *match)
{
	struct tally *tallies = malloc(2 * sizeof(*tallies));
	bool moves = true;

	if (!tallies)
		return HD_ENOMEM;
	for (unsigned round = 0; moves && round < MOST_ROUNDS; round++) {
		moves = false;
		hd_for_each_switch(s, match->plan)
			moves |= correct(match, s, &tallies[0], &tallies[1]);
	}
	free(tallies);
	return 0;
}
