// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/goal_match.h"

#include <stdlib.h>

#include "sim/model/model.h"
#include "sim/traffic/goal.h"

#define MOST_BUCKETS (1u << 22)

/* A list in the order of posting. */
struct hd_goal_queue {
	uint32_t first, last; /* items */
};

enum kind { UNUSED, MESSAGE, RECEIVE };

struct hd_goal_item {
	struct hd_goal_offer offer;
	uint64_t order;         /* of posting */
	uint32_t next;          /* in its bucket; in the list of free items */
	uint32_t before, after; /* in its rank's queue */
	uint8_t kind;
};

static bool is_any(const struct hd_goal_offer *offer)
{
	return offer->source == HD_GOAL_ANY || offer->tag == HD_GOAL_ANY;
}

bool hd_goal_match_init(struct hd_goal_match *m, uint32_t n_ranks, uint64_t n_ops)
{
	*m = (struct hd_goal_match){ .n_buckets = 256, .free = HD_NONE };
	while (m->n_buckets < n_ops && m->n_buckets < MOST_BUCKETS)
		m->n_buckets *= 2;
	/* two words for each: its first item and its last one */
	m->buckets = malloc(2 * (size_t)m->n_buckets * sizeof(*m->buckets));
	m->messages = malloc(n_ranks * sizeof(*m->messages));
	m->any = malloc(n_ranks * sizeof(*m->any));
	if (!m->buckets || !m->messages || !m->any)
		return false;
	for (uint32_t i = 0; i < 2 * m->n_buckets; i++)
		m->buckets[i] = HD_NONE;
	for (uint32_t i = 0; i < n_ranks; i++)
		m->messages[i] = m->any[i] = (struct hd_goal_queue){ HD_NONE, HD_NONE };
	return true;
}

void hd_goal_match_free(struct hd_goal_match *m)
{
	free(m->items);
	free(m->buckets);
	free(m->messages);
	free(m->any);
	*m = (struct hd_goal_match){ 0 };
}

/* Messages and receives are in different ones, so that none is passed over for its kind. */
static uint32_t *bucket_of(const struct hd_goal_match *m, const struct hd_goal_offer *offer,
			   enum kind kind)
{
	uint64_t h =
		(uint64_t)offer->rank << 33 | (uint64_t)(kind == MESSAGE) << 32 | offer->source;

	h = (h ^ (uint64_t)offer->tag << 17) * 0x9e3779b97f4a7c15u;
	return &m->buckets[2 * (size_t)(h >> 40 & (m->n_buckets - 1))];
}

/* An item for @offer; HD_NONE: out of memory. */
static uint32_t new_item(struct hd_goal_match *m, const struct hd_goal_offer *offer, enum kind kind)
{
	static const uint32_t least = 256;
	uint32_t index = m->free;

	if (index == HD_NONE) {
		const uint32_t more = m->n_items ? m->n_items * 2 : least;
		struct hd_goal_item *items;

		if (more <= m->n_items)
			return HD_NONE;
		items = realloc(m->items, more * sizeof(*items));
		if (!items)
			return HD_NONE;
		m->items = items;
		for (index = more; index-- > m->n_items;) {
			items[index].kind = UNUSED;
			items[index].next = m->free;
			m->free = index;
		}
		m->n_items = more;
		index = m->free;
	}
	m->free = m->items[index].next;
	m->items[index] = (struct hd_goal_item){ .offer = *offer,
						 .next = HD_NONE,
						 .before = HD_NONE,
						 .after = HD_NONE,
						 .kind = (uint8_t)kind };
	return index;
}

static void append_to_bucket(struct hd_goal_match *m, uint32_t item)
{
	uint32_t *bucket = bucket_of(m, &m->items[item].offer, m->items[item].kind);

	if (bucket[0] == HD_NONE)
		bucket[0] = item;
	else
		m->items[bucket[1]].next = item;
	bucket[1] = item;
}

static void append_to_queue(struct hd_goal_match *m, struct hd_goal_queue *queue, uint32_t item)
{
	m->items[item].before = queue->last;
	if (queue->last == HD_NONE)
		queue->first = item;
	else
		m->items[queue->last].after = item;
	queue->last = item;
}

