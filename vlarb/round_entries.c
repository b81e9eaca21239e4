// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/round_entries.h"

#include <string.h>

#include "vlarb/shares.h"

/* Even tables are looked for in up to so many rounds in one. */
#define MOST_ROUNDS 8

/*
 * Numbers of entries that are tried at most: more lanes than there are kinds would take for ever.
 */
#define MOST_TRIES 200000

/* Passes over all pairs of entries that are tried in each other's place. */
#define MOST_PASSES 16

/* A table, and what it is judged by. */
struct table {
	unsigned n; /* entries; 0: none yet */
	struct hd_vlarb_entry entries[HD_VLARB_MAX];
	bool is_even;
	unsigned n_gaps;
	uint32_t gaps[HD_MAX_VLS]; /* the longest of each lane, in descending order */
};

/* A search for tables without error. */
struct search {
	const struct hd_round *round;
	unsigned room, rounds;
	unsigned tries;
	unsigned n_entries[HD_MAX_VLS]; /* [lane] */
	struct table best;
};

static unsigned most_packets(unsigned packet)
{
	return UINT8_MAX / packet;
}

unsigned hd_round_least(unsigned packet, uint64_t packets)
{
	const unsigned most = most_packets(packet);
	const uint64_t n = (packets + most - 1) / most;

	return n > HD_VLARB_MAX ? HD_VLARB_MAX + 1 : (unsigned)n;
}

void hd_vlarb_gaps(const struct hd_vlarb_entry *entries, unsigned n, uint32_t gaps[HD_MAX_VLS])
{
	uint32_t ended[HD_MAX_VLS], now = 0;
	uint16_t seen = 0;

	memset(gaps, 0xff, HD_MAX_VLS * sizeof(*gaps));
	/* the second time around, every lane has had a turn before */
	for (unsigned i = 0; i < 2 * n; i++) {
		const struct hd_vlarb_entry *entry = &entries[i % n];
		const unsigned vl = entry->vl;

		if (vl >= HD_MAX_VLS || !entry->weight)
			continue;
		if (seen >> vl & 1 && (gaps[vl] == UINT32_MAX || now - ended[vl] > gaps[vl]))
			gaps[vl] = now - ended[vl];
		seen |= (uint16_t)(1u << vl);
		now += entry->weight;
		ended[vl] = now;
	}
}

static void judge(struct table *table)
{
	uint32_t gaps[HD_MAX_VLS];

	hd_vlarb_gaps(table->entries, table->n, gaps);
	table->n_gaps = 0;
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		unsigned at;

		if (gaps[vl] == UINT32_MAX)
			continue;
		for (at = table->n_gaps++; at && table->gaps[at - 1] < gaps[vl]; at--)
			table->gaps[at] = table->gaps[at - 1];
		table->gaps[at] = gaps[vl];
	}
}

static int compare_gaps(const struct table *one, const struct table *other)
{
	for (unsigned i = 0; i < one->n_gaps; i++)
		if (one->gaps[i] != other->gaps[i])
			return one->gaps[i] < other->gaps[i] ? -1 : 1;
	return 0;
}

/* Whether @one is to be made rather than @other. */
static bool is_better(const struct table *one, const struct table *other)
{
	int order;

	if (!one->n || !other->n)
		return one->n != 0;
	if (one->gaps[0] != other->gaps[0])
		return one->gaps[0] < other->gaps[0];
	if (one->is_even != other->is_even)
		return one->is_even;
	order = compare_gaps(one, other);
	return order ? order < 0 : one->n < other->n;
}

static void keep_better(struct search *search, struct table *table)
{
	judge(table);
	if (is_better(table, &search->best))
		search->best = *table;
}

/* How far slot @slot of @n is from the next one that is taken. */
static unsigned distance_to_taken(const struct table *table, unsigned slot)
{
	for (unsigned d = 0; d < table->n; d++)
		if (table->entries[(slot + d) % table->n].weight ||
		    table->entries[(slot + table->n - d) % table->n].weight)
			return d;
	return table->n;
}

/*
 * Puts @n entries of weight @weight into @table, equally far apart: where the first is farthest
 * from those that are there. False: there is no such place.
 */
static bool place_evenly(struct table *table, unsigned vl, unsigned n, unsigned weight)
{
	const unsigned step = table->n / n;
	unsigned best = step, farthest = 0;

	for (unsigned first = 0; first < step; first++) {
		const unsigned distance = distance_to_taken(table, first);
		bool is_free = distance > farthest;

		for (unsigned slot = first; is_free && slot < table->n; slot += step)
			is_free = !table->entries[slot].weight;
		if (!is_free)
			continue;
		best = first;
		farthest = distance;
	}
	for (unsigned slot = best; best < step && slot < table->n; slot += step)
		table->entries[slot] =
			(struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = (uint8_t)weight };
	return best < step;
}

/* The next lane in the order of their numbers of entries, most first; search->round->n: no more. */
static unsigned next_by_entries(const struct search *search, uint16_t placed)
{
	unsigned best = search->round->n;

	for (unsigned lane = 0; lane < search->round->n; lane++)
		if (!(placed >> lane & 1) &&
		    (best == search->round->n || search->n_entries[lane] > search->n_entries[best]))
			best = lane;
	return best;
}

