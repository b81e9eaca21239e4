// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/transactions.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define N_BUCKETS HD_TRANSACTIONS_MAX
#define NOBODY    UINT32_MAX
#define NEVER     UINT64_MAX

/*
 * Entries of a bucket, all entries by age, and those with a deadline by it, are doubly linked, so
 * that any can be removed at once.
 */
struct entry {
	struct hd_transaction transaction;
	struct hd_transaction_server server; /* client NOBODY: no client has the request yet */
	uint64_t deadline;
	bool answered; /* an answer has come, in part at least */
	uint32_t bucket_newer, bucket_older;
	uint32_t newer, older;
	uint32_t later, sooner;
	struct hd_packet request;
};

struct hd_transactions {
	void (*give_up)(void *context, const struct hd_transaction *transaction,
			const struct hd_packet *request);
	void *context;
	uint32_t n;    /* entries that were ever used */
	uint32_t free; /* list of entries that are not in use, by `older` */
	uint32_t newest, oldest;
	uint32_t soonest, latest;
	uint32_t bucket_newest[N_BUCKETS];
	uint32_t bucket_oldest[N_BUCKETS];
	struct entry entries[HD_TRANSACTIONS_MAX];
};

int hd_transactions_new(struct hd_transactions **result,
			void (*give_up)(void *context, const struct hd_transaction *transaction,
					const struct hd_packet *request),
			void *context, struct hd_error *err)
{
	/* pages of entries that are never used are never touched */
	struct hd_transactions *t = calloc(1, sizeof(*t));

	*result = t;
	if (!t)
		return hd_error_nomem(err);
	t->give_up = give_up;
	t->context = context;
	t->free = t->newest = t->oldest = t->soonest = t->latest = NOBODY;
	memset(t->bucket_newest, 0xFF, sizeof(t->bucket_newest));
	memset(t->bucket_oldest, 0xFF, sizeof(t->bucket_oldest));
	return 0;
}

void hd_transactions_free(struct hd_transactions *transactions)
{
	free(transactions);
}

/* The port is left out: who answers does not know it. */
static uint32_t bucket_of(uint64_t id, unsigned mad_class)
{
	uint64_t hash = id ^ (uint64_t)mad_class << 24;

	hash *= UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(hash >> 40) % N_BUCKETS;
}

static uint32_t bucket_of_transaction(const struct hd_transaction *transaction)
{
	return bucket_of(transaction->id, transaction->mad_class);
}

static void link_entry(struct hd_transactions *t, uint32_t at)
{
	struct entry *entry = &t->entries[at];
	uint32_t bucket = bucket_of_transaction(&entry->transaction);

	entry->newer = NOBODY;
	entry->older = t->newest;
	if (t->newest != NOBODY)
		t->entries[t->newest].newer = at;
	else
		t->oldest = at;
	t->newest = at;

	entry->bucket_newer = NOBODY;
	entry->bucket_older = t->bucket_newest[bucket];
	if (entry->bucket_older != NOBODY)
		t->entries[entry->bucket_older].bucket_newer = at;
	else
		t->bucket_oldest[bucket] = at;
	t->bucket_newest[bucket] = at;
}

static void unlink_entry(struct hd_transactions *t, uint32_t at)
{
	struct entry *entry = &t->entries[at];
	uint32_t bucket = bucket_of_transaction(&entry->transaction);

	if (entry->newer != NOBODY)
		t->entries[entry->newer].older = entry->older;
	else
		t->newest = entry->older;
	if (entry->older != NOBODY)
		t->entries[entry->older].newer = entry->newer;
	else
		t->oldest = entry->newer;

	if (entry->bucket_newer != NOBODY)
		t->entries[entry->bucket_newer].bucket_older = entry->bucket_older;
	else
		t->bucket_newest[bucket] = entry->bucket_older;
	if (entry->bucket_older != NOBODY)
		t->entries[entry->bucket_older].bucket_newer = entry->bucket_newer;
	else
		t->bucket_oldest[bucket] = entry->bucket_newer;
}

static void clear_deadline(struct hd_transactions *t, uint32_t at)
{
	struct entry *entry = &t->entries[at];

	if (entry->deadline == NEVER)
		return;
	if (entry->later != NOBODY)
		t->entries[entry->later].sooner = entry->sooner;
	else
		t->latest = entry->sooner;
	if (entry->sooner != NOBODY)
		t->entries[entry->sooner].later = entry->later;
	else
		t->soonest = entry->later;
	entry->deadline = NEVER;
}

/* Requests come in the order of time, so that the place is at the end, or near to it. */
static void set_deadline(struct hd_transactions *t, uint32_t at, uint64_t deadline)
{
	struct entry *entry = &t->entries[at];
	uint32_t sooner = t->latest;

	clear_deadline(t, at);
	if (deadline == NEVER)
		return;
	while (sooner != NOBODY && t->entries[sooner].deadline > deadline)
		sooner = t->entries[sooner].sooner;
	entry->deadline = deadline;
	entry->sooner = sooner;
	entry->later = sooner == NOBODY ? t->soonest : t->entries[sooner].later;
	if (sooner != NOBODY)
		t->entries[sooner].later = at;
	else
		t->soonest = at;
	if (entry->later != NOBODY)
		t->entries[entry->later].sooner = at;
	else
		t->latest = at;
}

static void forget(struct hd_transactions *t, uint32_t at)
{
	clear_deadline(t, at);
	unlink_entry(t, at);
	t->entries[at].older = t->free;
	t->free = at;
}