static void remove_from_queue(struct hd_goal_match *m, struct hd_goal_queue *queue, uint32_t index)
{
	const struct hd_goal_item *item = &m->items[index];

	if (item->before == HD_NONE)
		queue->first = item->after;
	else
		m->items[item->before].after = item->after;
	if (item->after == HD_NONE)
		queue->last = item->before;
	else
		m->items[item->after].before = item->before;
}

static void remove_from_bucket(struct hd_goal_match *m, uint32_t index)
{
	uint32_t *bucket = bucket_of(m, &m->items[index].offer, m->items[index].kind);
	uint32_t before = HD_NONE;

	for (uint32_t i = bucket[0]; i != index; i = m->items[i].next)
		before = i;
	if (before == HD_NONE)
		bucket[0] = m->items[index].next;
	else
		m->items[before].next = m->items[index].next;
	if (bucket[1] == index)
		bucket[1] = before;
}

/* The first item of @kind with the rank, source and tag of @offer; HD_NONE: there is none. */
static uint32_t find_exact(const struct hd_goal_match *m, const struct hd_goal_offer *offer,
			   enum kind kind)
{
	uint32_t i = bucket_of(m, offer, kind)[0];

	for (; i != HD_NONE; i = m->items[i].next) {
		const struct hd_goal_item *item = &m->items[i];

		if (item->kind == kind && item->offer.rank == offer->rank &&
		    item->offer.source == offer->source && item->offer.tag == offer->tag)
			return i;
	}
	return HD_NONE;
}

/* The first item of @queue that fits @offer. */
static uint32_t find_any(const struct hd_goal_match *m, const struct hd_goal_queue *queue,
			 const struct hd_goal_offer *offer)
{
	uint32_t i = queue->first;

	for (; i != HD_NONE; i = m->items[i].after) {
		const struct hd_goal_offer *other = &m->items[i].offer;

		if ((other->source == offer->source || other->source == HD_GOAL_ANY ||
		     offer->source == HD_GOAL_ANY) &&
		    (other->tag == offer->tag || other->tag == HD_GOAL_ANY ||
		     offer->tag == HD_GOAL_ANY))
			return i;
	}
	return HD_NONE;
}

static uint32_t take(struct hd_goal_match *m, uint32_t index)
{
	struct hd_goal_item *item = &m->items[index];
	const uint32_t rank = item->offer.rank;

	if (item->kind == MESSAGE)
		remove_from_queue(m, &m->messages[rank], index);
	if (is_any(&item->offer))
		remove_from_queue(m, &m->any[rank], index);
	else
		remove_from_bucket(m, index);
	item->kind = UNUSED;
	item->next = m->free;
	m->free = index;
	return item->offer.what;
}

bool hd_goal_match_message(struct hd_goal_match *m, const struct hd_goal_offer *message,
			   uint32_t *receive)
{
	uint32_t exact = find_exact(m, message, RECEIVE);
	uint32_t any = find_any(m, &m->any[message->rank], message);

	*receive = HD_NONE;
	if (exact == HD_NONE || (any != HD_NONE && m->items[any].order < m->items[exact].order))
		exact = any;
	if (exact != HD_NONE) {
		*receive = take(m, exact);
		return true;
	}
	exact = new_item(m, message, MESSAGE);
	if (exact == HD_NONE)
		return false;
	append_to_bucket(m, exact);
	append_to_queue(m, &m->messages[message->rank], exact);
	return true;
}

bool hd_goal_match_receive(struct hd_goal_match *m, const struct hd_goal_offer *receive,
			   uint32_t *message)
{
	uint32_t item = is_any(receive) ? find_any(m, &m->messages[receive->rank], receive)
					: find_exact(m, receive, MESSAGE);

	*message = HD_NONE;
	if (item != HD_NONE) {
		*message = take(m, item);
		return true;
	}
	item = new_item(m, receive, RECEIVE);
	if (item == HD_NONE)
		return false;
	m->items[item].order = m->n_posted++;
	if (is_any(receive))
		append_to_queue(m, &m->any[receive->rank], item);
	else
		append_to_bucket(m, item);
	return true;
}

void hd_goal_match_each(const struct hd_goal_match *m, bool messages,
			void (*take_offer)(void *context, const struct hd_goal_offer *offer),
			void *context)
{
	for (uint32_t i = 0; i < m->n_items; i++)
		if (m->items[i].kind == (messages ? MESSAGE : RECEIVE))
			take_offer(context, &m->items[i].offer);
}