/* Tries the numbers of entries in @search, whose sum is @n. */
static void try_even(struct search *search, unsigned n)
{
	const struct hd_round *round = search->round;
	struct table table = { .n = n, .is_even = true };
	uint16_t placed = 0;
	unsigned lane;

	for (lane = 0; lane < round->n; lane++)
		if (n % search->n_entries[lane])
			return;
	while ((lane = next_by_entries(search, placed)) < round->n) {
		const uint32_t packets = round->packets[lane] * search->rounds;

		placed |= (uint16_t)(1u << lane);
		if (!place_evenly(&table, round->vl[lane], search->n_entries[lane],
				  packets / search->n_entries[lane] * round->packet[lane]))
			return;
	}
	keep_better(search, &table);
}

/* Goes through the numbers of entries of @lane and all after it; those before it have @n. */
static void find_even(struct search *search, unsigned lane, unsigned n)
{
	const struct hd_round *round = search->round;
	uint32_t packets;
	bool is_like_last;

	if (search->tries++ >= MOST_TRIES)
		return;
	if (lane == round->n) {
		try_even(search, n);
		return;
	}
	packets = round->packets[lane] * search->rounds;
	/* lanes that are alike have alike entries */
	is_like_last = lane && round->packet[lane] == round->packet[lane - 1] &&
		       round->packets[lane] == round->packets[lane - 1];
	for (unsigned own = 1; n + own + (round->n - lane - 1) <= search->room && own <= packets;
	     own++) {
		if (packets % own || packets / own > most_packets(round->packet[lane]) ||
		    (is_like_last && own != search->n_entries[lane - 1]))
			continue;
		search->n_entries[lane] = own;
		find_even(search, lane + 1, n + own);
	}
}

/* Where the middle of entry @i of @n is, as a part of the round; of lane @lane, to tell ties. */
static uint64_t middle(unsigned i, unsigned n, unsigned lane)
{
	return ((2 * i + UINT64_C(1)) << 40) / (2 * n) * HD_MAX_VLS + lane;
}

/* Makes a table of the numbers of entries in @search: each about where it is due. */
static void make_uneven(const struct search *search, struct table *table)
{
	const struct hd_round *round = search->round;
	unsigned placed[HD_MAX_VLS] = { 0 };

	*table = (struct table){ 0 };
	for (;;) {
		uint64_t least = UINT64_MAX;
		unsigned best = round->n, n, packets;

		for (unsigned lane = 0; lane < round->n; lane++) {
			uint64_t due = UINT64_MAX;

			if (placed[lane] < search->n_entries[lane])
				due = middle(placed[lane], search->n_entries[lane], lane);
			if (due < least) {
				least = due;
				best = lane;
			}
		}
		if (best == round->n)
			return;
		/* the packets of a lane are spread over its entries as evenly as they can be */
		n = search->n_entries[best];
		packets = (placed[best] + 1) * round->packets[best] / n -
			  placed[best] * round->packets[best] / n;
		placed[best]++;
		table->entries[table->n++] = (struct hd_vlarb_entry){
			.vl = round->vl[best],
			.weight = (uint8_t)(packets * round->packet[best]),
		};
	}
}

/*
 * The lane of @table with the longest gap of those that can have another entry; round->n: no lane
 * can.
 */
static unsigned longest_waiting(const struct search *search, const struct table *table)
{
	const struct hd_round *round = search->round;
	unsigned best = round->n;
	uint32_t gaps[HD_MAX_VLS];

	hd_vlarb_gaps(table->entries, table->n, gaps);
	for (unsigned lane = 0; lane < round->n; lane++)
		if (search->n_entries[lane] < round->packets[lane] &&
		    (best == round->n || gaps[round->vl[lane]] > gaps[round->vl[best]]))
			best = lane;
	return best;
}

/* Has entries of @table change places as long as that makes gaps shorter. */
static void improve(struct table *table)
{
	bool is_better_now = true;

	judge(table);
	for (unsigned pass = 0; is_better_now && pass < MOST_PASSES; pass++) {
		is_better_now = false;
		for (unsigned i = 0; i < table->n; i++)
			for (unsigned j = i + 1; j < table->n; j++) {
				struct table other = *table;

				other.entries[i] = table->entries[j];
				other.entries[j] = table->entries[i];
				judge(&other);
				if (compare_gaps(&other, table) >= 0)
					continue;
				*table = other;
				is_better_now = true;
			}
	}
}

/* Tables of one round: entry by entry, for the lane that waits longest. */
static void find_uneven(struct search *search)
{
	const struct hd_round *round = search->round;
	struct search own = { .round = round };
	struct table table;
	unsigned n = 0, lane;

	for (lane = 0; lane < round->n; lane++)
		n += own.n_entries[lane] =
			hd_round_least(round->packet[lane], round->packets[lane]);
	if (n > search->room)
		return;
	for (;; n++) {
		make_uneven(&own, &table);
		keep_better(&own, &table);
		lane = longest_waiting(&own, &table);
		if (n == search->room || lane == round->n)
			break;
		own.n_entries[lane]++;
	}
	improve(&own.best);
	keep_better(search, &own.best);
}

unsigned hd_round_arrange(const struct hd_round *round, unsigned room,
			  struct hd_vlarb_entry entries[HD_VLARB_MAX])
{
	struct search search = { .round = round, .room = room };
	unsigned n = 0;

	for (search.rounds = 1; search.rounds <= MOST_ROUNDS; search.rounds++)
		find_even(&search, 0, 0);
	find_uneven(&search);
	if (!search.best.n)
		return 0;
	while (n + search.best.n <= room) {
		memcpy(entries + n, search.best.entries, search.best.n * sizeof(*entries));
		n += search.best.n;
	}
	return n;
}