/* A request of which the answer has come in part, at least, is just forgotten. */
static void give_up(struct hd_transactions *t, uint32_t at)
{
	const struct entry *entry = &t->entries[at];

	/* what an entry holds stays until the place is given away */
	forget(t, at);
	if (!entry->answered)
		t->give_up(t->context, &entry->transaction, &entry->request);
}

static bool same_request(const struct hd_transaction *a, const struct hd_transaction *b)
{
	return a->id == b->id && a->port == b->port && a->mad_class == b->mad_class;
}

static bool same_client(struct hd_transaction_server a, struct hd_transaction_server b)
{
	return a.client == b.client && a.generation == b.generation;
}

static struct hd_transaction_server sender_of(const struct hd_transaction *transaction)
{
	return (struct hd_transaction_server){ transaction->client, transaction->generation };
}

/* The entry that is equal to @transaction; NOBODY: there is none. */
static uint32_t find(const struct hd_transactions *t, const struct hd_transaction *transaction)
{
	uint32_t at = t->bucket_oldest[bucket_of_transaction(transaction)];

	for (; at != NOBODY; at = t->entries[at].bucket_newer) {
		const struct hd_transaction *other = &t->entries[at].transaction;

		if (same_request(other, transaction) &&
		    same_client(sender_of(other), sender_of(transaction)))
			break;
	}
	return at;
}

bool hd_transactions_remove(struct hd_transactions *t, const struct hd_transaction *transaction)
{
	uint32_t at = find(t, transaction);

	if (at != NOBODY)
		forget(t, at);
	return at != NOBODY;
}

void hd_transactions_add(struct hd_transactions *t, const struct hd_transaction *transaction,
			 const struct hd_packet *request)
{
	struct entry *entry;
	uint32_t at;

	hd_transactions_remove(t, transaction);
	if (t->free == NOBODY && t->n == HD_TRANSACTIONS_MAX)
		give_up(t, t->oldest);
	if (t->free != NOBODY) {
		at = t->free;
		t->free = t->entries[at].older;
	} else {
		at = t->n++;
	}
	entry = &t->entries[at];
	entry->transaction = *transaction;
	entry->request = *request;
	entry->server.client = NOBODY;
	entry->deadline = NEVER;
	entry->answered = false;
	link_entry(t, at);
}

void hd_transactions_serve(struct hd_transactions *t, const struct hd_transaction *transaction,
			   struct hd_transaction_server server, uint64_t deadline)
{
	uint32_t at = find(t, transaction);

	if (at == NOBODY || t->entries[at].answered)
		return;
	t->entries[at].server = server;
	set_deadline(t, at, deadline);
}

void hd_transactions_lose_answer(struct hd_transactions *t, struct hd_transaction_server server,
				 unsigned mad_class, uint64_t id)
{
	uint32_t at = t->bucket_oldest[bucket_of(id, mad_class)];

	for (; at != NOBODY; at = t->entries[at].bucket_newer) {
		const struct entry *entry = &t->entries[at];

		if (entry->transaction.id == id && entry->transaction.mad_class == mad_class &&
		    same_client(entry->server, server) && !entry->answered)
			break;
	}
	if (at != NOBODY)
		give_up(t, at);
}

void hd_transactions_leave(struct hd_transactions *t, struct hd_transaction_server client)
{
	uint32_t next;

	for (uint32_t at = t->oldest; at != NOBODY; at = next) {
		const struct entry *entry = &t->entries[at];

		next = entry->newer;
		if (same_client(sender_of(&entry->transaction), client))
			forget(t, at);
		else if (same_client(entry->server, client))
			give_up(t, at);
	}
}

void hd_transactions_expire(struct hd_transactions *t, uint64_t now)
{
	while (t->soonest != NOBODY && t->entries[t->soonest].deadline <= now)
		give_up(t, t->soonest);
}

uint64_t hd_transactions_next(const struct hd_transactions *t)
{
	return t->soonest == NOBODY ? NEVER : t->entries[t->soonest].deadline;
}

bool hd_transactions_answer(
	struct hd_transactions *t, struct hd_transaction *transaction, enum hd_answer_part part,
	bool (*is_there)(void *context, const struct hd_transaction *transaction), void *context)
{
	uint32_t next, waits = NOBODY, answered = NOBODY, who;

	/* by age: an entry that is answered becomes the newest */
	for (uint32_t at = t->bucket_oldest[bucket_of_transaction(transaction)]; at != NOBODY;
	     at = next) {
		const struct entry *entry = &t->entries[at];

		next = entry->bucket_newer;
		if (!same_request(&entry->transaction, transaction))
			continue;
		if (!is_there(context, &entry->transaction))
			forget(t, at);
		else if (entry->answered)
			answered = at;
		else if (waits == NOBODY)
			waits = at;
	}
	who = part == HD_ANSWER_FURTHER ? answered : waits;
	if (who == NOBODY)
		who = part == HD_ANSWER_FURTHER ? waits : answered;
	if (who == NOBODY)
		return false;
	*transaction = t->entries[who].transaction;
	if (part == HD_ANSWER_WHOLE) {
		forget(t, who);
	} else if (part != HD_ANSWER_NONE) {
		t->entries[who].answered = true;
		clear_deadline(t, who);
		unlink_entry(t, who);
		link_entry(t, who);
	}
	return true;
}
