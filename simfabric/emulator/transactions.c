// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/transactions.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define N_BUCKETS HD_TRANSACTIONS_MAX
#define NOBODY    UINT32_MAX

/*
 * Entries of a bucket, and all entries by age, are doubly linked, so that any can be removed at
 * once.
 */
struct entry {
	struct hd_transaction transaction;
	bool answered; /* an answer has come, in part at least */
	uint32_t bucket_newer, bucket_older;
	uint32_t newer, older;
};

struct hd_transactions {
	uint32_t n;    /* entries that were ever used */
	uint32_t free; /* list of entries that are not in use, by `older` */
	uint32_t newest, oldest;
	uint32_t bucket_newest[N_BUCKETS];
	uint32_t bucket_oldest[N_BUCKETS];
	struct entry entries[HD_TRANSACTIONS_MAX];
};

int hd_transactions_new(struct hd_transactions **transactions, struct hd_error *err)
{
	/* pages of entries that are never used are never touched */
	*transactions = calloc(1, sizeof(**transactions));
	if (!*transactions)
		return hd_error_nomem(err);
	(*transactions)->free = NOBODY;
	(*transactions)->newest = NOBODY;
	(*transactions)->oldest = NOBODY;
	memset((*transactions)->bucket_newest, 0xFF, sizeof((*transactions)->bucket_newest));
	memset((*transactions)->bucket_oldest, 0xFF, sizeof((*transactions)->bucket_oldest));
	return 0;
}

void hd_transactions_free(struct hd_transactions *transactions)
{
	free(transactions);
}

static uint32_t bucket_of(const struct hd_transaction *transaction)
{
	uint64_t hash = transaction->id ^ (uint64_t)transaction->port << 32 ^
			(uint64_t)transaction->mad_class << 24;

	hash *= UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(hash >> 40) % N_BUCKETS;
}

static void link_entry(struct hd_transactions *t, uint32_t at)
{
	struct entry *entry = &t->entries[at];
	uint32_t bucket = bucket_of(&entry->transaction);

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
	uint32_t bucket = bucket_of(&entry->transaction);

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

static void forget(struct hd_transactions *t, uint32_t at)
{
	unlink_entry(t, at);
	t->entries[at].older = t->free;
	t->free = at;
}

static bool same_request(const struct hd_transaction *a, const struct hd_transaction *b)
{
	return a->id == b->id && a->port == b->port && a->mad_class == b->mad_class;
}

void hd_transactions_remove(struct hd_transactions *t, const struct hd_transaction *transaction)
{
	uint32_t at = t->bucket_oldest[bucket_of(transaction)];

	for (; at != NOBODY; at = t->entries[at].bucket_newer) {
		const struct hd_transaction *other = &t->entries[at].transaction;

		if (same_request(other, transaction) && other->client == transaction->client &&
		    other->generation == transaction->generation) {
			forget(t, at);
			return;
		}
	}
}

void hd_transactions_add(struct hd_transactions *t, const struct hd_transaction *transaction)
{
	uint32_t at;

	hd_transactions_remove(t, transaction);
	if (t->free == NOBODY && t->n == HD_TRANSACTIONS_MAX)
		forget(t, t->oldest);
	if (t->free != NOBODY) {
		at = t->free;
		t->free = t->entries[at].older;
	} else {
		at = t->n++;
	}
	t->entries[at].transaction = *transaction;
	t->entries[at].answered = false;
	link_entry(t, at);
}

bool hd_transactions_answer(
	struct hd_transactions *t, struct hd_transaction *transaction, enum hd_answer_part part,
	bool (*is_there)(void *context, const struct hd_transaction *transaction), void *context)
{
	uint32_t next, waits = NOBODY, answered = NOBODY, who;

	/* by age: an entry that is answered becomes the newest */
	for (uint32_t at = t->bucket_oldest[bucket_of(transaction)]; at != NOBODY; at = next) {
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
		unlink_entry(t, who);
		link_entry(t, who);
	}
	return true;
}
